"""Core first; the archive only by ticket, and every opening judged."""
