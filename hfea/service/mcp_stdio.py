"""`hfea mcp`: MCP on this process's stdin and stdout; logs, warnings and the rest on stderr."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from hfea.config import Settings
from hfea.keys import load_or_create
from hfea.logs import set_up
from hfea.service.house import House
from hfea.service.mcp import server
from memory_core.secrets import Redactor


def opened(settings: Settings) -> Callable[[], None]:
    """Return what serves until stdin ends; everything slow is done before.

    Raises KeyMissing, KeyUnusable, Unavailable.
    """
    file = settings.key_file
    key = load_or_create(file, archive_exists=file.exists())
    redactor = Redactor(key, personal_ids=settings.redaction.personal_ids)
    set_up(clean=lambda text: redactor.redact(text).text)
    house = House(settings)
    made = server(house)

    def serve() -> None:
        with closing(house):
            made.run("stdio")

    return serve
