"""Knows whether an agent is active and which files have settled; a hint, never the truth."""

from __future__ import annotations

import errno
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from memory_core.file_names import conflict_copy, temporary

log = logging.getLogger(__name__)

# Reading produces these, our own reading too; they say nothing about the agent.
_READING = frozenset({"opened", "closed_no_write"})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
_MOST_PATHS = 5000


@dataclass(frozen=True, slots=True)
class Look:
    """What is watched, and when the watcher looks for itself; times in seconds.

    `stamp` is a cheap fingerprint of everything watched: when it moves without an event, the
    watcher is deaf (case O20).
    """

    folders: Sequence[Path]
    apart: Sequence[Path]
    stamp: Callable[[], str]
    settle: float = 2.0
    rescan: float = 120.0


@dataclass(slots=True)
class _Heard:
    """What event threads leave for the daemon's loop, under one lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    paths: deque[Path] = field(default_factory=lambda: deque(maxlen=_MOST_PATHS))
    active: bool = False
    odd: int = 0
    overflow: bool = False


class _Ear(FileSystemEventHandler):
    def __init__(self, heard: _Heard, look: Look) -> None:
        self._heard, self._look = heard, look

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note that something was written; one odd path costs one event (case O20)."""
        if event.event_type in _READING:
            return
        try:
            places = [Path(_text(p)) for p in (event.dest_path, event.src_path) if p]
        except (ValueError, UnicodeError):
            with self._heard.lock:
                self._heard.odd += 1
            return
        for path in places:
            self._note(path, settles=not event.is_directory)

    def _note(self, path: Path, *, settles: bool) -> None:
        look, heard = self._look, self._heard
        if not any(path.is_relative_to(f) for f in look.folders):
            with heard.lock:
                heard.odd += 1
            return
        if any(path.is_relative_to(a) for a in look.apart):
            return
        with heard.lock:
            # An agent at work writes -wal files and temporary names too: that is activity.
            heard.active = True
            if not settles or temporary(path.name):
                return
            heard.overflow = heard.overflow or len(heard.paths) == _MOST_PATHS
            heard.paths.append(path)


def _text(path: str | bytes) -> str:
    return path if isinstance(path, str) else path.decode()


class Watcher:
    """Watches folders by events where the system has room for them, else by looking.

    Everything but the events themselves happens in `tick`, called by the daemon's loop.
    """

    def __init__(
        self,
        look: Look,
        monotonic: Callable[[], float],
        observer: Callable[[], BaseObserver] = Observer,
    ) -> None:
        self._look, self._monotonic, self._make = look, monotonic, observer
        self._heard = _Heard()
        self._observer: BaseObserver | None = None
        self._waiting: dict[Path, tuple[float, tuple[int, int] | None]] = {}
        self._last_active = monotonic()
        self._last_scan = monotonic()
        self._stamp = ""
        self._heard_since_scan = False
        self._noticed: set[str] = set()

    @property
    def mode(self) -> str:
        """`events` or `polling`."""
        return "events" if self._observer is not None else "polling"

    def start(self) -> None:
        """Begin to watch; never fails for lack of room, it looks by itself then."""
        self._stamp = self._look.stamp()
        self._listen()

    def stop(self) -> None:
        """Stop watching."""
        if self._observer is not None and self._observer.is_alive():
            self._observer.stop()
            self._observer.join(5)
        self._observer = None

    def quiet_seconds(self) -> float:
        """Return for how long nothing was written, as far as is known."""
        return self._monotonic() - self._last_active

    def tick(self) -> list[Path]:
        """Take in what happened; return the files that have settled since, each once.

        An empty path (`Path()`) among them means: too much happened, look at everything.
        """
        now = self._monotonic()
        self._check_alive()
        found = list(self._take(now))
        every = min(self._look.rescan, 15.0) if self._observer is None else self._look.rescan
        if now - self._last_scan >= every:
            found += self._rescan(now)
        return found + self._settled(now)

    def _listen(self) -> None:
        observer = self._make()
        try:
            for folder in self._look.folders:
                if folder.is_dir():
                    observer.schedule(_Ear(self._heard, self._look), str(folder), recursive=True)
            observer.start()
        except OSError as error:
            self._fall_back(observer, error)
            return
        self._observer = observer

    def _fall_back(self, observer: BaseObserver, error: OSError) -> None:
        self._observer = None
        if observer.is_alive():
            observer.stop()
        why = error.strerror or str(error)
        if error.errno in _NO_ROOM:
            # ENOSPC here is about inotify watches, not about the disk (watchdog#673).
            why = "the system's limit of file watches is reached (fs.inotify.max_user_watches)"
        self._once("fallback", f"watching by looking every 15 s: {why}")

    def _check_alive(self) -> None:
        if self._observer is not None and not self._observer.is_alive():
            self._once("dead", "the file watcher's thread died; starting it again")
            self._observer = None
            self._last_scan = float("-inf")
            self._listen()

    def _take(self, now: float) -> Iterator[Path]:
        with self._heard.lock:
            paths, active, odd = list(self._heard.paths), self._heard.active, self._heard.odd
            overflow = self._heard.overflow
            self._heard.paths.clear()
            self._heard.active = self._heard.overflow = False
            self._heard.odd = 0
        if active:
            self._last_active, self._heard_since_scan = now, True
        if odd:
            self._once("odd", f"{odd} events outside the watched folders were ignored")
        for path in paths:
            self._waiting[path] = (now, None)
        if overflow:
            yield Path()

    def _rescan(self, now: float) -> list[Path]:
        self._last_scan = now
        stamp = self._look.stamp()
        moved, self._stamp = stamp != self._stamp, stamp
        told, self._heard_since_scan = self._heard_since_scan, False
        if not moved or told:
            return []
        if self._observer is not None:
            self._once("deaf", "files changed without an event; looking at everything")
        self._last_active = now
        return [Path()]

    def _settled(self, now: float) -> list[Path]:
        """Return paths whose size and time stood still for the settling time (paperless-ngx)."""
        done = []
        for path, (since, before) in list(self._waiting.items()):
            state = _state(path)
            if before is None or state != before:
                self._waiting[path] = (now, state)
            elif now - since >= self._look.settle:
                del self._waiting[path]
                if conflict_copy(path.name):
                    self._once(str(path), f"{path.name} is a sync conflict copy; left alone")
                else:
                    done.append(path)
        return done

    def _once(self, key: str, sentence: str) -> None:
        if key not in self._noticed:
            self._noticed.add(key)
            log.warning(sentence)


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_size, found.st_mtime_ns)
