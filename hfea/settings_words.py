"""What each setting does, in a line; `hfea doctor` shows them beside their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

_MODEL = {
    "api": "the protocol of the endpoint: openai or ollama",
    "endpoint": "the model's address; empty: no model is called",
    "model": "the model's name there",
    "key_env": "the environment variable that holds the endpoint's key",
    "seconds": "how long one call may take",
    "max_tokens": "tokens one reply may have",
    "price_in": "money per million tokens sent",
    "price_out": "money per million tokens received",
}
EXPLAINED: dict[str, dict[str, str]] = {
    "": {"timezone": "the IANA zone in which days are cut"},
    "owner": {
        "names": "how the agents' histories call you; only these speak as the owner",
        "ids": "your ids on chat channels, such as telegram:1234",
        "languages": "what you and the agent write",
    },
    "archive": {
        "path": "the folder of the episodes",
        "key": "the archive key; empty: hfea.key beside this file",
    },
    "core": {
        "home": "the Hermes home: permanent memory, skills, fact store, wiki",
        "history_days": "days of recent sessions the core may search; 0 none",
        "facts": "a file of further facts, one JSON object a line",
        "wiki": "folders of Markdown; empty: wiki/ in the home",
    },
    "sources": {
        "kind": "hermes, claude-code, openclaw, codex or jsonl",
        "path": "the home or folder that is read, never written",
        "name": "its name in the archive; empty: after its kind",
        "zone": "the zone of time stamps that carry none",
        "paused": "true: not read until resumed",
    },
    "exclude": {
        "projects": "projects that never enter the archive",
        "sessions": "sessions that never enter the archive",
        "chats": "chats that never enter the archive",
    },
    "schedule": {
        "at": "when the night is due, local time",
        "since": "the first day to consolidate; empty: the first message",
        "idle_minutes": "minutes without activity that a due night waits for",
        "hard_deadline": "when it starts anyway, local time",
    },
    "service": {
        "bind": "where the HTTP service listens",
        "socket": "a Unix socket instead",
        "hosts": "further Host names it answers to",
        "behind_tls_proxy": "true: you run a proxy with TLS before a public address",
    },
    "fallback": {
        "shadow": "share of answers without the archive that are checked against it afterwards"
    },
    "redaction": {"personal_ids": "true: CPF, CNPJ, cards and the like are redacted as well"},
    "narrator": _MODEL
    | {
        "kind": "extractive (no model) or llm",
        "tokens_per_night": "tokens one night may use",
        "tokens_per_day": "tokens one day's episode may use",
    },
    "embeddings": {
        "kind": "none, local, ollama or openai",
        "endpoint": "the embedding server's address",
        "model": "the embedding model's name",
        "key_env": "the environment variable that holds the endpoint's key",
        "gate": "coverage by original words above which no vector is asked for",
        "turn_seconds": "how long a question waits for a vector",
        "batch_seconds": "how long a batch in the background may take",
        "batch_characters": "characters of one batch",
    },
    "judge": _MODEL,
}


def explained(settings: BaseModel) -> Iterator[tuple[str, str, str]]:
    """Yield (place, value, what it does) of every setting, as a TOML user knows them."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from _section(f"[{name}]", name, value)
        elif isinstance(value, tuple):
            for number, table in enumerate(value, 1):
                yield from _section(f"[[{name}]] {number}", name, table)
        else:
            yield name, str(value), EXPLAINED[""].get(name, "")


def _section(place: str, name: str, section: BaseModel) -> Iterator[tuple[str, str, str]]:
    for field, value in section.model_dump(mode="json").items():
        yield f"{place} {field}", _shown(value), EXPLAINED[name].get(field, "")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "(none)"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value not in (None, "") else "(none)"
