"""What the calls take and give, with examples: the OpenAPI page is what agents read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LONGEST_QUESTION = 4000
LONGEST_TEXT = 20_000


def _sayable(text: str) -> str:
    """Refuse what is no text: lone surrogates and NUL, which no store of ours takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = "holds a lone surrogate"
        raise ValueError(msg) from None
    if "\0" in text:
        msg = "holds a NUL character"
        raise ValueError(msg)
    return text


def _worded(text: str) -> str:
    if not text.strip():
        msg = "is empty"
        raise ValueError(msg)
    return text


Text = Annotated[str, AfterValidator(_sayable)]
Words = Annotated[
    str, Field(min_length=1, max_length=LONGEST_QUESTION), AfterValidator(_sayable),
    AfterValidator(_worded),
]  # fmt: skip
DAY = "2026-03-05"


class Body(BaseModel):
    """A request's body: nothing is taken that means nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AskBody(Body):
    """A question in Portuguese or English."""

    question: Words = Field(examples=["Quem decidiu trocar o plano de internet?"])
    asked_at: Text | None = Field(
        None,
        max_length=40,
        description="ISO time with offset; default now.",
        examples=["2026-03-05T10:00:00-03:00"],
    )
    as_of: Text | None = Field(
        None, max_length=40, description="Answer as of that day.", examples=[DAY]
    )


class PrefetchBody(Body):
    """The user's message before the agent answers it."""

    query: Annotated[Text, Field(max_length=LONGEST_TEXT)] = Field(
        examples=["Marca a revisão do carro com a oficina de sempre"]
    )
    max_characters: int = Field(2000, ge=200, le=8000)


class FeedbackBody(Body):
    """What the answer was worth: was the archive needed, was it wrong, was something missing."""

    value: Literal["needed", "not_needed", "wrong", "missing"] = Field(examples=["needed"])
    note: Text = Field("", max_length=LONGEST_QUESTION, examples=["o valor mudou em maio"])


class FactBody(Body):
    """One action of the fact store, as Hermes's `fact_store` tool has it."""

    action: Literal[
        "add", "search", "probe", "related", "reason", "contradict", "update", "remove", "list"
    ] = Field("add", examples=["add"])
    content: Text | None = Field(None, max_length=LONGEST_TEXT, examples=["Ana prefers tea."])
    query: Text | None = Field(None, max_length=LONGEST_QUESTION)
    entity: Text | None = Field(None, max_length=200)
    entities: list[Annotated[Text, Field(max_length=200)]] | None = Field(None, max_length=20)
    fact_id: int | None = Field(None, ge=0, le=2**63 - 1)
    category: Literal["user_pref", "project", "tool", "general"] | None = None
    tags: Text | None = Field(None, max_length=500)
    trust_delta: float | None = Field(None, ge=-1, le=1)
    min_trust: float | None = Field(None, ge=0, le=1)
    limit: int = Field(10, ge=1, le=100)


class FactFeedbackBody(Body):
    """Whether a fact helped."""

    helpful: bool = Field(examples=[True])


class ProposalBody(Body):
    """A change of what steers the agent. It waits until the owner confirms that very text."""

    act: Literal["add", "replace", "remove"] = Field("add", examples=["add"])
    target: Literal["memory", "user", "skill", "wiki"] = Field("memory", examples=["memory"])
    text: Text = Field("", max_length=LONGEST_TEXT, examples=["Ana prefers answers in Portuguese."])
    old_text: Text = Field("", max_length=LONGEST_TEXT)
    path: Text = Field("", max_length=400, description="For skills and wiki, relative.")
    profile: str = Field("default", pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    summary: Text = Field("", max_length=500)


class ApproveBody(Body):
    """The owner's yes to exactly what was shown."""

    digest: str = Field(
        pattern=r"^[0-9a-f]{64}$", description="The digest of what was shown.", examples=["ab" * 32]
    )
    profile: str = Field("default", pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")


class RejectBody(Body):
    """The owner's no."""

    note: Text = Field("", max_length=LONGEST_QUESTION)
    profile: str = Field("default", pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")


class ProblemShape(BaseModel):
    """Every error has this shape (`application/problem+json`)."""

    type: str = Field("about:blank")
    title: str = Field(examples=["Unauthorized"])
    status: int = Field(examples=[401])
    detail: str = Field("", examples=["a bearer token is needed; `hfea token create` makes one"])
    request_id: str = Field(examples=["0f1e2d3c4b5a6978"])


ANSWER_EXAMPLE: dict[str, Any] = {
    "outcome": "grounded",
    "grounded_in": "archive",
    "verdict": "insufficient",
    "reasons": ["low_coverage"],
    "missing": [{"name": "who", "value": ""}],
    "archive_opened": True,
    "answer": "2026-03-05: Decidimos usar o cofre azul. [archive:2026-03-05#s1a2b3]",
    "evidence": [
        {
            "text": "Decidimos usar o cofre azul.",
            "date": "2026-03-05",
            "layer": "archive",
            "kind": "event",
            "author_kind": "owner",
            "origin": "direct",
            "source": "archive:2026-03-05#s1a2b3",
            "message_ids": ["m1"],
            "scores": {"coverage": 0.91},
        }
    ],
    "conflicts": [],
    "cost": {"milliseconds": 41.2, "model_calls": 0, "tokens_returned": 19, "money": 0.0},
    "question_id": "0f1e2d3c4b5a6978",
}
