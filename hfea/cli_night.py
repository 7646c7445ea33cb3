"""`hfea consolidate`, `hfea run` and `hfea status`: the night by hand, by itself, and how it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hfea.cli_kit import DryRunOption, JsonOption, day_of, say, say_json, settings_of, watched
from hfea.errors import UsageError

if TYPE_CHECKING:
    from hfea.night.do import Done
    from hfea.night.run import Night

Tell = Callable[[str, int, int], None]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("consolidate")(consolidate)
    app.command("run")(run)
    app.command("status")(status)


def consolidate(
    context: typer.Context,
    date: Annotated[str, typer.Option("--date", help="Only this day (YYYY-MM-DD).")] = "",
    since: Annotated[str, typer.Option("--since", help="Every day from this one on.")] = "",
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Consolidate every day that is due, oldest first; a second run changes nothing."""
    if date and since:
        msg = "--date and --since exclude each other; give one of them"
        raise UsageError(msg)
    only, first = (day_of(text) if text else None for text in (date, since))
    from hfea.night.run import Order, Watch  # noqa: PLC0415 - heavy
    from hfea.stopping import stopped_by_signals  # noqa: PLC0415 - heavy
    from hfea.wiring import consolidate as work  # noqa: PLC0415 - heavy

    settings = settings_of(context)
    with progress(watched() and not as_json) as tell, stopped_by_signals() as stop:
        night = work(settings, Order(only, first, dry_run), Watch(stop, tell))
    if as_json:
        say_json(_as_json(night, dry_run=dry_run))
    else:
        _tell(night, dry_run=dry_run)
    raise typer.Exit(night.exit_code)


def progress(wanted: bool) -> AbstractContextManager[Tell]:
    """Return a context that gives a function to report progress to, shown where *wanted*."""
    if not wanted:
        return nullcontext(lambda _what, _done, _of: None)
    from hfea.cli_progress import bar  # noqa: PLC0415 - heavy

    return bar()


def _as_json(night: Night, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "plan": [{"day": s.day, "act": s.act.value, "messages": s.messages} for s in night.steps],
        "done": [
            {
                "day": d.step.day,
                "kind": d.kind.value,
                "statements": d.statements,
                "partial": d.partial,
                "error": d.error,
            }
            for d in night.done
        ],
        "problems": [
            {"source": p.source, "code": p.code, "where": p.where, "detail": p.detail}
            for p in night.problems
        ],
        "absent": list(night.absent),
        "withheld": dict(night.withheld),
        "messages_read": night.read,
        "stopped": night.stopped,
    }


def _tell(night: Night, *, dry_run: bool) -> None:
    if dry_run:
        for step in night.steps:
            say(f"{step.day}  would {step.act.value}  {step.messages} messages")
    for done in night.done:
        if line := _line(done):
            say(line)
    if empty := sum(d.kind.value == "empty" for d in night.done):
        say(f"{empty} days without sessions")
    if not night.steps:
        say("nothing is due")
    _tell_trouble(night)


def _line(done: Done) -> str:
    if done.kind.value == "failed":
        return f"{done.step.day}  failed: {done.error}; it is tried again the next time"
    if done.kind.value == "empty":
        return ""
    partial = ", partial" if done.partial else ""
    what = f"{done.step.messages} messages, {done.statements} statements"
    return f"{done.step.day}  {done.kind.value}{partial}  {what}"


def _tell_trouble(night: Night) -> None:
    for problem in night.problems:
        say(f"{problem.source}: {problem.code} at {problem.where}: {problem.detail}")
    if night.placeless:
        say(f"{night.placeless} messages have no usable time and no neighbour that has one")
    if night.stopped:
        say("stopped on request; run it again to go on")


def run(context: typer.Context) -> None:
    """Run the daemon: every night by itself, until stopped."""
    from hfea.serving import run as serve  # noqa: PLC0415 - heavy

    serve(settings_of(context))


def status(context: typer.Context, as_json: JsonOption = False) -> None:
    """Say when the last night succeeded, what is pending, and what is wrong."""
    from hfea.layer_status import look  # noqa: PLC0415 - heavy
    from hfea.wiring import status as report  # noqa: PLC0415 - heavy

    settings = settings_of(context)
    found, layers = report(settings), look(settings)
    if as_json:
        say_json(found.as_dict() | {"memory": layers.as_dict()})
    else:
        say(found.as_text())
        say(layers.as_text())
    raise typer.Exit(found.exit_code)
