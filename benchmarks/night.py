"""A day of 1,000 messages, a year of such days, and nights done again: CPU seconds and memory.

    python benchmarks/night.py day|year|again [--days N] [--messages N] [--reruns N]

Days are made: an owner and an agent who talk, decide, try and fail, with tool output and pastes
between, in both languages; no two days have the same words. Each night's CPU seconds are the
ledger's own, so narrating, sealing and indexing are in them. `again` reruns the fixture nights
and, where it is beside the checkout, the shared histories.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hfea import wiring
from hfea.config import from_table
from hfea.night.run import Order, Watch

ROOT = Path(__file__).resolve().parents[1]
START = dt.datetime(2024, 1, 1, 8, tzinfo=dt.UTC)
OWNER = (
    "Decidi trocar {a} por {b} porque {a} ficou caro.",
    "Por enquanto ficamos com {a}; {b} a gente vê em {n} dias.",
    "I think {a} is too slow. Let's compare it with {b} first.",
    "Não quero mais usar {a}, ontem falhou {n} vezes.",
    "Can you check whether {a} still runs on {b}?",
    "Fiquei aliviada que {a} voltou a funcionar.",
    "We decided on {a} instead of {b}, it costs {n} less a month.",
    "Falta testar {a} com {b} antes de sexta.",
    "ok",
    "Never restart {a} between 9 and {n}, please.",
)
AGENT = (
    "Feito: {a} agora aponta para {b}.",
    "I tried {a} with {b}; it failed with error {n}.",
    "Comparei: {a} custa {n} e {b} custa menos, mas é mais lento.",
    "Parece que você prefere {a}.",
    "Done. {a} passed {n} checks, {b} is still open.",
    "Posso rodar {a} outra vez amanhã cedo?",
)
HOSTED = "{a} {b} INFO ready\n" * 12 + "total {n}"
SYLLABLES = [c + v for c in "b c d f g l m n p r s t v".split() for v in "aeiou"]


def day_rows(day: int, messages: int) -> Iterator[dict[str, str]]:
    """Yield the messages of one day."""
    dice = random.Random(day)
    names = ["".join(dice.choices(SYLLABLES, k=3)) for _ in range(60)]
    at = START + dt.timedelta(days=day)
    for n in range(messages):
        a, b = dice.choice(names), dice.choice(names)
        roll = dice.random()
        if roll < 0.45:
            role, who, text = "user", "Ana", dice.choice(OWNER)
        elif roll < 0.85:
            role, who, text = "assistant", "Bento", dice.choice(AGENT)
        else:
            role, who, text = "tool", "shell", HOSTED
        said = text.format(a=a, b=b, n=dice.randint(2, 99))
        when = at + dt.timedelta(seconds=50 * n)
        row = {"id": f"{day}-{n}", "session_id": f"s{day}-{n // 60}", "ts": when.isoformat()}
        yield row | {"role": role, "author": who, "content": said}


def write(folder: Path, days: int, messages: int) -> str:
    """Write the days as neutral JSONL; return their hash."""
    state = hashlib.sha256()
    for day in range(days):
        text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in day_rows(day, messages))
        state.update(text.encode())
        (folder / f"{day:04}.jsonl").write_text(text, encoding="utf-8")
    return state.hexdigest()


def consolidated(days: int, messages: int) -> dict[str, Any]:
    """Consolidate made days in this process; return each night's CPU seconds and peak memory."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "in").mkdir()
        snapshot = write(root / "in", days, messages)
        table = {
            "timezone": "UTC",
            "owner": {"names": ["Ana"]},
            "archive": {"path": str(root / "a")},
            "core": {"home": str(root)},
            "sources": [{"kind": "jsonl", "path": str(root / "in")}],
        }
        settings = from_table(table, root / "hfea.toml")
        began = time.process_time()
        night = wiring.consolidate(settings, Order(), Watch())
        whole = time.process_time() - began
        with wiring.house(settings) as opened:
            rows = opened.ledger.nights.latest(days + 3000)
        nights = [r.cost.cpu_seconds for r in reversed(rows) if r.kind.value == "sealed"]
    return {
        "snapshot_sha256": snapshot,
        "days": len(nights),
        "statements": sum(d.statements for d in night.done),
        "cpu_seconds_whole": round(whole, 2),
        "cpu_seconds_a_night": [round(n, 3) for n in nights],
        "peak_megabytes": peak_megabytes(),
    }


def peak_megabytes() -> float:
    """Return this process's peak resident set; getrusage's would be that of who started it, too."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def fresh(days: int, messages: int) -> dict[str, Any]:
    """Do it in a process of its own, so that its memory is its own."""
    command = [sys.executable, __file__, "one", "--days", str(days), "--messages", str(messages)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def show_day(messages: int) -> None:
    """Print what a single day takes."""
    found = fresh(1, messages)
    print(f"a day of {messages} messages, snapshot {found['snapshot_sha256'][:16]}")
    print(f"  CPU, all of it   {found['cpu_seconds_whole']:.2f} s   (goal: at most 3 s)")
    print(f"  peak memory      {found['peak_megabytes']} MB  (goal: at most 200 MB)")
    print(f"  statements       {found['statements']}")


def show_year(days: int, messages: int) -> None:
    """Print whether nights stay as cheap as they were."""
    found = fresh(days, messages)
    nights = found["cpu_seconds_a_night"]
    median = statistics.median(nights)
    tenth = max(1, len(nights) // 10)
    first, last = statistics.mean(nights[:tenth]), statistics.mean(nights[-tenth:])
    snapshot = found["snapshot_sha256"][:16]
    print(f"{found['days']} days of {messages} messages, snapshot {snapshot}")
    print(f"  median night     {median:.3f} s CPU")
    times = max(nights) / median
    print(f"  slowest night    {max(nights):.3f} s CPU, {times:.2f} x the median (goal: at most 2)")
    print(f"  last tenth over the first tenth  {last / first:.2f}")
    print(
        f"  all of it        {found['cpu_seconds_whole']:.1f} s CPU, {found['peak_megabytes']} MB"
    )


def show_again(reruns: int) -> None:
    """Print how many bytes change, and statements double, when fixture nights are done again."""
    for name, settings in _histories():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            made = from_table(settings(root), root / "hfea.toml")
            wiring.consolidate(made, Order(), Watch())
            before = _files(made.archive.path)
            for _ in range(reruns):
                wiring.read_everything_again(made)
                wiring.consolidate(made, Order(), Watch())
            after = _files(made.archive.path)
            changed = sum(before.get(k) != v for k, v in after.items()) + len(before.keys() - after)
            ids = [s.id for s in _statements(made)]
            print(
                f"  {name:28} {len(before) // 3} nights, {reruns} reruns: {changed} files changed,"
                f" {len(ids) - len(set(ids))} of {len(ids)} statements doubled"
            )


def _histories() -> Iterator[tuple[str, Any]]:
    sys.path.insert(0, str(ROOT / "archive_fixtures"))
    import build  # noqa: PLC0415 - beside the fixtures it builds

    def fixture(root: Path) -> dict[str, Any]:
        build.build(root / "src")
        places = [("hermes", "src/hermes"), ("claude-code", "src/claude")]
        return _table(root, [(k, root / p) for k, p in places])

    yield "archive_fixtures/atelie", fixture
    data = ROOT.parent / "shared" / "data"
    places = [("hermes", "hermes-home")]
    places += [("claude-code", "agents/claude"), ("codex", "agents/codex")]
    places += [("openclaw", "agents/openclaw"), ("hermes", "agents/hermes-legacy-v6")]
    places += [("hermes", "agents/hermes-new-v30"), ("jsonl", "worlds/world-a")]
    for kind, place in places:
        if (data / place).exists():
            yield place, lambda root, k=kind, p=data / place: _table(root, [(k, p)])
        else:
            print(f"  {place}: skipped, no shared data beside the checkout")


def _table(root: Path, sources: list[tuple[str, Path]]) -> dict[str, Any]:
    return {
        "timezone": "America/Sao_Paulo",
        "owner": {"names": ["Ana", "Ana Souza", "Helena", "Iara"]},
        "archive": {"path": str(root / "archive")},
        "core": {"home": str(root)},
        "sources": [{"kind": k, "path": str(p)} for k, p in sources],
    }


def _files(root: Path) -> dict[str, str]:
    found = sorted(root.glob("[0-9]*/*/*"))
    return {str(p.relative_to(root)): hashlib.sha256(p.read_bytes()).hexdigest() for p in found}


def _statements(settings: Any) -> Iterator[Any]:
    with wiring.house(settings) as opened:
        for day in opened.archive.days():
            stored = opened.archive.read(day)
            yield from stored.episode.statements()


def main() -> None:
    """Run one part."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("part", choices=("day", "year", "again", "one"))
    options.add_argument("--days", type=int, default=365)
    options.add_argument("--messages", type=int, default=1000)
    options.add_argument("--reruns", type=int, default=30)
    given = options.parse_args()
    if given.part == "one":
        print(json.dumps(consolidated(given.days, given.messages)))
    elif given.part == "day":
        show_day(given.messages)
    elif given.part == "year":
        show_year(given.days, given.messages)
    else:
        show_again(given.reruns)


if __name__ == "__main__":
    main()
