from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import hfea.wiring
from hfea.cli import main

HEAVY = ("pydantic", "apscheduler", "watchdog", "fastapi", "numpy", "httpx", "sqlite3")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A settings file whose one source says one thing on one day."""
    history = tmp_path / "history.jsonl"
    row = {
        "id": "m1",
        "session_id": "s1",
        "ts": "2026-03-05T12:00:00-03:00",
        "role": "user",
        "author": "Ana",
        "content": "Decidimos usar o cofre azul.",
    }
    history.write_text(json.dumps(row) + "\n", encoding="utf-8")
    file = tmp_path / "hfea.toml"
    file.write_text(
        f"""timezone = "America/Sao_Paulo"  # where Ana lives

[owner]
names = ["Ana"]

[archive]
path = "{tmp_path}/archive"

[core]
home = "{tmp_path}/home"

[[sources]]
kind = "jsonl"
path = "{history}"
""",
        encoding="utf-8",
    )
    return file


@pytest.fixture
def run(settings: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process; return (exit code, stdout, stderr)."""

    def call(*words: str) -> tuple[int, str, str]:
        code = main(["--config", str(settings), *words])
        return code, *capsys.readouterr()

    return call


def one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("hfea: ") and "Traceback" not in text


def test_x07_dates_of_the_command_line_are_checked_before_any_file_is_touched(
    run: Run, shared: Path, settings: Path
) -> None:
    lines = (shared / "cases/files/X07/dates.txt").read_text(encoding="utf-8").split("\n")
    bad = [line for line in lines if line not in ("2026-03-05", "2026-03-06", "")]
    assert len(bad) > 15
    for line in bad:
        for words in (
            ["episodes", "show", line],
            ["correct", line, "s1", "x"],
            ["consolidate", f"--date={line}"],
            ["consolidate", f"--since={line}"],
            ["episodes", "search", "x", f"--from={line}"],
            ["init", f"--since={line}"],
        ):
            code, out, err = run(*words)
            assert (code, out) == (2, ""), words
            assert one_sentence(err)
    assert not (settings.parent / "archive").exists()


def test_an_unknown_command_option_or_missing_file_is_a_usage_error_in_one_sentence(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["nonsense"], ["consolidate", "--nonsense"], ["correct", "2026-03-05"]):
        code, _, err = run(*words)
        assert code == 2
        assert one_sentence(err)
    code = main(["--config", str(tmp_path / "none.toml"), "status"])
    err = capsys.readouterr().err
    assert code == 2
    assert "hfea init" in err


def test_sources_are_added_paused_and_removed_and_comments_stay(
    run: Run, settings: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("")
    assert run("sources", "add", "jsonl", str(other), "--name", "second")[0] == 0
    assert run("sources", "add", "jsonl", str(other))[0] == 2
    assert run("sources", "pause", "second")[0] == 0
    code, out, _ = run("sources", "list", "--json")
    rows = json.loads(out)["sources"]
    assert code == 0
    assert [(r["name"], r["state"]) for r in rows] == [
        ("jsonl:history", "present"),
        ("second", "paused"),
    ]
    assert run("sources", "pause", "second", "--resume")[0] == 0
    assert run("sources", "remove", "second")[0] == 0
    text = settings.read_text(encoding="utf-8")
    assert "# where Ana lives" in text
    assert "second" not in text


def test_a_source_that_would_break_the_settings_is_not_written(run: Run, settings: Path) -> None:
    before = settings.read_bytes()
    code, _, err = run("sources", "add", "herms", str(settings.parent))
    assert code == 2
    assert one_sentence(err)
    assert settings.read_bytes() == before


def test_exclusions_are_kept_in_the_settings(run: Run, settings: Path) -> None:
    assert run("exclude", "--project", "secret", "--chat", "42")[0] == 0
    text = settings.read_text(encoding="utf-8")
    assert 'projects = ["secret"]' in text
    assert run("exclude")[1] == "projects: secret\nsessions: (none)\nchats: 42\n"
    assert run("exclude", "--project", "other", "--remove")[0] == 2


def test_status_of_an_archive_that_is_not_there_yet_says_so_and_makes_nothing(
    run: Run, settings: Path
) -> None:
    code, out, _ = run("status", "--json")
    found = json.loads(out)
    assert (code, found["episodes"], found["last_success"]) == (0, 0, None)
    assert not (settings.parent / "archive").exists()


def test_the_doctor_names_what_is_missing_and_the_bundle_names_nobody(
    run: Run, settings: Path
) -> None:
    (settings.parent / "history.jsonl").unlink()
    code, out, _ = run("doctor")
    assert code == 1
    assert "is missing or not readable" in out
    code, out, _ = run("doctor", "--bundle")
    assert json.loads(out)["codes"]["wrong:source_unreachable"] == 1
    assert "Ana" not in out
    assert str(settings.parent) not in out


def test_o10_inside_a_unit_the_doctor_says_which_line_to_add(
    run: Run, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INVOCATION_ID", "0" * 32)
    (settings.parent / "history.jsonl").unlink()
    out = run("doctor")[1]
    assert f"add BindReadOnlyPaths={settings.parent}/history.jsonl" in out


def test_hfea_answers_for_help_well_under_a_second() -> None:
    env = {**os.environ, "COLUMNS": "80"}
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "hfea", "--help"],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert done.returncode == 0
    assert time.perf_counter() - start < 5  # generous: the machine is shared
    heavy = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, hfea.cli; hfea.cli.build(); print([m for m in {HEAVY} if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert heavy.stdout == "[]\n"


def test_a_fault_of_ours_is_one_sentence_and_no_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a\nb\x1b[2J")

    monkeypatch.setattr(hfea.wiring, "status", broken)
    code, _, err = run("status")
    assert code == 1
    assert one_sentence(err)
    assert "\x1b" not in err
