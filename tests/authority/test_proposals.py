"""The queue: proposals wait, are confirmed by their bytes, applied under Hermes's rules, undone."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core import removal
from memory_core.authority import Act, Change, Level, Support, Target, shown_digest
from memory_core.layers.permanent import (
    ChangedSince,
    NoSuchEntry,
    OverLimit,
    PermanentError,
    digest_of,
)
from memory_core.model import AuthorKind, Message, Origin, Role
from memory_core.proposals import (
    Confirmation,
    NotConfirmed,
    NotUndoable,
    NotWaiting,
    Places,
    Proposal,
    Proposals,
    Proposer,
    RemovalRefused,
    State,
    UnknownProposal,
    Via,
)
from memory_core.text_files import FileChanged

Say = Callable[..., Message]
Gate = Any
AGENT = Proposer("agent")
TEA = Change(Act.ADD, Target.USER, "Lívia prefere chá")


def yes(gate: Gate, p: Proposal, **other: object) -> Confirmation:
    now = gate.time[0]
    known: dict[str, object] = {
        "digest": p.digest,
        "by": "Lívia",
        "via": Via.CLI,
        "at": now,
        "shown_at": now,
    }
    return Confirmation(**(known | other))  # type: ignore[arg-type]


def test_the_owners_request_is_applied_at_once_and_recorded_with_its_evidence(
    gate: Gate, say: Say
) -> None:
    request = say("lembra que Lívia prefere chá")
    found = gate.proposals.propose(TEA, [Support(request)], by=AGENT)
    assert found.state is State.APPLIED
    assert gate.user().endswith("\n§\nLívia prefere chá")
    assert [e.event for e in gate.ledger] == ["proposed", "applied"]
    assert gate.ledger[-1].cited[0].message_id == request.message_id
    assert all(c.quote == "" for e in gate.ledger for c in e.cited)


def test_the_agents_own_proposal_waits_and_changes_nothing(gate: Gate) -> None:
    before = gate.user()
    found = gate.proposals.propose(TEA, by=AGENT)
    assert found.state is State.PENDING
    assert gate.user() == before
    assert gate.proposals.list() == (found,)


def test_approval_applies_exactly_what_was_shown(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    assert "Lívia prefere chá" in found.shown()
    assert gate.proposals.approve(found.id, yes(gate, found)).state is State.APPLIED
    assert "Lívia prefere chá" in gate.user()
    with pytest.raises(NotWaiting):
        gate.proposals.approve(found.id, yes(gate, found))


def test_approval_of_other_bytes_is_refused_and_recorded(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    with pytest.raises(NotConfirmed, match="other_text"):
        gate.proposals.approve(found.id, yes(gate, found, digest="0" * 64))
    assert gate.proposals.get(found.id).state is State.PENDING
    assert gate.ledger[-1].event == "not_confirmed"


def test_the_same_proposal_is_asked_once_and_not_again_after_a_no(gate: Gate) -> None:
    first = gate.proposals.propose(TEA, by=AGENT)
    assert gate.proposals.propose(TEA, by=AGENT).id == first.id
    gate.proposals.reject(first.id, by="Lívia")
    assert gate.proposals.propose(TEA, by=AGENT).state is State.REJECTED
    assert gate.proposals.list() == ()


def test_what_stands_there_already_is_not_proposed(gate: Gate) -> None:
    found = gate.proposals.propose(Change(Act.ADD, Target.USER, "Lívia mora em Olinda."), by=AGENT)
    assert (found.state, found.reasons) == (State.REFUSED, ("already_so",))


def test_a_proposal_nobody_decides_expires(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    gate.later(days=31)
    assert gate.proposals.list() == ()
    assert gate.proposals.get(found.id).state is State.EXPIRED
    with pytest.raises(NotWaiting):
        gate.proposals.approve(found.id, yes(gate, found))


def test_an_applied_change_is_undone_to_the_byte(gate: Gate) -> None:
    before = gate.user()
    found = gate.proposals.propose(TEA, by=AGENT)
    gate.proposals.approve(found.id, yes(gate, found))
    assert gate.proposals.undo(found.id, by="Lívia").state is State.UNDONE
    assert gate.user() == before
    with pytest.raises(NotUndoable):
        gate.proposals.undo(found.id, by="Lívia")


def test_undoing_after_somebody_else_wrote_takes_only_its_own_entry_back(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    gate.proposals.approve(found.id, yes(gate, found))
    path = gate.home / "memories" / "USER.md"
    path.write_text(path.read_text(encoding="utf-8") + "\n§\nTem dois gatos", encoding="utf-8")
    gate.proposals.undo(found.id, by="Lívia")
    assert gate.user() == "Lívia mora em Olinda.\n§\nTem dois gatos"


def test_a_replacement_names_the_whole_entry_and_keeps_its_pre_image(gate: Gate) -> None:
    before = gate.memory()
    change = Change(
        Act.REPLACE, Target.MEMORY, "A chave do depósito roda a cada 90 dias", "30 dias"
    )
    found = gate.proposals.propose(change, by=AGENT)
    assert found.change.old_text == "A chave do depósito roda a cada 30 dias"
    gate.proposals.approve(found.id, yes(gate, found))
    assert "90 dias" in gate.memory()
    gate.proposals.undo(found.id, by="Lívia")
    assert gate.memory() == before


def test_a_change_of_something_that_is_not_there_is_not_even_proposed(gate: Gate) -> None:
    with pytest.raises(NoSuchEntry):
        gate.proposals.propose(Change(Act.REMOVE, Target.MEMORY, "", "nada disso"), by=AGENT)


@pytest.mark.parametrize(
    "change",
    [
        Change(Act.REMOVE, Target.MEMORY, "", "Recife"),
        Change(Act.REPLACE, Target.MEMORY, ".", "Recife"),
    ],
)
def test_removal_is_refused_until_every_check_has_passed_on_this_home(
    gate: Gate, change: Change
) -> None:
    before = gate.memory()
    found = gate.proposals.propose(change, by=AGENT)
    entry = digest_of(found.change.old_text)
    for what, subject, left in (
        ("", "", {"coverage", "qa20f", "drill"}),
        (removal.COVERAGE, entry, {"qa20f", "drill"}),
        (removal.QA20F, "", {"drill"}),
    ):
        if what:
            gate.proposals.passed(what, subject, ok=True)
        with pytest.raises(RemovalRefused) as refused:
            gate.proposals.approve(found.id, yes(gate, found))
        assert set(refused.value.missing) == left
        assert gate.memory() == before
    gate.proposals.passed(removal.DRILL, ok=True)
    gate.proposals.approve(found.id, yes(gate, found))
    assert "Recife" not in gate.memory()
    gate.proposals.undo(found.id, by="Lívia")
    assert gate.memory() == before


def test_a_check_that_failed_since_or_is_old_does_not_count(gate: Gate) -> None:
    found = gate.proposals.propose(Change(Act.REMOVE, Target.MEMORY, "", "Recife"), by=AGENT)
    gate.proposals.passed(removal.DRILL, ok=True)
    gate.proposals.passed(removal.DRILL, ok=False)
    gate.proposals.passed(removal.QA20F, ok=True)
    gate.later(days=29)
    with pytest.raises(RemovalRefused) as refused:
        gate.proposals.approve(found.id, yes(gate, found))
    assert "drill" in refused.value.missing


def test_what_does_not_fit_is_refused_whole_and_waits(gate: Gate) -> None:
    long = Change(Act.ADD, Target.USER, "x" * 1400)
    found = gate.proposals.propose(long, by=AGENT)
    with pytest.raises(OverLimit, match="1375"):
        gate.proposals.approve(found.id, yes(gate, found))
    assert gate.proposals.get(found.id).state is State.PENDING
    assert gate.user() == "Lívia mora em Olinda."


def test_a_skill_changes_only_as_it_was_shown_and_comes_back(gate: Gate) -> None:
    path = gate.home / "skills" / "casa" / "rega" / "SKILL.md"
    old = path.read_text(encoding="utf-8")
    change = Change(
        Act.REPLACE, Target.SKILL, old + "\nFechar a torneira.\n", old, "casa/rega/SKILL.md"
    )
    found = gate.proposals.propose(change, by=AGENT)
    gate.proposals.approve(found.id, yes(gate, found))
    assert "Fechar" in path.read_text(encoding="utf-8")
    gate.proposals.undo(found.id, by="Lívia")
    assert path.read_text(encoding="utf-8") == old
    again = gate.proposals.propose(
        Change(Act.REPLACE, Target.SKILL, old + "\nOutra coisa.\n", old, "casa/rega/SKILL.md"),
        by=AGENT,
    )
    path.write_text(old + "\nEditado à mão.\n", encoding="utf-8")
    with pytest.raises(FileChanged):
        gate.proposals.approve(again.id, yes(gate, again))
    assert "Editado" in path.read_text(encoding="utf-8")


def test_a_skill_path_through_a_link_is_refused(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (gate.home / "skills" / "porta").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="link"):
        gate.proposals.propose(Change(Act.ADD, Target.SKILL, "x", path="porta/SKILL.md"), by=AGENT)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_authority_never_crosses_profiles(gate: Gate, say: Say) -> None:
    asked = [Support(say("lembra que Lívia prefere chá", profile="work"))]
    found = gate.proposals.propose(TEA, asked, by=AGENT)
    assert (found.state, found.level) == (State.PENDING, Level.FOREIGN)
    other = Change(Act.ADD, Target.USER, "Lívia prefere chá", profile="work")
    assert gate.proposals.propose(other, asked, by=AGENT).state is State.REFUSED
    with pytest.raises(NotConfirmed, match="other_profile"):
        gate.proposals.approve(found.id, yes(gate, found, profile="work"))


def test_a_refused_secret_is_kept_nowhere(gate: Gate, tmp_path: Path) -> None:
    secret = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    found = gate.proposals.propose(Change(Act.ADD, Target.USER, f"chave {secret}"), by=AGENT)
    assert found.state is State.REFUSED
    gate.proposals.close()
    for path in (tmp_path / "state").iterdir():
        assert secret.encode() not in path.read_bytes()


def test_erasing_leaves_no_byte_of_a_text_and_ends_its_undo(gate: Gate, tmp_path: Path) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    gate.proposals.approve(found.id, yes(gate, found))
    assert gate.proposals.erase("prefere chá") == 1
    gate.proposals.close()
    for path in (tmp_path / "state").iterdir():
        assert "prefere chá".encode() not in path.read_bytes()
    with (
        Proposals(
            tmp_path / "state" / "proposals.sqlite",
            Places(gate.home, gate.home / "wiki"),
            now=lambda: gate.time[0],
        ) as again,
        pytest.raises(NotUndoable),
    ):
        again.undo(found.id, by="Lívia")


def test_a_crash_between_file_and_record_is_settled_by_the_next_look(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    lost = gate.proposals.propose(Change(Act.ADD, Target.USER, "Tem dois gatos"), by=AGENT)
    for p in (found, lost):
        gate.proposals.store.step(
            p.id, State.APPLYING, ("Lívia", "cli", ""), ("", ""), gate.time[0]
        )
    path = gate.home / "memories" / "USER.md"
    path.write_text("Lívia mora em Olinda.\n§\nLívia prefere chá", encoding="utf-8")
    assert [p.id for p in gate.proposals.list()] == [lost.id]
    assert gate.proposals.get(found.id).state is State.APPLIED


def test_entries_are_dated_and_say_which_proposal_put_them_there(gate: Gate) -> None:
    gate.proposals.entries()
    first = gate.time[0]
    gate.later(days=2)
    found = gate.proposals.propose(TEA, by=AGENT)
    gate.proposals.approve(found.id, yes(gate, found))
    dated = {d.digest: d for d in gate.proposals.entries()}
    assert dated[digest_of("Lívia mora em Olinda.")].first_seen == first
    tea = dated[digest_of("Lívia prefere chá")]
    assert (tea.proposal, tea.first_seen) == (found.id, gate.time[0])
    gate.proposals.undo(found.id, by="Lívia")
    assert {d.digest for d in gate.proposals.entries() if d.gone_at} == {tea.digest}


def test_nobody_can_rewrite_a_proposal_behind_the_owners_back(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    db = gate.proposals.store.db
    for sql in (
        "UPDATE proposal SET text = 'outra coisa' WHERE id = ?",
        "UPDATE proposal SET digest = 'x' WHERE id = ?",
        "DELETE FROM proposal WHERE id = ?",
        "UPDATE step SET state = 'applied' WHERE proposal = ?",
    ):
        with pytest.raises(Exception, match=r"may only|keeps|append-only"):
            db.execute(sql, (found.id,))


def test_an_unknown_proposal_is_said_to_be_unknown(gate: Gate) -> None:
    with pytest.raises(UnknownProposal):
        gate.proposals.reject("nope", by="Lívia")


def test_a_write_of_hermes_between_reading_and_writing_is_noticed(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = gate.proposals.propose(TEA, by=AGENT)
    from memory_core import applying  # noqa: PLC0415

    path = gate.home / "memories" / "USER.md"
    real, times = applying.carry_out, []

    def slow(*given: object) -> object:
        times.append(1)
        path.write_text(f"Lívia mora em Olinda.\n§\nvisita {len(times)}", encoding="utf-8")
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(applying, "carry_out", slow)
    with pytest.raises(ChangedSince):
        gate.proposals.approve(found.id, yes(gate, found))
    assert "chá" not in gate.user()
    assert gate.proposals.get(found.id).state is State.PENDING


# Hermes's staging


def staged(gate: Gate, name: str = "a12f5c2b", **payload: object) -> Path:
    folder = gate.home / "pending" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "id": name, "subsystem": "memory", "action": payload["action"], "summary": "s",
        "origin": "background_review", "created_at": 1796099146.2, "payload": payload,
    }  # fmt: skip
    path = folder / f"{name}.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_hermess_staged_write_waits_under_its_own_id_and_goes_when_decided(gate: Gate) -> None:
    path = staged(
        gate, action="add", target="user", content="Prefere reuniões depois das 10h", old_text=None
    )
    (found,) = gate.proposals.list()
    assert (found.id, found.origin, found.change.text) == (
        "a12f5c2b",
        "background_review",
        "Prefere reuniões depois das 10h",
    )
    gate.proposals.approve(found.id, yes(gate, found))
    assert not path.exists()
    assert gate.user().endswith("Prefere reuniões depois das 10h")


def test_a_staged_write_altered_after_it_was_shown_is_not_applied(gate: Gate) -> None:
    staged(gate, action="add", target="user", content="Prefere reuniões cedo")
    (found,) = gate.proposals.list()
    staged(gate, action="add", target="user", content="Backups podem ser pulados")
    with pytest.raises(NotWaiting):
        gate.proposals.approve(found.id, yes(gate, found))
    (fresh,) = gate.proposals.list()
    assert fresh.change.text == "Backups podem ser pulados"
    with pytest.raises(NotConfirmed, match="other_text"):
        gate.proposals.approve(fresh.id, yes(gate, found))


def test_a_batch_is_several_proposals_and_one_file(gate: Gate) -> None:
    path = staged(
        gate, action="batch", target="memory",
        operations=[{"action": "add", "content": "um"}, {"action": "replace", "old_text": "30 dias", "content": "A chave do depósito roda a cada 60 dias"}],
    )  # fmt: skip
    first, second = gate.proposals.list()
    gate.proposals.approve(first.id, yes(gate, first))
    assert path.exists()
    gate.proposals.reject(second.id, by="Lívia")
    assert not path.exists()


def test_what_was_decided_in_hermes_leaves_the_queue(gate: Gate) -> None:
    path = staged(gate, action="add", target="user", content="Prefere reuniões cedo")
    (found,) = gate.proposals.list()
    path.unlink()
    assert gate.proposals.list() == ()
    assert gate.proposals.get(found.id).state is State.GONE


def test_an_odd_staged_file_is_named_and_left_alone(gate: Gate) -> None:
    folder = gate.home / "pending" / "memory"
    folder.mkdir(parents=True)
    (folder / "00000000.json").write_text("{broken", encoding="utf-8")
    assert gate.proposals.list() == ()
    assert [s.file for s in gate.proposals.unreadable()] == ["memory/00000000.json"]
    assert (folder / "00000000.json").exists()


def test_a_proposal_is_staged_as_hermes_would_stage_it(gate: Gate) -> None:
    found = gate.proposals.propose(TEA, by=Proposer("reviewer", "background_review"))
    record = json.loads((gate.home / "pending" / found.pending_file).read_text(encoding="utf-8"))
    assert list(record) == [
        "id",
        "subsystem",
        "action",
        "summary",
        "origin",
        "created_at",
        "payload",
    ]
    assert record["id"] == found.id
    assert record["payload"] == {
        "action": "add",
        "target": "user",
        "content": "Lívia prefere chá",
        "old_text": None,
    }
    assert record["origin"] == "background_review"
    assert isinstance(record["created_at"], float)
    gate.proposals.reject(found.id, by="Lívia")
    assert not list((gate.home / "pending" / "memory").iterdir())


def test_foreign_material_never_enters_hermess_queue_where_its_origin_would_not_show(
    gate: Gate, say: Say
) -> None:
    page = say("prefere chá", origin=Origin.HOSTED)
    found = gate.proposals.propose(TEA, [Support(page)], by=AGENT)
    assert (found.level, found.pending_file) == (Level.FOREIGN, "")
    assert "hosted" in found.shown()


def test_a_staged_skill_edit_waits_with_the_file_it_would_make(gate: Gate) -> None:
    folder = gate.home / "pending" / "skills"
    folder.mkdir(parents=True)
    payload = {
        "action": "patch",
        "name": "rega",
        "old_string": "Abrir",
        "new_string": "Abrir devagar",
    }
    record = {
        "id": "0badcafe",
        "subsystem": "skills",
        "action": "patch",
        "summary": "s",
        "origin": "foreground",
        "created_at": 1.0,
        "payload": payload,
    }
    (folder / "0badcafe.json").write_text(json.dumps(record), encoding="utf-8")
    (found,) = gate.proposals.list()
    assert found.change.path == "casa/rega/SKILL.md"
    assert "Abrir devagar a torneira." in found.change.text
    gate.proposals.approve(found.id, yes(gate, found))
    assert "devagar" in (gate.home / "skills" / "casa" / "rega" / "SKILL.md").read_text(
        encoding="utf-8"
    )
    assert not (folder / "0badcafe.json").exists()


def test_times_are_aware(gate: Gate) -> None:
    assert gate.proposals.propose(TEA, by=AGENT).at.utcoffset() == dt.timedelta(0)


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(Act), st.sampled_from(Target))
@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_any_text_can_be_proposed_and_nothing_is_applied_by_itself(
    gate: Gate, text: str, old: str, act: Act, target: Target
) -> None:
    before = gate.user(), gate.memory()
    with contextlib.suppress(PermanentError):
        gate.proposals.propose(Change(act, target, text, old, "a/b.md"), by=AGENT)
    assert (gate.user(), gate.memory()) == before
    gate.proposals.list()


def test_erasing_finds_words_inside_what_was_cited(gate: Gate, say: Say, tmp_path: Path) -> None:
    request = say('A Ana "do sótão" disse: \nnada')
    gate.proposals.propose(TEA, [Support(request)], by=AGENT)
    assert gate.proposals.erase('Ana "do sótão"') == 1
    gate.proposals.close()
    for path in (tmp_path / "state").iterdir():
        assert "sótão".encode() not in path.read_bytes()


def test_half_an_emoji_in_hermess_staging_is_a_fault_not_a_crash(gate: Gate) -> None:
    path = staged(gate, action="add", target="user", content="x")
    path.write_text(path.read_text(encoding="utf-8").replace('"x"', '"\\ud83d"'), encoding="utf-8")
    assert gate.proposals.list() == ()
    assert len(gate.proposals.unreadable()) == 1


def asked_and_answered(say: Say, text: str, answer: str) -> list[Message]:
    question = f'Posso guardar na memória: "{text}"?'
    agents = say(question, role=Role.ASSISTANT, author_kind=AuthorKind.AGENT)
    return [agents, say(answer)]


def test_the_owners_yes_in_the_session_applies_what_the_agent_showed(gate: Gate, say: Say) -> None:
    talk = asked_and_answered(say, TEA.text, "sim, pode guardar")
    found = gate.proposals.propose(TEA, [Support(talk[0])], by=AGENT, context=talk)
    assert found.state is State.APPLIED
    assert gate.ledger[-1].via == "session"
    other = Change(Act.ADD, Target.USER, "Lívia prefere chá verde")
    assert gate.proposals.propose(other, by=AGENT, context=talk).state is State.PENDING


def test_a_yes_in_a_session_counts_once(gate: Gate, say: Say) -> None:
    talk = asked_and_answered(say, TEA.text, "sim")
    found = gate.proposals.propose(TEA, by=AGENT, context=talk)
    gate.proposals.undo(found.id, by="Lívia")
    again = gate.proposals.propose(TEA, by=AGENT, context=talk)
    assert again.state is State.PENDING
    assert "chá" not in gate.user()


def test_the_ledgers_digest_helps_nobody_to_guess_an_erased_text(gate: Gate, say: Say) -> None:
    first = gate.proposals.propose(TEA, by=AGENT)
    assert first.digest != shown_digest(TEA)
    gate.proposals.erase("chá")
    assert gate.proposals.get(first.id).salt == ""


def test_what_the_owner_has_asked_for_meanwhile_waits_no_longer(gate: Gate, say: Say) -> None:
    waiting = gate.proposals.propose(TEA, by=AGENT)
    asked = [Support(say("lembra que Lívia prefere chá"))]
    assert gate.proposals.propose(TEA, asked, by=AGENT).state is State.APPLIED
    assert gate.proposals.list() == ()
    assert gate.proposals.get(waiting.id).state is State.GONE
    assert not list((gate.home / "pending" / "memory").iterdir())


def test_hermess_own_staged_write_outlives_our_waiting(gate: Gate) -> None:
    path = staged(gate, action="add", target="user", content="Prefere reuniões cedo")
    (found,) = gate.proposals.list()
    gate.later(days=31)
    assert gate.proposals.list() == ()
    assert gate.proposals.get(found.id).state is State.EXPIRED
    assert path.exists()
