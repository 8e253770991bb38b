"""Texts with their marks, and the inlines.

These are links, emoji, icons, formulas, images in a line, annotations, mentions and buttons.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from content.documents.named_places import reference_name
from content.documents.nodes import children_of, data_of, fragment_of, objects_in, text_of
from content.html.markup import EMPTY, Html, classes, element, escape, escape_breakable, joined
from content.html.rendering import Rendering, Target
from content.json_types import JsonObject

_EMOJI = re.compile(r"[0-9a-fA-F]{1,6}(?:[-_ ][0-9a-fA-F]{1,6}){0,15}")
# All tags but those of pictures with a text.
_SILENT = re.compile(r'<(?!img [^>]*\balt="[^"])[^>]*>')
_BLANKS = " \t\n\r\xa0\u200b\u200c\u200d\u2060\ufeff"
_ICON = re.compile(r"[a-z0-9-]{1,60}")


def anchor(
    target: Target,
    content: Html,
    class_: str | None = None,
    title: str = "",
    name: str | None = None,
) -> Html:
    """A link to the target; where there is nothing to go to, its text. `name` is read out where
    the content says nothing."""
    if target.href is None:
        name = classes(class_ or "", "broken-link" if target.broken else "")
        return element("span", content, class_=name) if name else content
    return element(
        "a",
        content,
        href=target.href,
        class_=class_,
        title=title,
        aria_label=name,
        target="_blank" if target.new_window else None,
        rel="noopener" if target.new_window else None,
    )


def name_of(target: Target) -> Html:
    """The label of a link without a text: the title of its target, else its address."""
    return escape_breakable(target.title or target.href or "")


def _silent_name(content: Html, target: Target) -> str | None:
    """The name of a link whose content says nothing: blanks, icons, pictures without a text."""
    said = unescape(_SILENT.sub("", content)).strip(_BLANKS)
    return None if said else target.title or target.href


def link(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    target = rendering.target(data)
    content = rendering.inlines(children_of(node)) or name_of(target)
    # Links within links are none in HTML: the inner ones stay text.
    if "<a " in content:
        return content
    return anchor(target, content, title=text_of(data, "title"), name=_silent_name(content, target))


def emoji_text(code: str) -> str:
    """The characters of an emoji's code points in hex; empty when they are none."""
    if not _EMOJI.fullmatch(code):
        return ""
    points = [int(part, 16) for part in re.split("[-_ ]", code)]
    if any(point > 0x10FFFF or 0xD800 <= point < 0xE000 or point < 0x20 for point in points):
        return ""
    return "".join(map(chr, points))


def emoji(rendering: Rendering, node: JsonObject) -> Html:
    shown = emoji_text(text_of(data_of(node), "code"))
    return element("span", escape(shown), class_="emoji") if shown else EMPTY


def icon_of(name: str) -> Html:
    """An icon, for style sheets that have pictures of them; it says nothing to be read."""
    if not _ICON.fullmatch(name):
        return EMPTY
    return element("span", class_=f"icon icon-{name}", aria_hidden="true")


def icon(rendering: Rendering, node: JsonObject) -> Html:
    return icon_of(text_of(data_of(node), "icon"))


def expression(rendering: Rendering, node: JsonObject) -> Html:
    source = text_of(data_of(node), "expression")
    value = rendering.options.evaluate(source)
    if value is None:
        return element("code", escape(source), class_="expression")
    return escape(value)


def inline_math(rendering: Rendering, node: JsonObject) -> Html:
    return rendering.options.formula(text_of(data_of(node), "formula"), False)


def inline_image(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    target = rendering.target(data)
    alt = text_of(data, "alt") or text_of(data, "caption")
    if target.image is None:
        return anchor(target, escape(alt) or name_of(target), "missing-image")
    size = "original" if data.get("size") == "original" else "line"
    caption = text_of(data, "caption")
    # Without a text the attribute must be there all the same: the image is decoration then.
    return image_of(rendering, target, alt, class_=f"inline-image {size}", title=caption)


def image_of(
    rendering: Rendering, target: Target, alt: str, **attributes: str | int | None
) -> Html:
    """The image of a target. On screens it has its own size, unless `width` or `height` say another
    one, and those behind the first of a document are loaded when they come near."""
    assert target.image is not None
    own: dict[str, str | int | None] = {}
    if not rendering.options.paper:
        own = {"width": target.width, "height": target.height}
        if rendering.images:
            own |= {"loading": "lazy", "decoding": "async"}
    rendering.images += 1
    return image_element(target.image, alt, **(own | attributes))


def image_element(src: str, alt: str, **attributes: str | int | None) -> Html:
    """An `<img>`; its `alt` is there even when it is empty."""
    if alt:
        return element("img", src=src, alt=alt, **attributes)
    image = element("img", src=src, **attributes)
    return Html(f'{image[:-1]} alt="">')


def annotation(rendering: Rendering, node: JsonObject) -> Html:
    content = rendering.inlines(children_of(node))
    body = fragment_of(node, "annotation-body")
    if body is None:
        return content
    rendering.notes.append(EMPTY)
    number = len(rendering.notes)
    # Its number is taken before annotations within its body get theirs.
    rendering.notes[number - 1] = rendering.blocks(body)
    mark = element(
        "a",
        escape(str(number)),
        href=f"#{rendering.note_id(number)}",
        id=rendering.note_id(number, "reference"),
        role="doc-noteref",
    )
    places = rendering.places_named([reference_name(number)])
    return joined([content, *places, element("sup", mark, class_="note-reference")])


def mention(rendering: Rendering, node: JsonObject) -> Html:
    target = rendering.target(data_of(node))
    return anchor(target, name_of(target), "mention")


def button(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    target = rendering.target(data) if "ref" in data else Target()
    kind = "secondary" if data.get("kind") == "secondary" else "primary"
    label = escape(text_of(data, "label").strip()) or name_of(target)
    content = joined([icon_of(text_of(data, "icon")), label])
    return anchor(target, content, f"button {kind}")


COLORS = {
    "green": "green", "blue": "blue", "red": "red", "orange": "orange", "yellow": "yellow",
    "purple": "purple", "$primary": "primary", "$info": "info", "$success": "success",
    "$warning": "warning", "$danger": "danger",
}  # fmt: skip


def _element(name: str) -> Callable[[JsonObject, Html], Html]:
    return lambda mark, content: element(name, content)


def _color(mark: JsonObject, content: Html) -> Html:
    data = data_of(mark)
    text = COLORS.get(text_of(data, "text"), "")
    background = COLORS.get(text_of(data, "background"), "")
    chosen = classes(text and f"text-{text}", background and f"background-{background}")
    return element("span", content, class_=chosen) if chosen else content


MARKS: dict[str, Callable[[JsonObject, Html], Html]] = {
    "bold": _element("strong"),
    "italic": _element("em"),
    "code": _element("code"),
    "keyboard": _element("kbd"),
    "strikethrough": _element("s"),
    "superscript": _element("sup"),
    "subscript": _element("sub"),
    "color": _color,
}
# Code stands closest to the text, so that it may be bold as a whole.
_INNERMOST = ("code", "keyboard")


def render_text(rendering: Rendering, node: JsonObject) -> Html:
    """The leaves of a text; a line end in it is one that its writer asked for."""
    written = escape_breakable if rendering.options.paper else escape
    return joined(_leaf(leaf, written) for leaf in objects_in(node.get("leaves")))


def _leaf(leaf: JsonObject, written: Callable[[str], Html]) -> Html:
    lines = text_of(leaf, "text").split("\n")
    content = Html(element("br").join(written(line) for line in lines))
    if not content:
        return EMPTY
    marks = list(objects_in(leaf.get("marks")))[:20]
    for mark in sorted(marks, key=lambda mark: mark.get("type") not in _INNERMOST):
        kind = mark.get("type")
        make = MARKS.get(kind) if isinstance(kind, str) else None
        if make is not None:
            content = make(mark, content)
    return content
