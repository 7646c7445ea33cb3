from __future__ import annotations

import logging
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hfea.errors import Unavailable
from hfea.ledger.lock import NOTE, NightRunning, night_lock

ROUNDS = 5
CONTENDER = """
import sys
from pathlib import Path
from hfea.ledger.lock import NightRunning, night_lock
print("ready", flush=True)
for line in sys.stdin:
    if line == "go\\n":
        try:
            lock = night_lock(Path(sys.argv[1]))
            lock.__enter__()
            print("held", flush=True)
        except NightRunning as refused:
            lock = None
            print(refused.exit_code, flush=True)
    elif lock:
        lock.__exit__(None, None, None)
        print("released", flush=True)
    else:
        print("idle", flush=True)
"""


def contender(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CONTENDER, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def tell(runs: list[subprocess.Popen[str]], word: str) -> list[str]:
    for run in runs:
        run.stdin.write(word + "\n")  # type: ignore[union-attr]
    return [run.stdout.readline().strip() for run in runs]  # type: ignore[union-attr]


def end(runs: list[subprocess.Popen[str]]) -> None:
    for run in runs:
        run.stdin.close()  # type: ignore[union-attr]
        run.wait()
        run.stdout.close()  # type: ignore[union-attr]


def test_c04_of_twenty_processes_at_once_exactly_one_holds_and_the_rest_leave_with_3(
    tmp_path: Path,
) -> None:
    runs = [contender(tmp_path) for _ in range(20)]
    assert [run.stdout.readline() for run in runs] == ["ready\n"] * 20  # type: ignore[union-attr]
    for _ in range(ROUNDS):
        assert sorted(tell(runs, "go")) == ["3"] * 19 + ["held"]
        assert sorted(tell(runs, "stop")) == ["idle"] * 19 + ["released"]
    end(runs)


def test_c04_the_lock_holds_within_one_process_too(tmp_path: Path) -> None:
    with (
        night_lock(tmp_path),
        pytest.raises(NightRunning, match=str(os.getpid())),
        night_lock(tmp_path),
    ):
        pass
    with night_lock(tmp_path):
        assert stat.S_IMODE((tmp_path / NOTE).stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == []


def test_c05_a_stale_note_with_a_living_pid_does_not_decide(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / NOTE).write_text(f"pid {os.getppid()}\n")
    with caplog.at_level(logging.WARNING), night_lock(tmp_path):
        pass
    assert "left by a crash" in caplog.text


def test_c05_a_holder_whose_note_is_gone_still_holds(tmp_path: Path) -> None:
    with night_lock(tmp_path):
        (tmp_path / NOTE).unlink()
        with pytest.raises(NightRunning, match="another process"), night_lock(tmp_path):
            pass


def test_c05_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    run = contender(tmp_path)
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    assert tell([run], "go") == ["held"]
    run.send_signal(signal.SIGKILL)
    run.wait()
    with night_lock(tmp_path):
        pass
    run.stdout.close()
    run.stdin.close()  # type: ignore[union-attr]


def test_a_refused_lock_is_unavailable_and_names_the_folder(tmp_path: Path) -> None:
    with (
        night_lock(tmp_path),
        pytest.raises(Unavailable, match=tmp_path.name),
        night_lock(tmp_path),
    ):
        pass
