"""`hfea memory`: what steers the agent, what waits for the owner, and deciding it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from hfea.cli_kit import JsonOption, say, say_json, settings_of, watched
from hfea.cli_layers import now, skills, wiki
from hfea.errors import HfeaError, Unavailable, UsageError

if TYPE_CHECKING:
    from memory_core.proposals import Proposal, Proposals

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The proposal, as `pending` says.")]
ProfileOption = Annotated[str, typer.Option("--profile", help="The Hermes profile.")]
DigestOption = Annotated[
    str, typer.Option("--digest", metavar="HEX", help="The digest of what you were shown.")
]
_SHOWN_CHARS = 72


class Refused(HfeaError):
    """A proposal was not decided, or a file not changed; it says why."""


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    group = typer.Typer(no_args_is_help=True, help="Permanent memory, and who may change it.")
    commands = (entries, pending, approve, reject, undo, coverage, reconcile, wiki, skills)
    for command in commands:
        group.command(command.__name__)(command)
    app.add_typer(group, name="memory")


@contextmanager
def _gate(context: typer.Context, profile: str) -> Iterator[Proposals]:
    """Open the gate."""
    from hfea.gate import gate  # noqa: PLC0415 - heavy

    with _sentences(), gate(settings_of(context), profile) as opened:
        yield opened


@contextmanager
def _sentences() -> Iterator[None]:
    """Let what goes wrong behind the gate end as one sentence and an exit code."""
    import sqlite3  # noqa: PLC0415 - heavy

    from memory_core.layers.facts import FactStoreUnreadable  # noqa: PLC0415
    from memory_core.layers.permanent import LockBusy, PermanentError  # noqa: PLC0415
    from memory_core.proposal import ProposalError, UnknownProposal  # noqa: PLC0415
    from memory_core.sqlite_kit import NewerSchema  # noqa: PLC0415
    from memory_core.text_files import FileChanged, OutsideFolder  # noqa: PLC0415

    try:
        yield
    except UnknownProposal as error:
        raise UsageError(str(error)) from error
    except LockBusy as error:
        raise Unavailable(str(error)) from error
    except (ProposalError, PermanentError, FileChanged, OutsideFolder, NewerSchema) as error:
        raise Refused(str(error)) from error
    except FactStoreUnreadable as error:
        raise Unavailable(str(error)) from error
    except sqlite3.Error as error:
        raise Unavailable(f"the proposals cannot be read: {error}") from error


def entries(
    context: typer.Context, profile: ProfileOption = "default", as_json: JsonOption = False
) -> None:
    """List the entries of MEMORY.md and USER.md with what each costs a turn."""
    from hfea.gate import places  # noqa: PLC0415 - heavy
    from memory_core.layers import permanent  # noqa: PLC0415 - heavy

    home = places(settings_of(context), profile).home
    kept = [permanent.look(home, file) for file in permanent.FILES]
    with _gate(context, profile) as proposals:
        dated = {(d.file, d.digest): d for d in proposals.entries()}
    table = {
        "tokens_per_turn": sum(k.prompt_tokens for k in kept),
        "files": [
            {
                "file": k.file,
                "used": k.used,
                "limit": k.limit,
                "tokens_per_turn": k.prompt_tokens,
                "drift": k.drift,
                "entries": [
                    {
                        "digest": e.digest,
                        "text": e.text,
                        "characters": e.length,
                        "tokens": e.tokens,
                        "first_seen": dated[e.file, e.digest].first_seen,
                        "proposal": dated[e.file, e.digest].proposal,
                    }
                    for e in k.entries
                ],
            }
            for k in kept
        ],
    }
    if as_json:
        say_json(table)
        return
    for k in kept:
        drift = f", drift: {k.drift}" if k.drift else ""
        say(f"{k.file}: {k.used} of {k.limit} characters, {k.prompt_tokens} tokens a turn{drift}")
        for e in k.entries:
            since = f"{dated[e.file, e.digest].first_seen:%Y-%m-%d}"
            say(f"  {e.digest[:8]}  {e.tokens:4} tokens  seen {since}  {_short(e.text)}")


def pending(
    context: typer.Context,
    all_states: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
) -> None:
    """List what waits for the owner, Hermes's staged writes too, with all that must be seen."""
    with _gate(context, profile) as proposals:
        from memory_core.proposals import State  # noqa: PLC0415 - heavy

        found = proposals.list(None if all_states else State.PENDING)
        odd = proposals.unreadable()
    if as_json:
        from hfea.proposal_table import as_table  # noqa: PLC0415 - heavy

        say_json(
            {
                "proposals": [as_table(p) for p in found],
                "unreadable": [{"file": s.file, "fault": s.fault} for s in odd],
            }
        )
        return
    if not found:
        say("nothing waits")
    for p in found:
        why = ", ".join(p.reasons)
        say(f"{p.id}  {p.state.value}  by {p.by} ({p.origin}), {p.level.value}: {why}")
        say(p.shown())
        say(f"digest {p.digest}")
        say()
    for s in odd:
        say(f"pending/{s.file} cannot be understood ({s.fault}); it is left alone")


def approve(
    context: typer.Context,
    proposal: IdArgument,
    digest: DigestOption = "",
    by: Annotated[str, typer.Option("--by", help="Who you are; default the owner.")] = "",
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Apply a proposal exactly as it is shown; asks, or takes the digest you were shown."""
    settings = settings_of(context)
    owner = by or next(iter(settings.owner.names), "owner")
    with _gate(context, profile) as proposals:
        from memory_core.proposals import Confirmation, Via  # noqa: PLC0415 - heavy

        proposals.list()
        found = proposals.get(proposal)
        shown_at = now()
        if not digest:
            digest = _asked(found)
        at = now()
        given = Confirmation(digest, owner, Via.CLI, at, shown_at, profile)
        done = proposals.approve(proposal, given)
    _tell(done, as_json)


def _asked(found: Proposal) -> str:
    """Show a proposal to the person at the terminal; return its digest where they say yes."""
    if not watched():
        raise UsageError(
            f"nobody is at a terminal to be asked: look at `hfea memory pending` and give --digest"
            f" of what you saw for {found.id}"
        )
    say(found.shown())
    if not typer.confirm("Apply exactly this?", default=False, err=True):
        raise typer.Exit(1)
    return found.digest


def reject(
    context: typer.Context,
    proposal: IdArgument,
    note: Annotated[str, typer.Option("--note", help="Why not.")] = "",
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Decide against a proposal; the same one is not asked again."""
    owner = next(iter(settings_of(context).owner.names), "owner")
    with _gate(context, profile) as proposals:
        done = proposals.reject(proposal, by=owner, note=note)
    _tell(done, as_json)


def undo(
    context: typer.Context,
    proposal: IdArgument,
    profile: ProfileOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Take an applied change back: the former bytes, or its own entry where others wrote since."""
    owner = next(iter(settings_of(context).owner.names), "owner")
    with _gate(context, profile) as proposals:
        done = proposals.undo(proposal, by=owner)
    _tell(done, as_json)


def coverage(
    context: typer.Context, profile: ProfileOption = "default", as_json: JsonOption = False
) -> None:
    """Say of each entry whether the other layers answer for it; exit 1 where one does not."""
    from hfea.memory_check import coverage as look  # noqa: PLC0415 - heavy

    with _sentences():
        found = look(settings_of(context), now(), profile)
    rows = [
        {
            "file": c.entry.file,
            "digest": c.entry.digest,
            "text": c.entry.text,
            "covered": c.covered,
            "share": c.share,
            "lost": list(c.lost),
            "layers": list(c.layers),
            "sources": list(c.sources),
        }
        for c in found
    ]
    held = sum(c.covered for c in found)
    if as_json:
        say_json({"covered": held, "of": len(found), "entries": rows})
    else:
        say(f"{held} of {len(found)} entries are held by the other layers")
        for c in found:
            where = ", ".join(c.layers) or "nowhere"
            lost = f", lost: {', '.join(c.lost)}" if c.lost else ""
            mark = "held  " if c.covered else "MISSED"
            say(f"{mark} {c.share:4.0%} in {where}{lost}  {_short(c.entry.text)}")
    raise typer.Exit(0 if held == len(found) else 1)


def reconcile(
    context: typer.Context, profile: ProfileOption = "default", as_json: JsonOption = False
) -> None:
    """Report entries against facts: orphans, ghosts, divergences; nothing is repaired."""
    from hfea.memory_check import reconcile as look  # noqa: PLC0415 - heavy

    with _sentences():
        found = look(settings_of(context), profile)
    if as_json:
        say_json(
            {
                "findings": [
                    {
                        "code": f.code,
                        "file": f.file,
                        "text": f.text,
                        "other": f.other,
                        "source": f.source,
                    }
                    for f in found
                ]
            }
        )
    else:
        say(f"{len(found)} differences" if found else "entries, facts and the record agree")
        for f in found:
            say(f"{f.code:10} {f.file}  {_short(f.text)}")
            if f.other:
                say(f"           {f.source}  {_short(f.other)}")
    wrong = any(f.code in ("divergence", "stale", "ghost", "drift") for f in found)
    raise typer.Exit(1 if wrong else 0)


def _tell(done: Proposal, as_json: bool) -> None:
    if as_json:
        from hfea.proposal_table import as_table  # noqa: PLC0415 - heavy

        say_json(as_table(done))
    else:
        say(f"{done.id}: {done.state.value}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"
