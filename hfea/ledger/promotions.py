"""Every decision about what steers the agent, append-only, with its evidence and no text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hfea.ledger.desk import Desk, stamp

if TYPE_CHECKING:
    from memory_core.proposal import Promotion


@dataclass(frozen=True, slots=True)
class PromotionRow:
    """One event as the ledger holds it; `digest` commits to the text that was shown."""

    proposal: str
    event: str
    digest: str
    level: str
    act: str
    place: str
    profile: str
    reasons: tuple[str, ...]
    cited: tuple[dict[str, Any], ...]
    by: str
    via: str
    at: str


class Promotions:
    """The ledger's record of proposals, approvals, refusals, applied changes and undoings."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def record(self, event: Promotion) -> None:
        """Append one event. The place may name a page or a skill, so it can be erased."""
        place = self._desk.keep_text(event.place)
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO promotion (proposal, event, digest, level, act, place, profile,"
                " reasons, cited, by, via, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    event.proposal, event.event, event.digest, event.level, event.act, place,
                    event.profile, json.dumps(event.reasons),
                    json.dumps([asdict(c) for c in event.cited]), event.by, event.via,
                    stamp(event.at),
                ),
            )  # fmt: skip

    def of(self, proposal: str) -> list[PromotionRow]:
        """Return the events of one proposal, in order."""
        return [_row(r) for r in self._desk.rows(f"{_SELECT} WHERE proposal = ? {_IN}", proposal)]

    def latest(self, limit: int) -> list[PromotionRow]:
        """Return the newest events, newest first."""
        return [_row(r) for r in self._desk.rows(f"{_SELECT} ORDER BY p.id DESC LIMIT ?", limit)]


_SELECT = (
    "SELECT proposal, event, digest, level, act, t.text, profile, reasons, cited, by, via, at"
    " FROM promotion p JOIN ledger_text t ON t.id = p.place"
)
_IN = "ORDER BY p.id"


def _row(row: Sequence[Any]) -> PromotionRow:
    head = tuple(map(str, row[:7]))
    reasons, cited = tuple(json.loads(row[7])), tuple(json.loads(row[8]))
    proposal, event, digest, level, act, place, profile = head
    return PromotionRow(
        proposal, event, digest, level, act, place, profile, reasons, cited, *map(str, row[9:12])
    )
