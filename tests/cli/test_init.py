from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from hfea.cli import main


@pytest.fixture
def home(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home with a Hermes and a Claude Code history in it."""
    shutil.copytree(shared / "data/hermes-home", tmp_path / ".hermes", copy_function=shutil.copy)
    shutil.copytree(shared / "data/agents/claude", tmp_path / ".claude", copy_function=shutil.copy)
    for path in [tmp_path / ".hermes", *(tmp_path / ".hermes").rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("HERMES_HOME", "CLAUDE_CONFIG_DIR", "HFEA_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_init_finds_the_agents_and_says_what_it_would_do_before_doing_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--dry-run", "--timezone", "America/Sao_Paulo"]) == 0
    out = capsys.readouterr().out
    assert f"hermes {home}/.hermes: " in out
    assert f"claude-code {home}/.claude: " in out
    assert "deletes its sessions after 30 days" in out
    assert "messages, about" in out
    assert not (home / ".hermes/hfea.toml").exists()


def test_init_without_a_yes_and_nobody_to_ask_writes_nothing(home: Path) -> None:
    assert main(["init", "--timezone", "America/Sao_Paulo"]) == 2
    assert not (home / ".hermes/hfea.toml").exists()


def test_init_writes_settings_that_load_and_a_second_init_keeps_them(home: Path) -> None:
    words = ["init", "--yes", "--no-consolidate", "--timezone", "America/Sao_Paulo"]
    assert main(words) == 0
    file = home / ".hermes/hfea.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    assert [s["kind"] for s in table["sources"]] == ["claude-code", "hermes"]
    assert table["owner"]["names"]
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    assert main([*words, "--timezone", "Europe/Lisbon"]) == 0
    assert file.read_bytes() == before


def test_init_takes_named_sources_and_refuses_what_is_not_there(
    home: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = shared / "data/worlds/world-a/sessions.jsonl"
    words = ["init", "--dry-run", "--timezone", "UTC", "--source", f"jsonl:{world}"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert f"jsonl {world}: " in out
    assert "Iara" in out
    for bad in ("jsonl:/nowhere", "jsonl", f"nonsense:{world}"):
        assert main(["init", "--dry-run", "--timezone", "UTC", "--source", bad]) == 2
