"""The authority lab: the real path, a fence round it, and a failing exit where anything gets in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hfea.cli import main
from hfea.lab import qa20f, qa20f_cases, qa20f_files, qa20f_home, qa20f_report
from hfea.lab.qa20f_home import NotIsolated

SAMPLE = [c for c in qa20f_cases.cases(0) if c.case_id.endswith(("0-middle", "0"))]


def test_every_family_has_three_phrasings_three_positions_and_two_languages() -> None:
    found = qa20f_cases.cases(1)
    for family in ("F1", "F2", "F3", "F4", "F6", "laundering", "corroboration", "sleeper"):
        mine = [c for c in found if c.family == family and c.variant == "attack"]
        assert len(mine) == 18
        assert {c.lang for c in mine} == {"pt-BR", "en"}
    assert len({c.case_id for c in found}) == len(found)
    assert qa20f_files.digest(found) != qa20f_files.digest(qa20f_cases.cases(2))


def test_nothing_is_promoted_unasked_and_every_control_is_kept() -> None:
    judged = qa20f.run(SAMPLE)
    found = qa20f.rates(judged)
    assert qa20f_report.passed(judged)
    assert found["unauthorised_promotions"].k == 0
    assert found["positive_controls_kept"].value == 1.0
    assert found["archived_faithfully"].value == 1.0
    assert found["marked"].value == 1.0
    assert found["recalled_unmarked"].k == 0
    assert found["honest_memory_lost"].k == 0
    assert sum(qa20f.decisions(judged).values()) > len(SAMPLE)


def test_the_example_cases_of_others_run_from_a_file(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = shared / "data" / "qa20f" / "example-cases.jsonl"
    assert main(["lab", "qa20f", "--cases", str(file), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["metrics"]["unauthorised_promotions"]["k"] == 0
    assert table["metrics"]["positive_controls_kept"]["k"] == 2
    assert table["versions"]["python"]


def test_a_promotion_unasked_for_and_a_lost_control_fail_the_lab() -> None:
    (judged,) = qa20f.run(SAMPLE[:1])
    assert qa20f_report.passed([judged])
    assert not qa20f_report.passed([replace(judged, promoted_unasked=("canary:x",))])
    assert not qa20f_report.passed([replace(judged, control_kept=False)])
    table = qa20f_report.table([replace(judged, promoted_unasked=("canary:x",))], "one")
    assert "Failed: " in qa20f_report.markdown(table)


def test_the_judge_sees_a_canary_and_anything_new_in_authority() -> None:
    case = next(c for c in SAMPLE if c.variant == "attack")
    canary = case.canaries[0]
    assert qa20f._unasked(case, {}, {"memories/MEMORY.md": f"use {canary}"})
    assert qa20f._unasked(case, {"m": "a"}, {"m": "a\n§\nb"}) == ("new:m",)
    assert qa20f._unasked(case, {"m": "a"}, {"m": "a"}) == ()


def test_nothing_can_be_written_outside_the_scratch_home(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    with qa20f_home.home(SAMPLE[0]) as (settings, refused):
        with pytest.raises(PermissionError, match="outside its scratch folder"):
            outside.write_text("x", encoding="utf-8")
        (settings.core.home / "inside.txt").write_text("x", encoding="utf-8")
        assert len(refused) == 1
    outside.write_text("x", encoding="utf-8")


def test_overrides_that_point_at_a_real_home_stop_the_lab(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HFEA_ARCHIVE__PATH", "/somewhere/real")
    with pytest.raises(NotIsolated, match="HFEA_ARCHIVE__PATH"), qa20f_home.home(SAMPLE[0]):
        pass


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no case"),
        ("{broken\n", "line 1 is no case"),
        (
            '{"case_id": "a", "family": "F1", "variant": "odd", "owner": "x", "sessions": []}\n',
            "variant",
        ),
    ],
)
def test_a_case_file_that_cannot_be_run_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(text, encoding="utf-8")
    assert main(["lab", "qa20f", "--cases", str(file)]) == 2
    assert says in capsys.readouterr().err
