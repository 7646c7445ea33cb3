# ruff: noqa: E501 - tables and patterns read best a row a line
"""Prints how often ordinary lines are redacted by mistake, with denominators.

    python benchmarks/redaction.py [FOLDER…]

Every changed line is printed, for an eye to judge; made lines (hashes, UUIDs, base64, prices,
phones) hold no secret, so each change there is a mistake. Speed is printed as megabytes a second.
"""

from __future__ import annotations

import base64
import hashlib
import random
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from memory_core.secrets import Redactor

ROOT = Path(__file__).resolve().parents[1]
_TEXT = (".py", ".md", ".jsonl", ".json", ".txt", ".toml")


def made_lines(count: int = 20_000) -> Iterator[str]:
    dice = random.Random(7)
    for n in range(count):
        raw = hashlib.sha256(str(n).encode()).digest()
        yield from (
            f"commit {raw.hex()[:40]}",
            f"id: {uuid.UUID(bytes=raw[:16])}",
            f"![x](data:image/png;base64,{base64.b64encode(raw * 3).decode()})",
            f"R$ {dice.randint(1, 9999)},{dice.randint(10, 99)} em +55 11 9{dice.randint(1000, 9999)}-{dice.randint(1000, 9999)}",
            f"/home/ana/projetos/{raw.hex()[:8]}/src/main_{n}.py:{n}",
        )


def read_lines(folders: list[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in _TEXT or ".venv" in path.parts or not path.is_file():
                continue
            if path.stat().st_size < 5_000_000:
                yield from path.read_text("utf-8", errors="replace").splitlines()


def main() -> None:
    shared = ROOT.parent / "shared"
    folders = [Path(a) for a in sys.argv[1:]] or [
        ROOT / "hfea",
        ROOT / "memory_core",
        shared / "data/locomo",
        shared / "data/worlds",
        shared / "cases",
    ]
    redactor = Redactor(b"benchmark")
    for name, lines in (("made", made_lines()), ("read", read_lines(folders))):
        changed = total = size = 0
        began = time.perf_counter()
        for line in lines:
            total, size = total + 1, size + len(line)
            got = redactor.redact(line)
            if got.found:
                changed += 1
                for f in got.found[:2]:
                    print("  ", f.kind, repr(line[max(0, f.start - 40) : f.end + 10][:140]))
        took = time.perf_counter() - began
        print(
            f"{name}: {changed} of {total} lines changed ({1000 * changed / max(1, total):.3f} in 1,000), {size / took / 1e6:.1f} MB/s"
        )


if __name__ == "__main__":
    main()
