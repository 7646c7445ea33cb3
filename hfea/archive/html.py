"""An episode as safe HTML for the web view: two walls, no raw HTML and an allow-list."""

from __future__ import annotations

import functools

import nh3
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

_TAGS = frozenset(
    "a abbr blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s section strong sub sup "
    "table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {
    "a": {"href", "id", "class"},
    "li": {"id", "class"},
    "section": {"class"},
    "sup": {"class"},
    "code": {"class"},
    "th": {"align"},
    "td": {"align"},
}


@functools.cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return markdown.use(front_matter_plugin).use(footnote_plugin)


def to_html(markdown: str) -> str:
    """Return *markdown* as HTML without scripts, handlers, styles, frames or remote pictures."""
    rendered = str(_markdown().render(markdown))
    return nh3.clean(
        rendered,
        tags=set(_TAGS),
        attributes={k: set(v) for k, v in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
