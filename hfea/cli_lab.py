"""`hfea lab`: runs over labelled worlds and conversations, each with denominators and intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hfea.cli_kit import JsonOption, say, say_json, watched
from hfea.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder to run.")]


def register(app: typer.Typer) -> None:
    """Add the group to *app*."""
    group = typer.Typer(no_args_is_help=True, help="Measure HFEA on labelled data.")
    group.command("world")(world)
    app.add_typer(group, name="lab")


def world(
    folder: FolderArgument,
    history: Annotated[
        str, typer.Option(metavar="none|all", help="Sessions the core may see.")
    ] = "none",
    as_json: JsonOption = False,
) -> None:
    """Run a world through the real night, core and fallback in a scratch home."""
    from hfea.cli_night import progress  # noqa: PLC0415 - heavy
    from hfea.lab import scoring, world_files  # noqa: PLC0415 - heavy
    from hfea.lab import world as lab  # noqa: PLC0415 - heavy
    from hfea.lab.report import report  # noqa: PLC0415 - heavy

    if history not in lab.HISTORY:
        msg = f"--history {history!a} is neither none nor all"
        raise UsageError(msg)
    given = world_files.read(folder)
    with progress(watched() and not as_json) as tell:
        rows = lab.run(given, history, tell)
    rates = scoring.score(given.labels, rows)
    p = scoring.mcnemar(rates["rescue"].k, rates["harm"].k)
    name = f"{given.name}, {len(rows)} questions, history {history}"
    table = report(given.sha256, name, rates, rows, history=history, mcnemar_p=p)
    if as_json:
        say_json(table)
    else:
        show(table)


def show(table: Mapping[str, Any]) -> None:
    """Print a lab's rates for people."""
    say(f"{table['question_set']}\nsnapshot {table['snapshot_sha256']}")
    for name, rate in table["metrics"].items():
        if rate["n"]:
            low, high = rate["low"], rate["high"]
            interval = f"  [{low:.3f}, {high:.3f}]" if low is not None else ""
            say(f"  {name:26} {rate['value']:.3f}  {rate['k']}/{rate['n']}{interval}")
