"""Cases that only the whole night shows: X05, C04, C05, I22, C06, T02."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from home import contents, hfea, settle


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


def row(n: int, text: str, ts: str = "2026-03-05T10:00:00Z", **more: object) -> dict[str, object]:
    base = {"id": f"m{n}", "session_id": "s", "ts": ts, "role": "user", "author": "Rita"}
    return {**base, "content": text, **more}


def test_x05_no_secret_of_a_transcript_is_in_any_file_of_the_installation(
    shared: Path, tmp_path: Path
) -> None:
    maker = shared / "cases" / "files" / "X05" / "make_secrets.py"
    source = tmp_path / "s.jsonl"
    source.write_bytes(
        subprocess.run([sys.executable, maker], capture_output=True, check=True).stdout
    )
    listed = subprocess.run(
        [sys.executable, maker, "--list"], capture_output=True, check=True, text=True
    ).stdout.splitlines()
    place = tmp_path / "hfea"
    place.mkdir()
    settings = settle(place, source)
    done = hfea(settings, "consolidate")
    hfea(settings, "ask", "qual é a senha do roteador?", check=False)
    assert list((place / "archive").rglob("*.md"))
    secrets = [s.partition("\t")[2] or s for s in listed if s.strip()]
    for path in place.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            leaked = [s for s in secrets if len(s) > 5 and s.encode() in data]
            assert leaked == [], path
    assert not [s for s in secrets if len(s) > 5 and s in done.stdout + done.stderr]


def test_c04_of_many_processes_at_once_exactly_one_does_the_night(tmp_path: Path) -> None:
    source = write(
        tmp_path / "s.jsonl",
        [
            row(n, f"decidi o ponto {n} do dia", f"2026-03-{1 + n % 20:02}T10:00:00Z")
            for n in range(60)
        ],
    )
    settings = settle(tmp_path, source)
    command = [sys.executable, "-m", "hfea", "--config", str(settings), "consolidate"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(20)
    ]
    codes = [p.wait() for p in running]
    for p in running:
        p.communicate()
    assert set(codes) <= {0, 3}
    assert codes.count(0) >= 1
    assert hfea(settings, "verify").returncode == 0
    first = contents(tmp_path / "archive")
    hfea(settings, "consolidate")
    assert contents(tmp_path / "archive") == first


def test_c05_the_pid_in_a_stale_lock_decides_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "s.jsonl", [row(1, "decidi: fica em Curitiba")])
    settings = settle(tmp_path, source)
    hfea(settings, "status", check=False)
    sleeper = subprocess.Popen(["sleep", "30"])
    try:
        (tmp_path / "archive").mkdir(exist_ok=True, mode=0o700)
        (tmp_path / "archive" / "night.lock").write_text(str(sleeper.pid), encoding="ascii")
        hfea(settings, "consolidate")
    finally:
        sleeper.kill()
        sleeper.wait()


def test_i22_sessions_of_hfeas_own_making_cause_no_work(tmp_path: Path) -> None:
    source = write(
        tmp_path / "s.jsonl",
        [
            row(1, "hfea-run: 7\nYou write the diary of a personal agent."),
            row(2, '{"statements": []}', role="assistant", author="bot"),
        ],
    )
    settings = settle(tmp_path, source)
    for _ in range(3):
        hfea(settings, "consolidate")
    assert not list((tmp_path / "archive").rglob("*.md")) or all(
        "diary" not in p.read_text("utf-8") for p in (tmp_path / "archive").rglob("*.md")
    )


def test_c06_running_again_touches_nothing_and_a_new_message_only_its_day(tmp_path: Path) -> None:
    rows = [
        row(1, "decidi: fica em Curitiba", "2026-03-04T10:00:00Z"),
        row(2, "falta testar a restauração", "2026-03-05T10:00:00Z"),
    ]
    settings = settle(tmp_path, write(tmp_path / "s.jsonl", rows))
    hfea(settings, "consolidate")
    root = tmp_path / "archive"
    before = {
        p: (p.read_bytes(), p.stat().st_mtime_ns)
        for p in root.rglob("*.*")
        if p.is_file() and p.suffix in (".md", ".json", ".jsonl")
    }
    for _ in range(4):
        hfea(settings, "consolidate")
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in before} == before
    write(tmp_path / "s.jsonl", [*rows, row(3, "o scanner fica na sala 3", "2026-03-04T12:00:00Z")])
    hfea(settings, "consolidate")
    changed = {p.name for p in before if p.read_bytes() != before[p][0]}
    assert changed == {
        "2026-03-04.md",
        "2026-03-04.evidence.jsonl",
        "2026-03-04.seal.json",
        "head.json",
    }
    text = (root / "2026" / "03" / "2026-03-04.md").read_text("utf-8")
    assert "Addendum 1" in text
    assert "scanner fica na sala 3" in text


def test_t02_file_night_search_and_answer_agree_on_the_human_day(tmp_path: Path) -> None:
    source = write(
        tmp_path / "s.jsonl", [row(1, "o leitor foi para a sala 3", "2026-03-05T22:30:00Z")]
    )
    settings = settle(tmp_path, source, zone="Asia/Shanghai")
    old = os.environ.get("TZ")
    os.environ["TZ"] = "UTC"
    try:
        time.tzset()
        hfea(settings, "consolidate")
        assert [p.name for p in (tmp_path / "archive").rglob("*.md")] == ["2026-03-06.md"]
        found = json.loads(hfea(settings, "episodes", "search", "leitor", "--json").stdout)
        assert "2026-03-06" in json.dumps(found)
        answer = hfea(settings, "ask", "Para onde foi o leitor?", "--json").stdout
        assert "2026-03-06" in json.loads(answer)["answer"]
    finally:
        if old is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = old
        time.tzset()
