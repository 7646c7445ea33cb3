# ruff: noqa: ANN001 - fixtures are named for what they are
"""The LoCoMo lab on a made-up conversation of its shape; the real ones stay where they are."""

from __future__ import annotations

import json

import pytest

from hfea.cli import main
from hfea.errors import UsageError
from hfea.lab import locomo, locomo_files, locomo_weights
from memory_core.retrieval.embedding import normalised

LINES = (
    ("Tia Lu", "Bom dia, Caio! Tudo certo?"),
    ("Caio", "Tudo! Ontem comprei um violino usado na feira."),
    ("Tia Lu", "Que ótimo. E quanto custou?"),
    ("Caio", "Custou 740 reais, com o estojo."),
    ("Tia Lu", "My sister moved to Recife last week."),
    ("Caio", "Give her a hug. I adopted a parrot named Farofa."),
)
NAMES = {"recall@5", "recall@10", "hit@1", "mrr@10", "mrr_conditional"}


def conversation(name: str) -> dict:
    turns = [
        {"speaker": who, "dia_id": f"D1:{n}", "text": text}
        for n, (who, text) in enumerate(LINES, start=1)
    ]
    turns[1]["blip_caption"] = "a photo of a wooden instrument"
    return {
        "speaker_a": "Tia Lu",
        "speaker_b": "Caio",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns,
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Caio", "dia_id": "D2:1", "text": f"Até logo, {name}!"}],
        "qa": [
            {"question": "O que o Caio comprou?", "evidence": ["D1:2"], "category": 4},
            {"question": "Quanto custou o violino?", "evidence": ["D1:02; D:1:4"], "category": 1},
            {"question": "Which parrot did Caio adopt?", "evidence": ["D1:6"], "category": 4},
            {"question": "What did Tia Lu adopt?", "evidence": ["D1:6"], "category": 5},
            {"question": "Nobody knows?", "evidence": ["D9:9"], "category": 4},
            {"question": "Nothing?", "evidence": [], "category": 1},
        ],
    }


@pytest.fixture
def folder(tmp_path):
    for name in ("26", "x"):
        (tmp_path / f"{name}.json").write_text(json.dumps(conversation(name)), encoding="utf-8")
    return tmp_path


def test_evidence_ids_glued_together_or_padded_are_read_and_category_5_is_left_out(folder):
    found = locomo_files.read(folder)[0]
    assert [q.gold for q in found.questions] == [{"D1:2"}, {"D1:2", "D1:4"}, {"D1:6"}]
    assert found.rows[1].beside == "a photo of a wooden instrument"
    assert found.rows[6].thread != found.rows[5].thread


def test_the_command_prints_one_object_with_metrics_and_a_row_a_question(folder, capsys):
    assert main(["lab", "locomo", str(folder), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert set(table) == {"snapshot_sha256", "question_set", "metrics", "per_question"}
    assert set(table["metrics"]) >= NAMES
    assert all(set(m) == {"value", "k", "n", "low", "high"} for m in table["metrics"].values())
    assert table["metrics"]["recall@10"]["n"] == len(table["per_question"]) == 6
    assert table["metrics"]["held_out:hit@1"]["n"] == 3
    assert {"bm25:recall@10", "fusion:recall@10", "ours-bm25:recall@10"} <= set(table["metrics"])
    assert table["snapshot_sha256"] == locomo_files.snapshot(folder)


def test_two_runs_print_the_same(folder):
    given = locomo_files.read(folder)
    runs = [locomo.run(given, None, lambda *_: None) for _ in range(2)]
    assert runs[0] == runs[1]


def test_the_first_turn_of_an_easy_question_is_the_right_one(folder):
    found = locomo.run(locomo_files.read(folder)[:1], None, lambda *_: None)
    assert found[0].ranked[locomo.OURS][0] == "D1:2"
    assert found[2].ranked[locomo.OURS][0] == "D1:6"


def test_a_folder_without_conversations_or_with_another_shape_is_said_so(tmp_path):
    with pytest.raises(UsageError):
        locomo_files.read(tmp_path)
    (tmp_path / "y.json").write_text('{"qa": 3}', encoding="utf-8")
    with pytest.raises(UsageError):
        locomo_files.read(tmp_path)


class Flat:
    """A model to which all texts are nearly alike."""

    model = "flat"

    def query(self, text):
        return normalised([1.0, len(text) / 1000, 0.5])

    def passages(self, texts):
        return [self.query(t) for t in texts]


def test_weights_are_fitted_on_what_was_developed_on_and_cover_every_signal(folder, tmp_path):
    file = tmp_path / "ranking-9.json"
    locomo_weights.write(file, locomo_files.read(folder), Flat(), lambda *_: None)
    table = json.loads(file.read_text(encoding="utf-8"))
    assert table["fitted_on"] == "LoCoMo 26"
    shipped = locomo_weights.ranking.weights
    assert set(table["lexical"]) == set(shipped("lexical"))
    assert set(table["vectors"]) == set(shipped("vectors"))


def test_a_model_changes_the_ranking_and_never_the_questions(folder):
    given = locomo_files.read(folder)
    plain = locomo.run(given, None, lambda *_: None)
    with_model = locomo.run(given, Flat(), lambda *_: None)
    assert [a.asking for a in plain] == [a.asking for a in with_model]
    assert all(len(set(a.ranked[locomo.OURS])) == len(a.ranked[locomo.OURS]) for a in with_model)
