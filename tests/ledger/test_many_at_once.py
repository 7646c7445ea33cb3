"""Several processes, each with several threads, open and close one ledger: nothing is damaged.

A descriptor of the file that is closed while the process has a connection drops that connection's
locks; with a second process the database is then corrupted within a second.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hfea.clock import SystemClock
from hfea.ledger.store import FILE_NAME, Ledger

WORK = """
import sys, threading, time
from pathlib import Path
from hfea.clock import SystemClock
from hfea.ledger.store import Ledger
path, end, faults = Path(sys.argv[1]), time.monotonic() + float(sys.argv[2]), []
def work(number):
    while time.monotonic() < end:
        try:
            with Ledger.open(path, SystemClock()) as ledger:
                if number == 0:
                    ledger.questions.ask(f"{sys.argv[3]}-{time.time_ns()}", "x", "pt")
                ledger.questions.tally()
        except Exception as error:
            faults.append(repr(error))
threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
for t in threads: t.start()
for t in threads: t.join()
print("\\n".join(faults[:3]))
"""


def test_threads_and_processes_open_and_close_one_ledger_without_damage(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    Ledger.open(path, SystemClock()).close()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WORK, str(path), "2", str(n)], stdout=subprocess.PIPE, text=True
        )
        for n in range(2)
    ]
    told = [process.communicate(timeout=60)[0].strip() for process in running]
    assert told == ["", ""]
    with Ledger.open(path, SystemClock()) as ledger:
        assert ledger.questions.tally().asked > 0
