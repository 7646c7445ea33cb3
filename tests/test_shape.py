"""The hard stops of the style guide: file and function lengths, broad handlers, prints."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(p for room in ("memory_core", "hfea") for p in (ROOT / room).rglob("*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
# The three outermost loops may catch everything: they report, and nobody sees a traceback.
OUTERMOST = {"hfea/cli.py", "hfea/daemon.py", "hfea/service/http.py"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_file_holds_one_idea_and_can_be_read_in_a_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_functions_fit_a_glance(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = {
        f.name: f.end_lineno - f.lineno
        for f in functions(tree)
        if f.end_lineno and f.end_lineno - f.lineno > LONGEST_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_only_the_outermost_loops_catch_everything(path: Path) -> None:
    if relative(path) in OUTERMOST:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    broad = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]
    assert broad == []


def test_nine_functions_in_ten_stay_under_thirty_lines() -> None:
    lengths = [
        f.end_lineno - f.lineno + 1
        for path in FILES
        for f in functions(ast.parse(path.read_text(encoding="utf-8")))
        if f.end_lineno
    ]
    assert sum(n <= 30 for n in lengths) >= 0.9 * len(lengths)
