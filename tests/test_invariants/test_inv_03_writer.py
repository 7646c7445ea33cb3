"""Invariant 3, the writer: what is sealed or appended again changes no byte and no time."""

from __future__ import annotations

from pathlib import Path

from sealed_days import DAY, LATE, ONE, TWO, addendum, archive, episode, snapshot


def test_inv_03_sealing_the_same_day_again_changes_no_byte_and_no_time(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    before = snapshot(store.root)
    for _ in range(5):
        assert not archive(tmp_path, "other").seal(episode([ONE]), [ONE]).changed
    assert snapshot(store.root) == before


def test_inv_03_c06_appending_again_and_then_one_new_message_touches_that_day_alone(
    tmp_path: Path,
) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    store.append(DAY, addendum([LATE]), [LATE])
    before = snapshot(store.root)
    for _ in range(5):
        again = archive(tmp_path, "other")
        assert again.recover() == ()
        assert not again.append(DAY, addendum([LATE]), [LATE]).changed
    assert snapshot(store.root) == before
    assert store.append(DAY, addendum([TWO], "later"), [TWO]).changed
    changed = {name for name, state in snapshot(store.root).items() if before.get(name) != state}
    assert {name.rpartition("/")[2].partition(".")[0] for name in changed} == {str(DAY), "head"}


def test_inv_03_the_same_inputs_and_salts_give_the_same_bytes(tmp_path: Path) -> None:
    trees = []
    for name in ("one", "two"):
        store = archive(tmp_path / name)
        store.seal(episode([ONE, TWO]), [TWO, ONE])
        store.append(DAY, addendum([LATE]), [LATE])
        trees.append({place: body for place, (body, _) in snapshot(store.root).items()})
    assert trees[0] == trees[1]
