"""`hfea memory`, from the outside: exit codes, JSON, and that nobody approves by accident."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hfea.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def config(home: Path, tmp_path: Path) -> Path:
    path = tmp_path / "hfea.toml"
    path.write_text(
        'timezone = "America/Recife"\n[owner]\nnames = ["Lívia"]\n'
        f'[archive]\npath = "{tmp_path}/archive"\n[core]\nhome = "{home}"\n'
    )
    pending = home / "pending" / "memory"
    pending.mkdir(parents=True)
    payload = {"action": "add", "target": "user", "content": "Prefere chá", "old_text": None}
    record = {
        "id": "a12f5c2b",
        "subsystem": "memory",
        "action": "add",
        "summary": "s",
        "origin": "background_review",
        "created_at": 1.5,
        "payload": payload,
    }
    (pending / "a12f5c2b.json").write_text(json.dumps(record))
    return path


def run(config: Path, capsys: Captured, *words: str) -> tuple[int, Any]:
    code = main(["--config", str(config), "memory", *words, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out.strip() else None


def test_pending_shows_hermess_staged_write_with_its_digest(config: Path, capsys: Captured) -> None:
    code, found = run(config, capsys, "pending")
    (one,) = found["proposals"]
    assert (code, one["id"], one["text"]) == (0, "a12f5c2b", "Prefere chá")
    assert len(one["digest"]) == 64
    assert "Prefere chá" in one["shown"]


def test_nobody_at_a_terminal_cannot_approve_without_the_digest(
    config: Path, home: Path, capsys: Captured
) -> None:
    code, _ = run(config, capsys, "approve", "a12f5c2b")
    assert code == 2
    assert "chá" not in (home / "memories" / "USER.md").read_text(encoding="utf-8")


def test_approve_with_the_digest_applies_and_undo_takes_it_back(
    config: Path, home: Path, capsys: Captured
) -> None:
    user = home / "memories" / "USER.md"
    before = user.read_bytes()
    digest = run(config, capsys, "pending")[1]["proposals"][0]["digest"]
    code, done = run(config, capsys, "approve", "a12f5c2b", "--digest", digest)
    assert (code, done["state"]) == (0, "applied")
    assert user.read_text(encoding="utf-8").endswith("\n§\nPrefere chá")
    assert run(config, capsys, "undo", "a12f5c2b")[1]["state"] == "undone"
    assert user.read_bytes() == before


def test_a_wrong_digest_is_an_error_and_changes_nothing(
    config: Path, home: Path, capsys: Captured
) -> None:
    run(config, capsys, "pending")
    code, _ = run(config, capsys, "approve", "a12f5c2b", "--digest", "0" * 64)
    assert code == 1
    assert "chá" not in (home / "memories" / "USER.md").read_text(encoding="utf-8")


def test_reject_empties_the_queue_and_an_unknown_id_is_a_usage_error(
    config: Path, capsys: Captured
) -> None:
    assert run(config, capsys, "reject", "a12f5c2b", "--note", "não")[1]["state"] == "rejected"
    assert run(config, capsys, "pending")[1]["proposals"] == []
    assert run(config, capsys, "reject", "zzz")[0] == 2
    assert run(config, capsys, "pending", "--all")[1]["proposals"][0]["state"] == "rejected"


def test_every_decision_is_in_the_ledger_without_the_text(
    config: Path, tmp_path: Path, capsys: Captured
) -> None:
    digest = run(config, capsys, "pending")[1]["proposals"][0]["digest"]
    run(config, capsys, "approve", "a12f5c2b", "--digest", digest)
    from hfea.clock import SystemClock  # noqa: PLC0415
    from hfea.ledger.store import Ledger  # noqa: PLC0415

    with Ledger.open(
        tmp_path / "archive" / "ledger.sqlite", SystemClock(), readonly=True
    ) as ledger:
        rows = ledger.promotions.of("a12f5c2b")
    assert [r.event for r in rows] == ["taken_in", "applied"]
    assert {r.digest for r in rows} == {digest}
    assert rows[-1].by == "Lívia"


def test_entries_tell_what_each_turn_pays(config: Path, home: Path, capsys: Captured) -> None:
    code, found = run(config, capsys, "entries")
    assert code == 0
    memory = found["files"][0]
    assert (memory["used"], memory["limit"]) == (
        len((home / "memories" / "MEMORY.md").read_text(encoding="utf-8")),
        2200,
    )
    assert found["tokens_per_turn"] == sum(f["tokens_per_turn"] for f in found["files"]) > 0
    assert all(e["tokens"] == -(-e["characters"] // 4) for e in memory["entries"])


def test_coverage_names_what_only_the_permanent_file_holds(
    config: Path, home: Path, capsys: Captured
) -> None:
    wiki = home / "wiki"
    wiki.mkdir()
    (wiki / "casa.md").write_text(
        "# Servidores\nO servidor de testes fica em Recife.\n", encoding="utf-8"
    )
    code, found = run(config, capsys, "coverage")
    covered = {e["text"]: e["covered"] for e in found["entries"]}
    assert code == 1
    assert covered["O servidor de testes fica em Recife"] is True
    assert covered["A chave do depósito roda a cada 30 dias"] is False


def test_reconcile_reports_and_repairs_nothing(
    config: Path, home: Path, tmp_path: Path, capsys: Captured
) -> None:
    facts = tmp_path / "facts.jsonl"
    facts.write_text(
        json.dumps(
            {"fact_id": "f1", "layer": "facts", "text": "A chave do depósito roda a cada 90 dias"}
        )
        + "\n"
    )
    config.write_text(config.read_text().replace("[core]", f'[core]\nfacts = "{facts}"'))
    before = {p: p.read_bytes() for p in (home / "memories").iterdir()}
    code, found = run(config, capsys, "reconcile")
    codes = {(f["code"], f["text"]) for f in found["findings"]}
    assert code == 1
    assert ("divergence", "A chave do depósito roda a cada 30 dias") in codes
    assert ("orphan", "Lívia mora em Olinda.") in codes
    assert {p: p.read_bytes() for p in (home / "memories").iterdir()} == before


def test_the_wiki_and_skills_are_looked_up_by_hand(
    config: Path, home: Path, capsys: Captured
) -> None:
    (home / "wiki").mkdir()
    (home / "wiki" / "casa.md").write_text(
        "# Casa\nO alarme fica na [[garagem]].\n", encoding="utf-8"
    )
    listed = run(config, capsys, "wiki")[1]
    assert [p["page"] for p in listed["pages"]] == ["casa.md"]
    assert listed["broken"] == [
        {"page": "casa.md", "target": "garagem", "anchor": "", "lacks": "page"}
    ]
    found = run(config, capsys, "wiki", "onde fica o alarme?")[1]["passages"]
    assert "garagem" in found[0]["text"]
    (one,) = run(config, capsys, "skills", "regar o jardim")[1]["skills"]
    assert (one["name"], len(one["digest"])) == ("rega", 64)


def test_status_counts_the_layers_and_makes_nothing(
    config: Path, home: Path, tmp_path: Path, capsys: Captured
) -> None:
    before = sorted(tmp_path.rglob("*"))
    main(["--config", str(config), "status", "--json"])
    memory = json.loads(capsys.readouterr().out)["memory"]
    assert (memory["permanent_entries"], memory["skills"], memory["proposals_waiting"]) == (3, 1, 1)
    assert memory["tokens_per_turn"] > 0
    assert (memory["facts"], memory["trouble"]) == (0, [])
    assert sorted(tmp_path.rglob("*")) == before
    (home / "memory_store.db").write_bytes(b"not a database at all, just bytes")
    main(["--config", str(config), "status", "--json"])
    memory = json.loads(capsys.readouterr().out)["memory"]
    assert memory["facts"] is None
    assert memory["trouble"]
