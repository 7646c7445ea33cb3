"""The inputs of the shared cases, copied so that a test may change them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from source_reading import writable_copy


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Copy the inputs of a case into the test's own folder."""

    def copy(name: str) -> Path:
        return writable_copy(shared / "cases" / "files" / name, tmp_path / name)

    return copy
