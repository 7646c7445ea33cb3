"""Error notices of model providers that agents record as if the assistant had spoken."""

from __future__ import annotations

import re

ERROR_NOTICE = "error_notice"
_LONGEST = 600  # characters; a longer text is an answer that speaks of errors, not a notice
_NOTICE = re.compile(
    r"""^\W*(?:
      api\ (?:error|call\ failed|request\ failed) | error\ code:?\ \d{3} | http\ (?:4|5)\d\d\b
    | (?:rate|usage|session|weekly|account)\ ?limit\ (?:reached|exceeded|hit)
    | limit\ reached\ for | you(?:'|’)ve\ (?:hit|reached)\ your\ .{0,20}limit
    | (?:429|500|502|503|504|529)\b.{0,40}(?:error|overload|unavailable|too\ many|gateway|timeout)
    | overloaded_error | provider\ (?:error|returned)
    | (?:the\ )?model\ is\ (?:currently\ )?overloaded
    | connection\ error\.? | request\ timed\ out | context\ length\ exceeded
    | insufficient\ (?:credits?|quota|balance) | invalid\ api\ key | prompt\ is\ too\ long
    | credit\ balance\ is\ too\ low | error\ (?:generating|communicating)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def is_notice(text: str) -> bool:
    """Whether an assistant's whole text is a provider's error notice."""
    return len(text) <= _LONGEST and bool(_NOTICE.match(text.strip()))
