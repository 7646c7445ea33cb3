"""What may stand in HTML that is shown, and a check that nothing else does."""

from __future__ import annotations

import re
from html.parser import HTMLParser

SAFE = {
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "strong",
    "em",
    "code",
    "a",
    "sup",
    "section",
    "hr",
    "blockquote",
    "pre",
    "br",
    "del",
    "s",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def tags(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    return parser


def check_safe(html: str) -> None:
    for tag, attributes in tags(html).found:
        assert tag in SAFE, tag
        assert not any(a.startswith("on") or a == "style" for a in attributes)
        target = (attributes.get("href") or "").lower()
        assert not re.match(r"\s*(javascript|data|vbscript):", target)
