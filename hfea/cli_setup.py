"""`hfea init` and `hfea doctor`: the first day, and what stands in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hfea.cli_kit import DryRunOption, JsonOption, config_of, day_of, say, say_json, watched


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("init")(init)
    app.command("doctor")(doctor)


def init(
    context: typer.Context,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing, go ahead.")] = False,
    dry_run: DryRunOption = False,
    timezone: Annotated[str, typer.Option("--timezone", help="Your IANA time zone.")] = "",
    archive: Annotated[Path | None, typer.Option("--archive", help="The archive's folder.")] = None,
    home: Annotated[Path | None, typer.Option("--home", help="The agent's home.")] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="KIND:PATH", help="Read this one.")
    ] = None,
    since: Annotated[str, typer.Option("--since", help="Leave older days alone.")] = "",
    consolidate: Annotated[
        bool, typer.Option("--consolidate/--no-consolidate", help="Begin at once.")
    ] = True,
) -> None:
    """Find the agents of this machine, write the settings, and consolidate what is there."""
    first = day_of(since) if since else None
    from hfea import init as work  # noqa: PLC0415 - heavy
    from hfea.config import settings_file  # noqa: PLC0415 - heavy

    wish = work.Wish(
        settings_file(config_of(context)), timezone, archive, home, tuple(source or ()), first
    )
    proposal = work.propose(wish)
    say(proposal.as_text())
    if dry_run:
        return
    if proposal.news and not yes:
        if not watched():
            say("nothing is written without a yes: run it again with --yes")
            raise typer.Exit(2)
        if not typer.confirm("Write these settings?", default=True):
            raise typer.Exit(0)
    if proposal.news:
        work.write(proposal)
        say(f"wrote {wish.file}")
    if consolidate:
        context.invoke(_consolidate, context)


def _consolidate(context: typer.Context) -> None:
    from hfea.cli_night import consolidate  # noqa: PLC0415 - heavy

    consolidate(context)


def doctor(
    context: typer.Context,
    bundle: Annotated[
        bool, typer.Option("--bundle", help="Counts and structure only, to show to others.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check paths, permissions, zone, sources, index and settings; say what to do."""
    from hfea import doctor as work  # noqa: PLC0415 - heavy

    found = work.examine(config_of(context))
    if bundle or as_json:
        say_json(work.bundle(found) if bundle else {"findings": [f.as_dict() for f in found]})
    else:
        for finding in found:
            say(finding.as_text())
    raise typer.Exit(1 if any(f.level == "wrong" for f in found) else 0)
