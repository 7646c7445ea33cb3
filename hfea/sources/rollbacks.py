"""Which turns of a thread were taken back later; found before the thread is read."""

from __future__ import annotations


class Rollbacks:
    """Counts turns twice: `look` over the whole thread first, then `step` in the real reading.

    A step is `turn` where the agent notes that one begins, `user CHANNEL` for the owner's words
    in one of the channels that repeat them, `rollback`, or ''. A thread that notes no beginnings
    is counted by the owner's words in the first channel that it has.
    """

    def __init__(self) -> None:
        self._counted: dict[str, int] = {}
        self._taken: list[tuple[dict[str, int], int]] = []
        self._undone: set[int] | None = None
        self._turn = 0

    def look(self, step: str, turns: object) -> None:
        """Take note of a step; *turns* is how many a rollback removes."""
        if step == "rollback":
            if isinstance(turns, int) and turns > 0:
                self._taken.append((dict(self._counted), turns))
        elif step:
            self._counted[step] = self._counted.get(step, 0) + 1

    def step(self, step: str) -> None:
        """Follow the real reading."""
        if self._undone is None:
            self._undone = self._resolved()
        if step and step == self._clock():
            self._turn += 1

    @property
    def undone(self) -> bool:
        """Whether the present turn was taken back later."""
        return bool(self._undone) and self._turn in (self._undone or ())

    def _clock(self) -> str:
        return "turn" if "turn" in self._counted else min(self._counted, default="")

    def _resolved(self) -> set[int]:
        undone: set[int] = set()
        for counted, turns in self._taken:
            reached = counted.get(self._clock(), 0)
            left = [n for n in range(1, reached + 1) if n not in undone]
            undone.update(left[-turns:])
        return undone
