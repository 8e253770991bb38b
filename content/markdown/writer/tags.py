"""Blocks that are written as tags: `{% name key="value" %}` ... `{% endname %}`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from content.documents.nodes import (
    Node,
    children_of,
    data_of,
    fragment_of,
    leaves_of,
    object_of,
)
from content.documents.tag_syntax import OLDER_NAMES, PAGE_REF, length_text, parse_tag, read_length
from content.json_types import Json
from content.markdown.writer.inline_nodes import html_inlines
from content.markdown.writer.inlines import link_to
from content.markdown.writer.writing import UnwritableError, Writing, kept_attributes

_FURTHER_TAG = re.compile(r"\n[^\S\n]*\{%")


def tag(
    writing: Writing,
    name: str,
    pairs: Iterable[tuple[str, Json]],
    further: Iterable[tuple[str, Json]] = (),
) -> str:
    """A tag; attributes without a value (None) are left out."""
    quote = "'" if writing.style("quote") == "'" else '"'
    attributes = {key: value for key, value in (*pairs, *further) if value is not None}
    written = [f" {key}={_quoted(value, quote)}" for key, value in attributes.items()]
    source = f"{{% {name}{''.join(written)} %}}"
    # A line within a value that begins so would be read as a tag of its own.
    begins_another = _FURTHER_TAG.search(source) is not None
    if begins_another or "%}" in source[:-2] or parse_tag(source) is None:
        raise UnwritableError
    return source


def _quoted(value: Json, quote: str) -> str:
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, list):
        value = ",".join(str(item) for item in value)
    text = str(value)
    if quote == "'" and not re.search(r"['\"\\]", text):
        return f"'{text}'"
    if '"' not in text and not text.endswith("\\"):
        return f'"{text}"'
    if "'" not in text and not text.endswith("\\"):
        return f"'{text}'"
    escaped = text.replace('"', '\\"')
    if "\\\\" in escaped or text.endswith("\\") or '\\"' in text:
        raise UnwritableError
    return f'"{escaped}"'


def _body(
    name: str, opening: str, body: str, last: Node | None = None, lines: tuple[int, int] = (0, 0)
) -> str:
    """A tag with what it holds; `last` is the last block of that, `lines` are blank lines before
    it and behind it."""
    if not body:
        return f"{opening}\n{{% end{name} %}}"
    # HTML that is kept goes on to the next blank line, and so does an image.
    verbatim = last is not None and last.get("type") == "markdown"
    verbatim = verbatim or body.rpartition("\n")[2].startswith("<img")
    before, behind = "\n" * (lines[0] + 1), "\n" * (max(lines[1], verbatim) + 1)
    return f"{opening}{before}{body}{behind}{{% end{name} %}}"


def _holding(name: str, opening: str, nodes: list[Node], kind: str, writing: Writing) -> str:
    """A tag around the blocks of a container of type `kind`."""
    lines = body_lines(writing)
    return _body(name, opening, writing.blocks(nodes, kind), nodes[-1] if nodes else None, lines)


def body_lines(writing: Writing) -> tuple[int, int]:
    """The numbers of blank lines above and below the body of a block's tag."""
    before, behind = writing.style("bodies"), writing.style("ends")
    return (
        before if isinstance(before, int) and 0 <= before <= 3 else 0,
        behind if isinstance(behind, int) and 0 <= behind <= 3 else 0,
    )


def _options(node: Node, *names: str) -> list[tuple[str, Json]]:
    data = data_of(node)
    return [(name, data.get(name)) for name in names]


def _container(name: str, *names: str) -> Callable[[Node, Writing], str]:
    """A block that holds other blocks in its tag; its data has the names of the attributes."""

    def write(node: Node, writing: Writing) -> str:
        further, shown = kept_attributes(data_of(node)), name
        older = ("tag", OLDER_NAMES.get(name))
        if older in further:
            further.remove(older)
            shown = OLDER_NAMES[name]
        opening = tag(writing, shown, _options(node, *names), further)
        return _holding(shown, opening, children_of(node), str(node.get("type")), writing)

    return write


def _parts(name: str, part: str, *names: str) -> Callable[[Node, Writing], str]:
    """A block of parts that have tags, one below the other."""
    write_container = _container(name, *names)

    def write(node: Node, writing: Writing) -> str:
        children = children_of(node)
        if not children or any(child.get("type") != part for child in children):
            raise UnwritableError
        return write_container(node, writing)

    return write


def _column(node: Node, writing: Writing) -> str:
    data = data_of(node)
    width = length_text(data.get("width"))
    if width is not None and read_length(str(width)) is None:
        raise UnwritableError
    options = [("width", width), ("valign", data.get("verticalAlignment"))]
    opening = tag(writing, "column", options, kept_attributes(data))
    return _holding("column", opening, children_of(node), "column", writing)


def _captioned(name: str, node: Node, opening: str, writing: Writing) -> str:
    caption = None if _has_caption_attribute(node) else fragment_of(node, "caption")
    return _holding(name, opening, caption, "caption", writing) if caption else opening


def _has_caption_attribute(node: Node) -> bool:
    """Whether the attribute `caption`, as older tags have it, says what the caption does."""
    own, caption = (
        object_of(data_of(node), "attributes").get("caption"),
        fragment_of(node, "caption"),
    )
    if not isinstance(own, str):
        return False
    if not caption or len(caption) > 1:
        return not caption and not own.strip()
    leaves = [leaf for child in children_of(caption[0]) for leaf in leaves_of(child) or []]
    plain = all(not leaf.get("marks") for leaf in leaves)
    return plain and " ".join(own.split()) == "".join(str(leaf.get("text")) for leaf in leaves)


def _other_attributes(node: Node) -> list[tuple[str, Json]]:
    others = kept_attributes(data_of(node))
    if _has_caption_attribute(node):
        return others
    return [(name, value) for name, value in others if name != "caption"]


def _embed(node: Node, writing: Writing) -> str:
    others = _other_attributes(node)
    opening = tag(writing, "embed", _options(node, "url", "fullWidth"), others)
    return _captioned("embed", node, opening, writing)


def _file(node: Node, writing: Writing) -> str:
    data = data_of(node)
    others = _other_attributes(node)
    opening = tag(writing, "file", [("src", writing.url(data.get("ref")))], others)
    return _captioned("file", node, opening, writing)


def _content_ref(node: Node, writing: Writing) -> str:
    data = data_of(node)
    url = writing.url(data.get("ref"))
    if kept_attributes(data) == [("tag", PAGE_REF)]:
        return tag(writing, PAGE_REF, [("page", url)], [])
    opening = tag(writing, "content-ref", [("url", url)], kept_attributes(data))
    label = posixpath.basename(url.rstrip("/")) or url
    return _body("content-ref", opening, link_to(url, label), lines=body_lines(writing))


def _expandable(node: Node, writing: Writing) -> str:
    title = fragment_of(node, "expandable-title") or []
    body = fragment_of(node, "expandable-body") or []
    if len(title) != 1 or title[0].get("type") != "paragraph" or data_of(title[0]):
        raise UnwritableError
    summary = html_inlines(children_of(title[0]), writing)
    if "\n" in summary:
        raise UnwritableError
    opening = "<details open>" if data_of(node).get("open") else "<details>"
    content = writing.blocks(body, "expandable-body")
    parts = [opening, f"<summary>{summary}</summary>", *([content] if content else [])]
    return "\n\n".join([*parts, "</details>"])


def _condition(node: Node, writing: Writing) -> str:
    expression = str(data_of(node).get("expression", ""))
    source = f"{{% if {expression} %}}" if expression else "{% if %}"
    if expression != expression.strip() or "\n" in expression or expression.endswith("-"):
        raise UnwritableError
    parsed = parse_tag(source)
    if parsed is None or parsed.name != "if" or "%}" in source[:-2]:
        raise UnwritableError
    return _holding("if", source, children_of(node), "if", writing)


def _include(node: Node, writing: Writing) -> str:
    ref = data_of(node).get("ref")
    path = writing.url(ref)
    if isinstance(ref, dict) and path.startswith("docstead:"):
        id = ref.get("reusableContent")
        if ref.keys() == {"kind", "reusableContent"} and isinstance(id, str) and id.isalnum():
            path = f"/reusable-content/{id}"
    if '"' in path or "\n" in path or "%}" in path or not path:
        raise UnwritableError
    return f'{{% include "{path}" %}}'


def _swagger(node: Node, writing: Writing) -> str:
    data = data_of(node)
    url = writing.url(data.get("ref"))
    options = [("src", url), *_options(node, "path", "method", "expanded", "fullWidth")]
    return _body(
        "openapi", tag(writing, "openapi", options, kept_attributes(data)), link_to(url, url)
    )


def _openapi(*names: str) -> Callable[[Node, Writing], str]:
    """A block of a specification, which has no address that a link could show."""

    def write(node: Node, writing: Writing) -> str:
        kind, data = str(node.get("type")), data_of(node)
        ref = data.get("ref")
        if not isinstance(ref, dict) or ref.keys() != {"kind", "spec"} or ref["kind"] != "openapi":
            raise UnwritableError
        options = [("spec", ref["spec"]), *_options(node, *names)]
        return _body(kind, tag(writing, kind, options, kept_attributes(data)), "")

    return write


def _integration(node: Node, writing: Writing) -> str:
    data = data_of(node)
    props = data.get("props", {})
    name = f"@{data.get('integration')}/{data.get('block')}"
    if not isinstance(props, dict) or data.keys() - {"integration", "block", "props"}:
        raise UnwritableError
    if any(not isinstance(value, str) for value in props.values()):
        raise UnwritableError
    source = tag(writing, name, props.items())
    parsed = parse_tag(source)
    if parsed is None or parsed.name != name or parsed.attributes != props:
        raise UnwritableError
    return source


TAG_BLOCKS: dict[str, Callable[[Node, Writing], str]] = {
    "column": _column,
    "columns": _parts("columns", "column", "fullWidth"),
    "content-ref": _content_ref,
    "embed": _embed,
    "expandable": _expandable,
    "file": _file,
    "hint": _container("hint", "style", "icon"),
    "if": _condition,
    "integration": _integration,
    "openapi-operation": _openapi("path", "method"),
    "openapi-schemas": _openapi("schemas", "grouped"),
    "openapi-webhook": _openapi("name", "method"),
    "prompt": _container("prompt", "description", "icon", "openInAIProviders", "defaultExpanded"),
    "reusable-content": _include,
    "stepper": _parts("stepper", "stepper-step"),
    "stepper-step": _container("step", "title", "icon"),
    "swagger": _swagger,
    "tabs": _parts("tabs", "tabs-item", "fullWidth"),
    "tabs-item": _container("tab", "title", "icon"),
    "update": _container("update", "date", "tags"),
    "updates": _parts("updates", "update", "format"),
}
