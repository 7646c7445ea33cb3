"""Log lines: JSON on stderr, one physical line an event, repeats counted, secrets cleaned."""

from __future__ import annotations

import datetime as dt
import json
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import TextIO

_REMEMBERED = 1000  # distinct messages whose repeats are counted
_LONGEST = 4000  # characters of one message; the rest is counted
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def visible(text: str) -> str:
    """Write control, format and line-separating characters as escapes (case X18)."""
    return "".join(
        c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; extra fields given to the call are kept.

    *clean* is applied to every text (redaction). A traceback names files, lines and functions,
    never source lines or values: those may hold what a session said.
    """

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        super().__init__()
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its line feed."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        event: dict[str, object] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": self._text(record.getMessage()),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD:
                event[name] = value if isinstance(value, int | float) else self._text(str(value))
        if record.exc_info and record.exc_info[1]:
            event["error"] = self._text(_described(record.exc_info[1]))
        return json.dumps(event, ensure_ascii=False)

    def _text(self, text: str) -> str:
        text = self._clean(text)
        left = len(text) - _LONGEST
        return visible(text if left <= 0 else f"{text[:_LONGEST]} (+{left} characters)")


def _described(error: BaseException) -> str:
    places, trace = [], error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} ({' > '.join(places[-8:])})"


class CountRepeats(logging.Filter):
    """Lets the 1st, 10th, 100th, ... of identical warnings through, with the count (O04)."""

    def __init__(self) -> None:
        super().__init__()
        self._times: OrderedDict[tuple[str, int, str], int] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written; adds `repeated` where it is not the first."""
        if record.levelno < logging.WARNING:
            return True
        key = (record.name, record.levelno, record.getMessage())
        times = self._times.pop(key, 0) + 1
        self._times[key] = times
        if len(self._times) > _REMEMBERED:
            self._times.popitem(last=False)
        if times > 1:
            record.repeated = times
        return str(times).strip("0") == "1"


def set_up(
    level: int = logging.INFO,
    *,
    stream: TextIO | None = None,
    clean: Callable[[str], str] = str,
) -> logging.Handler:
    """Send the log of `hfea` and its libraries to *stream* (stderr); return the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(clean))
    handler.addFilter(CountRepeats())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("hfea").setLevel(level)
    return handler
