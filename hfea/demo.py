"""`make run`: the main job on the shipped histories, from nothing, in a folder of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hfea.bundled import bundled

ZONE = "America/Sao_Paulo"
ASKED_AT = "2026-10-01T09:00:00-03:00"
QUESTIONS = (
    ("answered by the core, archive closed", "Onde roda a loja do ateliê?"),
    ("rescued by the archive", "Por que a Helena saiu da Vitrine?"),
    ("an honest gap", "Quanto custou o nobreak da loja?"),
)
SETTINGS = """\
timezone = "{zone}"

[owner]
names = ["Helena Prado", "Helena"]
ids = ["telegram:551199"]
languages = ["pt-BR", "en"]

[archive]
path = "{folder}/archive"

[core]
home = "{folder}/hermes"

[[sources]]
kind = "hermes"
path = "{folder}/hermes"

[[sources]]
kind = "claude-code"
path = "{folder}/claude"
"""


def main() -> int:
    """Build the histories, run the nights, ask three questions, say where to look."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".demo").resolve()
    settings = folder / "hfea.toml"
    if folder.exists():
        if folder.is_symlink() or not settings.is_file():
            sys.stderr.write(f"{folder} exists and is no demo of HFEA; name another folder\n")
            return 2
        shutil.rmtree(folder)
    _fixtures().build(folder)
    settings.write_text(SETTINGS.format(zone=ZONE, folder=folder), encoding="utf-8")
    _say(f"Histories of a violin maker and her agent: {folder}/hermes, {folder}/claude\n")
    _say("Nights:")
    code = _hfea(settings, "consolidate")
    _say("\nOnce more, to show that nothing changes:")
    code = code or _hfea(settings, "consolidate")
    code = code or _hfea(settings, "verify")
    for label, question in QUESTIONS:
        code = code or _ask(settings, label, question)
    _where(folder)
    return code


def _fixtures() -> ModuleType:
    path = bundled("archive_fixtures") / "build.py"
    spec = importlib.util.spec_from_file_location("hfea_fixtures", path)
    if spec is None or spec.loader is None:
        msg = f"the fixtures are missing at {path}; install HFEA again"
        raise SystemExit(msg)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _hfea(settings: Path, *words: str) -> int:
    command = [sys.executable, "-m", "hfea", "--config", str(settings), *words]
    return subprocess.run(command, env=_environment(), check=False).returncode


def _ask(settings: Path, label: str, question: str) -> int:
    command = [sys.executable, "-m", "hfea", "--config", str(settings)]
    command += ["ask", question, "--asked-at", ASKED_AT, "--json"]
    done = subprocess.run(command, env=_environment(), check=False, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        return done.returncode
    found: dict[str, Any] = json.loads(done.stdout)
    opened = "opened" if found["archive_opened"] else "closed"
    _say(f"\n{label}\n  ? {question}")
    _say(f"  {found['outcome']}, verdict {found['verdict']}, archive {opened}")
    for line in found["answer"].splitlines():
        _say(f"  > {line}")
    return 0


def _where(folder: Path) -> None:
    episodes = sorted((folder / "archive").glob("[0-9]*/*/*.md"))
    _say(f"\n{len(episodes)} episodes to read:")
    for path in episodes:
        _say(f"  {path}")
    _say(f"\nMore: {sys.executable} -m hfea --config {folder / 'hfea.toml'} status")


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("HFEA_")}
    return {**kept, "PYTHONUNBUFFERED": "1"}


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
