"""Fifty fixed questions and what the core answers to them: the proof that a restore works."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Iterable

from hfea.asking import core_settings
from hfea.config import Settings
from memory_core.core import MemoryCore
from memory_core.layers import facts, permanent
from memory_core.layers.preservation import Answer
from memory_core.model import EvidenceReport, VerdictKind

HOW_MANY = 50
_OWN = 30  # at most so many come from what this home holds
# Always the same, whoever asks: kinds of questions, not their matter.
_GENERAL = (
    "O que ficou decidido na última reunião?", "Why did we change our minds?",
    "Quando foi a última mudança de senha?", "Who is responsible for the backups?",
    "Qual é o prazo combinado?", "What is still open?",
    "Quais alternativas foram descartadas?", "How many people were invited?",
    "Onde ficam os documentos?", "When does the contract end?",
    "Como se faz o deploy?", "What did the auditor ask for?",
    "Por que o fornecedor foi trocado?", "Which city do we live in?",
    "Quem avisou sobre o atraso?", "What went wrong last week?",
    "Qual o nome do servidor?", "How do I restore the database?",
    "O que eu prefiro no café da manhã?", "What language should replies be in?",
    "Quanto custou a reforma?", "Did we ever cancel the order?",
    "Qual região hospeda a aplicação?", "What must never be done?",
    "Quando começa a viagem?", "Who lives next door?",
    "O que aprendemos com a falha?", "What is the phone number of the office?",
    "Qual era o plano antes?", "How did the owner feel about it?",
    "Quais são as regras da casa?", "Where is the key kept?",
    "O que mudou desde ontem?", "Which version is in production?",
    "Como se chama o gato?", "What is the rotation period of the key?",
    "Qual o orçamento?", "Is there anything about invoices?",
    "O que o contador disse?", "What was promised and not done?",
    "Qual foi o motivo da mudança?", "What are the opening hours?",
    "Quem escreveu a ata?", "When is the next inspection?",
    "Qual é o endereço da entrega?", "What does the wiki say about deployment?",
    "Que ferramenta usamos?", "How was the problem solved?",
    "O que não sabemos ainda?", "What did we agree on in October?",
)  # fmt: skip


def answers(settings: Settings, at: dt.datetime) -> tuple[Answer, ...]:
    """Ask this home its fifty questions as of *at*; return what was answered, as hashes."""
    core = MemoryCore(core_settings(settings))
    try:
        return tuple(
            Answer(question, _asked(core, question, at), at) for question in questions(settings)
        )
    finally:
        core.close()


def again(settings: Settings, before: Iterable[Answer]) -> list[tuple[Answer, bool]]:
    """Ask the same questions of another home, as of the same moment; say which agree."""
    core = MemoryCore(core_settings(settings))
    try:
        return [(a, _asked(core, a.question, a.asked_at) == a.digest) for a in before]
    finally:
        core.close()


def questions(settings: Settings) -> tuple[str, ...]:
    """Return fifty questions: some in the words of what this home holds, the rest general."""
    home = settings.core.home
    own = [e.text for e in permanent.entries(home)]
    # What cannot be read is answered with an error, here as there.
    with contextlib.suppress(facts.FactStoreUnreadable):
        own += [p.text for p in facts.passages(home / "memory_store.db")]
    chosen = sorted({" ".join(t.split())[:200] for t in own}, key=_hash)[:_OWN]
    return (*chosen, *_GENERAL[: HOW_MANY - len(chosen)])


def _asked(core: MemoryCore, question: str, at: dt.datetime) -> str:
    report, verdict = core.consult(question, asked_at=at)
    return _hash(json.dumps(_told(report, verdict.kind), ensure_ascii=True))


def _told(report: EvidenceReport, kind: VerdictKind) -> list[object]:
    """Return all that an answer rests on, without times and paths of this machine."""
    found = [[e.layer, e.text, e.origin.value, e.author_kind.value] for e in report.evidence]
    routes = [[r.layer, r.state, r.hits] for r in report.routes]
    return [kind.value, found, routes, len(report.conflicts)]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
