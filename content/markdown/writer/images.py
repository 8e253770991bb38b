"""Images and drawings."""

from __future__ import annotations

from content.documents.nodes import Node, children_of, data_of, fragment_of, inline
from content.documents.tag_syntax import length_text
from content.json_types import Json
from content.markdown.writer.inline_nodes import html_inlines, picture
from content.markdown.writer.inlines import paragraph_text
from content.markdown.writer.writing import UnwritableError, Writing, attributes, kept_attributes


def images(node: Node, writing: Writing, parent: str) -> str:
    """`![alt](url)` for images without options where that makes image blocks, else figures."""
    children, data = children_of(node), data_of(node)
    if not children or any(child.get("type") != "image" for child in children):
        raise UnwritableError
    simple = all(
        not data_of(child).keys() - {"ref", "alt"} and not fragment_of(child, "caption")
        for child in children
    )
    plain = len(children) > 1 or writing.style("images") != "figures"
    if simple and plain and not data and not parent.startswith(("list-item", "blockquote")):
        inlines = [inline("inline-image", data=data_of(child)) for child in children]
        return " ".join(paragraph_text([image], writing) for image in inlines)
    figures = [_figure(child, writing) for child in children]
    options = attributes(
        [
            ("align", data.get("align")),
            ("data-full-width", data.get("fullWidth")),
            ("data-with-frame", data.get("withFrame")),
        ]
    )
    if data.keys() - {"align", "fullWidth", "withFrame"}:
        raise UnwritableError
    if not options and len(figures) == 1:
        return figures[0]
    return f"<div{options}>{' '.join(figures)}</div>"


def drawing(node: Node, writing: Writing) -> str:
    if "ref" not in data_of(node):
        raise UnwritableError
    if fragment_of(node, "caption"):
        return _figure(node, writing)
    return _image(node, writing)


def _figure(node: Node, writing: Writing) -> str:
    caption = ""
    parts = fragment_of(node, "caption") or []
    for part in parts:
        if part.get("type") != "paragraph" or data_of(part):
            raise UnwritableError
        caption += f"<p>{html_inlines(children_of(part), writing)}</p>"
    if len(parts) == 1 and writing.style("captions") == "plain":
        caption = caption.removeprefix("<p>").removesuffix("</p>")
    return f"<figure>{_image(node, writing)}<figcaption>{caption}</figcaption></figure>"


def _image(node: Node, writing: Writing) -> str:
    data = data_of(node)
    members = {"ref", "refDark", "alt", "width", "height", "attributes"}
    if data.keys() - members or "ref" not in data:
        raise UnwritableError
    kind: list[tuple[str, Json]] = (
        [("class", "gitbook-drawing")] if node.get("type") == "drawing" else []
    )
    values: list[tuple[str, Json]] = [
        ("src", writing.url(data["ref"])),
        ("alt", data.get("alt", "")),
        *kind,
        ("width", length_text(data.get("width"))),
        ("height", length_text(data.get("height"))),
        *kept_attributes(data),
    ]
    image = f"<img{attributes(values)}>"
    return picture(image, writing.url(data["refDark"])) if "refDark" in data else image
