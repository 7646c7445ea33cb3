"""`hfea backup`, from the outside: a real home and archive, elsewhere again, nothing lost."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hfea import preserving
from hfea.cli import main
from hfea.config import load

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A home with memories, and an archive of two days made by the real night."""
    home = tmp_path / "was" / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text(
        "O servidor fica em Recife\n§\nA chave roda a cada 30 dias", encoding="utf-8"
    )
    (home / "config.yaml").write_text("memory: {}\n")
    (home / ".env").write_text("TOKEN=not-for-backups\n")
    skill = home / "skills" / "rega"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: rega\ndescription: regar\n---\nAbrir a torneira.\n", encoding="utf-8"
    )
    lines = [
        {"id": f"m{n}", "session_id": f"s{n // 4}", "ts": f"2026-03-0{2 + n // 4}T10:0{n % 4}:00-03:00", "role": "user", "author": "Lívia", "content": text}
        for n, text in enumerate(
            [
                "Decidi trocar o fornecedor de tinta pela Aurora.", "A Vértice era cara demais.",
                "Estou aliviada.", "Amanhã confirmo o prazo.",
                "Confirmei o prazo: dia 12.", "O contrato fica em Olinda.",
                "Desisti do galpão novo.", "O aluguel subiu para 900 reais.",
            ]
        )
    ]  # fmt: skip
    sessions = home / "sessions.jsonl"
    sessions.write_text(
        "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8"
    )
    path = tmp_path / "was" / "hfea.toml"
    path.write_text(
        'timezone = "America/Recife"\n[owner]\nnames = ["Lívia"]\n'
        f'[archive]\npath = "{home}/archive"\n[core]\nhome = "{home}"\nhistory_days = 3000\n'
        f'[[sources]]\nkind = "jsonl"\npath = "{sessions}"\n'
    )
    assert main(["--config", str(path), "consolidate", "--json"]) == 0
    return path


def run(config: Path, capsys: Captured, *words: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["--config", str(config), *words, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out.strip() else None


def test_a_drill_compares_rows_seals_and_fifty_answers(config: Path, capsys: Captured) -> None:
    code, made = run(config, capsys, "backup", "create")
    assert code == 0
    assert made["rows"] > 0
    assert made["head"]["sequence"] == 2
    code, found = run(config, capsys, "backup", "drill")
    assert (code, found["ok"], found["faults"]) == (0, True, [])
    assert (found["questions"], found["same_answers"]) == (50, 50)


def test_a_drill_finds_what_the_manifest_does_not_cover_up(config: Path, capsys: Captured) -> None:
    _, made = run(config, capsys, "backup", "create")
    file = Path(made["backup"]) / "data" / "home" / "memories" / "MEMORY.md"
    file.write_text(
        file.read_text(encoding="utf-8").replace("30 dias", "90 dias"), encoding="utf-8"
    )
    assert run(config, capsys, "backup", "verify")[0] == 1
    assert run(config, capsys, "backup", "drill")[0] == 1


def test_o06_restored_elsewhere_nothing_is_imported_or_paid_for_again(
    config: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(config, capsys, "backup", "create")
    code, done = run(config, capsys, "backup", "restore", str(tmp_path / "new"))
    assert code == 0
    assert done["key_needed"]
    new = Path(done["settings"])
    shutil.copyfile(config.with_name("hfea.key"), new.with_name("hfea.key"))
    new.with_name("hfea.key").chmod(0o600)
    shutil.rmtree(tmp_path / "was")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    settings = load(new)
    assert settings.core.home == tmp_path / "new" / "home"
    assert settings.sources[0].path == tmp_path / "new" / "home" / "sessions.jsonl"
    before = {p: p.read_bytes() for p in settings.archive.path.rglob("*.md")}
    assert len(before) == 2
    code, verified = run(new, capsys, "verify")
    assert (code, verified["findings"]) == (0, [])
    code, night = run(new, capsys, "consolidate")
    assert not [d for d in night["done"] if d["kind"] in ("sealed", "late")]
    assert {p: p.read_bytes() for p in settings.archive.path.rglob("*.md")} == before
    assert run(new, capsys, "memory", "entries")[1]["files"][0]["used"] == len(
        (settings.core.home / "memories" / "MEMORY.md").read_text(encoding="utf-8")
    )


def test_secrets_of_the_home_and_the_archive_key_stay_out_of_a_plain_backup(
    config: Path, capsys: Captured
) -> None:
    _, made = run(config, capsys, "backup", "create")
    names = {p.name for p in Path(made["backup"]).rglob("*")}
    assert not names & {".env", "auth.json", "hfea.key"}


def test_an_encrypted_backup_holds_the_key_and_restores_alone(
    config: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyrage = pytest.importorskip("pyrage")
    identity = pyrage.x25519.Identity.generate()
    (tmp_path / "id.txt").write_text(f"{identity}\n")
    _, made = run(config, capsys, "backup", "create", "--recipient", str(identity.to_public()))
    assert made["encrypted"]
    opener = ("--identity", str(tmp_path / "id.txt"))
    assert run(config, capsys, "backup", "verify", *opener)[0] == 0
    assert run(config, capsys, "backup", "drill", *opener)[0] == 0
    assert run(config, capsys, "backup", "drill")[0] == 1
    code, done = run(config, capsys, "backup", "restore", str(tmp_path / "new"), *opener)
    assert (code, done["key_needed"]) == (0, False)
    assert run(Path(done["settings"]), capsys, "verify")[0] == 0


def test_an_archive_rolled_back_behind_a_backup_is_noticed(config: Path, capsys: Captured) -> None:
    root = load(config).archive.path
    run(config, capsys, "backup", "create")
    assert run(config, capsys, "verify")[0] == 0
    (day,) = list(root.rglob("2026-03-03.md"))
    for path in day.parent.glob("2026-03-03.*"):
        path.unlink()
    for name in ("head.json", "index.sqlite"):
        (root / name).unlink()
    # The ledger is rolled back together with the archive: only the backup still knows.
    with closing(sqlite3.connect(root / "ledger.sqlite", isolation_level=None)) as db:
        db.execute("DROP TRIGGER head_no_delete")
        db.execute("DELETE FROM head WHERE sequence = 2")
    code, found = run(config, capsys, "verify")
    assert code == 1
    assert "rolled_back" in {f["code"] for f in found["findings"]}


def test_old_backups_go_only_after_a_newer_one(config: Path, capsys: Captured) -> None:
    settings = load(config)
    run(config, capsys, "backup", "create")
    moment = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1)
    with pytest.raises(preserving.BackupFailed, match="new backup first"):
        preserving.expire(settings, moment)
    assert len(run(config, capsys, "backup", "list")[1]["backups"]) == 1


def test_no_backup_yet_is_said_with_what_to_do(config: Path, capsys: Captured) -> None:
    assert run(config, capsys, "backup", "verify")[0] == 3
    assert run(config, capsys, "backup", "drill", "nope")[0] == 1
