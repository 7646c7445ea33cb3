"""What HFEA itself reports; each room adds its own classes beside the code that raises them.

HfeaError (exit 1: found something wrong)
├── UsageError (exit 2: the call or the settings need a correction)
└── Unavailable (exit 3: a lock is held, a store or an endpoint cannot be reached)
"""

from __future__ import annotations


class HfeaError(Exception):
    """Anything HFEA reports to a person, with a sentence that says what to do."""

    exit_code = 1


class UsageError(HfeaError):
    """The call or the settings need a correction."""

    exit_code = 2


class Unavailable(HfeaError):
    """Something needed is not there right now; trying again later may help."""

    exit_code = 3
