"""Worlds, benches and reports: every number with its denominator."""
