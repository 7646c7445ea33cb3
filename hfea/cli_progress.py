"""A progress bar on stderr, for people who watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """Show what is reported as (what, done, of) until the block ends; `of` 0: unknown."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading", total=None)

        def tell(what: str, done: int, of: int) -> None:
            shown.update(task, description=escape(what), completed=done, total=of or None)

        yield tell
