"""Every setting is explained where the doctor shows it."""

from __future__ import annotations

from pathlib import Path

from hfea.config import from_table
from hfea.settings_words import explained


def test_the_doctor_explains_each_setting(tmp_path: Path) -> None:
    table = {
        "timezone": "America/Recife",
        "sources": [{"kind": "jsonl", "path": str(tmp_path)}],
        "exclude": {"chats": ["family"]},
    }
    rows = {
        place: (value, meaning) for place, value, meaning in explained(_settings(table, tmp_path))
    }
    assert all(meaning for _, meaning in rows.values())
    assert rows["timezone"][0] == "America/Recife"
    assert rows["[exclude] chats"][0] == "family"
    assert rows["[[sources]] 1 kind"][0] == "jsonl"
    assert rows["[redaction] personal_ids"][0] == "false"
    assert len(rows) > 40


def _settings(table: dict[str, object], folder: Path):  # noqa: ANN202 - the model is private to config
    return from_table(table, folder / "hfea.toml")
