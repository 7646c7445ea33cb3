"""Which page links to which: forward, back, and into nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.layers.wiki.pages import Page
from memory_core.layers.wiki.reading import Link
from memory_core.text import fold

Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Broken:
    """A link that leads to no page, or to no heading of one (`anchor`)."""

    page: Place
    link: Link
    why: str


@dataclass(frozen=True, slots=True)
class Graph:
    """The links between pages. Places are (number of the folder, path in it)."""

    links: Mapping[Place, tuple[Place, ...]]
    back: Mapping[Place, tuple[Place, ...]]
    broken: tuple[Broken, ...]

    @property
    def lonely(self) -> tuple[Place, ...]:
        """Return the pages that no page links to and that link to none."""
        return tuple(p for p in self.links if not self.links[p] and not self.back.get(p))


def graph(pages: Sequence[Page]) -> Graph:
    """Resolve every link: by relative path, by path in the folder, by name, title or alias."""
    known = {(p.folder, p.place): p for p in pages}
    names = _names(pages)
    links: dict[Place, tuple[Place, ...]] = {}
    back: dict[Place, list[Place]] = {}
    broken = []
    for page in pages:
        here = (page.folder, page.place)
        found: dict[Place, None] = {}
        for link in page.links:
            there = here if not link.target else _resolve(link.target, here, known, names)
            if there is None:
                broken.append(Broken(here, link, "page"))
                continue
            if link.anchor and not _has(known[there], link.anchor):
                broken.append(Broken(here, link, "anchor"))
            if there != here:
                found[there] = None
        links[here] = tuple(found)
        for there in found:
            back.setdefault(there, []).append(here)
    return Graph(links, {p: tuple(b) for p, b in back.items()}, tuple(broken))


def _names(pages: Sequence[Page]) -> dict[tuple[int, str], Place]:
    found: dict[tuple[int, str], Place] = {}
    for page in pages:
        stem = posixpath.splitext(posixpath.basename(page.place))[0]
        for name in (stem, page.title, *page.names):
            found.setdefault((page.folder, _plain(name)), (page.folder, page.place))
    return found


def _resolve(
    target: str, here: Place, known: Mapping[Place, Page], names: Mapping[tuple[int, str], Place]
) -> Place | None:
    folder, place = here
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
    whole = posixpath.normpath(target.lstrip("/"))
    for path in (beside, f"{beside}.md", whole, f"{whole}.md"):
        if (folder, path) in known:
            return folder, path
    stem = posixpath.splitext(posixpath.basename(target))[0] if target.endswith(".md") else target
    return names.get((folder, _plain(stem))) or names.get((folder, _plain(stem.rpartition("/")[2])))


def _has(page: Page, anchor: str) -> bool:
    wanted = _plain(anchor)
    if anchor.startswith("^"):  # a block of an Obsidian vault
        return any(anchor in s.text for s in page.sections)
    return any(_plain(h.text) == wanted for h in page.headings)


def _plain(name: str) -> str:
    """Return a name as links compare it: folded, with one space for any run of marks."""
    return " ".join("".join(c if c.isalnum() else " " for c in fold(name)).split())
