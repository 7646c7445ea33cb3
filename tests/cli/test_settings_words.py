"""Every setting is explained where the doctor shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hfea.config import from_table
from hfea.settings_words import explained


def test_the_doctor_explains_each_setting(tmp_path: Path) -> None:
    table: dict[str, Any] = {
        "timezone": "America/Recife",
        "sources": [{"kind": "jsonl", "path": str(tmp_path)}],
        "exclude": {"chats": ["family"]},
    }
    settings = from_table(table, tmp_path / "hfea.toml")
    rows = {place: (value, meaning) for place, value, meaning in explained(settings)}
    assert all(meaning for _, meaning in rows.values())
    assert rows["timezone"][0] == "America/Recife"
    assert rows["[exclude] chats"][0] == "family"
    assert rows["[[sources]] 1 kind"][0] == "jsonl"
    assert rows["[redaction] personal_ids"][0] == "false"
    assert len(rows) > 40
