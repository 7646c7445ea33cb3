from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest

from hfea.model_client import EndpointSettings, HttpModel, ModelFailed, Turn

ASK = (Turn("system", "be brief"), Turn("user", "what happened?"))
SCHEMA = {"type": "object"}
Handler = Callable[[httpx.Request], httpx.Response]


def model(handler: Handler, kind: str = "openai", url: str = "http://127.0.0.1:9/v1") -> HttpModel:
    settings = EndpointSettings(kind, url, "tiny", key="k-" + "1" * 8)
    return HttpModel(settings, httpx.MockTransport(handler))


def openai(text: object, finish: str | None = "stop") -> Handler:
    body = {
        "choices": [{"message": {"content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }
    return lambda _request: httpx.Response(200, json=body)


def test_an_openai_compatible_reply_carries_its_tokens() -> None:
    reply = model(openai('{"a": 1}')).ask(ASK, SCHEMA)
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.cut) == ('{"a": 1}', 7, 3, False)


def test_an_ollama_reply_carries_its_tokens_and_the_schema_was_sent() -> None:
    seen: list[object] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(json.loads(request.content))
        body = {"message": {"content": "{}"}, "done_reason": "stop"}
        return httpx.Response(200, json={**body, "prompt_eval_count": 5, "eval_count": 2})

    reply = model(handler, "ollama", "http://127.0.0.1:9").ask(ASK, SCHEMA)
    assert (reply.tokens_in, reply.tokens_out) == (5, 2)
    assert seen[0]["format"] == SCHEMA  # type: ignore[index]


def test_a_reply_cut_at_its_length_says_so() -> None:
    assert model(openai('{"a": ', "length")).ask(ASK, SCHEMA).cut


@pytest.mark.parametrize(
    "handler",
    [
        openai("Error generating summary: net::ERR", "error"),
        openai(""),
        openai("   "),
        openai(None),
        openai("x" * 300_000),
        lambda _r: httpx.Response(529, text="overloaded"),
        lambda _r: httpx.Response(200, text="<html>"),
        lambda _r: httpx.Response(200, json={"choices": []}),
        lambda _r: httpx.Response(200, json=[1]),
    ],
    ids=["error-in-200", "empty", "blank", "null", "endless", "529", "html", "no-choice", "list"],
)
def test_c10_anything_but_a_reply_is_a_failure_and_never_text(handler: Handler) -> None:
    with pytest.raises(ModelFailed):
        model(handler).ask(ASK, SCHEMA)


def test_c10_a_dropped_connection_is_a_failure() -> None:
    def drop(_request: httpx.Request) -> httpx.Response:
        msg = "dropped"
        raise httpx.ReadError(msg)

    with pytest.raises(ModelFailed, match="did not answer"):
        model(drop).ask(ASK, SCHEMA)


def test_x10_a_redirect_is_not_followed_and_the_key_stays_home() -> None:
    hosts: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(302, headers={"Location": "http://169.254.169.254/"})

    with pytest.raises(ModelFailed, match="302"):
        model(handler).ask(ASK, SCHEMA)
    assert hosts == ["127.0.0.1"]
