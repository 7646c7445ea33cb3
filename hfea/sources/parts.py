"""The text of a turn from the shapes that agents store it in; pictures become short stubs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from hfea.sources.slim import Omitted

_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "summary_text"})
_IMAGE_PARTS = frozenset({"image", "image_url", "input_image", "screenshot"})
LONGEST_PLACE = 200  # characters of a path or an address; anything longer is the picture itself
LONGEST_ARGUMENTS = 400  # characters of a tool call's arguments that are kept


def text_of(content: object) -> str:
    """Return the text of a content value: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return part_text(content)
    if isinstance(content, list):
        return "\n".join(filter(None, (text_of(part) for part in content)))
    return ""


def part_text(part: Mapping[str, Any]) -> str:
    """Return the text of one part: words as they are, a picture as size and hash."""
    kind = str(part.get("type") or "").lower()
    if kind in _TEXT_PARTS or (not kind and isinstance(part.get("text"), str)):
        return str(part.get("text") or "")
    if kind in _IMAGE_PARTS:
        return image_stub(part)
    if kind == "tool_result":
        return text_of(part.get("content"))
    return ""


def image_stub(part: Mapping[str, Any]) -> str:
    """Describe a picture by the size and hash of what encodes it; the data is dropped."""
    data = _longest_string(part)
    if isinstance(data, Omitted):
        return _stub(data.size, data.digest)
    source = part.get("source")
    encoded = isinstance(source, Mapping) and source.get("type") == "base64"
    if len(data) <= LONGEST_PLACE and not encoded:
        return f"[image: {data}]" if data and not data.startswith("data:") else "[image]"
    return _stub(len(data), hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest())


def _stub(size: int, digest: str) -> str:
    return f"[image: {size} characters, sha256 {digest[:16]}]"


def _longest_string(value: object) -> str:
    if isinstance(value, str):
        return value
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = (v for k, v in value.items() if k != "type")
    elif isinstance(value, list):
        inner = value
    return max(map(_longest_string, inner), key=_size, default="")


def _size(text: str) -> int:
    return text.size if isinstance(text, Omitted) else len(text)


def arguments_of(value: object) -> str:
    """Return a tool call's arguments as one short line; JSON in a string is looked into."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return _short(str(value))
    if isinstance(value, Mapping):
        return _short(", ".join(f"{k}={_plain(v)}" for k, v in value.items()))
    return _short(_plain(value))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_ARGUMENTS else line[: LONGEST_ARGUMENTS - 1] + "…"
