"""The Markdown tokenizer with the rules of the dialect.

A line is shown to those block rules only that its first character may concern.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Sequence
from string import digits, punctuation
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import validateLink
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock, heading
from markdown_it.rules_inline import StateInline, image, link
from mdit_py_plugins.footnote import footnote_plugin

from content.emoji import MARKDOWN_SHORTCODE, code_of, with_tone
from content.markdown import block_rules
from content.markdown.block_rules import inline_rest, list_block, plain_paragraph
from content.markdown.component_tabs import component_tabs
from content.markdown.emphasis import read_emphasis, read_strikethrough
from content.markdown.line_tags import tag_line
from content.markdown.text_styles import note_escapes
from content.script_addresses import runs_script

# What the first line of a block starts with; rules that are not named here look at any line.
_STARTS = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": f"*+-{digits}",
    "reference": "[",
    "footnote_def": "[",
    "early_heading": "#",
    "heading": "#",
    "html_block": "<",
    "tag": "{",
    "tag_line": "{",
    "details": "<",
    "math_block": "$",
    "element": "<",
    "component_tabs": "<",
}
# No rule is left out for other characters: some rules overlook blanks that only Unicode knows.
_ASCII = digits + punctuation


class BlockRules:
    """The chains of a ruler, each of them one rule that calls those it needs.

    Of some twenty rules nearly all look at the first character of a line and return, and they are
    asked at every line of a paragraph and at every item of a list.
    """

    def __init__(self, ruler: Ruler[RuleFuncBlockType]) -> None:
        self.ruler = ruler
        names = ruler.get_active_rules()
        self._names = {rule: name for name, rule in zip(names, ruler.getRules(""), strict=True)}
        self._chains: dict[str, list[RuleFuncBlockType]] = {}

    def getRules(self, chain: str) -> Sequence[RuleFuncBlockType]:
        """The one rule of a chain, as the library asks for it."""
        chain_rules = self._chains.get(chain)
        if chain_rules is None:
            rules = [(self._names[rule], rule) for rule in self.ruler.getRules(chain)]
            chain_rules = self._chains[chain] = [_by_first_character(rules)]
        return chain_rules

    def get_active_rules(self) -> list[str]:
        """The names of all rules."""
        return self.ruler.get_active_rules()


def _by_first_character(
    rules: Sequence[tuple[str, RuleFuncBlockType]],
) -> Callable[[StateBlock, int, int, bool], bool]:
    whole = tuple(rule for _, rule in rules)
    rules_of = {
        character: tuple(rule for name, rule in rules if character in _STARTS.get(name, character))
        for character in _ASCII
    }
    letter = tuple(rule for name, rule in rules if name not in _STARTS)

    def first(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        position = state.bMarks[start] + state.tShift[start]
        character = state.src[position : position + 1]
        own_rules = rules_of.get(character)
        if own_rules is None:
            own_rules = letter if character.isalpha() else whole
        for rule in own_rules:  # noqa: SIM110 -- called for every line; a generator costs as much again
            if rule(state, start, end, silent):
                return True
        return False

    return first


# Characters that failed attempts at links may read in one document, in total.
_LINK_BUDGET = 2_000_000
# Those at images read all of it, one at a link stops at the next that could begin.
_IMAGE_BUDGET = 400_000
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
    block.at("footnote_def", block_rules.footnote_block, {"alt": ["paragraph", "reference"]})
    block.before("table", "depth_guard", block_rules.depth_guard)
    block.after("depth_guard", "plain_paragraph", plain_paragraph)
    # Nothing but a table may start with the line of a heading, so it need not wait for its turn.
    block.after("table", "early_heading", heading)
    block.at("list", list_block, {"alt": ["paragraph", "reference", "blockquote"]})
    engine.core.ruler.at("inline", inline_rest)
    engine.core.ruler.before("text_join", "note_escapes", note_escapes)
    for name, rule in (
        ("tag", block_rules.tag_block),
        ("tag_line", tag_line),
        ("details", block_rules.details_block),
        ("math_block", block_rules.math_block),
        ("element", block_rules.element_block),
        ("component_tabs", component_tabs),
    ):
        block.before("html_block", name, rule, {"alt": _TERMINATES})
    block.at(
        "html_block", block_rules.html_block, {"alt": ["paragraph", "reference", "blockquote"]}
    )
    engine.block.ruler = BlockRules(block)  # type: ignore[assignment]
    bound_links(engine)
    engine.inline.ruler.at("emphasis", read_emphasis)
    engine.inline.ruler.at("strikethrough", read_strikethrough)
    engine.inline.ruler.before("escape", "math_inline", _math_inline)
    engine.inline.ruler.after("escape", "emoji", _emoji)
    engine.normalizeLink = _unchanged  # type: ignore[method-assign]
    engine.validateLink = _may_be_link  # type: ignore[method-assign]
    return engine


def bound_links(engine: MarkdownIt) -> MarkdownIt:
    """Limit how much text the engine reads in search of the ends of links; the same engine."""
    engine.inline.ruler.at("link", _bounded(link, "link_budget", _LINK_BUDGET))
    engine.inline.ruler.at("image", _bounded(image, "image_budget", _IMAGE_BUDGET))
    return engine


def _bounded(
    rule: Callable[[StateInline, bool], bool], name: str, budget: int
) -> Callable[[StateInline, bool], bool]:
    """A link rule that gives up looking for the end of links once it has failed too often.

    Every `[` that opens no link makes the rule read to the end of the paragraph, also from within
    other attempts, so that a page of brackets would take minutes.
    """

    def bounded(state: StateInline, silent: bool) -> bool:
        left: int = state.env.get(name, budget)
        if left <= 0:
            return False
        start = state.pos
        if rule(state, silent):
            return True
        if state.src.startswith(("[", "!["), start):
            state.env[name] = left - (state.posMax - start)
        return False

    return bounded


def _may_be_link(url: str) -> bool:
    # The engine's own rule reads the scheme as it is written, not as browsers do.
    return validateLink(url) and not runs_script(url)


def _unchanged(url: str) -> str:
    return url


def _emoji(state: StateInline, silent: bool) -> bool:
    """`:name:` of an emoji that is known, not within a word."""
    match = MARKDOWN_SHORTCODE.match(state.src, state.pos, state.posMax)
    code = None if match is None else code_of(match.group(1).replace("\\", ""))
    if match is not None and match.group(2) is not None:
        code = with_tone(code, int(match.group(2)))
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
