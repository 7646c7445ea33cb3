"""The model behind the narrator: every reply kept by its whole input, within a budget.

A reply that was paid for is stored, redacted, before it is used: a rerun asks for nothing and
gives the same bytes (invariant 3). Budget and breaker are sums over the ledger, which no restart
resets (case C13).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hfea.clock import Clock
from hfea.consolidation.llm import NoReply, Written
from hfea.consolidation.proposals import PROMPT_VERSION, SCHEMA
from hfea.ledger.budget import Budget, Spent
from hfea.model_client import Model, ModelFailed, Turn


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens in and out together that a night and a calendar day may cost; money per million."""

    night: int
    day: int
    price_in: float = 0.0
    price_out: float = 0.0


class KeptModel:
    """A Writer over a real model, with the cache folder of the archive."""

    def __init__(  # noqa: PLR0913, PLR0917 - the composition root names each part once
        self,
        model: Model,
        folder: Path,
        budget: Budget,
        limits: Limits,
        clock: Clock,
        clean: Callable[[str], str],
    ) -> None:
        self._model, self._folder, self._budget = model, folder, budget
        self._limits, self._clock, self._clean = limits, clock, clean
        self._night = clock.now().isoformat(timespec="seconds")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def write(self, instructions: str, data: str) -> Written:
        """Return the kept reply, or ask within budget and keep it. Raises NoReply."""
        body = json.dumps([self.name, PROMPT_VERSION, dict(SCHEMA), instructions, data])
        path = self._folder / f"{hashlib.sha256(body.encode()).hexdigest()}.json"
        kept = _kept(path)
        if kept is not None:
            return kept
        self._check()
        try:
            reply = self._model.ask([Turn("system", instructions), Turn("user", data)], SCHEMA)
        except ModelFailed as error:
            self._budget.tried(self.name, worked=False)
            raise NoReply from error
        self._budget.tried(self.name, worked=True)
        self._pay(reply.tokens_in, reply.tokens_out)
        written = Written(self._clean(reply.text), reply.tokens_in, reply.tokens_out)
        _keep(path, written)
        return written

    def _check(self) -> None:
        now = self._clock.now()
        if not self._budget.breaker(self.name).allows(now):
            raise NoReply
        if self._budget.spent_in(self._night).tokens >= self._limits.night:
            raise NoReply
        if self._budget.spent_on(_today(now)).tokens >= self._limits.day:
            raise NoReply

    def _pay(self, tokens_in: int, tokens_out: int) -> None:
        money = (tokens_in * self._limits.price_in + tokens_out * self._limits.price_out) / 1e6
        spent = Spent(1, tokens_in, tokens_out, money)
        self._budget.spend(self._night, _today(self._clock.now()), "narrator", spent)


def _today(now: dt.datetime) -> dt.date:
    return now.date()


def _kept(path: Path) -> Written | None:
    try:
        row = json.loads(path.read_bytes())
        return Written(str(row["text"]), int(row["tokens_in"]), int(row["tokens_out"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(path: Path, written: Written) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    row = {
        "text": written.text,
        "tokens_in": written.tokens_in,
        "tokens_out": written.tokens_out,
    }
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as f:
        json.dump(row, f, ensure_ascii=True)
        f.flush()
        os.fsync(f.fileno())
    draft.replace(path)
