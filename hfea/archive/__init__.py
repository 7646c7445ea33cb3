"""Dated Markdown, evidence and seals on disk, and the derived index over them."""
