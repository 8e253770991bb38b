"""Text and inline nodes as Markdown.

`content.markdown.parser` gives the same nodes back: marks that `*` and `_` cannot express where
they stand are written as HTML tags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from markdown_it.rules_block.html_block import HTML_SEQUENCES

from content.documents.alerts import begins_with_marker
from content.documents.nodes import Node, children_of, data_of, html_sources, leaves_of
from content.json_types import Json
from content.markdown.emphasis import is_punctuation
from content.markdown.html_inlines import MARK_ORDER
from content.markdown.html_tree import parse_html_tag
from content.markdown.parser import kept_html
from content.markdown.styles import shared_marks
from content.markdown.writer.escapes import (
    BREAK,
    TextScope,
    escape_line_start,
    escape_text,
    is_blank,
    keep_blanks,
    needs_entity_escape,
    text_scope,
)
from content.markdown.writer.inline_nodes import emoji_span, footnote_link, inline_html
from content.markdown.writer.runs import Run, add_run, run_of, same_marks, tagged
from content.markdown.writer.writing import Writing, kept_node, mention_label

# Line ends become entities, and behind the end is a bracket or a quote.
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~\r\n]|\Z)")
_BREAKS_PLAIN = re.compile(r"[\x00-\x20\x7f<>]")


def destination(url: str) -> str:
    """The URL of a link, in angle brackets where it could not stand without."""
    escaped = _escaped_url(url)
    if url and not _BREAKS_PLAIN.search(url) and _balanced(url):
        return escaped
    if not url:
        return "<>"
    return f"<{re.sub(r'[<>]', lambda match: chr(92) + match.group(), escaped)}>"


def link_title(title: Json) -> str:
    """A title with the blank in front of it; empty for none."""
    if not isinstance(title, str) or not title:
        return ""
    escaped = _escaped_url(title).replace('"', '\\"')
    return f' "{escaped}"'


def _escaped_url(text: str) -> str:
    """Text in which every backslash and `&` stands for itself."""
    text = _BACKSLASH.sub(r"\\\\", text)
    if "&" in text:
        text = re.sub(
            "&",
            lambda match: "\\&" if needs_entity_escape(text, match.start()) else "&",
            text,
        )
    return text.replace("\n", "&#xa;").replace("\r", "&#xd;")


def _balanced(url: str) -> bool:
    depth = 0
    for character in url:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not 0 <= depth < 30:
            return False
    return depth == 0


_DELIMITERS = {"bold": ("**", "__"), "italic": ("_", "*"), "strikethrough": ("~~",)}
_INLINE_TAG = re.compile(r"<(?:a|button|code|em|i|img|kbd|mark|s|span|strong|sub|sup)\b")
# What begins a block of HTML with more on its line: of the library's rules all but the last one,
# and elements of the dialect.
_BLOCK_STARTS = [*(start for start, _, _ in HTML_SEQUENCES[:-1]), re.compile("^</?picture>")]
_OTHER_LINE = re.compile(r"\n[ \t]*(?:[^\w \t]|\d|\Z)")
_BACKTICKS = re.compile("`+")
_IN_LABEL = TextScope(brackets=True)
_NEWLINE = "&#xa;"


def paragraph_text(nodes: Sequence[Node], writing: Writing) -> str:
    """Inline content as the lines of a paragraph."""
    text = _content(nodes, writing, label=False)
    alone = len(nodes) == 1 and nodes[0].get("type") == "markdown"
    if text.startswith("<") and (alone or any(start.search(text) for start in _BLOCK_STARTS)):
        text = _content(nodes, writing, label=False, tags_as_json=True)
    first = len(text) - len(text.lstrip(BREAK))
    if first == len(text):
        return _NEWLINE * len(text)
    last = len(text) - len(text.rstrip(BREAK))
    middle = text[first : len(text) - last]
    lines = [escape_line_start(keep_blanks(line)) for line in middle.split(BREAK)]
    end = "  \n" if writing.style("break") == "  " else "\\\n"
    joined = [lines[0], *(f"{_line_break(line, end)}{line}" for line in lines[1:])]
    return _NEWLINE * first + _on_lines("".join(joined), end, writing) + _NEWLINE * last


def _line_break(line: str, end: str) -> str:
    """The break in front of a line; an element that starts one may start a block as well."""
    return "<br>" if line.startswith("<") and not _INLINE_TAG.match(line) else end


def _on_lines(text: str, end: str, writing: Writing) -> str:
    """A paragraph on as many lines as its author gave it, unless it has changed.

    The marker of an alert keeps its line.
    """
    listed = writing.here.get("words")
    if not isinstance(listed, list):
        return text
    words = text.replace(end, BREAK).split(" ")
    counts = [count for count in listed if isinstance(count, int)]
    sizes = [abs(count) for count in counts]
    if len(sizes) != len(listed):
        return text
    if sum(sizes) != len(words):
        if len(sizes) < 2 or sizes[0] != 1 or len(words) < 2 or not begins_with_marker(text):
            return text
        # An alert stays one, whatever has become of its text.
        counts = sizes = [1, len(words) - 1]
    lines: list[str] = []
    start = 0
    for size in sizes:
        lines.append(" ".join(words[start : start + size]))
        start += size
    if any(not line or escape_line_start(line) != line for line in lines):
        return text
    lines = [
        line + " " * (count != size) for line, count, size in zip(lines, counts, sizes, strict=True)
    ]
    return "\n".join(lines).replace(BREAK, end)


def line_text(nodes: Sequence[Node], writing: Writing) -> str:
    """Inline content on one line, for headings and the cells of tables."""
    text = _content(nodes, writing, label=False)
    return keep_blanks(text.replace("\n", " ").replace(BREAK, "<br>"))


def text_line(text: str, writing: Writing) -> str:
    """Plain text on one line."""
    always = writing.style("escapes")
    scope = text_scope("", label=True, definitions=False, always=always)
    escaped = escape_text(text, "", "", scope)
    return keep_blanks(escaped.replace("\n", "<br>"))


def link_to(url: str, label: str) -> str:
    """A link with plain text."""
    shown = escape_text(label, "[", "]", _IN_LABEL).replace("\n", _NEWLINE)
    return f"[{shown}]({destination(url)})"


def _content(
    nodes: Sequence[Node], writing: Writing, *, label: bool, tags_as_json: bool = False
) -> str:
    scope = text_scope(
        _plain(nodes),
        label=label,
        definitions=writing.has_definitions,
        always=writing.style("escapes"),
        entities=writing.here.get("entities"),
    )
    texts = _Texts(writing, scope, tags_as_json=tags_as_json)
    written = texts.marked(texts.runs(nodes), 0, "", "]" if label else "")
    if not tags_as_json and _has_pair(nodes):
        read = written.replace(BREAK, " ")
        if kept_html(f"[{read}](x)" if label else read) != html_sources(list(nodes)):
            # A start tag and an end tag that were of different elements would make one.
            return _content(nodes, writing, label=label, tags_as_json=True)
    return written


def _has_pair(nodes: Sequence[Node]) -> bool:
    """Whether HTML that is kept has a start tag before an end tag of the same name."""
    sources = html_sources([node for node in nodes if node.get("type") == "markdown"])
    names: set[str] = set()
    for tag in map(parse_html_tag, sources if len(sources) > 1 else ()):
        if tag is not None and tag.closing and tag.name in names:
            return True
        if tag is not None and not tag.closing:
            names.add(tag.name)
    return False


def _plain(nodes: Sequence[Node]) -> str:
    """The text of nodes, with a sign for everything else."""
    parts: list[str] = []
    for node in nodes:
        leaves = leaves_of(node)
        if leaves is None:
            parts.append("\ufffc")
        else:
            parts += [str(leaf.get("text", "")) for leaf in leaves]
    return "".join(parts)


class _Texts:
    """The content of one paragraph, heading, cell or link."""

    def __init__(self, writing: Writing, scope: TextScope, *, tags_as_json: bool = False) -> None:
        self.writing = writing
        self.scope = scope
        self.tags_as_json = tags_as_json

    def runs(self, nodes: Sequence[Node]) -> list[Run]:
        runs: list[Run] = []
        for index, node in enumerate(nodes):
            leaves = leaves_of(node)
            if node.get("type") == "link" and (lifted := self._lifted(nodes, index)):
                runs.append(Run(self._link(_unmarked(node, lifted)), _ranked(lifted), written=True))
            elif leaves is not None:
                for leaf in leaves:
                    add_run(runs, run_of(leaf))
            elif node.get("type") == "annotation" and id(node) in self.writing.labels:
                self._annotation(node, runs)
            else:
                runs.append(self._inline(node))
        return [run for run in runs if run.text]

    def marked(self, runs: Sequence[Run], depth: int, before: str, after: str) -> str:
        """Runs with their marks from `depth` on; `before` and `after` are the neighbours."""
        written: list[str] = []
        left = before
        index = 0
        while index < len(runs):
            run = runs[index]
            end = index + 1
            mark = run.marks[depth] if depth < len(run.marks) else None
            if mark is not None:
                while end < len(runs) and runs[end].marks[depth : depth + 1] == (mark,):
                    end += 1
            right = _first(runs[end], depth) if end < len(runs) else after
            if mark is None:
                written.append(self._run(run, left, right))
            else:
                written.append(self._mark(mark, runs[index:end], depth, left, right))
            left = written[-1][-1:] or left
            index = end
        return "".join(written)

    def _mark(self, mark: str, runs: Sequence[Run], depth: int, left: str, right: str) -> str:
        for delimiter in self._delimiters(mark):
            inner = self.marked(runs, depth + 1, delimiter[-1], delimiter[0])
            if _delimits(delimiter, inner, left, right):
                return f"{delimiter}{inner}{delimiter}"
        return tagged(mark, self.marked(runs, depth + 1, ">", "<"))

    def _delimiters(self, mark: str) -> Sequence[str]:
        delimiters = _DELIMITERS.get(mark, ())
        usual = self.writing.style(mark) if len(delimiters) > 1 else None
        if mark == "bold" and usual != delimiters[1]:
            return delimiters[:1]
        return delimiters[::-1] if len(delimiters) > 1 and usual == delimiters[1] else delimiters

    def _run(self, run: Run, left: str, right: str) -> str:
        if run.written:
            beside = left.isalnum() or right.isalnum() or ":" in (left, right)
            return run.in_word if run.in_word and beside else run.text
        if run.code:
            return _code(run.text)
        return escape_text(run.text, left, right, self.scope).replace("\n", BREAK)

    def _annotation(self, node: Node, runs: list[Run]) -> None:
        """`word[^1]` when that annotates just the text of the annotation, else a link."""
        label = self.writing.labels[id(node)]
        children = children_of(node)
        leaves = leaves_of(children[0]) if len(children) == 1 else None
        word = run_of(leaves[0]) if leaves is not None and len(leaves) == 1 else None
        last = runs[-1] if runs else None
        if word is not None and _is_last_word(word, last):
            add_run(runs, word)
            runs.append(Run(f"[^{label}]", written=True))
        else:
            inner = _content(children, self.writing, label=True)
            runs.append(Run(footnote_link(label, inner), written=True))

    def _lifted(self, nodes: Sequence[Node], index: int) -> set[str]:
        """The marks of a link that stand around it: those that go on beside it, or all of them."""
        shared = shared_marks(nodes[index])
        if not shared or self.writing.style("links", nodes[index]) == "outside":
            return shared
        beside = {
            name
            for node in (*nodes[index - 1 : index], *nodes[index + 1 : index + 2])
            for name in shared_marks({"nodes": [node]})
        }
        return shared & beside

    def _inline(self, node: Node) -> Run:
        kind, data = node.get("type"), data_of(node)
        if kind in ("link", "mention"):
            return Run(self._link(node), written=True)
        if kind == "markdown":
            source = str(data.get("source", ""))
            if self.tags_as_json and source.startswith("<"):
                return Run(kept_node(node), written=True)
            # A line of it must not look like the start of a block.
            one_line = source.replace("\n", " ") if _OTHER_LINE.search(source) else source
            return Run(one_line, written=True)
        if kind == "inline-image" and not data.keys() - {"ref", "alt", "caption"}:
            scope = replace(self.scope, brackets=True)
            alt = escape_text(str(data.get("alt", "")), "[", "]", scope)
            alt = alt.replace("\n", _NEWLINE)
            target = destination(self.writing.url(data.get("ref")))
            return Run(f"![{alt}]({target}{link_title(data.get('caption'))})", written=True)
        formula = str(data.get("formula", ""))
        if kind == "inline-math" and formula and not re.search(r"\$\$|\n|\A\$|\$\Z", formula):
            return Run(f"$${formula}$$", written=True)
        if kind == "emoji":
            code = str(data.get("code", ""))
            short = inline_html(node, self.writing, _escaped)
            return Run(short, written=True, in_word=emoji_span(code) or "")
        return Run(inline_html(node, self.writing, _escaped), written=True)

    def _link(self, node: Node) -> str:
        data = data_of(node)
        url = self.writing.url(data.get("ref"))
        if node.get("type") == "mention":
            title = link_title("mention")
            label = escape_text(mention_label(data.get("ref"), url), "[", "]", _IN_LABEL).replace(
                "\n", _NEWLINE
            )
        else:
            title = link_title(data.get("title"))
            label = _content(children_of(node), self.writing, label=True)
        return f"[{label.replace(BREAK, '<br>')}]({destination(url)}{title})"


def _unmarked(link: Node, names: set[str]) -> Node:
    """A link whose text does not have some marks."""
    nodes: list[Json] = []
    for node in children_of(link):
        leaves: list[Json] = []
        for leaf in leaves_of(node) or []:
            marks = leaf.get("marks")
            unmarked: list[Json] = [
                mark
                for mark in (marks if isinstance(marks, list) else [])
                if not (isinstance(mark, dict) and mark.get("type") in names)
            ]
            leaves.append({**leaf, "marks": unmarked})
        nodes.append({**node, "leaves": leaves})
    return {**link, "nodes": nodes}


def _ranked(names: set[str]) -> tuple[str, ...]:
    return tuple(name for name in MARK_ORDER if name in names)


def _escaped(text: str) -> str:
    """Plain text in the middle of an HTML element."""
    return escape_text(text, ">", "<", _IN_LABEL).replace("\n", _NEWLINE)


def _is_last_word(word: Run, last: Run | None) -> bool:
    """Whether a footnote behind `word`, which follows `last`, is taken for one of all of it."""
    joined = last is not None and not last.written and same_marks(last, word)
    if not word.text:
        return last is None or last.written or last.text[-1:].isspace()
    if word.marks or word.code:
        return not joined and not word.text[-1].isspace()
    if any(character.isspace() for character in word.text):
        return False
    return not joined or (last is not None and last.text[-1].isspace())


def _first(run: Run, depth: int) -> str:
    """The kind of character that a run starts with when it is written."""
    if depth < len(run.marks):
        mark = run.marks[depth]
        return _DELIMITERS[mark][0][0] if mark in _DELIMITERS else "<"
    return "`" if run.code else run.text[0]


def _delimits(delimiter: str, inner: str, left: str, right: str) -> bool:
    """Whether delimiters around `inner` open and close emphasis, and are no part of others."""
    if not inner or delimiter[0] in (left, right, inner[0], inner[-1]):
        return False
    if is_blank(inner[0]) or is_blank(inner[-1]):
        return False
    left_free = is_blank(left) or is_punctuation(left)
    right_free = is_blank(right) or is_punctuation(right)
    if delimiter[0] == "_":
        return left_free and right_free
    opens = left_free or not is_punctuation(inner[0])
    return opens and (right_free or not is_punctuation(inner[-1]))


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    runs = {len(run) for run in _BACKTICKS.findall(text)}
    size = next(number for number in range(1, len(runs) + 2) if number not in runs)
    edges = text.strip(" ") and (text[0] == text[-1] == " " or "`" in (text[0], text[-1]))
    pad = " " if edges else ""
    fence = "`" * size
    return f"{fence}{pad}{text}{pad}{fence}"
