"""Facts through the service: the fact store's own actions, in Hermes's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from hfea.service.doors import NotNow, Table


class FactDesk(Protocol):
    """The fact store as the service needs it: `fact_store` and `fact_feedback` of Hermes."""

    def act(self, action: str, values: Mapping[str, Any], by: str) -> Table:
        """Carry out one action; raises UsageError for one that is not there."""
        ...

    def feedback(self, number: int, *, helpful: bool) -> Table:
        """Say that a fact helped or did not; raises NotHere."""
        ...


Opener = Callable[[], AbstractContextManager[FactDesk]]


class FactDoor:
    """Opens the fact store for one call and closes it."""

    _facts: Opener | None = None

    def facts(self, action: str, values: Mapping[str, Any], by: str) -> Table:
        """Carry out one action of the fact store."""
        with self._open() as desk:
            return desk.act(action, values, by)

    def fact_feedback(self, number: int, *, helpful: bool) -> Table:
        """Say that a fact helped or did not."""
        with self._open() as desk:
            return desk.feedback(number, helpful=helpful)

    def _open(self) -> AbstractContextManager[FactDesk]:
        if self._facts is None:
            msg = "this service was started without a fact store"
            raise NotNow(msg)
        return self._facts()
