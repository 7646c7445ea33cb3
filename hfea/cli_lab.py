"""`hfea lab`: runs over labelled worlds and conversations, each with denominators and intervals."""

from __future__ import annotations

import json
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
    group.command("calibrate")(calibrate)
    group.command("qa20f")(qa20f)
    group.command("locomo")(locomo)
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


def calibrate(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Labelled worlds.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the weights there.")
    ] = None,
    version: Annotated[str, typer.Option(help="The version the weights carry.")] = "verdict-next",
    risk: Annotated[float, typer.Option(help="Wrong among answered, at most.")] = 0.35,
    calls: Annotated[float, typer.Option(help="Archive calls among asked, at most.")] = 0.65,
    as_json: JsonOption = False,
) -> None:
    """Fit the verdict on labelled worlds; say what it reaches on each world left out."""
    from hfea.cli_night import progress  # noqa: PLC0415 - heavy
    from hfea.lab import calibrate as lab  # noqa: PLC0415 - heavy
    from hfea.lab import samples, world_files  # noqa: PLC0415 - heavy

    if not (0 < risk < 1 and 0 < calls <= 1):
        msg = "--risk and --calls are shares between 0 and 1"
        raise UsageError(msg)
    worlds = [world_files.read(folder) for folder in folders]
    with progress(watched() and not as_json) as tell:
        found = [s for w in worlds for s in samples.collect(w, "none", tell)]
    budget = lab.Budget(risk, calls)
    snapshot = world_files.snapshot(worlds)
    fitted = lab.table(lab.fit(found, budget), version, snapshot, [w.name for w in worlds])
    if out:
        out.write_text(json.dumps(fitted, indent=2) + "\n", encoding="utf-8")
    table = {"weights": fitted, "left_out": lab.left_out(found, budget)}
    if as_json:
        say_json(table)
        return
    say(json.dumps(fitted, indent=2))
    for name, reached in table["left_out"].items():
        say(f"{name} left out: " + ", ".join(f"{k} {v}" for k, v in reached.items()))


def qa20f(
    context: typer.Context,
    cases: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Cases of your own, one JSON object a line.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Repeated runs, names varied.")] = 1,
    most: Annotated[int, typer.Option(min=0, help="At most so many cases; 0 all.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report there too: .json or .md.")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Note the outcome on this home; removals ask for it.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Try to teach the agent what the owner never said; exit 1 on any promotion unasked for."""
    from hfea.cli_night import progress  # noqa: PLC0415 - heavy
    from hfea.lab import qa20f as lab  # noqa: PLC0415 - heavy
    from hfea.lab import qa20f_cases, qa20f_files, qa20f_report  # noqa: PLC0415 - heavy

    if cases:
        chosen = qa20f_files.read(cases)
    else:
        chosen = [case for seed in range(seeds) for case in qa20f_cases.cases(seed)]
    if most:
        chosen = chosen[:: max(1, len(chosen) // most)][:most]
    with progress(watched() and not as_json) as tell:
        judged = lab.run(chosen, tell)
    table = qa20f_report.table(judged, cases.name if cases else f"built-in, {seeds} seeds")
    if record:
        _recorded(context, table, ok=qa20f_report.passed(judged))
    if out:
        text = qa20f_report.markdown(table) if out.suffix == ".md" else json.dumps(table, indent=2)
        out.write_text(text + "\n", encoding="utf-8")
    if as_json:
        say_json(table)
    else:
        say(qa20f_report.markdown(table))
    return 0 if qa20f_report.passed(judged) else 1


def _recorded(context: typer.Context, table: Mapping[str, Any], *, ok: bool) -> None:
    from hfea.cli_kit import settings_of  # noqa: PLC0415 - heavy
    from hfea.gate import gate  # noqa: PLC0415 - heavy

    with gate(settings_of(context)) as opened:
        opened.passed("qa20f", ok=ok, detail=f"{table['question_set']} {table['snapshot_sha256']}")


def locomo(
    folder: FolderArgument,
    embed: Annotated[
        str, typer.Option("--embed", metavar="none|local", help="The embedding model, if any.")
    ] = "none",
    fit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Fit the weights and write them there.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Rank the turns of every LoCoMo conversation of a folder; BM25 and a fusion beside it."""
    from hfea.cli_night import progress  # noqa: PLC0415 - heavy
    from hfea.lab import locomo as lab  # noqa: PLC0415 - heavy
    from hfea.lab import locomo_files, locomo_weights  # noqa: PLC0415 - heavy
    from memory_core.retrieval.embedding import LocalEmbedder  # noqa: PLC0415 - heavy

    if embed not in {"none", "local"}:
        msg = f"--embed {embed!r} is neither none nor local"
        raise UsageError(msg)
    given = locomo_files.read(folder)
    model = LocalEmbedder() if embed == "local" else None
    with progress(watched() and not as_json) as tell:
        if fit:
            locomo_weights.write(fit, given, model, tell)
        found = lab.run(given, model, tell)
    name = f"LoCoMo categories 1-4, {len(given)} conversations, embeddings {embed}"
    table = lab.report(found, locomo_files.snapshot(folder), name)
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
