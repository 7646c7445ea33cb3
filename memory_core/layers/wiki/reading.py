"""One Markdown page: its title, headings, links and sections; code is never a heading or link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_WIKI = re.compile(r"!?\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|([^\[\]\n]*))?\]\]")
_TAG = re.compile(r"(?<![\w&/])#([^\W\d_][\w/-]*)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level (1 to 6), text and line (0 is the first)."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another page: target as written without anchor, the anchor, the words shown."""

    target: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one heading, before the next; `path` are the headings above it."""

    path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """A page as it was read. `names` are other names its front matter gives it."""

    title: str
    names: tuple[str, ...]
    tags: tuple[str, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    sections: tuple[Section, ...]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def read(text: str) -> Read:
    """Read a page; any text is a page, and nothing of it is lost from the sections."""
    front, body = _front_matter(text.replace("\r\n", "\n"))
    tokens = _parser().parse(body)
    headings = tuple(_headings(tokens))
    prose = list(_prose(tokens))
    first = next((h.text for h in headings if h.level == 1), "")
    return Read(
        title=str(front.get("title") or first),
        names=_strings(front.get("aliases") or front.get("alias")),
        tags=tuple(dict.fromkeys([*_strings(front.get("tags")), *_TAG.findall(" ".join(prose))])),
        headings=headings,
        links=tuple(dict.fromkeys([*_markdown_links(tokens), *_wiki_links(prose)])),
        sections=tuple(_sections(body, headings)),
    )


def _front_matter(text: str) -> tuple[dict[str, object], str]:
    found = _FRONT.match(text)
    if found is None:
        return {}, text
    try:
        table = yaml.safe_load(found.group(1))
    except (yaml.YAMLError, ValueError):
        table = None
    # What is no front matter stays part of the page.
    return (table, text[found.end() :]) if isinstance(table, dict) else ({}, text)


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map:
            yield Heading(int(token.tag[1:]), inline.content.strip(), token.map[0])


def _prose(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the running text of the page: no code, no HTML."""
    for token in tokens:
        if token.type == "inline":
            yield "".join(c.content for c in token.children or () if c.type == "text")


def _markdown_links(tokens: Sequence[Token]) -> Iterator[Link]:
    for token in tokens:
        children = token.children or []
        for at, child in enumerate(children):
            if child.type == "link_open":
                href = unquote(str(child.attrGet("href") or ""))
                if re.match(r"[a-z][a-z0-9+.-]*:|//", href, re.IGNORECASE):
                    continue
                words = "".join(c.content for c in children[at + 1 :][: _closes(children, at)])
                target, _, anchor = href.partition("#")
                yield Link(target, anchor, words)


def _closes(children: Sequence[Token], at: int) -> int:
    rest = [c.type for c in children[at + 1 :]]
    return rest.index("link_close") if "link_close" in rest else len(rest)


def _wiki_links(prose: Sequence[str]) -> Iterator[Link]:
    for text in prose:
        for found in _WIKI.finditer(text):
            target, anchor, shown = (part or "" for part in found.groups())
            if target.strip() or anchor.strip():
                yield Link(target.strip(), anchor.strip(), (shown or target or anchor).strip())


def _sections(body: str, headings: Sequence[Heading]) -> Iterator[Section]:
    lines = body.split("\n")
    starts = [0, *(h.line for h in headings)]
    ends = [*(h.line for h in headings), len(lines)]
    above: list[Heading] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if number:
            heading = headings[number - 1]
            above = [h for h in above if h.level < heading.level] + [heading]
            start = _after_heading(lines, start)  # noqa: PLW2901 - the same line, past its heading
        text = _COMMENT.sub("", "\n".join(lines[start:end])).strip()
        if text:
            yield Section(tuple(h.text for h in above), text)


def _after_heading(lines: Sequence[str], start: int) -> int:
    """Return the first line below a heading: an underlined one takes the line beneath it too."""
    if lines[start].lstrip().startswith("#"):
        return start + 1
    below = start + 1
    while below < len(lines) and not re.fullmatch(r" {0,3}(?:=+|-+)[ \t]*", lines[below]):
        below += 1
    return below + 1


def _strings(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(filter(None, (part.strip().lstrip("#") for part in value.split(","))))
    if isinstance(value, list):
        return tuple(str(v).lstrip("#") for v in value if v is not None)
    return ()
