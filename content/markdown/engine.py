"""The Markdown tokenizer with the rules of the dialect."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import heading
from markdown_it.rules_inline import StateInline, image, link
from mdit_py_plugins.footnote import footnote_plugin

from content.markdown import block_rules
from content.markdown.emoji_names import SHORTCODE, code_of
from content.markdown.first_characters import BlockRules
from content.markdown.list_rule import list_block
from content.markdown.plain_paragraphs import inline_rest, plain_paragraph
from content.markdown.text_styles import note_escapes

# Characters that failed attempts at links may read in one document, in total.
_LINK_BUDGET = 2_000_000
_TERMINATES = ["paragraph", "reference", "blockquote", "list"]


class References(UserDict[str, Any]):
    """Link definitions, which remember what was asked for: the others must not get lost."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        if key in self.data:
            self.used.add(key)
        return self.data.get(key, default)


def make_engine() -> MarkdownIt:
    """CommonMark, tables, strikethrough, footnotes, math and the block tags.

    URLs are kept as written; `javascript:` and the like make no links.
    """
    # The engine's own limit would drop what is nested deeper; `depth_guard` keeps it.
    engine = MarkdownIt(
        "commonmark", {"maxNesting": 4 * block_rules.MAX_LEVEL, "inline_definitions": True}
    )
    engine.enable(["table", "strikethrough"])
    engine.use(footnote_plugin, inline=False)
    engine.core.ruler.disable("footnote_tail")
    block = engine.block.ruler
    block.before("table", "depth_guard", block_rules.depth_guard)
    block.after("depth_guard", "plain_paragraph", plain_paragraph)
    # Nothing but a table may start with the line of a heading, so it need not wait for its turn.
    block.after("table", "early_heading", heading)
    block.at("list", list_block, {"alt": ["paragraph", "reference", "blockquote"]})
    engine.core.ruler.at("inline", inline_rest)
    engine.core.ruler.before("text_join", "note_escapes", note_escapes)
    for name, rule in (
        ("tag", block_rules.tag_block),
        ("details", block_rules.details_block),
        ("math_block", block_rules.math_block),
        ("element", block_rules.element_block),
    ):
        block.before("html_block", name, rule, {"alt": _TERMINATES})
    engine.block.ruler = BlockRules(block)  # type: ignore[assignment]
    bound_links(engine)
    engine.inline.ruler.before("escape", "math_inline", _math_inline)
    engine.inline.ruler.after("escape", "emoji", _emoji)
    engine.normalizeLink = _unchanged  # type: ignore[method-assign]
    return engine


def bound_links(engine: MarkdownIt) -> MarkdownIt:
    """Limit how much text the engine reads in search of the ends of links; the same engine."""
    engine.inline.ruler.at("link", _bounded(link))
    engine.inline.ruler.at("image", _bounded(image))
    return engine


def _bounded(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """A link rule that gives up looking for the end of links once it has failed too often.

    Every `[` that opens no link makes the rule read to the end of the paragraph, also from within
    other attempts, so that a page of brackets would take minutes.
    """

    def bounded(state: StateInline, silent: bool) -> bool:
        left: int = state.env.get("link_budget", _LINK_BUDGET)
        if left <= 0:
            return False
        start = state.pos
        if rule(state, silent):
            return True
        if state.src.startswith(("[", "!["), start):
            state.env["link_budget"] = left - (state.posMax - start)
        return False

    return bounded


def _unchanged(url: str) -> str:
    return url


def _emoji(state: StateInline, silent: bool) -> bool:
    """`:name:` of an emoji that is known, not within a word."""
    match = SHORTCODE.match(state.src, state.pos, state.posMax)
    code = None if match is None else code_of(match.group(1))
    if match is None or code is None:
        return False
    if not silent:
        token = state.push("emoji", "", 0)
        token.content = match.group()
        token.meta = {"code": code}
    state.pos = match.end()
    return True


def _math_inline(state: StateInline, silent: bool) -> bool:
    """`$$formula$$` within one paragraph."""
    start = state.pos
    if not state.src.startswith("$$", start):
        return False
    end = state.src.find("$$", start + 2, state.posMax)
    if end <= start + 2:
        return False
    if not silent:
        token = state.push("math_inline", "", 0)
        token.content = state.src[start + 2 : end]
    state.pos = end + 2
    return True
