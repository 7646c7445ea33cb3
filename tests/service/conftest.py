"""The service's fixtures: a house with two sealed days, served on a free loopback port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from service_world import Live, make_live, sealed_house

from hfea.service.limits import Limits


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One house and service for all tests that leave it as it was."""
    found, stop = make_live(
        sealed_house(tmp_path_factory.mktemp("house")), Limits(rate=5000, burst=5000)
    )
    yield found
    stop()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Live]:
    """A house and service for one test."""
    found, stop = make_live(sealed_house(tmp_path))
    yield found
    stop()


@pytest.fixture
def as_agent(live: Live) -> Iterator[httpx.Client]:
    with live.client(live.agent) as client:
        yield client


@pytest.fixture
def as_owner(live: Live) -> Iterator[httpx.Client]:
    with live.client(live.maintainer) as client:
        yield client
