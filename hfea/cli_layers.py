"""`hfea memory wiki` and `hfea memory skills`: looking things up by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hfea.cli_kit import JsonOption, say, say_json, settings_of

QueryArgument = Annotated[str, typer.Argument(help="What you look for; all of it without.")]
LimitOption = Annotated[int, typer.Option(min=1, max=1000, help="How many.")]
_SHOWN_CHARS = 300


def wiki(
    context: typer.Context,
    query: QueryArgument = "",
    limit: LimitOption = 10,
    as_json: JsonOption = False,
) -> None:
    """Find passages of the wiki, or list its pages, links that lead nowhere, and odd files."""
    settings = settings_of(context)
    folders = settings.core.wiki or (settings.core.home / "wiki",)
    if query:
        from memory_core.layers import wiki as layer  # noqa: PLC0415 - heavy
        from memory_core.passages import PassageStore  # noqa: PLC0415 - heavy

        store = PassageStore(None)
        store.replace(layer.LAYER, layer.stamp(folders), layer.passages(folders))
        hits = store.search(query, (layer.LAYER,), limit)
        store.close()
        rows = [
            {"page": h.passage.author, "heading": h.passage.subject, "text": h.passage.text}
            for h in hits
        ]
        if as_json:
            say_json({"passages": rows})
            return
        for row in rows:
            say(f"{row['page']}  {row['heading']}")
            say(f"    {' '.join(row['text'].split())[:_SHOWN_CHARS]}")
        return
    _list_wiki(folders, as_json)


def _list_wiki(folders: Sequence[Path], as_json: bool) -> None:
    from memory_core.layers import wiki as layer  # noqa: PLC0415 - heavy

    pages = list(layer.pages(folders))
    found = layer.graph(pages)
    odd = [{"file": str(p), "why": why} for p, why in layer.oddities(folders)]
    broken = [
        {"page": b.page[1], "target": b.link.target, "anchor": b.link.anchor, "lacks": b.why}
        for b in found.broken
    ]
    rows = [
        {
            "page": p.place,
            "title": p.title,
            "headings": len(p.headings),
            "links": [place for _, place in found.links[p.folder, p.place]],
            "linked_from": [place for _, place in found.back.get((p.folder, p.place), ())],
            "digest": p.digest,
        }
        for p in pages
    ]
    if as_json:
        say_json({"pages": rows, "broken": broken, "left_out": odd})
        return
    for row in rows:
        say(f"{row['page']}  {row['title']}")
    for one in broken:
        say(f"leads nowhere: {one['page']} -> {one['target']}#{one['anchor']}")
    for item in odd:
        say(f"left out ({item['why']}): {item['file']}")


def skills(
    context: typer.Context,
    need: QueryArgument = "",
    limit: LimitOption = 10,
    as_json: JsonOption = False,
) -> None:
    """Find the skill that answers a need, or list all with version and hash."""
    from memory_core.layers import skills as layer  # noqa: PLC0415 - heavy

    known = list(layer.skills(settings_of(context).core.home / "skills"))
    shares = {m.skill.path: m.share for m in layer.find(need, known, limit)} if need else {}
    chosen = [s for s in known if not need or s.path in shares]
    if need:
        order = list(shares)
        chosen.sort(key=lambda s: order.index(s.path))
    rows = [
        {
            "name": s.name,
            "path": s.path,
            "description": s.description,
            "version": s.version,
            "digest": s.digest,
            "tree": s.tree,
            "tags": list(s.tags),
            "support": list(s.support),
            "uses": s.uses,
            "problems": list(s.problems),
            "share": shares.get(s.path),
        }
        for s in chosen
    ]
    if as_json:
        say_json({"skills": rows})
        return
    for s in chosen:
        problems = f"  PROBLEMS: {', '.join(s.problems)}" if s.problems else ""
        say(f"{s.name} {s.version}  {s.digest[:12]}  {s.description}{problems}")


def now() -> dt.datetime:
    """Return the present moment."""
    from hfea.clock import SystemClock  # noqa: PLC0415 - heavy

    return SystemClock().now()
