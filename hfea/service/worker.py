"""One thread that keeps its parts open and does one piece of work after another, within limits."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from typing import Generic, TypeVar

from hfea.service.doors import NotNow

log = logging.getLogger(__name__)
T = TypeVar("T")
R = TypeVar("R")


class Worker(Generic[T]):
    """Work on parts that one thread owns: opened at the first use, kept, closed at the end.

    A thread that hangs holds nobody: callers go when their seconds are over, later ones are
    turned away, and the thread does not keep the process alive.
    """

    def __init__(
        self, name: str, opener: Callable[[], AbstractContextManager[T]], *, most: int = 16
    ) -> None:
        self._opener, self._name = opener, name
        self._jobs: queue.Queue[tuple[Future[object], Callable[[T], object]] | None] = queue.Queue(
            most
        )
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def run(self, work: Callable[[T], R], seconds: float) -> R:
        """Return what *work* returns, raise what it raises; NotNow when full or too late."""
        future: Future[R] = Future()
        self._begin()
        try:
            self._jobs.put_nowait((future, work))  # type: ignore[arg-type]
        except queue.Full:
            msg = f"too many questions wait for {self._name}; ask again in a moment"
            raise NotNow(msg) from None
        try:
            return future.result(seconds)
        except TimeoutError:
            if future.done():  # the work itself ran into a time limit of its own
                raise
            future.cancel()
            msg = f"{self._name} took longer than {seconds:g} s; ask again in a moment"
            raise NotNow(msg) from None

    def later(self, seconds: float, work: Callable[[T], object]) -> None:
        """Do *work* in a while; nobody waits for it. Left out where the thread is busy by then."""

        def begin() -> None:
            self._begin()
            future: Future[object] = Future()
            future.add_done_callback(_told)
            with contextlib.suppress(queue.Full):
                self._jobs.put_nowait((future, work))

        timer = threading.Timer(seconds, begin)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Let the thread finish what it does and close its parts; waits five seconds at most."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            self._jobs.put(None, timeout=1)
        except queue.Full:
            return
        thread.join(5)

    def _begin(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()

    def _loop(self) -> None:
        with ExitStack() as stack:
            parts: list[T] = []
            while (job := self._jobs.get()) is not None:
                future, work = job
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    if not parts:
                        parts.append(stack.enter_context(self._opener()))
                    future.set_result(work(parts[0]))
                except BaseException as error:
                    future.set_exception(error)
                    if not isinstance(error, Exception):
                        raise


def _told(future: Future[object]) -> None:
    error = future.exception()
    if error is not None:
        log.warning("work for later failed", extra={"why": type(error).__name__})
