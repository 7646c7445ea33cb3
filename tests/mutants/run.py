"""Apply each mutant patch to a copy of the tree and show that the test it names fails on it.

Each `*.patch` here is a unified diff that breaks one invariant in one place. Its first line is
`# test: NODE_ID`. The named test must pass on the untouched copy and fail on the mutated one.
Exit 0 when every test bites, 1 otherwise.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ("memory_core", "hfea", "templates", "archive_fixtures", "tests", "pyproject.toml")
PYTEST_TESTS_FAILED = 1


@dataclass(frozen=True)
class Mutant:
    """One patch and the test that must bite on it."""

    name: str
    test: str
    patch: Path


def mutants() -> list[Mutant]:
    """Read every patch of this folder; a patch without its test line is an error."""
    found = []
    for patch in sorted(HERE.glob("*.patch")):
        first = patch.read_text(encoding="utf-8").splitlines()[0]
        if not first.startswith("# test: "):
            sys.exit(f"{patch.name}: the first line must be '# test: NODE_ID'")
        found.append(Mutant(patch.stem, first.removeprefix("# test: ").strip(), patch))
    return found


def copy_tree(target: Path) -> None:
    """Copy what the tests need; `shared` stays reachable beside the copy."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, target / name, ignore=ignore)
        else:
            shutil.copy2(source, target / name)
    shared = ROOT.parent / "shared"
    if shared.is_dir() and not (target.parent / "shared").exists():
        (target.parent / "shared").symlink_to(shared)


def pytest_code(tree: Path, test: str) -> tuple[int, str]:
    """Run one test in *tree*; return pytest's exit code and its last lines."""
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:randomly", test]
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout[-1500:]


def bites(mutant: Mutant, folder: Path) -> str:
    """Return '' where the test passes on the tree and fails on the mutant, else why not."""
    tree = folder / "tree"
    copy_tree(tree)
    code, tail = pytest_code(tree, mutant.test)
    if code != 0:
        return f"the test does not pass on the untouched tree (exit {code})\n{tail}"
    applied = subprocess.run(
        ["git", "apply", "--unsafe-paths", f"--directory={tree}", str(mutant.patch)],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if applied.returncode != 0:
        return f"the patch does not apply: {applied.stderr.strip()}"
    code, tail = pytest_code(tree, mutant.test)
    if code != PYTEST_TESTS_FAILED:
        return f"the test did not fail on the mutant (exit {code})\n{tail}"
    return ""


def tried(mutant: Mutant) -> str:
    """Try one mutant in a folder of its own; see bites."""
    with tempfile.TemporaryDirectory(prefix="hfea-mutant-") as folder:
        return bites(mutant, Path(folder))


def main() -> int:
    """Try every mutant, or those whose names contain an argument."""
    wanted = sys.argv[1:]
    chosen = [m for m in mutants() if not wanted or any(w in m.name for w in wanted)]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for processes of its own
        for mutant, why in zip(chosen, pool.map(tried, chosen), strict=True):
            failed += bool(why)
            verdict = "SURVIVED" if why else "bitten  "
            sys.stdout.write(f"{verdict} {mutant.name}  ({mutant.test})\n")
            if why:
                sys.stdout.write(why + "\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen) - failed} of {len(chosen)} mutants bitten\n")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
