"""The command line: one group of commands a module, errors as one sentence on stderr."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from hfea.errors import HfeaError

# Each has `register(app)`. They import nothing heavy before a command runs.
GROUPS = (
    "hfea.cli_night",
    "hfea.cli_archive",
    "hfea.cli_sources",
    "hfea.cli_setup",
    "hfea.cli_ask",
    "hfea.cli_service",
    "hfea.cli_memory",
    "hfea.cli_backup",
    "hfea.cli_lab",
)
INTERRUPTED = 130

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The settings file (HFEA_CONFIG names it too)."),
]


def build() -> typer.Typer:
    """Return the whole command line."""
    app = typer.Typer(
        name="hfea",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="The dated, cited, tamper-evident story of a personal agent.",
    )

    @app.callback()
    def _main(context: typer.Context, config: ConfigOption = None) -> None:
        context.obj = config

    for name in GROUPS:
        importlib.import_module(name).register(app)
    return app


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; return its exit code: 0 ok, 1 found, 2 usage, 3 unavailable."""
    command = typer.main.get_command(build())
    try:
        code = command.main(args=arguments, prog_name="hfea", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away (`hfea ... | head`): nothing more to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - nobody sees a traceback
        return _report(*_read(error))
    return code if isinstance(code, int) else 0


def _read(error: BaseException) -> tuple[str, int]:
    """Return what a person is told about *error*, and the exit code."""
    match error:
        case HfeaError():
            return str(error), error.exit_code
        case KeyboardInterrupt() | typer.Abort():
            return "interrupted; run the same command again to go on", INTERRUPTED
        case _ if callable(message := getattr(error, "format_message", None)):
            # A usage error of typer, whichever copy of click it carries in this release.
            return str(message()), 2
        case OSError():
            place = f" {error.filename}" if error.filename else ""
            return f"{error.strerror or error}{place}; nothing half-written is left", 3
        case _:
            logging.getLogger("hfea").debug("a command failed", exc_info=error)
            return f"a fault of HFEA itself: {type(error).__name__}: {error}", 1


def _report(sentence: str, code: int) -> int:
    from hfea.logs import visible  # noqa: PLC0415 - only on the way out

    if sentence:
        sys.stderr.write(f"hfea: {visible(' '.join(sentence.split()))}\n")
    return code
