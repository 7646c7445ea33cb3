"""Latency of ranking from a thousand rows to a million: CPU milliseconds, p50 and p95.

    python benchmarks/retrieval.py [--rows 1000,10000,100000] [--queries 60] [--vectors]

Rows are sentences made from word lists whose frequencies fall as in real text (Zipf), in
conversations of forty. CPU time is quoted because the machine may be shared. `--vectors` adds
random vectors of 384 dimensions: the model's own time is not in it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import time

import numpy as np

from memory_core.retrieval import ranking
from memory_core.retrieval.asked import asked
from memory_core.retrieval.index import RowIndex
from memory_core.retrieval.rows import Row
from memory_core.retrieval.vectors import VectorStore

START = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
SYLLABLES = "ba be ca co da de fa fi ga go la le ma mo na no pa pe ra ro sa so ta te va vi".split()
PEOPLE = ("Ana", "Rui", "Hermes", "Bia")
DIMENSION = 384


def vocabulary(size: int, chance: random.Random) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 3, 4)))) for _ in range(size)]


def sentences(count: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    known = vocabulary(30_000, chance)
    drawn = np.random.default_rng(seed).zipf(1.25, size=count * 14)
    drawn = np.minimum(drawn, len(known)) - 1
    return [" ".join(known[i] for i in drawn[n * 14 : n * 14 + 14]) for n in range(count)]


def rows(texts: list[str]) -> list[tuple[str, list[Row], str]]:
    made = []
    for start in range(0, len(texts), 40):
        name = f"t{start:08}"
        part = texts[start : start + 40]
        made.append(
            (
                name,
                [
                    Row(
                        f"{name}/{n}",
                        text,
                        PEOPLE[n % 4],
                        START + dt.timedelta(minutes=start + n),
                        name,
                    )
                    for n, text in enumerate(part)
                ],
                "",
            )
        )
    return made


def measure(count: int, queries: int, *, vectors: bool) -> None:
    texts = sentences(count)
    index = RowIndex()
    began = time.process_time()
    index.put_all(rows(texts))
    filled = time.process_time() - began
    store = VectorStore()
    if vectors:
        made = np.random.default_rng(2).normal(size=(count, DIMENSION)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        store.put("m", {str(n + 1): t for n, t in enumerate(texts)}, made.tolist())
        store.nearest("m", made[0].tolist(), 5)
    chance = random.Random(3)
    spent = []
    for _ in range(queries):
        words = chance.choice(texts).split()
        text = f"what did {chance.choice(PEOPLE)} say of {' '.join(chance.sample(words, 5))}"
        began = time.process_time()
        question = asked(text, START + dt.timedelta(days=900), index.speakers())
        more: list[int] = []
        if vectors:
            near = store.nearest("m", made[chance.randrange(count)].tolist(), 50)
            more = [int(k) for k in near.keys]
        found = index.slice(question, more=more)
        ranking.rank(question, found, 10)
        spent.append((time.process_time() - began) * 1000)
    p50, p95 = np.percentile(spent, [50, 95])
    kind = "with vectors" if vectors else "lexical"
    took = f"p50 {p50:7.1f} ms  p95 {p95:7.1f} ms  fill {count / filled:8,.0f} rows/s"
    print(f"{count:>9,} rows  {kind:12}  {took}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1000,10000,100000")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--vectors", action="store_true")
    given = parser.parse_args()
    for count in map(int, given.rows.split(",")):
        measure(count, given.queries, vectors=given.vectors)


if __name__ == "__main__":
    main()
