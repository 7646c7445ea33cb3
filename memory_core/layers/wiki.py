"""Wiki: folders of Markdown, indexed by heading; looked up by `ask` and by hand only."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "wiki"
LARGEST = 2_000_000  # bytes; a larger page is left alone
PASSAGE_CHARS = 1500
DEEPEST_HEADING = 6


def pages(folders: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield (folder, page) for every Markdown page; hidden files and outside links are skipped."""
    for folder in folders:
        if not folder.is_dir():
            continue
        root = folder.resolve()
        for path in sorted(folder.rglob("*.md")):
            inside = path.relative_to(folder)
            if any(part.startswith(".") for part in inside.parts):
                continue
            if path.is_file() and path.resolve().is_relative_to(root):
                yield folder, path


def stamp(folders: Sequence[Path]) -> str:
    """Return a fingerprint of names, sizes and change times of all pages."""
    state = hashlib.sha256()
    for _, path in pages(folders):
        stat = path.stat()
        state.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return state.hexdigest()


def passages(folders: Sequence[Path]) -> Iterator[Passage]:
    """Yield the passages of every page, each under the headings it stands below."""
    for folder, path in pages(folders):
        stat = path.stat()
        if stat.st_size > LARGEST:
            continue
        changed = dt.datetime.fromtimestamp(stat.st_mtime, dt.UTC)
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        for number, (heading, body) in enumerate(_sections(text)):
            yield Passage(
                layer=LAYER,
                key=f"{name}#{number}",
                text=body,
                subject=f"{path.stem} {heading}".strip(),
                at=changed,
                author=name,
                author_kind=AuthorKind.UNKNOWN,
                origin=Origin.DERIVED,
            )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    headings: list[tuple[int, str]] = []
    body: list[str] = []
    for line in text.splitlines():
        level = len(line) - len(line.lstrip("#"))
        if 0 < level <= DEEPEST_HEADING and line[level : level + 1] == " ":
            yield from _chunks(headings, body)
            headings = [h for h in headings if h[0] < level] + [(level, line[level:].strip())]
            body = []
        else:
            body.append(line)
    yield from _chunks(headings, body)


def _chunks(headings: list[tuple[int, str]], body: list[str]) -> Iterator[tuple[str, str]]:
    title = " › ".join(h for _, h in headings)
    chunk: list[str] = []
    for paragraph in "\n".join(body).split("\n\n"):
        if chunk and sum(map(len, chunk)) + len(paragraph) > PASSAGE_CHARS:
            yield title, "\n\n".join(chunk)
            chunk = []
        if paragraph.strip():
            chunk.append(paragraph.strip())
    if chunk:
        yield title, "\n\n".join(chunk)
