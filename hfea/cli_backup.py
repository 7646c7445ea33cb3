"""`hfea backup`: make one, check it, put it back, and prove that it would serve."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hfea.cli_kit import JsonOption, say, say_json, settings_of
from hfea.errors import UsageError

if TYPE_CHECKING:
    from memory_core.layers.preservation import Key, Lock

ToOption = Annotated[
    Path | None, typer.Option("--to", metavar="DIR", help="Where backups are kept.")
]
NameArgument = Annotated[str, typer.Argument(metavar="[BACKUP]", help="Which; else the newest.")]
IdentityOption = Annotated[
    Path | None, typer.Option("--identity", metavar="FILE", help="The age identity to open it.")
]
PassphraseOption = Annotated[
    str,
    typer.Option("--passphrase-env", metavar="NAME", help="The variable with its passphrase."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    group = typer.Typer(no_args_is_help=True, help="Backups that are proven to restore.")
    group.command("create")(create)
    group.command("list")(list_backups)
    group.command("verify")(verify)
    group.command("restore")(restore)
    group.command("drill")(drill)
    app.add_typer(group, name="backup")


def create(
    context: typer.Context,
    to: ToOption = None,
    recipient: Annotated[
        list[str] | None, typer.Option("--recipient", metavar="AGE1", help="Encrypt to this key.")
    ] = None,
    passphrase_env: PassphraseOption = "",
    keep: Annotated[int, typer.Option(min=0, help="Newest backups to keep; 0 keeps all.")] = 7,
    as_json: JsonOption = False,
) -> None:
    """Copy every store as it is now, check the copy, and let old backups go."""
    from hfea import preserving  # noqa: PLC0415 - heavy
    from memory_core.layers.preservation import Keeping  # noqa: PLC0415 - heavy

    lock = _lock(tuple(recipient or ()), passphrase_env)
    keeping = Keeping(newest=keep) if keep else None
    settings = settings_of(context)
    made = preserving.create(settings, folder=to, lock=lock, keeping=keeping)
    manifest = made.manifest
    missing = [s.name for s in manifest.stores if s.missing]
    ill = [f"{s.name}: {f}" for s in manifest.stores for f in s.faults]
    table = {
        "backup": str(made.place),
        "created": manifest.created,
        "encrypted": manifest.encrypted,
        "rows": manifest.rows,
        "files": len(manifest.files),
        "head": {"sequence": manifest.head[0], "hex": manifest.head[1]},
        "missing": missing,
        "faults_of_the_stores": ill,
        "dropped": [str(p) for p in made.dropped],
    }
    if as_json:
        say_json(table)
        return
    what = "encrypted" if manifest.encrypted else f"{len(manifest.files)} files"
    say(f"{made.place}: {what}, {manifest.rows} rows")
    for name in missing:
        say(f"not there, so not in it: {name}")
    for line in ill:
        say(f"copied as it is, and it is not well: {line}")
    for path in made.dropped:
        say(f"let go: {path.name}")


def list_backups(context: typer.Context, to: ToOption = None, as_json: JsonOption = False) -> None:
    """List the backups, oldest first."""
    from hfea import preserving  # noqa: PLC0415 - heavy
    from memory_core.layers import preservation  # noqa: PLC0415 - heavy

    known = preservation.backups(preserving.folder_of(settings_of(context), to))
    rows = [
        {
            "backup": str(path),
            "created": m.created,
            "encrypted": m.encrypted,
            "rows": m.rows,
            "head": m.head[1],
        }
        for path, m in known
    ]
    if as_json:
        say_json({"backups": rows})
        return
    for row in rows:
        say(f"{row['created']:%Y-%m-%d %H:%M}  {row['rows']:>10} rows  {row['backup']}")


def verify(
    context: typer.Context,
    backup: NameArgument = "",
    to: ToOption = None,
    identity: IdentityOption = None,
    passphrase_env: PassphraseOption = "",
    as_json: JsonOption = False,
) -> None:
    """Check a backup against its signed manifest: hashes, row counts, integrity, indexes."""
    from hfea import preserving  # noqa: PLC0415 - heavy

    settings = settings_of(context)
    place = preserving.chosen(settings, backup, to)
    found = preserving.faults(settings, place, _key(identity, passphrase_env))
    if as_json:
        say_json({"backup": str(place), "ok": not found, "faults": found})
    else:
        say(f"{place}: " + ("is as it was made" if not found else f"{len(found)} faults"))
        for fault in found:
            say(f"  {fault}")
    raise typer.Exit(1 if found else 0)


def restore(
    context: typer.Context,
    into: Annotated[Path, typer.Argument(metavar="DIR", help="A folder where nothing stands.")],
    backup: Annotated[str, typer.Option("--backup", help="Which; else the newest.")] = "",
    to: ToOption = None,
    home: Annotated[Path | None, typer.Option(help="Where the agent's home goes.")] = None,
    archive: Annotated[Path | None, typer.Option(help="Where the archive goes.")] = None,
    identity: IdentityOption = None,
    passphrase_env: PassphraseOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a backup into a fresh place and write settings that point there."""
    from hfea.drill import restore as put_back  # noqa: PLC0415 - heavy
    from hfea.moved_settings import KEY_FILE, Layout  # noqa: PLC0415 - heavy

    key = _key(identity, passphrase_env)
    place = _named(context, backup, to)
    layout = Layout.below(
        into.expanduser().absolute(),
        home=home and home.expanduser().absolute(),
        archive=archive and archive.expanduser().absolute(),
    )
    file, manifest = put_back(place, layout, key)
    lacks_key = not (layout.settings / KEY_FILE).exists()
    table = {
        "settings": str(file),
        "home": str(layout.home),
        "archive": str(layout.archive),
        "rows": manifest.rows,
        "files": len(manifest.files),
        "key_needed": lacks_key,
    }
    if as_json:
        say_json(table)
        return
    say(f"restored {len(manifest.files)} files, {manifest.rows} rows; settings {file}")
    if lacks_key:
        say(
            f"put the archive key back as {layout.settings / KEY_FILE} (0600) before the next night"
        )


def drill(
    context: typer.Context,
    backup: NameArgument = "",
    to: ToOption = None,
    identity: IdentityOption = None,
    passphrase_env: PassphraseOption = "",
    as_json: JsonOption = False,
) -> None:
    """Restore into a scratch folder and compare rows, seals and the answers of fifty questions."""
    from hfea import preserving  # noqa: PLC0415 - heavy
    from hfea.drill import drill as work  # noqa: PLC0415 - heavy

    settings = settings_of(context)
    place = preserving.chosen(settings, backup, to)
    done = work(settings, place, _key(identity, passphrase_env))
    if as_json:
        say_json(
            {
                "backup": str(done.place),
                "ok": done.ok,
                "tables": done.tables,
                "rows": done.rows,
                "files": done.files,
                "questions": done.asked,
                "same_answers": done.same,
                "faults": list(done.faults),
            }
        )
    else:
        say(f"{done.place.name}: {done.tables} tables, {done.rows} rows, {done.files} files")
        say(f"{done.same} of {done.asked} questions answered as when it was made")
        for fault in done.faults:
            say(f"  {fault}")
        say("the backup restores" if done.ok else "the backup does NOT restore what was there")
    raise typer.Exit(0 if done.ok else 1)


def _named(context: typer.Context, backup: str, to: Path | None) -> Path:
    """Return the backup to restore; a folder given by path needs no settings at all."""
    if backup and Path(backup).is_dir():
        return Path(backup).absolute()
    from hfea import preserving  # noqa: PLC0415 - heavy

    return preserving.chosen(settings_of(context), backup, to)


def _lock(recipients: tuple[str, ...], variable: str) -> Lock | None:
    from memory_core.layers.preservation import Lock  # noqa: PLC0415 - heavy

    if not recipients and not variable:
        return None
    return Lock(recipients, _secret(variable))


def _key(identity: Path | None, variable: str) -> Key | None:
    from memory_core.layers.preservation import Key  # noqa: PLC0415 - heavy

    if identity is None and not variable:
        return None
    text = identity.read_text(encoding="utf-8") if identity else ""
    return Key(text, _secret(variable))


def _secret(variable: str) -> str:
    """Return a passphrase from the environment; it never stands on a command line."""
    if not variable:
        return ""
    if not (found := os.environ.get(variable, "")):
        raise UsageError(f"the environment variable {variable[:40]!a} holds no passphrase")
    return found
