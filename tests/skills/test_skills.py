"""Skills as Hermes keeps them: found by need, with version and hash, and never written here."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.layers.skills import find, passages, skills, stamp


def make(folder: Path, place: str, description: str, body: str = "", **head: str) -> Path:
    path = folder / place
    path.mkdir(parents=True)
    lines = [
        f"name: {path.name}",
        f"description: {description}",
        *(f"{k}: {v}" for k, v in head.items()),
    ]
    (path / "SKILL.md").write_text(
        "---\n" + "\n".join(lines) + f"\n---\n{body}\n", encoding="utf-8"
    )
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "skills"
    make(
        root,
        "casa/rega",
        "Regar o jardim nos dias secos",
        "Abrir a torneira.",
        version="2.1.0",
        metadata="{hermes: {tags: [jardim, água], related_skills: [poda]}}",
    )
    make(root, "trabalho/deploy-fly", "Deploy the API to Fly.io", "Run the tests. fly deploy")
    make(root, "nota-fiscal", "Emitir a nota fiscal do mês", "Entrar no portal.")
    return root


def test_the_shipped_skill_is_read_whole(shared: Path) -> None:
    (one,) = skills(shared / "data" / "hermes-home" / "skills")
    assert (one.name, one.version, one.category, one.uses) == ("deploy-fly", "1.0.0", "devops", 2)
    assert one.tags == ("deploy", "fly")
    assert one.support == ("references/rollback.md",)
    assert one.problems == ()


@pytest.mark.parametrize(
    ("need", "name"),
    [
        ("como faço para regar as plantas do jardim?", "rega"),
        ("deploying to fly", "deploy-fly"),
        ("emissão de notas fiscais", "nota-fiscal"),
        ("água", "rega"),
    ],
)
def test_a_need_finds_its_skill_in_other_forms_of_its_words(
    folder: Path, need: str, name: str
) -> None:
    assert find(need, skills(folder))[0].skill.name == name


@pytest.mark.parametrize("need", ["", "?", "qual o preço do café em Lisboa", "who won the match"])
def test_what_no_skill_speaks_of_finds_none(folder: Path, need: str) -> None:
    assert find(need, skills(folder)) == ()


def test_the_hash_moves_with_the_text_and_the_tree_hash_with_a_support_file(folder: Path) -> None:
    before = {s.name: s for s in skills(folder)}
    (folder / "casa" / "rega" / "references").mkdir()
    (folder / "casa" / "rega" / "references" / "bomba.md").write_text("a bomba", encoding="utf-8")
    after = {s.name: s for s in skills(folder)}
    assert after["rega"].digest == before["rega"].digest
    assert after["rega"].tree != before["rega"].tree
    assert after["deploy-fly"].tree == before["deploy-fly"].tree


def test_archived_ignored_and_inner_trees_are_no_skills(folder: Path, tmp_path: Path) -> None:
    make(folder, ".archive/velha", "Uma skill velha")
    make(folder, "casa/rega/templates/outra", "Dentro de outra")
    make(folder, "node_modules/pacote", "De um pacote")
    make(tmp_path / "fora", "x", "De fora")
    (folder / "porta").symlink_to(tmp_path / "fora")
    assert sorted(s.name for s in skills(folder)) == ["deploy-fly", "nota-fiscal", "rega"]


def test_what_hermes_would_not_take_is_said_and_nothing_is_lost(folder: Path) -> None:
    make(folder, "longa", "d" * 1025)
    (folder / "sem").mkdir()
    (folder / "sem" / "SKILL.md").write_text("só texto\n", encoding="utf-8")
    (folder / "bom").mkdir()
    (folder / "bom" / "SKILL.md").write_text(
        "\ufeff---\nname: bom\ndescription: ok\n---\ncorpo\n", encoding="utf-8"
    )
    found = {s.name: s.problems for s in skills(folder)}
    assert found["longa"] == ("description_too_long",)
    assert found["sem"] == ("no_front_matter",)
    assert found["bom"] == ()


def test_reading_writes_nothing(folder: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*")}
    list(skills(folder)), list(passages(folder)), stamp(folder)
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*")} == before
