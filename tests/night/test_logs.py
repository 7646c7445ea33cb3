from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from hfea.logs import set_up

FAKE = "-".join(["sk", "a1" * 16])


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the log goes during a test; the root logger is put back afterwards."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    out = io.StringIO()
    set_up(logging.DEBUG, stream=out, clean=lambda text: text.replace(FAKE, "[secret]"))
    yield out
    root.handlers[:], root.level = before[0], before[1]


def events(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize(
    "title", ["a\nINFO ok", "\x1b[2J", "\r", "\u2028x", "\x9b31m", "\u202egpj"]
)
def test_x18_one_physical_line_an_event_and_escapes_are_visible(
    stream: io.StringIO, title: str
) -> None:
    logging.getLogger("hfea.test").info("session %s", title, extra={"title": title})
    text = stream.getvalue()
    assert text.count("\n") == 1
    assert text.removesuffix("\n").isprintable()
    assert len(events(stream)) == 1


def test_x18_portuguese_stays_readable(stream: io.StringIO) -> None:
    logging.getLogger("hfea.test").info("não há sessões às 03:00")
    assert "não há sessões às 03:00" in stream.getvalue()


def test_x18_no_secret_at_any_level_nor_in_a_traceback(stream: io.StringIO) -> None:
    log = logging.getLogger("hfea.test")
    try:
        raise ConnectionError(f"POST failed: Authorization: Bearer {FAKE}")  # noqa: TRY301
    except ConnectionError:
        for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
            log.log(level, "request %s", FAKE, exc_info=True, extra={"body": f"key={FAKE}"})
    assert FAKE not in stream.getvalue()
    assert len(events(stream)) == 4
    assert "test_logs.py" in str(events(stream)[0]["error"])


def test_o04_repeated_identical_errors_are_counted_not_repeated(stream: io.StringIO) -> None:
    for _ in range(150):
        logging.getLogger("hfea.test").error("the model does not answer")
    assert [e.get("repeated") for e in events(stream)] == [None, 10, 100]


def test_a_very_long_message_is_cut_and_says_so(stream: io.StringIO) -> None:
    logging.getLogger("hfea.test").info("x" * 10_000)
    assert str(events(stream)[0]["event"]).endswith("(+6000 characters)")
