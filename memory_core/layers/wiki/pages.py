"""The pages of the configured folders, and the passages that the core finds them by."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.file_names import conflict_copy, temporary
from memory_core.layers.wiki.reading import Heading, Link, Section, read
from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "wiki"
LARGEST = 2_000_000  # bytes; a larger page is left alone
PASSAGE_CHARS = 1500


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its folder's number and place in it, and what was read of it.

    `digest` is SHA-256 of its bytes, hex; `changed` the file's own time, which sync tools may
    set anew, so it dates nothing but the file.
    """

    folder: int
    place: str
    title: str
    names: tuple[str, ...]
    tags: tuple[str, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    sections: tuple[Section, ...]
    digest: str
    changed: dt.datetime


def page_files(folders: Sequence[Path]) -> Iterator[tuple[int, Path, Path]]:
    """Yield (number of the folder, folder, page); links that lead outside are not followed.

    Hidden files, what editors leave for a moment, and sync tools' conflict copies are no pages.
    """
    for number, folder in enumerate(folders):
        if not folder.is_dir():
            continue
        root = folder.resolve()
        for path in sorted(folder.rglob("*.md")):
            inside = path.relative_to(folder)
            if any(part.startswith(".") or temporary(part) for part in inside.parts):
                continue
            if conflict_copy(path.name) or not path.is_file():
                continue
            if path.resolve().is_relative_to(root):
                yield number, folder, path


def oddities(folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield files that are left out, and why: `conflict_copy`, `too_large`, `outside`."""
    for folder in folders:
        for path in sorted(folder.rglob("*.md")) if folder.is_dir() else ():
            if conflict_copy(path.name):
                yield path, "conflict_copy"
            elif not path.resolve().is_relative_to(folder.resolve()):
                yield path, "outside"
            elif path.is_file() and path.stat().st_size > LARGEST:
                yield path, "too_large"


def pages(folders: Sequence[Path]) -> Iterator[Page]:
    """Yield every page; odd bytes are shown as such and end nothing. Raises OSError."""
    for number, folder, path in page_files(folders):
        stat = path.stat()
        if stat.st_size > LARGEST:
            continue
        data = path.read_bytes()
        found = read(data.decode("utf-8-sig", errors="replace"))
        yield Page(
            folder=number,
            place=path.relative_to(folder).as_posix(),
            title=found.title or path.stem,
            names=found.names,
            tags=found.tags,
            headings=found.headings,
            links=found.links,
            sections=found.sections,
            digest=hashlib.sha256(data).hexdigest(),
            changed=dt.datetime.fromtimestamp(stat.st_mtime, dt.UTC),
        )


def stamp(folders: Sequence[Path]) -> str:
    """Return a fingerprint of names, sizes and change times of all pages."""
    state = hashlib.sha256()
    for _, _, path in page_files(folders):
        stat = path.stat()
        state.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ino}\n".encode())
    return state.hexdigest()


def passages(folders: Sequence[Path]) -> Iterator[Passage]:
    """Yield the passages of every page, each under its title and the headings it stands below."""
    for page in pages(folders):
        where = page.place if page.folder == 0 else f"{page.folder}/{page.place}"
        stem = Path(page.place).stem
        named = " ".join(dict.fromkeys((stem, page.title, *page.names)))
        for number, (path, body) in enumerate(_chunks(page.sections)):
            headings = " › ".join(h for h in path if h != page.title)
            yield Passage(
                layer=LAYER,
                key=f"{where}#{number}",
                text=body,
                subject=f"{named} {headings}".strip(),
                at=page.changed,
                author=page.place,
                author_kind=AuthorKind.UNKNOWN,
                origin=Origin.DERIVED,
            )


def _chunks(sections: Sequence[Section]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the sections in pieces that are read in a glance, cut between paragraphs."""
    for section in sections:
        chunk: list[str] = []
        for paragraph in section.text.split("\n\n"):
            if chunk and sum(map(len, chunk)) + len(paragraph) > PASSAGE_CHARS:
                yield section.path, "\n\n".join(chunk)
                chunk = []
            if paragraph.strip():
                chunk.append(paragraph.strip())
        if chunk:
            yield section.path, "\n\n".join(chunk)
