"""Killed at any moment, the next look leaves each change made and recorded, or not made at all."""

from __future__ import annotations

import datetime as dt
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_core.authority import Act, Change, Target
from memory_core.confirming import Confirmation, Via
from memory_core.layers import permanent
from memory_core.layers.permanent import writing
from memory_core.proposals import Places, Proposals, Proposer, State

ROOT = Path(__file__).parents[2]
CODE = """
import datetime as dt, sys
from pathlib import Path
from memory_core.authority import Act, Change, Target
from memory_core.confirming import Confirmation, Via
from memory_core.proposals import Places, Proposals, Proposer
home, state = Path(sys.argv[1]), Path(sys.argv[2])
now = lambda: dt.datetime.now(dt.UTC)
with Proposals(state, Places(home, home / "wiki"), now=now) as gate:
    print("ready", flush=True)
    for n in range(60):
        p = gate.propose(Change(Act.ADD, Target.MEMORY, f"fato {n} de {sys.argv[3]}"), by=Proposer("t"))
        at = now()
        gate.approve(p.id, Confirmation(p.digest, "t", Via.CLI, at, at))
"""


def look(home: Path, state: Path) -> tuple[set[str], dict[State, set[str]]]:
    with Proposals(state, Places(home, home / "wiki"), now=lambda: dt.datetime.now(dt.UTC)) as gate:
        gate.list()
        known: dict[State, set[str]] = {}
        for p in gate.list(None):
            known.setdefault(p.state, set()).add(p.change.text)
    return {e.text for e in permanent.entries(home)}, known


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_at_any_moment_leaves_no_change_unrecorded(tmp_path: Path, seed: int) -> None:
    home, state = tmp_path / "home", tmp_path / "state" / "proposals.sqlite"
    (home / "memories").mkdir(parents=True)
    rnd = random.Random(seed)
    for round_number in range(3):
        worker = subprocess.Popen(
            [sys.executable, "-c", CODE, str(home), str(state), str(round_number)],
            cwd=ROOT, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert worker.stdout is not None
        worker.stdout.readline()
        time.sleep(rnd.random() * 0.4)
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        held, known = look(home, state)
        assert known.get(State.APPLIED, set()) == held
        assert State.APPLYING not in known
        assert not known.get(State.PENDING, set()) & held
    texts = [e.text for e in permanent.entries(home)]
    assert len(texts) == len(set(texts))
    assert permanent.look(home, "MEMORY.md").drift == ""


@pytest.mark.parametrize("call", ["fsync", "fchmod", "open"])
def test_a_disk_that_fails_leaves_the_proposal_waiting(
    tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    now = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
    with Proposals(tmp_path / "s.sqlite", Places(home, home / "wiki"), now=lambda: now) as gate:
        found = gate.propose(Change(Act.ADD, Target.MEMORY, "fato"), by=Proposer("t"))
        yes = Confirmation(found.digest, "t", Via.CLI, now, now)

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "disk full")

        with monkeypatch.context() as patched:
            patched.setattr(writing.os, call, full)
            with pytest.raises(OSError, match="disk full"):
                gate.approve(found.id, yes)
        state = {p.id: p.state for p in gate.list(None)}[found.id]
        held = "fato" in {e.text for e in permanent.entries(home)}
        assert held == (state is State.APPLIED)
        if state is State.PENDING:
            assert gate.approve(found.id, yes).state is State.APPLIED


def test_two_who_decide_at_once_decide_once(tmp_path: Path) -> None:
    home, state = tmp_path / "home", tmp_path / "state" / "proposals.sqlite"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("velho um texto", encoding="utf-8")
    now = dt.datetime.now(dt.UTC)
    with Proposals(state, Places(home, home / "wiki"), now=lambda: now) as gate:
        change = Change(Act.REPLACE, Target.MEMORY, "novo um texto", "velho")
        found = gate.propose(change, by=Proposer("t"))
    code = (
        "import datetime as dt, sys; from pathlib import Path; from memory_core.proposals import *\n"
        "now = lambda: dt.datetime.now(dt.UTC)\n"
        "with Proposals(Path(sys.argv[2]), Places(Path(sys.argv[1]), Path(sys.argv[1])), now=now) as g:\n"
        "    at = now()\n"
        "    try: g.approve(sys.argv[3], Confirmation(sys.argv[4], 't', Via.CLI, at, at)); print('done')\n"
        "    except NotWaiting: print('late')\n"
    )
    words = [sys.executable, "-c", code, str(home), str(state), found.id, found.digest]
    workers = [
        subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    said = sorted(w.communicate()[0].strip() for w in workers)
    assert said == ["done", "late", "late", "late"]
    held, known = look(home, state)
    assert held == {"novo um texto"}
    assert set(known) == {State.APPLIED}
