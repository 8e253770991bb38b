"""Code as a fenced block, or as `<pre>` where its lines have formatting."""

from __future__ import annotations

import re

from content.documents.nodes import Node, children_of, data_of, leaves_of
from content.json_types import Json
from content.markdown.writer.escapes import BREAK
from content.markdown.writer.inline_nodes import footnote_link
from content.markdown.writer.runs import run_of
from content.markdown.writer.tags import body_lines, tag
from content.markdown.writer.writing import (
    UnwritableError,
    Writing,
    attribute,
    attributes,
    kept_attributes,
    plain_html,
    raw_text,
)

_OPTIONS = ("title", "overflow", "lineNumbers", "fullWidth", "expandable")
_PRE_OPTIONS = (
    ("title", "data-title"),
    ("overflow", "data-overflow"),
    ("lineNumbers", "data-line-numbers"),
    ("fullWidth", "data-full-width"),
    ("expandable", "data-expandable"),
)
_FENCE = re.compile("`{3,20}|~{3,20}")
_SYNTAX = re.compile(r"[^\s`&\\\"<>]+")
_INFO = re.compile(r"[^\n`&\\]+")


def code(node: Node, writing: Writing) -> str:
    lines = children_of(node)
    if any(_has_format(line) for line in lines):
        return preformatted(node, writing)
    data = data_of(node)
    syntax = data.get("syntax", "")
    info = dict(kept_attributes(data)).get("info", "")
    others = [(name, value) for name, value in kept_attributes(data) if name != "info"]
    if syntax and not (isinstance(syntax, str) and _SYNTAX.fullmatch(syntax)):
        raise UnwritableError
    if info and not (isinstance(info, str) and syntax and _INFO.fullmatch(info)):
        raise UnwritableError
    texts = [raw_text(children_of(line)) for line in lines]
    filled = writing.here.get("filled")
    for number in filled if isinstance(filled, list) else ():
        if isinstance(number, int) and 0 <= number < len(texts) and not texts[number]:
            # The line gets the indentation that is around the code.
            texts[number] = BREAK
    content = "\n".join(texts)
    longest = max((len(run) for run in re.findall("`{3,}", content)), default=2)
    fence = "`" * (longest + 1)
    own = writing.style("fence")
    if isinstance(own, str) and _FENCE.fullmatch(own):
        tildes = own[0] == "~" and "~~~" not in content
        if tildes or (own[0] == "`" and len(own) > longest):
            fence = own
    head = f"{fence}{syntax} {info}".rstrip()
    fenced = f"{head}\n{content}\n{fence}"
    options = [(name, data.get(name)) for name in _OPTIONS]
    if others or any(value is not None for _, value in options):
        before, behind = body_lines(writing)
        opening = tag(writing, "code", options, others) + "\n" * before
        closing = "\n" * behind + "{% endcode %}"
        return f"{opening}\n{fenced}\n{closing}"
    return fenced


def _has_format(line: Node) -> bool:
    """Whether a line is more than text."""
    if data_of(line).get("highlighted"):
        return True
    for node in children_of(line):
        leaves = leaves_of(node)
        if leaves is None or any(leaf.get("marks") for leaf in leaves):
            return True
    return False


def preformatted(node: Node, writing: Writing) -> str:
    """Code in HTML, whose lines may have formatting."""
    data = data_of(node)
    syntax = data.get("syntax")
    if syntax is not None and not (isinstance(syntax, str) and _SYNTAX.fullmatch(syntax)):
        raise UnwritableError
    others = kept_attributes(data)
    if any(name == "info" for name, _ in others):
        raise UnwritableError
    options: list[tuple[str, Json]] = [("class", f"language-{syntax}" if syntax else None)]
    flags = ""
    for name, written in _PRE_OPTIONS:
        value = data.get(name)
        if value is True and name == "lineNumbers":
            flags += f" {written}"
        elif value is not None:
            flags += f' {written}="{attribute(value)}"'
    inner = f' class="lang-{syntax}"' if syntax else ""
    body = "".join(_line(line, writing) for line in children_of(node))
    return f"<pre{attributes(options)}{flags}{attributes(others)}><code{inner}>{body}</code></pre>"


def _line(line: Node, writing: Writing) -> str:
    content = _content(children_of(line), writing)
    if data_of(line).get("highlighted"):
        return f"<strong>{content}\n</strong>"
    return f"{content}\n"


def _content(nodes: list[Node], writing: Writing) -> str:
    parts: list[str] = []
    for node in nodes:
        leaves = leaves_of(node)
        if leaves is not None:
            parts += [_leaf(leaf) for leaf in leaves]
        elif node.get("type") == "annotation" and id(node) in writing.labels:
            inner = _content(children_of(node), writing)
            parts.append(footnote_link(writing.labels[id(node)], inner))
        elif node.get("type") == "expression":
            expression = plain_html(str(data_of(node).get("expression", "")))
            parts.append(f'<code class="expression">{expression}</code>')
        else:
            raise UnwritableError
    return "".join(parts)


def _leaf(leaf: Node) -> str:
    run = run_of(leaf)
    text = plain_html(run.text.replace("\n", " "))
    for mark, name in (("italic", "em"), ("bold", "strong")):
        if mark in run.marks:
            text = f"<{name}>{text}</{name}>"
    return text
