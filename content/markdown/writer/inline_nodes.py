"""Inline nodes that are HTML in Markdown, too, and text and inline nodes as HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from content.documents.nodes import Node, children_of, data_of
from content.emoji import characters, name_of
from content.json_types import Json
from content.markdown.html_inlines import EMOJI_CODE, ICON_NAME
from content.markdown.writer.runs import Run, runs_of, tagged
from content.markdown.writer.writing import (
    Writing,
    attributes,
    html_text,
    kept_edges,
    kept_node,
    mention_label,
)

_BUTTONS = ("primary", "secondary")


def html_inlines(nodes: Sequence[Node], writing: Writing, *, tags_as_json: bool = False) -> str:
    """The content of an HTML element: a cell, a caption, an aligned paragraph. With `tags_as_json`
    what is kept of HTML is none here."""
    return kept_edges(_html(nodes, writing, tags_as_json))


def _html(nodes: Sequence[Node], writing: Writing, tags_as_json: bool) -> str:
    def run(node: Node) -> Run:
        if tags_as_json and node.get("type") == "markdown":
            return Run(kept_node(node), written=True)
        return Run(_html_node(node, writing, tags_as_json), written=True)

    return _marked(runs_of(nodes, run), 0)


def _marked(runs: Sequence[Run], depth: int) -> str:
    result = ""
    index = 0
    while index < len(runs):
        run = runs[index]
        end = index + 1
        if depth < len(run.marks):
            mark = run.marks[depth]
            while end < len(runs) and runs[end].marks[depth : depth + 1] == (mark,):
                end += 1
            result += tagged(mark, _marked(runs[index:end], depth + 1))
        elif run.written:
            result += run.text
        elif run.code:
            result += f"<code>{html_text(run.text.replace(chr(10), ' '))}</code>"
        else:
            result += html_text(run.text)
        index = end
    return result


def _html_node(node: Node, writing: Writing, tags_as_json: bool) -> str:
    kind, data = node.get("type"), data_of(node)
    url = writing.url(data.get("ref"))
    if kind == "link":
        values = attributes([("href", url), ("title", data.get("title") or None)])
        return f"<a{values}>{_html(children_of(node), writing, tags_as_json)}</a>"
    if kind == "mention":
        label = mention_label(data.get("ref"), url)
        return f"<a data-mention{attributes([('href', url)])}>{html_text(label)}</a>"
    if kind == "annotation" and id(node) in writing.labels:
        inner = _html(children_of(node), writing, tags_as_json)
        return footnote_link(writing.labels[id(node)], inner)
    if kind == "markdown":
        return str(data.get("source", ""))
    return inline_html(node, writing, html_text)


def footnote_link(label: str, inner: str) -> str:
    """An annotation where the word before a `[^label]` would not be it."""
    return f'<a data-footnote-ref href="#user-content-fn-{label}">{inner}</a>'


def inline_html(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str:
    """An inline node that has the same form everywhere; `escaped` writes plain text."""
    kind = node.get("type")
    write = _FORMS.get(kind) if isinstance(kind, str) else None
    written = None if write is None else write(node, writing, escaped)
    return kept_node(node) if written is None else written


def _emoji(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    code = str(data_of(node).get("code", ""))
    name = name_of(code)
    return emoji_span(code) if name is None else f":{name}:"


def emoji_span(code: str) -> str | None:
    """An emoji without a name, or one that stands in a word; None for what is none."""
    if not EMOJI_CODE.fullmatch(code):
        return None
    values = attributes([("data-tag", "emoji"), ("data-code", code)])
    return f"<span data-gb-custom-inline{values}>{characters(code)}</span>"


def _icon(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    icon = str(data_of(node).get("icon", ""))
    return f'<i class="fa-{icon}">:{icon}:</i>' if ICON_NAME.fullmatch(icon) else None


def _expression(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    expression = data_of(node).get("expression")
    if not isinstance(expression, str):
        return None
    return f'<code class="expression">{escaped(expression)}</code>'


def _math(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    formula = data_of(node).get("formula")
    return f'<span class="math">{escaped(formula)}</span>' if isinstance(formula, str) else None


def _button(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    data = data_of(node)
    label, kind, action = data.get("label"), data.get("kind"), data.get("action")
    if not isinstance(label, str) or kind not in _BUTTONS:
        return None
    values: list[tuple[str, Json]] = []
    name = "a"
    if isinstance(action, dict):
        name = "button"
        values.append(("type", "button"))
    if "ref" in data:
        values.append(("href", writing.url(data["ref"])))
    values += [("class", f"button {kind}"), ("data-icon", data.get("icon"))]
    if isinstance(action, dict):
        values += [("data-action", action.get("action")), ("data-query", action.get("query"))]
    return f"<{name}{attributes(values)}>{escaped(label)}</{name}>"


def _image(node: Node, writing: Writing, escaped: Callable[[str], str]) -> str | None:
    data = data_of(node)
    if data.keys() - {"ref", "refDark", "alt", "size", "caption"}:
        return None
    values: list[tuple[str, Json]] = [
        ("src", writing.url(data.get("ref"))),
        ("alt", data.get("alt", "")),
        ("title", data.get("caption")),
        ("data-size", data.get("size")),
    ]
    image = f"<img{attributes(values)}>"
    if "refDark" not in data:
        return image
    return picture(image, writing.url(data["refDark"]))


def picture(image: str, dark: str) -> str:
    """An image with another one for dark surroundings."""
    values = attributes([("srcset", dark), ("media", "(prefers-color-scheme: dark)")])
    return f"<picture><source{values}>{image}</picture>"


_FORMS: dict[str, Callable[[Node, Writing, Callable[[str], str]], str | None]] = {
    "button": _button,
    "emoji": _emoji,
    "expression": _expression,
    "icon": _icon,
    "inline-image": _image,
    "inline-math": _math,
}
