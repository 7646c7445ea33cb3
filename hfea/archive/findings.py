"""What is wrong with a file of the archive, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a stable code, the file below the root, and a sentence.

    Codes: `changed`, `missing`, `unreadable`, `forged_seal`, `broken_chain`, `rolled_back`,
    `truncated`, `dangling`, `unfinished`, `link`, `mode`, `foreign`, `wrong_head`.
    """

    code: str
    path: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"
