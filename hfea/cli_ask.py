"""`hfea ask`, `explain` and `fallback`: questions, why they ended so, and how often."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hfea.cli_kit import JsonOption, day_of, say, say_json, settings_of
from hfea.errors import UsageError

if TYPE_CHECKING:
    from hfea.fallback.resolver import Answered


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("ask")(ask)
    app.command("explain")(explain)
    group = typer.Typer(no_args_is_help=True, help="How often the archive was needed.")
    group.command("rates")(rates)
    group.command("questions")(questions)
    app.add_typer(group, name="fallback")


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    asked_at: Annotated[str, typer.Option(metavar="TIME", help="ISO time of the question.")] = "",
    as_of: Annotated[str, typer.Option(metavar="DATE", help="Answer as of that day.")] = "",
    explain_it: Annotated[bool, typer.Option("--explain", help="Show routes and scores.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Answer from memory; open the archive only where memory does not suffice."""
    when = _moment(asked_at)
    day = day_of(as_of) if as_of else None
    from hfea.answer_table import as_table  # noqa: PLC0415 - heavy
    from hfea.asking import ask as answer  # noqa: PLC0415 - heavy
    from hfea.asking import sampled  # noqa: PLC0415 - heavy

    settings = settings_of(context)
    found = answer(settings, question, asked_at=when, as_of=day)
    if as_json:
        say_json(as_table(found))
    else:
        say(found.answer)
        if explain_it:
            _explain(found)
    sys.stdout.flush()  # the answer leaves before anything is sampled
    if settings.fallback.shadow:
        sampled(settings, found, question, when or dt.datetime.now(dt.UTC))
    return 1 if found.outcome.value == "error" else 0


def _moment(text: str) -> dt.datetime | None:
    if not text:
        return None
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        msg = f"{text[:40]!a} is no time; write it as 2026-03-05T10:00:00-03:00"
        raise UsageError(msg) from None
    return at if at.tzinfo else at.astimezone()


def _explain(found: Answered) -> None:
    say()
    say(
        f"outcome {found.outcome.value}, verdict {found.verdict.kind.value},"
        f" archive {'opened' if found.archive_opened else 'closed'}, {found.milliseconds} ms"
    )
    say("reasons: " + (", ".join(found.verdict.reasons) or "none"))
    for route in found.routes:
        say(f"  {route.layer}: {route.state}, {route.hits} hits, {route.milliseconds} ms")
    for name, value in sorted(found.verdict.scores.items()):
        say(f"  {name} {value:.3f}")


def explain(
    context: typer.Context,
    question_id: Annotated[str, typer.Argument(help="The id that `ask --json` gave.")],
    as_json: JsonOption = False,
) -> None:
    """Say how a question of before ended, and why."""
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        asked = opened.ledger.questions.get(question_id)
        opened_at = opened.ledger.tickets.used(question_id)
    result = asked.result
    table: dict[str, Any] = {
        "question_id": asked.id,
        "question": asked.text,
        "at": asked.at,
        "verdict": result.verdict.value if result else None,
        "outcome": result.outcome if result else None,
        "reasons": list(result.reasons) if result else [],
        "routes": [[r.layer, r.state, r.hits, r.milliseconds] for r in result.routes]
        if result
        else [],
        "archive_opened": [[klass, at] for klass, at in opened_at],
        "details": dict(result.details) if result else {},
    }
    if as_json:
        say_json(table)
        return
    for name, value in table.items():
        say(f"{name}: {value}")


def rates(context: typer.Context, as_json: JsonOption = False) -> None:
    """Say how often the archive was opened, needed and missed, each of how many questions."""
    from hfea.fallback.rates import rates as measured  # noqa: PLC0415 - heavy
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        table = measured(opened.ledger.questions)
    if as_json:
        say_json(table)
        return
    say(f"{table['asked']} questions asked, {table['answered']} answered")
    for part in ("all", "feedback", "shadow"):
        for name, rate in table[part].items():
            if rate["n"]:
                of = f"{rate['k']}/{rate['n']}  [{rate['low']:.2f}, {rate['high']:.2f}]"
                say(f"  {part:8} {name:18} {rate['value']:.2f}  {of}")
    cost = table["cost_per_rescued"]
    if cost:
        say(f"  a rescued answer: {cost['milliseconds']} ms, {cost['tokens']} tokens")


def questions(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, newest first.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the newest questions."""
    from hfea.wiring import house  # noqa: PLC0415 - heavy

    with house(settings_of(context)) as opened:
        found = opened.ledger.questions.latest(limit)
    rows = [
        {
            "question_id": q.id,
            "at": q.at,
            "question": q.text,
            "verdict": q.result.verdict.value if q.result else None,
            "outcome": q.result.outcome if q.result else None,
            "archive_opened": bool(q.result and q.result.archive_opened),
        }
        for q in found
    ]
    if as_json:
        say_json({"questions": rows})
        return
    for row in rows:
        say(
            f"{row['at']:%Y-%m-%d %H:%M}  {row['outcome']}  {row['question_id']}  {row['question']}"
        )
