"""What a verdict sees of each question of a world, before and after the archive, with its label."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hfea import wiring
from hfea.asking import resolver
from hfea.lab.world import scratch
from hfea.lab.world_files import World
from hfea.night.run import Order, Watch

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled question: where its answer is, and the signals in both reports."""

    world: str
    qid: str
    answerable_from: str
    core: Mapping[str, float]
    wide: Mapping[str, float]
    conflict: bool


def collect(world: World, history: str, tell: Tell = lambda *_: None) -> list[Sample]:
    """Run a world's nights and look at every question twice; nothing is answered."""
    samples = []
    with scratch(world, history) as settings:
        wiring.consolidate(settings, Order(), Watch(tell=tell))
        with resolver(settings) as opened:
            for number, (asked, label) in enumerate(
                zip(world.questions, world.labels, strict=True)
            ):
                tell("looking", number, len(world.questions))
                core, wide = opened.both(asked.text, asked_at=asked.asked_at)
                samples.append(
                    Sample(
                        world.name,
                        asked.qid,
                        str(label["answerable_from"]),
                        opened.signals(asked.text, core),
                        opened.signals(asked.text, wide),
                        bool(core.conflicts),
                    )
                )
    return samples
