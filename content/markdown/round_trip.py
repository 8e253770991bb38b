"""Markdown on its way through a JSON document and back, for reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape

import orjson

from content.documents.edits import Place, insert_blocks
from content.documents.keys import content_digest
from content.documents.nodes import Node, child_lists, children_of, paragraph, text
from content.markdown.originals import read_originals
from content.markdown.parser import clean, parse_document, parse_places
from content.markdown.rewriting import rewrite_markdown
from content.markdown.spelling import parse_with_style, write_markdown
from content.markdown.styles import LISTS
from content.markdown.writer.document import DocumentWriter

_ADDED = "A paragraph that was added."
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines that canonical Markdown has otherwise, with the kinds of canonical differences that
    explain it (`other` when they do not)."""

    kinds: tuple[str, ...]
    source: str
    written: str


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """One page: whether its Markdown comes back byte for byte from the JSON document `alone`, and
    with the stored Markdown at hand (`kept`); whether what comes back stands for the
    `same_document`; whether an added paragraph leaves every other line as it was (`local`)."""

    alone: bool
    kept: bool
    same_document: bool
    local: bool
    differences: tuple[Difference, ...]


def round_trip(markdown: str, parse: Callable[[str], Node] = parse_with_style) -> RoundTrip:
    """Take the body of a page through its JSON document, in serialized form, and back."""
    document: Node = orjson.loads(orjson.dumps(parse(markdown)))
    canonical = write_markdown(document)
    mixed = DocumentWriter(document, None, read_originals([markdown])).write()
    alone = canonical == markdown
    return RoundTrip(
        alone=alone,
        kept=mixed == markdown,
        same_document=content_digest(parse_document(canonical)) == content_digest(document),
        local=_is_local(markdown, document),
        differences=() if alone else tuple(_differences(markdown, canonical)),
    )


def _is_local(markdown: str, document: Node) -> bool:
    added = [paragraph([text(_ADDED)])]
    middle = len(next(iter(child_lists(document)))) // 2
    edited = insert_blocks(document, added, Place("inside", index=middle))
    rewritten = rewrite_markdown(edited, [markdown]).split("\n")
    if _ADDED not in rewritten:
        return False
    rewritten.remove(_ADDED)
    # Around a new paragraph there are blank lines.
    return [line for line in rewritten if line] == [line for line in markdown.split("\n") if line]


def _differences(source: str, written: str) -> Iterator[Difference]:
    """The differences block by block, of a list by its items."""
    before, after = _Page(source), _Page(written)
    if len(before.nodes) != len(after.nodes):
        yield Difference(difference_kinds(source, written), source, written)
        return
    yield from _pairs(
        before, before.nodes, (0, len(before.lines)), after, after.nodes, (0, len(after.lines))
    )


class _Page:
    """A page with the places of its blocks."""

    def __init__(self, markdown: str) -> None:
        markdown = clean(markdown)
        self.lines = markdown.split("\n")
        document, self.spans = parse_places(markdown)
        self.nodes = children_of(document)

    def parts(self, nodes: Sequence[Node], start: int, end: int) -> list[tuple[int, int]] | None:
        """The lines from each block to the next one, and before that those before the first;
        None when it is not known where one stands."""
        starts: list[int] = []
        for node in nodes:
            span = self.spans.get(id(node))
            if span is None or not start <= span[1] < end or (starts and span[1] <= starts[-1]):
                return None
            starts.append(span[1])
        return list(zip([start, *starts], [*starts, end], strict=True))

    def text(self, part: tuple[int, int]) -> str:
        return "\n".join(self.lines[part[0] : part[1]])


def _pairs(
    before: _Page,
    nodes: Sequence[Node],
    here: tuple[int, int],
    after: _Page,
    others: Sequence[Node],
    there: tuple[int, int],
) -> Iterator[Difference]:
    """The differences between two rows of blocks that are of the same document."""
    parts, counterparts = before.parts(nodes, *here), after.parts(others, *there)
    if parts is None or counterparts is None or len(parts) != len(counterparts):
        parts, counterparts, nodes = [here], [there], []
    pairs = [(None, None), *zip(nodes, others, strict=False)]
    for (node, other), part, counterpart in zip(pairs, parts, counterparts, strict=True):
        old, new = before.text(part), after.text(counterpart)
        if old == new:
            continue
        items, matching = (children_of(block) if block else [] for block in (node, other))
        if node and node.get("type") in LISTS and len(items) == len(matching) > 1:
            yield from _pairs(before, items, part, after, matching, counterpart)
        else:
            yield Difference(difference_kinds(old, new), old, new)


def difference_kinds(source: str, written: str) -> tuple[str, ...]:
    """The kinds of canonical differences between two texts that stand for the same: as few of
    them as explain it all, and `other` when they do not."""
    kinds = [kind for kind, _ in _KINDS]
    if not _explains(source, written, kinds):
        return (*_needed(source, written), OTHER)
    # Those that take most out of a text come last, and are tried first.
    for kind in kinds[::-1]:
        fewer = [other for other in kinds if other != kind]
        if _explains(source, written, fewer):
            kinds = fewer
    return tuple(kinds)


def _needed(source: str, written: str) -> list[str]:
    """The kinds that a text has and its counterpart has not."""
    return [
        kind
        for kind, normal in _KINDS
        if (normal(source) != source) != (normal(written) != written)
    ]


def _explains(source: str, written: str, kinds: Sequence[str]) -> bool:
    """Whether two texts are alike once some kinds of differences are taken out of both."""
    for kind, normal in _KINDS:
        if kind in kinds:
            source, written = normal(source), normal(written)
    return source == written


def _replace(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda text: compiled.sub(replacement, text)


# What canonical Markdown writes otherwise: what each takes out of a text, so that the text and its
# canonical form are alike once the kinds that apply have been taken out of both. They are looked
# for in this order; the later ones take more away.
_KINDS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("hard breaks", lambda text: _plain_breaks(text)),
    ("underlined headings", _replace(r"^(.+)\n(?:=+|-+)[ \t]*$", r"## \1")),
    ("trailing blanks", _replace(r"[ \t]+$", "")),
    ("blank lines", lambda text: re.sub(r"\n(?:[ \t>]*\n)+", "\n", text).strip("\n")),
    ("escapes that nothing needs", _replace(r"\\([!-/:-@\[-`{-~])", r"\1")),
    ("entities", unescape),
    ("dividers", _replace(r"^[ \t]*(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$", "***")),
    ("bullets", _replace(r"^([ \t>]*)[-+*](?=[ \t]|$)", r"\1*")),
    ("numbers of items", _replace(r"^([ \t>]*)\d+[.)](?=[ \t]|$)", r"\g<1>1.")),
    ("blanks behind markers", _replace(r"^([ \t>]*(?:[-+*]|\d+[.)]))[ \t]+", r"\1 ")),
    ("code fences", lambda text: _plain_fences(text)),
    ("formatting in heads of tables", lambda text: _plain_heads(text)),
    ("tables", lambda text: _plain_tables(text)),
    ("indentation", _replace(r"^(?:[ \t]|>(?: |$))+", "")),
    ("closing hashes", _replace(r"^(#+ .*?)[ \t]+#+$", r"\1")),
    ("levels of headings", _replace(r"^#+[ \t]+", "## ")),
    ("emphasis", _replace(r"[*_]+|</?(?:strong|em|b|i)>", "*")),
    ("emphasis around links", _replace(r"[*_]+|</?(?:strong|em|b|i)>", "")),
    ("titles and forms of links", lambda text: _plain_links(text)),
    ("images", lambda text: _plain_images(text)),
    ("link references", lambda text: _plain_references(text)),
    ("line breaks in paragraphs", _replace(r"[ \t]*\n[ \t]*(?:> ?)*", " ")),
    ("forms of tags", _replace(r"</?[A-Za-z][^<>]*>|\{%.*?%\}", "")),
    ("HTML tables", lambda text: _words(text) if "<table" in text or "| " in text else text),
    ("white space", lambda text: " ".join(text.split())),
)


def _plain_breaks(text: str) -> str:
    """Broken lines as lines."""
    text = re.sub(r"(?: {2,}|\\)(?=\n|\Z)", "", text)
    return re.sub(r"<br ?/?>\n?|&#xa;", "\n", text)


def _plain_links(text: str) -> str:
    """Links without their addresses and titles."""
    text = re.sub(r"<(https?://[^>\s]*)>", r"[\1](\1)", text)
    return re.sub(r"\]\([^()\n]*(?:\([^()\n]*\))*[^()\n]*\)", "](u)", text)


def _plain_references(text: str) -> str:
    text = re.sub(r"^ {0,3}\[(?!\^)[^\]\n]+\]:.*(?:\n|\Z)", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\(u\)", "]", text)
    return re.sub(r"\[([^\]\n]*)\]\[[^\]\n]*\]", r"[\1]", text)


def _plain_fences(text: str) -> str:
    """Code without its fences and without its indentation."""
    if "```" not in text and "~~~" not in text:
        return text
    return re.sub(r"^[ \t>]*(?:`{3,}|~{3,}).*(?:\n|\Z)", "", text, flags=re.MULTILINE)


def _plain_heads(text: str) -> str:
    """Tables whose first line has no marks."""
    head, line, rest = text.partition("\n")
    return re.sub(r"[`*_\\]", "", head) + line + rest if head.lstrip().startswith("|") else text


def _words(text: str) -> str:
    """The words of a table without its pipes and tags."""
    bare = re.sub(r"</?[A-Za-z][^<>]*>", " ", text)
    return " ".join(re.sub(r"[|\\*`]|(?<![\w-]):?-+:?(?![\w-])", " ", unescape(bare)).split())


def _plain_tables(text: str) -> str:
    if "|" not in text:
        return text
    lines = [re.sub(r"[ \t]*\|[ \t]*", "|", line).strip("|") for line in text.split("\n")]
    return "\n".join(
        re.sub(r":?-+:?", "-", line) if set(line) <= set("|:-") else line for line in lines
    )


def _plain_images(text: str) -> str:
    text = re.sub(r"</?(?:figure|figcaption|picture)[^>]*>", "", text)
    text = re.sub(r'<img\b[^>]*?src="([^"]*)"[^>]*>', r"![](u)", text)
    return re.sub(r"!\[[^\]\n]*\]\(u\)", "![](u)", text)
