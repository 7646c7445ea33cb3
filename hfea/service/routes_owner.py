"""The calls of the maintainer: episodes by date, one episode, search."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from hfea.archive.layout import parse_day
from hfea.service.doors import Looked, Table
from hfea.service.routes import Cursor, House, owner, paged
from hfea.service.schemas import LONGEST_QUESTION

__all__ = ["owner"]
ROOM = 30_000  # characters of statements in one page: under 10,000 tokens (case O17)


@owner.get("/episodes")
def episodes(  # noqa: PLR0913, PLR0917 - each is a query parameter
    house: House,
    search: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "",
    first: Annotated[str, Query(alias="from", max_length=40)] = "",
    last: Annotated[str, Query(alias="to", max_length=40)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Cursor = "",
) -> Table:
    """List the days that have an episode, newest first; with `search`, matching statements."""
    days = [parse_day(word) if word else None for word in (first, last)]
    if search:
        return house.search(Looked(search, days[0], days[1], limit, cursor))
    bounds = [day.isoformat() if day else "" for day in days]
    rows = [
        row
        for row in house.episodes()
        if bounds[0] <= row["day"] and (not bounds[1] or row["day"] <= bounds[1])
    ]
    return paged({"episodes": rows}, "episodes", limit, cursor)


@owner.get("/episodes/{date}")
def episode(date: str, house: House, cursor: Cursor = "") -> Table:
    """Return one episode's statements, a bounded page at a time; `next` says where to go on."""
    found = house.episode(parse_day(date))
    rows: list[dict[str, Any]] = found["statements"]
    start, used = min(int(cursor or 0), len(rows)), 0
    end = start
    while end < len(rows):
        used += len(rows[end]["text"]) + 300
        if used > ROOM and end > start:
            break
        end += 1
    return {
        **found,
        "statements": rows[start:end],
        "total": len(rows),
        "truncated": end < len(rows),
        "next": str(end) if end < len(rows) else None,
    }
