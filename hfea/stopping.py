"""SIGTERM and SIGINT set a flag; work looks at it between two units, where stopping is safe."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stopped_by_signals(
    also: Callable[[], None] = lambda: None,
) -> Iterator[Callable[[], bool]]:
    """Give a question, "asked to stop?", for a block; *also* may set a flag of its own.

    The handler does no work. A second signal interrupts at once.
    """
    asked = False

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        also()

    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
