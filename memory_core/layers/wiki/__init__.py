"""Wiki: folders of Markdown, indexed by heading; looked up by `ask` and by hand only."""

from __future__ import annotations

from memory_core.layers.wiki.links import Broken, Graph, graph
from memory_core.layers.wiki.pages import LAYER, Page, oddities, page_files, pages, passages, stamp
from memory_core.layers.wiki.reading import Heading, Link, Section, read

__all__ = [
    "LAYER",
    "Broken",
    "Graph",
    "Heading",
    "Link",
    "Page",
    "Section",
    "graph",
    "oddities",
    "page_files",
    "pages",
    "passages",
    "read",
    "stamp",
]
