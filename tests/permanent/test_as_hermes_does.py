"""Against the published package's own classes, where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.layers.permanent import Operation, apply, look

memory_tool = pytest.importorskip("tools.memory_tool", reason="needs hermes-agent")


def test_hermes_reads_and_changes_what_we_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    (tmp_path / "memories").mkdir()
    apply(tmp_path, Operation("MEMORY.md", "add", "chá § às cinco\nsem açúcar"))
    apply(tmp_path, Operation("MEMORY.md", "add", "dois"))
    store = memory_tool.MemoryStore()
    store.load_from_disk()
    assert store.memory_entries == ["chá § às cinco\nsem açúcar", "dois"]
    assert store.replace("memory", "dois", "três")["success"]
    assert [e.text for e in look(tmp_path, "MEMORY.md").entries][1] == "três"
