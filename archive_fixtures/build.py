"""Write the shipped synthetic histories as a Hermes home and a Claude Code folder.

`python archive_fixtures/build.py FOLDER` creates FOLDER/hermes (state.db, memories, facts,
a skill, a wiki page, config) and FOLDER/claude (one project) from `atelie/story.jsonl`. The people are
fictional; the one secret of the story is made up here, so that no token is stored.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SECRETS = {"router": f"violeta-{6 * 7}-cravelha"}

_SESSIONS = """CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT,
 session_key TEXT, chat_id TEXT, chat_type TEXT, display_name TEXT, model TEXT, model_config TEXT,
 system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL,
 end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, title TEXT)"""
_MESSAGES = """CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
 role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
 timestamp REAL NOT NULL, finish_reason TEXT, observed INTEGER DEFAULT 0,
 active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT)"""
_FACTS = """CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE,
 category TEXT DEFAULT 'general', tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5,
 retrieval_count INTEGER DEFAULT 0, helpful_count INTEGER DEFAULT 0, created_at TIMESTAMP,
 updated_at TIMESTAMP, hrr_vector BLOB)"""

Row = dict[str, Any]


def story(name: str = "atelie") -> list[Row]:
    """Read the story; placeholders for secrets are filled in."""
    lines = (HERE / name / "story.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines]
    for row in rows:
        for key, value in SECRETS.items():
            row["content"] = row["content"].replace(f"{{secret:{key}}}", value)
    return rows


def _epoch(stamp: str) -> float:
    return dt.datetime.fromisoformat(stamp).timestamp()


def _tool_calls(row: Row) -> str | None:
    calls = [
        {
            "id": call["id"],
            "call_id": call["id"],
            "type": "function",
            "function": {
                "name": call["name"],
                "arguments": json.dumps(call["arguments"], ensure_ascii=False),
            },
        }
        for call in row.get("tool_calls", ())
    ]
    return json.dumps(calls, ensure_ascii=False) if calls else None


def hermes_home(home: Path, rows: Iterable[Row]) -> None:
    """Write a Hermes home: state.db, permanent memory, facts, one skill, one wiki page."""
    home.mkdir(parents=True)
    db = sqlite3.connect(home / "state.db")
    db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    db.execute("INSERT INTO schema_version VALUES (22)")
    db.execute(_SESSIONS)
    db.execute(_MESSAGES)
    for row in rows:
        _hermes_row(db, row)
    db.commit()
    db.close()
    authority = json.loads((HERE / "atelie" / "authority.json").read_text(encoding="utf-8"))
    (home / "memories").mkdir()
    for name in ("MEMORY.md", "USER.md"):
        (home / "memories" / name).write_text("\n§\n".join(authority[name]), encoding="utf-8")
    _fact_store(home / "memory_store.db", authority["facts"])
    _documents(home)


def _hermes_row(db: sqlite3.Connection, row: Row) -> None:
    at, sid = _epoch(row["ts"]), row["session_id"]
    db.execute(
        "INSERT OR IGNORE INTO sessions (id, source, user_id, session_key, chat_type,"
        " display_name, started_at, title) VALUES (?, 'telegram', '551199', ?, 'dm', 'Helena', ?, ?)",
        (sid, "agent:main:telegram:dm:551199", at, row.get("title")),
    )
    db.execute(
        "UPDATE sessions SET ended_at = ?, end_reason = 'idle', message_count = message_count + 1"
        " WHERE id = ?",
        (at + 1, sid),
    )
    db.execute(
        "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name,"
        " timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            sid,
            row["role"],
            row["content"],
            row.get("tool_call_id"),
            _tool_calls(row),
            row.get("tool_name"),
            at,
        ),
    )


def _fact_store(path: Path, facts: Iterable[list[str]]) -> None:
    db = sqlite3.connect(path)
    db.execute(_FACTS)
    db.executemany(
        "INSERT INTO facts (content, category, tags, created_at, updated_at)"
        " VALUES (?, ?, ?, '2026-09-28 17:05:00', '2026-09-28 17:05:00')",
        facts,
    )
    db.commit()
    db.close()


def _documents(home: Path) -> None:
    skill = home / "skills" / "oficina" / "afinar-higrometro"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: afinar-higrometro\n"
        "description: Calibrar o higrômetro da sala de secagem com sal úmido\n---\n\n"
        "1. Feche o sensor com sal úmido por oito horas.\n2. O valor certo é 75 %.\n",
        encoding="utf-8",
    )
    (home / "wiki").mkdir()
    (home / "wiki" / "loja.md").write_text(
        "# Loja\n\n## Cópias\n\nO catálogo é copiado toda noite para o disco da oficina.\n",
        encoding="utf-8",
    )
    (home / "config.yaml").write_text("timezone: America/Sao_Paulo\n", encoding="utf-8")


def claude_folder(folder: Path, rows: Iterable[Row]) -> None:
    """Write Claude Code transcripts, one file a session."""
    parents: dict[str, str | None] = {}
    for number, row in enumerate(rows):
        sid = row["session_id"]
        slug = "".join(c if c.isalnum() else "-" for c in row["project"])
        path = folder / "projects" / slug / f"{sid}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        line = _claude_line(row, number, parents.get(sid))
        parents[sid] = line["uuid"]
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _claude_line(row: Row, number: int, parent: str | None) -> Row:
    blocks: list[Row] = [{"type": "text", "text": row["content"]}] if row["content"] else []
    blocks.extend(
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["arguments"]}
        for call in row.get("tool_calls", ())
    )
    content: Any = blocks
    if row["role"] == "tool":
        content = [
            {
                "type": "tool_result",
                "tool_use_id": row["tool_call_id"],
                "content": row["content"],
                "is_error": bool(row.get("failed")),
            }
        ]
    elif row["role"] == "user":
        content = row["content"]
    kind = "assistant" if row["role"] == "assistant" else "user"
    message: Row = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number:03}", "type": "message", "model": "fixture"}
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": row["project"],
        "sessionId": row["session_id"],
        "version": "2.1.91",
        "type": kind,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{row['session_id']}/{number}")),
        "timestamp": row["ts"].replace("Z", ".000Z"),
        "message": message,
    }


def build(target: Path) -> tuple[Path, Path]:
    """Create both homes below *target*; return (hermes home, claude folder)."""
    rows = story()
    hermes, claude = target / "hermes", target / "claude"
    hermes_home(hermes, [r for r in rows if r["agent"] == "hermes"])
    claude_folder(claude, [r for r in rows if r["agent"] == "claude"])
    return hermes, claude


if __name__ == "__main__":
    print(*build(Path(sys.argv[1])), sep="\n")
