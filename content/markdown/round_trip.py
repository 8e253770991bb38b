"""What Markdown becomes on the way through a JSON document, for reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape

import orjson

from content.document_edits import Place, insert_blocks
from content.markdown.digests import node_digests
from content.markdown.nodes import Node, child_lists, paragraph, text
from content.markdown.originals import read_originals
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.writer.document import DocumentWriter, write_markdown
from content.markdown.writer.writing import nodes_of

_ADDED = "A paragraph that was added."
OTHER = "other"
_RULE = re.compile(":?-+:?")
_TARGET = r"[^()\n]*(?:\([^()\n]*\))*[^()\n]*"


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


def round_trip(markdown: str) -> RoundTrip:
    """Take the body of a page through its JSON document, in serialized form, and back."""
    document: Node = orjson.loads(orjson.dumps(parse_document(markdown, keep_style=True)))
    canonical = write_markdown(document)
    mixed = DocumentWriter(document, None, read_originals([markdown])).write()
    alone = canonical == markdown
    return RoundTrip(
        alone=alone,
        kept=mixed == markdown,
        same_document=_content(parse_document(canonical)) == _content(document),
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


def _content(document: Node) -> bytes:
    """The digest of the blocks of a document."""
    digests = node_digests(document)
    return b"".join(digests[id(node)] for node in nodes_of(document))


def _differences(source: str, written: str) -> Iterator[Difference]:
    before, after = source.split("\n"), written.split("\n")
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind != "equal":
            old, new = "\n".join(before[start:end]), "\n".join(after[first:last])
            yield Difference(difference_kinds(old, new), old, new)


def difference_kinds(source: str, written: str) -> tuple[str, ...]:
    """The kinds of canonical differences between two texts that stand for the same."""
    kinds: list[str] = []
    for kind, normal in _KINDS:
        if source == written:
            break
        plain = normal(source)
        if plain != source:
            kinds.append(kind)
        source, written = plain, normal(written)
    return tuple(kinds) if source == written else (*kinds, OTHER)


def _replace(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda text: compiled.sub(replacement, text)


# What canonical Markdown writes otherwise, in the order in which it is looked for: a text and its
# canonical form are alike once the kinds that apply have been taken out of both.
_KINDS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("hard breaks", _replace(r"(?: {2,}|\\)$(?=\n)", "")),
    ("trailing blanks", _replace(r"[ \t]+$", "")),
    ("blank lines", lambda text: re.sub(r"\n{2,}", "\n", text).strip("\n")),
    ("escapes that nothing needs", _replace(r"\\([!-/:-@\[-`{-~])", r"\1")),
    ("entities", unescape),
    ("dividers", _replace(r"^[ \t]*(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$", "***")),
    ("bullets", _replace(r"^([ \t>]*)[-+*][ \t]+", r"\1* ")),
    ("numbers of items", _replace(r"^([ \t>]*)\d+[.)][ \t]+", r"\g<1>1. ")),
    ("emphasis", _replace(r"[*_]+", "*")),
    ("tables", lambda text: _plain_tables(text)),
    ("indentation", _replace(r"^[ \t]+", "")),
    ("closing hashes", _replace(r"^(#+ .*?)[ \t]+#+$", r"\1")),
    ("underlined headings", _replace(r"^(.+)\n[=-]+$", r"## \1")),
    ("levels of headings", _replace(r"^#+[ \t]+", "## ")),
    ("code fences", _replace(r"^(?:`{3,}|~{3,})", "```")),
    (
        "titles and tags of links",
        _replace(r"(?:\]\([^()\n]*(?:\([^()\n]*\))*[^()\n]*\)|<https?://[^>\n]*>)", "](u)"),
    ),
    ("images", lambda text: _plain_images(text)),
    ("line breaks in paragraphs", _replace(r"\n(?:> ?)*", " ")),
    ("HTML and tags", _replace(r"</?[A-Za-z][^<>]*>|\{%.*?%\}", "")),
    ("white space", lambda text: " ".join(text.split())),
)


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
