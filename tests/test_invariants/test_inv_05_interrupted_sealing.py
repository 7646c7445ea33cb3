"""Invariant 5 in brief; tests/test_faults has every call and real kills."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from faults import before, failing, story, tree


@pytest.mark.parametrize("number", range(2, 60, 3))
def test_inv_05_one_more_run_leaves_what_an_uninterrupted_one_would_have_left(
    tmp_path: Path, number: int
) -> None:
    before(tmp_path / "cut")
    shutil.copytree(tmp_path / "cut", tmp_path / "whole")
    story(tmp_path / "whole")
    with pytest.raises(OSError, match="Input/output"):
        story(tmp_path / "cut", failing(number, errno.EIO, forever=True))
    story(tmp_path / "cut")
    assert tree(tmp_path / "cut") == tree(tmp_path / "whole")
