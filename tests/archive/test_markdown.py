from __future__ import annotations

import os

from episodes import addenda, episodes
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hfea.archive import parse, render
from hfea.episode import Addendum, Episode

EXAMPLES = 5000 if os.environ.get("HFEA_PROFILE") == "soak" else 150


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(episodes, st.lists(addenda, max_size=2), st.integers(1, 10**6))
def test_inv_11_parsing_is_the_exact_inverse_of_rendering_on_hostile_text(
    episode: Episode, later: list[Addendum], sequence: int
) -> None:
    text = render.episode(episode, sequence)
    text += "".join(render.addendum(a, episode.zone) for a in later)
    text.encode()
    assert parse.document(text) == parse.Document(episode, tuple(later), sequence)
