"""One call to a language model: OpenAI-compatible or Ollama, bounded, never redirected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from hfea.endpoints import checked_host, checked_url
from hfea.errors import Unavailable

LONGEST_REPLY = 200_000  # characters; longer replies are cut by no one and refused here
_FINISHED = frozenset({"stop", "length", "done", None})


class ModelFailed(Unavailable):
    """The model gave no usable reply; the caller goes on without it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and what it cost in tokens. `cut` means it hit its length limit."""

    text: str
    tokens_in: int
    tokens_out: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a request: `system` or `user`, and its text."""

    role: str
    content: str


class Model(Protocol):
    """Answers a request under a JSON schema."""

    @property
    def name(self) -> str:
        """What the model is called; part of every cache key."""
        ...

    def ask(self, turns: Sequence[Turn], schema: Mapping[str, Any]) -> Reply:
        """Return the reply; raise ModelFailed for anything else, errors inside a 200 included."""
        ...


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where a model is and how long to wait. `kind` is `openai` or `ollama`; seconds, tokens."""

    kind: str
    url: str
    model: str
    key: str = ""
    seconds: float = 120.0
    max_tokens: int = 2000


class HttpModel:
    """A model behind HTTP. Redirects are refused, so a key never reaches another host."""

    def __init__(
        self, settings: EndpointSettings, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._url = checked_url(settings.url)
        headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
        self._client = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(settings.seconds, connect=10.0),
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    @property
    def name(self) -> str:
        """What the model is called."""
        return f"{self._settings.kind}:{self._settings.model}"

    def ask(self, turns: Sequence[Turn], schema: Mapping[str, Any]) -> Reply:
        """Send one request; see Model.ask."""
        checked_host(self._url)
        messages = [{"role": t.role, "content": t.content} for t in turns]
        if self._settings.kind == "ollama":
            return self._ollama(messages, schema)
        return self._openai(messages, schema)

    def _openai(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> Reply:
        body = {
            "model": self._settings.model,
            "messages": messages,
            "temperature": 0,
            "seed": 0,
            "max_tokens": self._settings.max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "statements", "schema": schema, "strict": True},
            },
        }
        data = self._post("/chat/completions", body)
        try:
            choice = data["choices"][0]
            text, finish = choice["message"]["content"], choice.get("finish_reason")
            usage = data.get("usage") or {}
            used = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            msg = f"the model endpoint answered in another shape ({type(error).__name__})"
            raise ModelFailed(msg) from error
        return _reply(text, finish, used)

    def _ollama(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> Reply:
        options = {"temperature": 0, "seed": 0, "num_predict": self._settings.max_tokens}
        body = {
            "model": self._settings.model,
            "messages": messages,
            "format": schema,
            "stream": False,
            "options": options,
        }
        data = self._post("/api/chat", body)
        try:
            text, finish = data["message"]["content"], data.get("done_reason")
            used = int(data.get("prompt_eval_count", 0)), int(data.get("eval_count", 0))
        except (KeyError, TypeError, ValueError) as error:
            msg = f"the model endpoint answered in another shape ({type(error).__name__})"
            raise ModelFailed(msg) from error
        return _reply(text, finish, used)

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            answer = self._client.post(self._url + path, json=body)
        except httpx.HTTPError as error:
            msg = f"the model endpoint did not answer ({type(error).__name__})"
            raise ModelFailed(msg) from error
        if answer.status_code != httpx.codes.OK:
            msg = f"the model endpoint answered with status {answer.status_code}"
            raise ModelFailed(msg)
        try:
            return answer.json()
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            msg = "the model endpoint answered with something that is not JSON"
            raise ModelFailed(msg) from error


def _reply(text: object, finish: object, used: tuple[int, int]) -> Reply:
    if not isinstance(text, str) or not text.strip():
        msg = "the model gave an empty reply"
        raise ModelFailed(msg)
    if finish not in _FINISHED:
        # A failed call can come as a normal-looking reply whose text is the error message.
        msg = "the model stopped for another reason than being done"
        raise ModelFailed(msg)
    if len(text) > LONGEST_REPLY:
        msg = "the model's reply is longer than any answer needs to be"
        raise ModelFailed(msg)
    return Reply(text, used[0], used[1], cut=finish == "length")
