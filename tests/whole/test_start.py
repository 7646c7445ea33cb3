"""The README's first command, the wheel, and what the documents promise."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_demo_does_the_main_job_from_nothing(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    done = subprocess.run(
        [sys.executable, "-m", "hfea.demo", str(place)], capture_output=True, text=True, check=True
    )
    out = done.stdout
    outcomes = re.findall(r"^  (\w+), verdict (\w+), archive (\w+)$", out, re.MULTILINE)
    assert [(o, a) for o, _, a in outcomes] == [
        ("grounded", "closed"),
        ("grounded", "opened"),
        ("gap", "opened"),
    ]
    assert "mini PC da oficina" in out
    assert "6,5 % por venda" in out
    episodes = sorted(place.glob("archive/*/*/*.md"))
    assert len(episodes) == 7
    assert "violeta-42" not in "".join(p.read_text("utf-8") for p in episodes)
    again = subprocess.run(
        [sys.executable, "-m", "hfea.demo", str(place)], capture_output=True, text=True, check=False
    )
    assert again.returncode == 0
    refused = subprocess.run(
        [sys.executable, "-m", "hfea.demo", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2


@pytest.mark.slow
def test_a_wheel_in_an_empty_environment_works_from_any_folder(tmp_path: Path) -> None:
    """The environment sees the installed libraries, but of HFEA only the wheel."""
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("hfea-*.whl")
    place = tmp_path / "env"
    venv.create(place, with_pip=False, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = place / "lib" / version / "site-packages"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(packages)], check=True)
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    code = "import hfea, sys; print(hfea.__file__)"
    found = subprocess.run(
        [place / "bin" / "python", "-c", code],
        cwd="/",
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(packages) in found.stdout
    done = subprocess.run(
        [place / "bin" / "python", "-m", "hfea.demo", str(tmp_path / "demo")],
        cwd="/",
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "7 episodes to read" in done.stdout


def test_every_command_is_in_the_documents() -> None:
    text = "".join(
        p.read_text("utf-8") for p in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    )
    help_text = subprocess.run(
        [sys.executable, "-m", "hfea", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    ).stdout
    commands = re.findall(r"^[│ ]+([a-z]+)  ", help_text, re.MULTILINE)
    assert "consolidate" in commands
    for command in commands:
        assert f"hfea {command}" in text or f"`{command}`" in text, command


def test_the_readme_names_two_commands_and_make_knows_them() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("run", "test", "bench", "mutants", "soak", "lint", "fmt"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_json_is_one_object_for_programs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hfea.demo", str(tmp_path / "d")], check=True, capture_output=True
    )
    for words in (["status", "--json"], ["episodes", "list", "--json"], ["verify", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "hfea", "--config", str(tmp_path / "d" / "hfea.toml"), *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert isinstance(json.loads(done.stdout), dict), words
