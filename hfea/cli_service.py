"""`hfea token`, `mcp` and `hermes`: who may call, and how agents are connected."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hfea.cli_kit import JsonOption, say, say_json, settings_of
from hfea.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from hfea.config import Settings
    from hfea.service.tokens import Tokens

HomeOption = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="The Hermes home; default [core] home.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    token = typer.Typer(no_args_is_help=True, help="Who may call the service.")
    token.command("create")(create)
    token.command("list")(list_tokens)
    token.command("revoke")(revoke)
    app.add_typer(token, name="token")
    app.command("mcp")(mcp)
    group = typer.Typer(no_args_is_help=True, help="Connect a Hermes home.")
    group.command("install")(hermes_install)
    group.command("uninstall")(hermes_uninstall)
    group.command("status")(hermes_status)
    group.command("verify")(hermes_verify)
    app.add_typer(group, name="hermes")


def _tokens(context: typer.Context) -> Tokens:
    from hfea.gate import state_folder  # noqa: PLC0415 - heavy
    from hfea.service.tokens import FILE_NAME, Tokens  # noqa: PLC0415 - heavy

    return Tokens(state_folder(settings_of(context)) / FILE_NAME)


def create(
    context: typer.Context,
    name: Annotated[str, typer.Option("--name", help="Who will hold it.")] = "agent",
    scope: Annotated[str, typer.Option("--scope", help="agent or maintainer.")] = "agent",
    as_json: JsonOption = False,
) -> None:
    """Make a bearer token. It is shown once; only its hash is kept."""
    from hfea.clock import SystemClock  # noqa: PLC0415 - heavy
    from hfea.service.tokens import Scope  # noqa: PLC0415 - heavy

    if scope not in {s.value for s in Scope}:
        msg = f"--scope is agent or maintainer, not {scope[:20]!a}"
        raise UsageError(msg)
    token, secret = _tokens(context).create(name, Scope(scope), SystemClock().now())
    if as_json:
        say_json({"id": token.id, "name": name, "scope": scope, "token": secret})
        return
    say(secret)
    typer.echo(f"hfea: {scope} token {token.id} for {name}; it is not shown again", err=True)


def list_tokens(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the tokens, never the secrets."""
    found = _tokens(context).all()
    if as_json:
        rows = [
            {"id": t.id, "name": t.name, "scope": t.scope.value, "created": t.created,
             "revoked": t.revoked or None}
            for t in found
        ]  # fmt: skip
        say_json({"tokens": rows})
        return
    for t in found:
        state = f"revoked {t.revoked}" if t.revoked else "live"
        say(f"{t.id}  {t.scope.value:10}  {state}  {t.created}  {t.name}")


def revoke(
    context: typer.Context,
    number: Annotated[str, typer.Argument(metavar="ID", help="As `hfea token list` says.")],
) -> None:
    """Close a token for good; a running service notices at its next request."""
    from hfea.clock import SystemClock  # noqa: PLC0415 - heavy

    token = _tokens(context).revoke(number, SystemClock().now())
    say(f"revoked {token.id} ({token.name})")


def mcp(context: typer.Context) -> None:
    """Serve MCP over stdin and stdout: ask, recall, remember, feedback."""
    import importlib.util  # noqa: PLC0415 - only here

    with _quiet_stdout():
        settings = settings_of(context)
        if importlib.util.find_spec("mcp") is None:
            msg = "MCP is an extra; run: pip install 'hfea[mcp]'"
            raise Unavailable(msg)
        from hfea.service.mcp_stdio import opened  # noqa: PLC0415 - seconds of imports

        serve = opened(settings)
    try:
        serve()
    finally:
        os.dup2(2, 1)  # threads that still talk may not do so on a stream that is somebody's


@contextmanager
def _quiet_stdout() -> Iterator[None]:
    """Send what anything prints to stderr: stdout belongs to the protocol (case O15)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Nothing may wait in a buffer for the moment when the stream is the protocol's again.
        sys.stdout.reconfigure(line_buffering=True, write_through=True)
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _home(context: typer.Context, given: Path | None) -> tuple[Settings, Path]:
    settings = settings_of(context)
    home = given.expanduser().absolute() if given else settings.core.home
    return settings, home


def hermes_install(
    context: typer.Context,
    home: HomeOption = None,
    provider: Annotated[
        bool, typer.Option("--provider", help="Also take the one memory provider slot.")
    ] = False,
    guard: Annotated[
        bool, typer.Option("--guard", help="Send the agent's memory writes to the owner's queue.")
    ] = False,
    write_approval: Annotated[
        bool, typer.Option("--write-approval", help="Turn on Hermes's own write approval.")
    ] = False,
) -> None:
    """Connect a Hermes home: the MCP entry and a small hook plugin; config.yaml keeps the rest."""
    from hfea.clock import SystemClock  # noqa: PLC0415 - heavy
    from hfea.service import hermes  # noqa: PLC0415 - heavy

    settings, place = _home(context, home)
    wanted = hermes.Wanted(provider, guard, write_approval)
    for line in hermes.install(settings, place, wanted, SystemClock()):
        say(line)


def hermes_uninstall(context: typer.Context, home: HomeOption = None) -> None:
    """Take everything back out of a Hermes home."""
    from hfea.clock import SystemClock  # noqa: PLC0415 - heavy
    from hfea.service import hermes  # noqa: PLC0415 - heavy

    for line in hermes.uninstall(*_home(context, home), SystemClock()):
        say(line)


def hermes_status(
    context: typer.Context, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """Say what is installed in a Hermes home."""
    from hfea.service import hermes  # noqa: PLC0415 - heavy

    _, place = _home(context, home)
    known, seen = hermes.record(place), hermes.fired(place)
    table = {
        "home": str(place),
        "installed": known is not None,
        "wanted": known.wanted if known else {},
        "hermes_version": seen.get("version") or None,
        "hooks": seen.get("hooks", {}),
    }
    if as_json:
        say_json(table)
        return
    for name, value in table.items():
        say(f"{name}: {value}")


def hermes_verify(
    context: typer.Context, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """Look for each thing HFEA relies on in Hermes; exit 1 where one is missing."""
    from hfea.service import hermes_verify as verifying  # noqa: PLC0415 - heavy

    settings, place = _home(context, home)
    found = verifying.verify(settings, place)
    missing = verifying.missing(found)
    verifying.renew(place, found)
    if as_json:
        rows = [{"name": m.name, "state": m.state.value, "detail": m.detail} for m in found]
        say_json({"home": str(place), "markers": rows, "missing": len(missing)})
    else:
        for m in found:
            say(f"{m.state.value:8}{m.name}" + (f": {m.detail}" if m.detail else ""))
    raise typer.Exit(1 if missing else 0)
