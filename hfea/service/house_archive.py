"""The maintainer's view of the archive: days, one day, search. Nothing here is agent scope."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.archive.layout import days
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from hfea.archive.store import Archive, NotSealed
from hfea.consolidation.day import ONE_DAY
from hfea.keys import load
from hfea.service.doors import Looked, Table
from hfea.service.house_questions import Base

MOST_BYTES = 8 * 1024 * 1024  # of an episode's file that a page will render


class ArchiveDoor:
    """Episodes and search, for the owner of the archive only."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def episodes(self) -> list[Table]:
        """Return a row for each day that has an episode, newest first."""
        root = self._base.settings.archive.path
        found = days(root)
        rows = []
        with self._base.ledger() as ledger:
            for day in reversed(found):
                row = ledger.nights.last(day)
                rows.append(
                    {
                        "day": day.isoformat(),
                        "statements": row.counts.get("statements", 0) if row else None,
                        "partial": bool(row and row.problems),
                    }
                )
        return rows

    def episode(self, day: dt.date) -> Table:
        """Return one episode. Raises NotSealed, EpisodeGone, KeyMissing."""
        self._file(day)
        stored = self._archive().read(day)
        episode = stored.episode
        return {
            "day": day.isoformat(),
            "readable": episode is not None,
            "completeness": episode.completeness if episode else None,
            "addenda": len(stored.addenda),
            "findings": [str(f) for f in stored.findings],
            "statements": [_statement(s) for s in stored.statements()],
        }

    def markdown(self, day: dt.date) -> str:
        """Return the text of an episode's file, up to a limit. Raises NotSealed."""
        with self._file(day).open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", "replace")

    def search(self, looked: Looked) -> Table:
        """Search as the owner. Raises IndexUnreadable, BadQuery."""
        after = looked.last + ONE_DAY if looked.last else None
        query = Query(
            looked.text, first=looked.first, after=after, limit=looked.limit, cursor=looked.cursor
        )
        root = self._base.settings.archive.path
        with ArchiveSearch.for_maintainer(root / INDEX_FILE, root) as door:
            page = door.search(query)
        return {
            "hits": [_hit(hit) for hit in page.hits],
            "total": page.total,
            "next": page.next or None,
            "withheld": [day.isoformat() for day in page.withheld],
        }

    def _archive(self) -> Archive:
        settings = self._base.settings
        return Archive(settings.archive.path, load(settings.key_file))

    def _file(self, day: dt.date) -> Path:
        """Return the episode's file; a link, or a way through one, is no episode (case X08)."""
        root = self._base.settings.archive.path
        path = root / f"{day:%Y}" / f"{day:%m}" / f"{day.isoformat()}.md"
        linked = any(p.is_symlink() for p in (path, path.parent, path.parent.parent))
        if linked or not path.is_file():
            raise NotSealed(day)
        return path


def _statement(s: Any) -> dict[str, Any]:
    return {
        "id": s.id,
        "kind": s.kind.value,
        "theme": s.theme.value,
        "at": s.at.isoformat() if s.at else None,
        "author": s.author,
        "author_kind": s.author_kind.value,
        "origin": s.origin.value,
        "text": s.text,
        "message_ids": list(dict.fromkeys(c.message_id for c in s.citations)),
    }


def _hit(hit: Excerpt) -> dict[str, Any]:
    return {
        "id": hit.id,
        "day": hit.day.isoformat(),
        "at": hit.at.isoformat() if hit.at else None,
        "kind": hit.kind.value,
        "theme": hit.theme.value,
        "author": hit.author,
        "author_kind": hit.author_kind.value,
        "origin": hit.origin.value,
        "text": hit.text,
        "message_ids": list(hit.message_ids),
        "superseded_by": list(hit.superseded_by),
        "sealed": hit.sealed,
    }
