"""`hfea sources` and `hfea exclude`: what is read, and what never is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from hfea.cli_kit import JsonOption, config_of, say, say_json, settings_of
from hfea.errors import UsageError

NameArgument = Annotated[str, typer.Argument(help="Its name or path, as `sources list` shows it.")]
RemoveOption = Annotated[bool, typer.Option("--remove", help="Read it again from now on.")]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    group = typer.Typer(no_args_is_help=True, help="The agents' histories that are read.")
    group.command("list")(list_sources)
    group.command("add")(add)
    group.command("remove")(remove)
    group.command("pause")(pause)
    app.add_typer(group, name="sources")
    app.command("exclude")(exclude)


def list_sources(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the sources, how far they were read, and their problems."""
    from hfea.wiring import source_report  # noqa: PLC0415 - heavy

    rows = source_report(settings_of(context))
    if as_json:
        say_json({"sources": rows})
        return
    for row in rows:
        say(f"{row['name']}  {row['kind']}  {row['path']}  {row['state']}")
        say(f"    {row['units']} units, {row['messages']} messages, {row['problems']} problems")
    if not rows:
        say("no sources; `hfea sources add KIND PATH` adds one, `hfea init` looks for them")


def add(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="hermes, claude-code, openclaw, codex or jsonl.")],
    path: Annotated[Path, typer.Argument(help="The agent's home, or a file of messages.")],
    name: Annotated[str, typer.Option("--name", help="A name of your own for it.")] = "",
    zone: Annotated[str, typer.Option("--zone", help="For stamps without a zone.")] = "",
) -> None:
    """Add a source to the settings file."""
    from hfea import settings_edit  # noqa: PLC0415 - heavy

    place = path.expanduser().absolute()
    if not place.exists():
        msg = f"{place} does not exist; check the path"
        raise UsageError(msg)
    if any(s.kind == kind and s.path == place for s in settings_of(context).sources):
        msg = f"{kind} {place} is a source already"
        raise UsageError(msg)
    values = {"kind": kind, "path": str(place), "name": name, "zone": zone}
    given = {k: v for k, v in values.items() if v}
    settings_edit.edit(_file(context), lambda d: settings_edit.add_source(d, given))
    say(f"added {kind} {place}; `hfea consolidate` reads it")


def remove(context: typer.Context, name: NameArgument) -> None:
    """Take a source out of the settings; what was archived stays."""
    from hfea import settings_edit  # noqa: PLC0415 - heavy

    number = _find(context, name)

    def change(document: Any) -> None:
        del settings_edit.sources(document)[number]

    settings_edit.edit(_file(context), change)
    say(f"removed {name}; its episodes stay")


def pause(
    context: typer.Context,
    name: NameArgument,
    resume: Annotated[bool, typer.Option("--resume", help="Read it again.")] = False,
) -> None:
    """Stop reading a source for now; its days are neither called empty nor missing."""
    from hfea import settings_edit  # noqa: PLC0415 - heavy

    number = _find(context, name)

    def change(document: Any) -> None:
        table = settings_edit.sources(document)[number]
        if resume:
            table.pop("paused", None)
        else:
            table["paused"] = True

    settings_edit.edit(_file(context), change)
    say(f"{name} is {'read again' if resume else 'paused'}")


def exclude(
    context: typer.Context,
    project: Annotated[str, typer.Option("--project", help="A project folder or name.")] = "",
    session: Annotated[str, typer.Option("--session", help="A session id.")] = "",
    chat: Annotated[str, typer.Option("--chat", help="A chat or channel.")] = "",
    remove_it: RemoveOption = False,
) -> None:
    """Keep a project, session or chat out of the archive from now on."""
    from hfea import settings_edit  # noqa: PLC0415 - heavy

    chosen = {"projects": project, "sessions": session, "chats": chat}
    given = {name: value for name, value in chosen.items() if value}
    if not given:
        _show_exclusions(context)
        return

    def change(document: Any) -> None:
        for name, value in given.items():
            if not remove_it:
                settings_edit.add_to_list(document, "exclude", name, value)
            elif not settings_edit.take_from_list(document, "exclude", name, value):
                msg = f"{value!r} is not excluded"
                raise UsageError(msg)

    settings_edit.edit(_file(context), change)
    if remove_it:
        from hfea.wiring import read_everything_again  # noqa: PLC0415 - heavy

        read_everything_again(settings_of(context))
    what = ", ".join(given.values())
    say(f"{what}: {'read again' if remove_it else 'left out'} from the next night on")


def _show_exclusions(context: typer.Context) -> None:
    rules = settings_of(context).exclude
    for name in ("projects", "sessions", "chats"):
        say(f"{name}: {', '.join(getattr(rules, name)) or '(none)'}")


def _file(context: typer.Context) -> Path:
    from hfea.config import settings_file  # noqa: PLC0415 - heavy

    return settings_file(config_of(context))


def _find(context: typer.Context, name: str) -> int:
    """Return which `[[sources]]` table *name* means, from its name, kind or path."""
    tables = settings_of(context).sources
    place = Path(name).expanduser().absolute()
    for number, table in enumerate(tables):
        if name and name == table.name:
            return number
    kind = name.partition(":")[0]
    matches = [n for n, t in enumerate(tables) if t.path == place or t.kind == kind]
    if len(matches) != 1:
        known = ", ".join(t.name or f"{t.kind} {t.path}" for t in tables) or "none"
        msg = f"{name!r} names {len(matches)} sources, not one; there are: {known}"
        raise UsageError(msg)
    return matches[0]
