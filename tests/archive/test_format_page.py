"""docs/format.md: its example is what the code reads and writes, its tables name every value."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hfea.archive import parse, render
from hfea.episode import Relation
from memory_core.model import AuthorKind, Kind, Origin, Outcome, Polarity, Theme

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")


def example() -> str:
    found = re.search(r"^`````markdown\n(.*?)^`````$", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_example_is_read_strictly_and_written_again_to_the_byte() -> None:
    text = example()
    found = parse.document(text)
    (late,) = found.addenda
    again = render.episode(found.episode, found.sequence)
    assert again + render.addendum(late, found.episode.zone) == text


@pytest.mark.parametrize(
    "words",
    [AuthorKind, Origin, Kind, Theme, Polarity, Outcome, Relation],
    ids=lambda words: str(words.__name__),
)
def test_every_word_of_the_format_is_on_the_page(words: type[Theme]) -> None:
    unwritten = {Origin.DIRECT, Theme.OTHER, Polarity.AFFIRMED}
    assert [w for w in words if w not in unwritten and not re.search(rf"\b{w.value}\b", PAGE)] == []
