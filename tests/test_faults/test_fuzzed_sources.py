"""Transcripts damaged at random: never a traceback, never silence, nothing made beside them."""

from __future__ import annotations

import importlib.util
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutating import MUTATIONS
from soak_profile import rounds

from hfea.sources.base import Problem, RawMessage, SessionState
from hfea.sources.intake import Intake
from hfea.sources.registry import build
from memory_core.model import Owner

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = rounds(12, 1000)
KINDS = ("hermes", "claude-code", "codex", "jsonl")
SHARED = {
    "hermes": "hermes-home",
    "claude-code": "agents/claude",
    "codex": "agents/codex",
    "openclaw": "agents/openclaw",
    "jsonl": "worlds/world-a",
}


def shipped(kind: str, folder: Path) -> Path:
    """Write the shipped history of a kind into *folder*; return what a source is built on."""
    if kind in ("hermes", "claude-code"):
        place = ROOT / "archive_fixtures" / "build.py"
        spec = importlib.util.spec_from_file_location("fixtures_to_fuzz", place)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build(folder)
        return folder / {"hermes": "hermes", "claude-code": "claude"}[kind]
    rows = list(codex_rows() if kind == "codex" else neutral_rows())
    place = folder / ("rollout-2026-03-05T10-00-00-f.jsonl" if kind == "codex" else "talk.jsonl")
    place.parent.mkdir(parents=True)
    place.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return folder


def codex_rows() -> Iterator[dict[str, object]]:
    yield {"timestamp": "2026-03-05T10:00:00Z", "type": "session_meta", "payload": {"id": "f"}}
    for n in range(20):
        kind = "agent_message" if n % 2 else "user_message"
        said = {"type": kind, "message": f"decidimos o passo {n}"}
        yield {"timestamp": f"2026-03-05T10:01:{n:02}Z", "type": "event_msg", "payload": said}
        call = {"type": "function_call_output", "call_id": f"c{n}", "output": "done"}
        yield {"timestamp": f"2026-03-05T10:02:{n:02}Z", "type": "response_item", "payload": call}


def neutral_rows() -> Iterator[dict[str, object]]:
    for n in range(30):
        at = f"2026-03-05T10:00:{n:02}-03:00"
        row = {"id": f"m{n}", "session_id": "s", "ts": at, "author": "Rita"}
        yield row | {"role": "assistant" if n % 2 else "user", "content": f"passo {n}"}


MANY = 100  # rounds after which some damage must have met a byte that is read


def fuzz(kind: str, home: Path, root: Path, count: int) -> tuple[int, int]:
    """Mutate one file of a copy of *home*, *count* times; return messages and problems seen."""
    dice, door = random.Random(f"{kind} {count}"), Intake(b"k" * 32, Owner(("Rita",)))
    inside = sorted(
        p.relative_to(home) for p in home.rglob("*") if p.stat().st_size and p.is_file()
    )
    seen = problems = 0
    for number in range(count):
        copy = root / "copy"
        shutil.copytree(home, copy, copy_function=shutil.copyfile)
        damaged, mutate = dice.choice(inside), dice.choice(MUTATIONS)
        (copy / damaged).write_bytes(mutate(dice, (copy / damaged).read_bytes()))
        before = beside(copy)
        for source in build(kind, copy):
            known: dict[str, SessionState] = {}
            for item in source.scan(known):
                said = (number, damaged, mutate.__name__)
                assert isinstance(item, RawMessage | Problem | SessionState), said
                if isinstance(item, RawMessage):
                    taken = door.take(item, source=source.name, profile=source.profile)
                    str(getattr(taken, "content", "")).encode()
                    seen += 1
                elif isinstance(item, Problem):
                    assert door.problem(item).raw == b"", said
                    problems += 1
                else:
                    known[item.unit] = item
            list(source.scan(known))  # once more, from where it stopped
        assert beside(copy) == before, (number, damaged)
        shutil.rmtree(copy)
    return seen, problems


def beside(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return size and time of every name below *folder*."""
    return {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in sorted(folder.rglob("*"))}


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", KINDS)
def test_a_shipped_history_damaged_at_random_is_read_or_reported(tmp_path: Path, kind: str) -> None:
    seen, problems = fuzz(kind, shipped(kind, tmp_path / "whole"), tmp_path, ROUNDS)
    assert seen
    assert problems or ROUNDS < MANY


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", SHARED)
def test_a_shared_history_damaged_at_random_is_read_or_reported(
    tmp_path: Path, shared: Path, kind: str
) -> None:
    home = tmp_path / "whole"
    shutil.copytree(shared / "data" / SHARED[kind], home, copy_function=shutil.copyfile)
    seen, problems = fuzz(kind, home, tmp_path, ROUNDS // 2)
    assert seen
    assert problems or ROUNDS < MANY
