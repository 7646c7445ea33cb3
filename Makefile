# Two commands matter: `make run` and `make test`. The rest is for those who work on HFEA.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
STAMP   = $(VENV)/.installed

.PHONY: run test lint fmt bench mutants soak wheel clean

run: $(STAMP)
	$(BIN)/python -m hfea.demo

test: $(STAMP)
	$(BIN)/python -m pytest -q -n auto $(PYTEST_ARGS)

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	$(BIN)/python benchmarks/run.py

mutants: $(STAMP)
	$(BIN)/python tests/mutants/run.py

soak: $(STAMP)
	HFEA_PROFILE=soak $(BIN)/python -m pytest -q -m soak $(PYTEST_ARGS)

wheel: $(STAMP)
	$(BIN)/python -m pip wheel -q --no-deps -w dist .

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("HFEA needs Python 3.11 or newer: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -q -e '.[test]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist .demo
