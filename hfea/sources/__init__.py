"""Readers of agents' histories; each yields messages and problems, nothing else."""
