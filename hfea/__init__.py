"""HFEA: the High-Fidelity Episodic Archive of a long-lived personal agent."""

__version__ = "0.1.0"
