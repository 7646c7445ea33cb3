"""Hermes: `state.db` of one home or profile, schemas 6 to 30 by column presence."""

from hfea.sources.hermes.source import HermesSource, hermes_profiles

__all__ = ["HermesSource", "hermes_profiles"]
