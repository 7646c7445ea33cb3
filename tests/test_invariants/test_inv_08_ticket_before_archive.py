"""Invariant 8, the ticket's part: spent and committed before the archive is connected."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hfea.archive.index import FILE_NAME as INDEX
from hfea.archive.index import Index
from hfea.ledger.store import FILE_NAME as LEDGER

# In a fresh process: whenever something of the archive is opened, an audit hook asks the
# ledger, on a connection of its own, how many tickets have been spent by then.
SCRIPT = """
import datetime as dt, json, sqlite3, sys
from pathlib import Path
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Query
from hfea.clock import SystemClock
from hfea.ledger.store import Ledger
from hfea.ledger.tickets import TicketRefused
from memory_core.model import VerdictKind

folder = Path(sys.argv[1])
ledger_path, index_path = folder / "ledger.sqlite", folder / "archive" / "index.sqlite"
ledger = Ledger.open(ledger_path, SystemClock())
opened = []

def spent():
    with sqlite3.connect(ledger_path) as db:
        (count,) = db.execute("SELECT count(*) FROM ticket_use").fetchone()
    db.close()
    return count

def hook(event, args):
    if event in ("open", "sqlite3.connect", "os.listdir", "os.scandir") and args:
        if str(folder / "archive") in str(args[0]):
            opened.append(spent())

sys.addaudithook(hook)

def attempt(token, question, archive):
    del opened[:]
    now = dt.datetime.now(dt.UTC)
    try:
        with ArchiveSearch.by_ticket(ledger, archive, index_path, token, question, now) as search:
            search.search(Query("attic"))
    except TicketRefused:
        return ["refused", list(opened)]
    return ["searched", sorted(set(opened))]

seen = {}
token = ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT)
seen["another question"] = attempt(token, "q2", "a1")
seen["another archive"] = attempt(token, "q1", "a2")
seen["invented"] = attempt("00" * 16, "q1", "a1")
seen["first use"] = attempt(token, "q1", "a1")
seen["replay"] = attempt(token, "q1", "a1")
print(json.dumps(seen))
"""


def test_inv_08_the_archive_is_touched_only_after_its_ticket_is_spent(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    with Index(tmp_path / "archive" / INDEX):
        pass
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path], capture_output=True, text=True, check=True
    ).stdout
    assert json.loads(told) == {
        "another question": ["refused", []],
        "another archive": ["refused", []],
        "invented": ["refused", []],
        "first use": ["searched", [1]],
        "replay": ["refused", []],
    }
    assert (tmp_path / LEDGER).exists()
