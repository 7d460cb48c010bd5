"""Markdown as HTML, without any HTML of its own: a lesson from elsewhere cannot bring a script into the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def html_of(text: str) -> str:
    """Markdown as HTML; what a run computes, [15](=greedy.cost), as <data class="stated" value="greedy.cost">15</data>.

    Raises InputError if markdown-it-py is not installed.
    """
    rendered: str = _markdown().render(text)
    return rendered


@cache
def _markdown() -> MarkdownIt:
    try:
        from markdown_it import MarkdownIt  # noqa: PLC0415  (of an extra)
    except ModuleNotFoundError:
        raise InputError("lessons need markdown-it-py, which is not installed: pip install 'bestfirst[studio]'") from None
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table").disable("image")
    is_safe, normal = markdown.validateLink, markdown.normalizeLink
    # A stated number is not an address: its expression stays as it is written.
    markdown.validateLink = lambda url: url.startswith("=") or is_safe(url)  # type: ignore[method-assign]
    markdown.normalizeLink = lambda url: url if url.startswith("=") else normal(url)  # type: ignore[method-assign]
    markdown.add_render_rule("link_open", _link_open)
    markdown.add_render_rule("link_close", _link_close)
    return markdown


def _link_open(renderer: Any, tokens: Sequence[Any], index: int, options: Any, _env: Any) -> str:
    address = str(tokens[index].attrGet("href"))
    if address.startswith("="):
        return f'<data class="stated" value="{escape(address[1:])}">'
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noreferrer")
    opened: str = renderer.renderToken(tokens, index, options, {})
    return opened


def _link_close(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    depth = 0
    for token in reversed(tokens[: index + 1]):
        depth += {"link_close": 1, "link_open": -1}.get(token.type, 0)
        if depth == 0:
            return "</data>" if str(token.attrGet("href")).startswith("=") else "</a>"
    return "</a>"
