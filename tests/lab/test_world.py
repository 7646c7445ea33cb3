"""A world runs through the real night, core and fallback, and its rates keep their denominators."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from hfea.cli import main
from hfea.intervals import Rate
from hfea.lab import scoring, world, world_files


def _write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A world of one session: one fact in the core, one told only in the talk, one never told."""
    said = [
        ("user", "Dora", "Decidi trocar o fornecedor de farinha pelo Moinho Azul porque atrasou."),
        ("assistant", "Tino", "Anotado: Moinho Azul no lugar do anterior."),
    ]
    sessions: list[dict[str, object]] = [
        {
            "id": f"m{n}",
            "session_id": "s1",
            "ts": f"2026-05-04T10:0{n}:00-03:00",
            "role": role,
            "author": who,
            "content": text,
        }
        for n, (role, who, text) in enumerate(said)
    ]
    _write(tmp_path, "sessions.jsonl", sessions)
    fact = {"fact_id": "F1", "layer": "facts", "subject": "padaria", "source": []}
    fact |= {"text": "A padaria de Dora abre às 6h.", "recorded_at": "2026-05-01"}
    _write(tmp_path, "facts.jsonl", [fact | {"valid_from": "2026-05-01", "valid_to": None}])
    asked = [
        ("Q1", "A que horas abre a padaria de Dora?", "core", ["6h"]),
        ("Q2", "Por que Dora trocou o fornecedor de farinha?", "archive", ["atrasou"]),
        ("Q3", "Qual é a placa do carro do Moinho Azul?", "none", []),
    ]
    questions: list[dict[str, object]] = [
        {"qid": qid, "lang": "pt", "question": text, "asked_at": "2026-05-06T09:00:00-03:00"}
        | {"answerable_from": source, "must_have": wanted, "contradiction": False}
        | {"evidence": ["m0"] if source == "archive" else [], "kind": "x"}
        for qid, text, source, wanted in asked
    ]
    _write(tmp_path, "questions.jsonl", questions)
    return tmp_path


def test_each_class_of_question_ends_where_it_belongs(small: Path) -> None:
    given = world_files.read(small)
    rows = {row["qid"]: row for row in world.run(given, "none")}
    assert given.owner == "Dora"
    assert (rows["Q1"]["outcome"], rows["Q1"]["archive_opened"]) == ("grounded", False)
    assert (rows["Q2"]["outcome"], rows["Q2"]["grounded_in"]) == ("grounded", "archive")
    assert (rows["Q3"]["outcome"], rows["Q3"]["archive_opened"]) == ("gap", True)
    rates = scoring.score(given.labels, list(rows.values()))
    assert rates["right_route"] == Rate(3, 3)
    assert rates["evidence_recall@5"] == Rate(1, 1)


def test_the_command_prints_one_object_in_the_shape_of_the_design(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "world", str(small), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert {"snapshot_sha256", "question_set", "metrics", "per_question"} <= table.keys()
    assert table["metrics"]["archive_call"]["n"] == 3
    assert {"value", "k", "n", "low", "high"} == table["metrics"]["rescue"].keys()
    assert [row["qid"] for row in table["per_question"]] == ["Q1", "Q2", "Q3"]


def test_the_system_never_sees_a_label(small: Path) -> None:
    asked = world_files.read(small).questions[1]
    assert set(asked.__slots__) == {"qid", "text", "asked_at"}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("questions.jsonl", '{"qid": "Q1"}\n', "row 1 needs qid, question and asked_at"),
        ("questions.jsonl", "{broken\n", "line 1 is no JSON object"),
        ("world.json", "[]", "is no JSON object"),
        ("facts.jsonl", None, "has no facts.jsonl"),
    ],
)
def test_a_folder_that_is_no_world_is_one_sentence(
    small: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, says: str
) -> None:
    if text is None:
        (small / name).unlink()
    else:
        (small / name).write_text(text, encoding="utf-8")
    assert main(["lab", "world", str(small)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_misses_count_as_errors_never_dropped() -> None:
    label = {"qid": "1", "answerable_from": "archive", "evidence": ["m1"], "must_have": ["x"]}
    rates = scoring.score([label], [])
    assert rates["missed_trigger"] == Rate(1, 1)
    assert rates["evidence_recall@5"] == Rate(0, 1)
    assert rates["must_have"] == Rate(0, 1)


def test_wilson_gives_the_published_interval() -> None:
    low, high = Rate(5, 10).interval()
    assert low == pytest.approx(0.2366, abs=1e-4)
    assert high == pytest.approx(0.7634, abs=1e-4)
    assert Rate(0, 0).table() == {"value": None, "k": 0, "n": 0, "low": None, "high": None}
    with pytest.raises(ValueError, match="2 of 1"):
        Rate(2, 1)


def test_our_rates_are_those_of_the_scorer_that_decides(shared: Path) -> None:
    """The worlds' own scorer and ours agree on every rate both know."""
    path = shared / "data" / "worlds" / "score_world.py"
    spec = importlib.util.spec_from_file_location("score_world", path)
    assert spec
    assert spec.loader
    theirs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    given = world_files.read(shared / "data" / "worlds" / "world-a")
    rows = world.run(given, "none")
    decided = theirs.metrics(list(zip(given.labels, rows, strict=True)))
    ours = scoring.score(given.labels, rows)
    for name in set(decided) & set(ours):
        assert (ours[name].k, ours[name].n) == (decided[name]["k"], decided[name]["n"]), name


def test_mcnemar_is_the_exact_binomial() -> None:
    assert scoring.mcnemar(0, 0) == 1.0
    assert scoring.mcnemar(10, 0) == pytest.approx(2 / 1024)
