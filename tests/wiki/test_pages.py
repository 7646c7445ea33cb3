"""Wiki folders: headings, links and passages; what is no page; fresh after every save."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.core import ASK, PREFETCH, RECALL, CoreSettings, MemoryCore
from memory_core.layers import wiki
from memory_core.layers.wiki import graph, oddities, pages, passages, read, stamp

NOON = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
PAGE = """---
title: Obra da cozinha
aliases: [reforma, kitchen]
tags: casa, obra
---
Antes de tudo.

# Obra da cozinha

Ver [[fornecedores|quem vende]] e [o prazo](prazos/maio.md#Datas). #urgente

```sh
# isto é código
[[não é link]]
```

## Azulejos

Escolhidos: branco. `[[nem isto]]` <!-- segredo -->

Pintura
-------

Depois da obra.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "wiki"
    (root / "prazos").mkdir(parents=True)
    (root / "obra.md").write_text(PAGE, encoding="utf-8")
    (root / "Fornecedores.md").write_text(
        "# Fornecedores\nAurora Tintas. Ver [[reforma]].\n", encoding="utf-8"
    )
    (root / "prazos" / "maio.md").write_text(
        "# Maio\n## Datas\nDia 12. [obra](../obra.md)\n", encoding="utf-8"
    )
    return root


def test_headings_links_tags_and_names_are_read(folder: Path) -> None:
    page = next(p for p in pages([folder]) if p.place == "obra.md")
    assert (page.title, page.names) == ("Obra da cozinha", ("reforma", "kitchen"))
    assert set(page.tags) == {"casa", "obra", "urgente"}
    assert [(h.level, h.text) for h in page.headings] == [
        (1, "Obra da cozinha"),
        (2, "Azulejos"),
        (2, "Pintura"),
    ]
    assert {(link.target, link.anchor, link.text) for link in page.links} == {
        ("fornecedores", "", "quem vende"), ("prazos/maio.md", "Datas", "o prazo"),
    }  # fmt: skip


def test_each_section_stands_below_its_headings_and_comments_are_not_shown() -> None:
    found = {s.path: s.text for s in read(PAGE).sections}
    assert found[()] == "Antes de tudo."
    assert "# isto é código" in found["Obra da cozinha",]
    assert found["Obra da cozinha", "Pintura"] == "Depois da obra."
    assert "segredo" not in found["Obra da cozinha", "Azulejos"]


def test_links_resolve_by_path_name_title_and_alias_and_both_ways(folder: Path) -> None:
    found = graph(list(pages([folder])))
    assert set(found.links[0, "obra.md"]) == {(0, "Fornecedores.md"), (0, "prazos/maio.md")}
    assert set(found.back[0, "obra.md"]) == {(0, "Fornecedores.md"), (0, "prazos/maio.md")}
    assert found.broken == ()
    (folder / "prazos" / "maio.md").write_text(
        "# Maio\n[[ninguém]] [x](../obra.md#Telhado)\n", encoding="utf-8"
    )
    broken = {(b.link.target, b.why) for b in graph(list(pages([folder]))).broken}
    assert broken == {("ninguém", "page"), ("../obra.md", "anchor"), ("prazos/maio.md", "anchor")}


def test_o13_what_editors_and_sync_tools_leave_is_no_page(folder: Path) -> None:
    for name in (
        ".obra.md.swp",
        ".trash.md",
        "obra.md~",
        "x.sync-conflict-1.md",
        "nota (Ana's conflicted copy).md",
    ):
        (folder / name).write_text("# Fantasma\n", encoding="utf-8")
    assert not any("Fantasma" in p.title for p in pages([folder]))
    assert {(p.name, why) for p, why in oddities([folder])} == {
        ("x.sync-conflict-1.md", "conflict_copy"), ("nota (Ana's conflicted copy).md", "conflict_copy"),
    }  # fmt: skip


def test_a_link_that_leads_outside_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("# Fora\n", encoding="utf-8")
    (folder / "porta.md").symlink_to(tmp_path / "outside.md")
    assert not any(p.title == "Fora" for p in pages([folder]))
    assert [(p.name, why) for p, why in oddities([folder])] == [("porta.md", "outside")]


def test_two_folders_may_hold_pages_of_one_name(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "obra.md").write_text("# Outra obra\nTelhado.\n", encoding="utf-8")
    keys = [p.key for p in passages([folder, other])]
    assert len(keys) == len(set(keys))
    assert any("Telhado" in p.text for p in passages([folder, other]))


def test_odd_bytes_and_odd_front_matter_lose_no_page(folder: Path) -> None:
    (folder / "latin.md").write_bytes(b"# Caf\xe9\ncaf\xe9 da manh\xe3\n")
    (folder / "broken.md").write_text("---\n: [\n---\n# Título\ncorpo\n", encoding="utf-8")
    found = {p.place: p for p in pages([folder])}
    assert "caf" in found["latin.md"].sections[0].text
    assert found["broken.md"].title == "Título"


def test_the_stamp_moves_with_every_save(folder: Path) -> None:
    before = stamp([folder])
    assert stamp([folder]) == before
    (folder / "obra.md").write_text(PAGE.replace("branco", "cinza!"), encoding="utf-8")
    assert stamp([folder]) != before


def test_the_wiki_is_asked_before_a_ticket_and_never_in_recall_or_prefetch(
    folder: Path, tmp_path: Path
) -> None:
    assert wiki.LAYER in ASK
    assert wiki.LAYER not in RECALL
    assert wiki.LAYER not in PREFETCH
    core = MemoryCore(CoreSettings(home=tmp_path, wiki=(folder,)))
    question = "Quais azulejos foram escolhidos na obra da cozinha?"
    assert core.recall(question, asked_at=NOON).evidence == ()
    report, _ = core.consult(question, asked_at=NOON)
    assert any("branco" in e.text for e in report.evidence)
    (folder / "obra.md").write_text(PAGE.replace("branco", "cinza"), encoding="utf-8")
    report, _ = core.consult(question, asked_at=NOON)
    assert any("cinza" in e.text for e in report.evidence)
    core.close()


@given(st.text(max_size=300))
def test_any_text_is_a_page_and_its_words_stay_in_it(text: str) -> None:
    found = read(text)
    assert all(s.text.strip() for s in found.sections)


WORDS = st.lists(st.sampled_from(["um", "dois", "três"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(st.tuples(st.integers(1, 6), WORDS, WORDS), max_size=8))
def test_every_paragraph_is_in_exactly_one_section(parts: list[tuple[int, str, str]]) -> None:
    text = "\n\n".join(
        f"{'#' * level} {n} {title}\n\np{n}x {body}" for n, (level, title, body) in enumerate(parts)
    )
    sections = read(text).sections
    for n, (_, title, body) in enumerate(parts):
        (one,) = [s for s in sections if f"p{n}x " in s.text]
        assert one.path[-1] == f"{n} {title}"
        assert body in one.text
