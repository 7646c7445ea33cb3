"""`hfea episodes`, `correct`, `verify`, `index`: the maintainer reads, corrects and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hfea.cli_kit import JsonOption, day_of, say, say_json, settings_of, watched
from hfea.errors import UsageError

if TYPE_CHECKING:
    from hfea.archive.search_model import Excerpt

DateArgument = Annotated[str, typer.Argument(metavar="DATE", help="The day, as YYYY-MM-DD.")]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    episodes = typer.Typer(no_args_is_help=True, help="Read the archive (its owner may always).")
    episodes.command("list")(list_episodes)
    episodes.command("show")(show)
    episodes.command("search")(search)
    app.add_typer(episodes, name="episodes")
    app.command("correct")(correct)
    app.command("verify")(verify)
    index = typer.Typer(no_args_is_help=True, help="The derived index.")
    index.command("rebuild")(rebuild)
    index.callback()(lambda: None)
    app.add_typer(index, name="index")


def list_episodes(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the days that have an episode."""
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        rows = []
        for day in opened.archive.days():
            row = opened.ledger.nights.last(day)
            rows.append(
                {
                    "day": day,
                    "path": str(opened.archive.path(day)),
                    "statements": row.counts.get("statements", 0) if row else None,
                    "partial": bool(row and row.problems),
                }
            )
    if as_json:
        say_json({"episodes": rows})
        return
    for found in rows:
        partial = "  partial" if found["partial"] else ""
        say(f"{found['day']}  {found['statements']} statements{partial}  {found['path']}")


def show(context: typer.Context, date: DateArgument, as_json: JsonOption = False) -> None:
    """Print the episode of a day as it stands in its file."""
    day = day_of(date)
    from hfea.archive.store import NotSealed  # noqa: PLC0415 - heavy
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        stored = opened.archive.read(day)
        path = opened.archive.path(day)
        if path.is_symlink() or not path.is_file():
            raise NotSealed(day)
        if as_json:
            say_json(
                {
                    "day": day,
                    "path": str(path),
                    "readable": stored.episode is not None,
                    "completeness": stored.episode.completeness if stored.episode else None,
                    "addenda": len(stored.addenda),
                    "findings": [str(f) for f in stored.findings],
                    "statements": [_statement(s) for s in stored.statements()],
                }
            )
            return
        say(path.read_text(encoding="utf-8", errors="replace").rstrip("\n"))
        for finding in stored.findings:
            typer.echo(f"hfea: {finding}", err=True)


def _statement(s: Any) -> dict[str, Any]:
    return {
        "id": s.id,
        "kind": s.kind,
        "theme": s.theme,
        "text": s.text,
        "at": s.at,
        "author": s.author,
        "author_kind": s.author_kind,
        "origin": s.origin,
        "message_ids": [c.message_id for c in s.citations],
    }


def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="Any words; nothing in them is syntax.")],
    first: Annotated[str, typer.Option("--from", help="From this day on.")] = "",
    last: Annotated[str, typer.Option("--to", help="Up to this day.")] = "",
    limit: Annotated[int, typer.Option("--limit", help="How many hits.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Search the archive, as its owner."""
    days = [day_of(word) if word else None for word in (first, last)]
    from hfea.archive.search import ArchiveSearch  # noqa: PLC0415 - heavy
    from hfea.archive.search_model import Query  # noqa: PLC0415 - heavy
    from hfea.consolidation.day import ONE_DAY  # noqa: PLC0415 - heavy
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    after = days[1] + ONE_DAY if days[1] else None
    query = Query(text, first=days[0], after=after, limit=limit)
    with house(settings_of(context)) as opened:
        opened.index.refresh(opened.archive)
        with ArchiveSearch.for_maintainer(opened.index.path, opened.archive.root) as door:
            page = door.search(query)
    if as_json:
        hits = [_hit(hit) for hit in page.hits]
        say_json({"hits": hits, "total": page.total, "withheld": list(page.withheld)})
        return
    for hit in page.hits:
        say(f"{hit.day}  {hit.id}  {hit.kind.value}/{hit.theme.value}  {hit.author}: {hit.text}")
    say(f"{len(page.hits)} of {page.total}")


def _hit(hit: Excerpt) -> dict[str, Any]:
    return {
        "id": hit.id,
        "day": hit.day,
        "at": hit.at,
        "kind": hit.kind,
        "theme": hit.theme,
        "author": hit.author,
        "author_kind": hit.author_kind,
        "origin": hit.origin,
        "text": hit.text,
        "message_ids": list(hit.message_ids),
        "superseded_by": list(hit.superseded_by),
        "sealed": hit.sealed,
        "score": hit.score,
    }


def correct(
    context: typer.Context,
    date: DateArgument,
    statement: Annotated[str, typer.Argument(help="The statement's id, as `episodes show` says.")],
    text: Annotated[str, typer.Argument(help="What is right instead.")],
) -> None:
    """Append a dated correction to a sealed day; what was sealed stays."""
    day = day_of(date)
    from hfea.wiring import correct as work  # noqa: PLC0415 - heavy

    sealed = work(settings_of(context), day, statement, text)
    say(f"{day}: corrected {statement}, seal {sealed.sequence}" if sealed.changed else "no change")


def verify(
    context: typer.Context,
    expect_head: Annotated[
        str, typer.Option("--expect-head", metavar="SEAL", help="The newest seal you know of.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Check every byte, seal and link of the archive, and the index against them."""
    if expect_head and not (len(expect_head) == 64 and _is_hex(expect_head)):  # noqa: PLR2004
        msg = "--expect-head takes a seal: 64 hexadecimal digits"
        raise UsageError(msg)
    from hfea.wiring import house, known_heads  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        findings = opened.archive.verify(
            expect_head=expect_head or None, known_heads=known_heads(opened)
        )
        opened.index.refresh(opened.archive)
        faults = opened.index.check().faults
        head, days = opened.archive.head(), len(opened.archive.days())
    if as_json:
        wrong = [{"code": f.code, "path": f.path, "detail": f.detail} for f in findings]
        say_json({"days": days, "head": head.hex, "findings": wrong, "index_faults": list(faults)})
    else:
        for finding in findings:
            say(f"{finding.code}: {finding}")
        for fault in faults:
            say(f"index: {fault}")
        if not findings and not faults:
            say(f"{days} days in order, newest seal {head.hex}")
    raise typer.Exit(1 if findings or faults else 0)


def _is_hex(text: str) -> bool:
    return all(c in "0123456789abcdefABCDEF" for c in text)


def rebuild(context: typer.Context, as_json: JsonOption = False) -> None:
    """Make the index anew from the archive's files alone."""
    from hfea.cli_night import progress  # noqa: PLC0415 - heavy
    from hfea.ledger.lock import night_lock  # noqa: PLC0415 - heavy
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened, night_lock(opened.archive.root):
        total = len(opened.archive.days())
        done = iter(range(1, total + 1))
        with progress(watched() and not as_json) as tell:
            count = opened.index.rebuild(
                opened.archive, lambda day: tell(str(day), next(done, total), total)
            )
    if as_json:
        say_json({"days": total, "statements": count})
    else:
        say(f"{count} statements of {total} days indexed")
