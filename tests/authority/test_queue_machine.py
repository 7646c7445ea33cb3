"""Any order of proposing, deciding, undoing and editing by hand: nothing enters unasked."""

from __future__ import annotations

import contextlib
import datetime as dt
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memory_core.authority import Act, Change, Target
from memory_core.confirming import Confirmation, Via
from memory_core.layers import permanent
from memory_core.layers.permanent import PermanentError
from memory_core.proposal import ProposalError
from memory_core.proposals import Places, Proposals, Proposer, State

WORDS = st.sampled_from(["chá", "café", "trem", "gato", "vela", "barco"])
NOON = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)


class Queue(RuleBasedStateMachine):
    """The model: which texts the owner let in, which a person wrote by hand."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="queue-"))
        self.home = self.folder / "home"
        (self.home / "memories").mkdir(parents=True)
        self.file = self.home / "memories" / "MEMORY.md"
        self.file.write_text("casa", encoding="utf-8")
        self.now = NOON
        self.gate = Proposals(None, Places(self.home, self.home), now=lambda: self.now)
        self.let_in: set[str] = {"casa"}
        self.by_hand: set[str] = set()

    def texts(self) -> set[str]:
        return {e.text for e in permanent.entries(self.home)}

    @rule(word=WORDS, act=st.sampled_from([Act.ADD, Act.REPLACE, Act.REMOVE]), old=WORDS)
    def propose(self, word: str, act: Act, old: str) -> None:
        text = "" if act is Act.REMOVE else f"gosta de {word}"
        change = Change(act, Target.MEMORY, text, "" if act is Act.ADD else f"de {old}")
        before = self.file.read_bytes()
        with contextlib.suppress(PermanentError):
            found = self.gate.propose(change, by=Proposer("agent"))
            assert found.state is not State.APPLIED
        assert self.file.read_bytes() == before

    @rule(pick=st.integers(0, 20), right=st.booleans())
    def approve(self, pick: int, right: bool) -> None:
        waiting = self.gate.list()
        if not waiting:
            return
        one = waiting[pick % len(waiting)]
        given = Confirmation(
            one.digest if right else "0" * 64, "Lívia", Via.CLI, self.now, self.now
        )
        before = self.file.read_bytes()
        try:
            done = self.gate.approve(one.id, given)
        except (ProposalError, PermanentError):
            assert self.file.read_bytes() == before
            return
        assert right
        assert done.state is State.APPLIED
        assert one.change.act is not Act.REMOVE
        self.let_in.add(one.change.text)

    @rule(pick=st.integers(0, 20))
    def reject(self, pick: int) -> None:
        waiting = self.gate.list()
        if waiting:
            self.gate.reject(waiting[pick % len(waiting)].id, by="Lívia")

    @rule(pick=st.integers(0, 20))
    def undo(self, pick: int) -> None:
        applied = self.gate.list(State.APPLIED)
        if applied:
            with contextlib.suppress(ProposalError, PermanentError):
                self.gate.undo(applied[pick % len(applied)].id, by="Lívia")

    @rule(word=WORDS)
    def edit_by_hand(self, word: str) -> None:
        self.by_hand.add(f"à mão {word}")
        kept = [*permanent.parse(self.file.read_text(encoding="utf-8")), f"à mão {word}"]
        self.file.write_text(permanent.joined(dict.fromkeys(kept)), encoding="utf-8")

    @rule(days=st.integers(1, 40))
    def time_goes_by(self, days: int) -> None:
        self.now += dt.timedelta(days=days)

    @invariant()
    def nothing_stands_there_that_nobody_let_in(self) -> None:
        if hasattr(self, "gate"):
            assert self.texts() <= self.let_in | self.by_hand

    @invariant()
    def what_a_person_wrote_stays(self) -> None:
        if hasattr(self, "gate"):
            assert self.by_hand <= self.texts()

    @invariant()
    def the_file_is_as_hermes_writes_it(self) -> None:
        if hasattr(self, "gate"):
            assert permanent.look(self.home, "MEMORY.md").drift == ""

    def teardown(self) -> None:
        if hasattr(self, "gate"):
            self.gate.close()
            shutil.rmtree(self.folder)


TestQueue = Queue.TestCase
TestQueue.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
