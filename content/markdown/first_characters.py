"""Which block rules a line needs to be shown to, by its first character."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import digits, punctuation

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

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
    "details": "<",
    "math_block": "$",
    "element": "<",
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
        found = self._chains.get(chain)
        if found is None:
            rules = [(self._names[rule], rule) for rule in self.ruler.getRules(chain)]
            found = self._chains[chain] = [_by_first_character(rules)]
        return found

    def get_active_rules(self) -> list[str]:
        """The names of all rules."""
        return self.ruler.get_active_rules()


def _by_first_character(
    rules: Sequence[tuple[str, RuleFuncBlockType]],
) -> Callable[[StateBlock, int, int, bool], bool]:
    whole = tuple(rule for _, rule in rules)
    wanted = {
        character: tuple(rule for name, rule in rules if character in _STARTS.get(name, character))
        for character in _ASCII
    }
    letter = tuple(rule for name, rule in rules if name not in _STARTS)

    def first(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        position = state.bMarks[start] + state.tShift[start]
        character = state.src[position : position + 1]
        known = wanted.get(character)
        if known is None:
            known = letter if character.isalpha() else whole
        for rule in known:  # noqa: SIM110 -- called for every line; a generator costs as much again
            if rule(state, start, end, silent):
                return True
        return False

    return first
