"""Blocks that integrations draw: their elements as HTML, whatever a script has answered.

What a block shows comes with it (`resolvers/integrations/shown.py`), as the element that its
integration has rendered last, for dark surroundings, too, where that is another one. Links lead
where they say. Controls can not be used but by our script, which sends what a reader does to where
`Options.blocks` says. A block without an element shows its source or address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from content.documents.integration_elements import (
    DEPTH,
    MOST_ELEMENTS,
    Elements,
    code_node,
    listed,
    name_of_window,
    texts,
)
from content.documents.nodes import data_of, object_of, objects_in, text_of
from content.html.inlines import anchor, image_element
from content.html.integration_controls import Controls, Place, symbol
from content.html.markup import EMPTY, Html, classes, element, escape, joined, safe_address
from content.html.openapi_schemas import without_places
from content.html.rendering import Rendering, Target
from content.json_types import JsonObject, values_in
from content.markdown.parser import parse_document

# Characters of Markdown of one block that are read as such.
MOST_MARKDOWN = 20_000
# Origins of frames of one page: its policy names them in a header, and proxies refuse long ones.
MOST_FRAME_ORIGINS = 12
_ORIGIN = re.compile(r"https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?")
_WINDOWS = frozenset({"xlarge", "fullscreen"})
_ALIGNMENTS = frozenset({"start", "center", "end"})
_STYLES = {"bold": "strong", "italic": "em", "code": "code", "strikethrough": "s"}
# What a page of an integration may do in its frame: nothing with the origin of whoever serves it.
FRAME_SANDBOX = "allow-scripts allow-forms allow-popups"
_Element = Mapping[str, Any]


def integration(rendering: Rendering, node: JsonObject) -> Html:
    """A block of an integration: what it has drawn, or else its source or its address."""
    data = data_of(node)
    shown = object_of(data, "shown")
    if not object_of(shown, "element"):
        return _undrawn(data, named=rendering.options.paper)
    dark = object_of(shown, "dark")
    if not object_of(dark, "element") or rendering.options.paper:
        return _drawn(rendering, data, shown, text_of(data, "theme") or "light")
    pictures = [_drawn(rendering, data, shown, "light", "for-light"),
                _drawn(rendering, data, dark, "dark", "for-dark")]  # fmt: skip
    return joined(pictures)


def _drawn(
    rendering: Rendering, data: JsonObject, shown: JsonObject, theme: str, only: str = ""
) -> Html:
    """What was drawn for one of the two surroundings, with what our script needs to go on."""
    state, origins = object_of(shown, "state"), data.get("frames")
    names = list(map(str, origins)) if isinstance(origins, list) else None
    root, key = object_of(shown, "element"), text_of(data, "key")
    seals, is_window = object_of(data, "seals"), data.get("window") is True
    if is_window and root.get("type") != "modal":
        root = {"type": "modal", "children": [root]}
    place = Place(f"kit-{key[:12]}-{theme}{'-window' * is_window}", seals, is_window)
    drawing = _Drawing(rendering, Elements(state), place, names)
    html = drawing.element(root, 0)
    acts = bool(html and key and (drawing.acts or is_window))
    rendering.uses.blocks = rendering.uses.blocks or acts
    acting: dict[str, str] = {}
    if acts:
        acting = {"data_block": key, "data_theme": theme, "data_state": json.dumps(state),
                  "data_to": rendering.options.blocks}  # fmt: skip
    component = text_of(shown, "component")
    if acts and component:
        # Not what the author has written: this server says that it may be asked for.
        props = object_of(shown, "props")
        acting["data_asked"] = json.dumps({"componentId": component, "props": props})
        acting["data_seal"] = str(seals.get(name_of_window(component, props), ""))
    if is_window:
        size = texts(root, "size")
        look = classes("document kit-window", f"kit-{size}" if size in _WINDOWS else "")
        named = texts(root, "title") or text_of(data, "title")
        return element("dialog", html, class_=look, aria_label=named, **acting,
                       data_returned=json.dumps(object_of(root, "returnValue")))  # fmt: skip
    look = classes("integration-block", only)
    return element("div", html, class_=look, **acting) if html else EMPTY


def _undrawn(data: JsonObject, *, named: bool) -> Html:
    """Its source or address under its name; where there is neither, its name alone if `named`."""
    props = object_of(data, "props")
    name = "/".join(filter(None, (text_of(data, "integration"), text_of(data, "block"))))
    source = text_of(props, "content") or text_of(props, "source")
    url = text_of(data, "url") or text_of(props, "url")
    shown = EMPTY
    if source:
        shown = element("pre", element("code", escape(source)), class_="code-lines")
    elif url:
        shown = element("p", anchor(Target(href=safe_address(url)), escape(url)))
    if not shown and not (named and name):
        return EMPTY
    label = element("figcaption", escape(name)) if name else EMPTY
    return element("figure", joined([label, shown]), class_="integration")


class _Drawing(Controls):
    """One block on its way to HTML: all of it is escaped, and its addresses are safe ones."""

    def __init__(
        self,
        rendering: Rendering,
        elements: Elements,
        place: Place,
        origins: Collection[str] | None = None,
    ) -> None:
        """`origins` are those that the policy of the page names already; None where it follows."""
        super().__init__(rendering, elements, place)
        self._origins = origins
        self._left, self._markdown_left = MOST_ELEMENTS, MOST_MARKDOWN

    def element(self, value: Any, depth: int) -> Html:
        """An element, a text, or nothing where it is neither, or too many or too deep."""
        if isinstance(value, str):
            return escape(value)
        if not isinstance(value, dict) or depth > DEPTH or self._left <= 0:
            return EMPTY
        self._left -= 1
        kind = value.get("type")
        draw = _KINDS.get(kind) if isinstance(kind, str) else None
        return _Drawing.children(self, value, depth) if draw is None else draw(self, value, depth)

    def children(self, value: _Element, depth: int, name: str = "children") -> Html:
        """What stands within an element, one after the other."""
        return joined(self.element(child, depth + 1) for child in listed(value.get(name)))

    # -------------------------------------------------------------- places of others

    def stack(self, value: _Element, depth: int) -> Html:
        """Elements below each other, or in a row."""
        kind = "kit-row" if value.get("type") == "hstack" else "kit-column"
        align = value.get("align")
        aligned = f"kit-{align}" if isinstance(align, str) and align in _ALIGNMENTS else ""
        return element("div", self.children(value, depth), class_=classes(kind, aligned))

    def box(self, value: _Element, depth: int) -> Html:
        grows = isinstance(value.get("grow"), int | float) and value["grow"] > 0
        return element(
            "div", self.children(value, depth), class_=classes("kit-box", "kit-grows" * grows)
        )

    def card(self, value: _Element, depth: int) -> Html:
        """A card with a title, which leads where the card does."""
        title = self.pressed(value, escape(texts(value, "title")))
        icon = value.get("icon")
        picture = self.element(icon, depth + 1) if isinstance(icon, dict) else symbol(icon)
        hint = self._inline(value.get("hint"), depth)
        parts = [
            element("p", joined([picture, element("strong", title)]), class_="kit-title")
            if title or picture
            else EMPTY,
            element("p", hint, class_="kit-hint") if hint else EMPTY,
            self.children(value, depth),
            self._buttons(value, depth),
        ]
        return element("div", joined(parts), class_="kit-card")

    def step(self, value: _Element, depth: int) -> Html:
        title = texts(value, "title")
        head = element("p", element("strong", escape(title))) if title else EMPTY
        return element("div", joined([head, self.children(value, depth)]), class_="kit-column")

    def window(self, value: _Element, depth: int) -> Html:
        """A window that a reader has opened; nothing within a page."""
        if depth or not self._place.is_window:
            return EMPTY
        title, subtitle = escape(texts(value, "title")), self._inline(value.get("subtitle"), depth)
        close = element("button", escape("✕"), type="button", class_="kit-close",
                        aria_label=self._rendering.options.words.blocks.close)  # fmt: skip
        submit = self.element(value.get("submit"), depth + 1)
        parts = [
            element("div", joined([title and element("h2", title), close]), class_="kit-head"),
            element("div", subtitle, class_="kit-hint kit-row") if subtitle else EMPTY,
            self.children(value, depth),
            element("div", submit, class_="kit-row kit-end") if submit else EMPTY,
        ]
        return joined(parts)

    def hidden(self, value: _Element, depth: int) -> Html:
        """What only editors see: forms of configurations."""
        return EMPTY

    # -------------------------------------------------------------- texts

    def text(self, value: _Element, depth: int) -> Html:
        content = self._inline(value.get("children"), depth)
        style = value.get("style")
        name = _STYLES.get(style) if isinstance(style, str) else None
        return element(name or "span", content)

    def link(self, value: _Element, depth: int) -> Html:
        address = safe_address(self._elements.address(value.get("target")))
        content = self._inline(value.get("children"), depth) or escape(address or "")
        return anchor(Target(href=address), content) if address else content

    def hint(self, value: _Element, depth: int) -> Html:
        return element("p", self._inline(value.get("children"), depth), class_="kit-hint")

    def markdown(self, value: _Element, depth: int) -> Html:
        source = self._elements.text(value.get("content"))
        self._markdown_left -= len(source)
        if self._markdown_left < 0:
            return element("p", escape(source[:MOST_MARKDOWN]))
        nodes = objects_in(parse_document(source).get("nodes"))
        return self._rendering.blocks([without_places(node) for node in nodes])

    def code(self, value: _Element, depth: int) -> Html:
        """A code block, between what stands above and below it."""
        from_state = value.get("state")
        source = self._elements.text(value.get("content"))
        if not source and isinstance(from_state, str):
            source = self._elements.text({"$state": from_state})
        node = code_node(source, texts(value, "syntax"), bool(value.get("lineNumbers")))
        parts = [
            self.children(value, depth, "header"),
            self._rendering.blocks([node]),
            self.children(value, depth, "footer"),
            self._buttons(value, depth),
        ]
        return joined(parts)

    def divider(self, value: _Element, depth: int) -> Html:
        size = texts(value, "size")
        return element("hr", class_=f"kit-{size}" if size in ("small", "large") else None)

    # -------------------------------------------------------------- pictures and pages

    def image(self, value: _Element, depth: int) -> Html:
        address = safe_address(self._elements.address(value.get("source")))
        if not address:
            return EMPTY
        ratio = _ratio(value)
        size = {} if ratio is None else {"width": 1_000, "height": max(1, round(1_000 / ratio))}
        return image_element(address, "", loading="lazy", referrerpolicy="no-referrer", **size)

    def frame(self, value: _Element, depth: int) -> Html:
        """A page of the integration, in a sandbox; a link to it on paper."""
        address = safe_address(self._elements.address(value.get("source")))
        origin = _origin(address or "")
        if not address or origin is None:
            return EMPTY
        label = element("p", anchor(Target(href=address), escape(address)))
        frames = self._rendering.uses.frames
        one_too_many = origin not in frames and len(frames) >= MOST_FRAME_ORIGINS
        unnamed = self._origins is not None and origin not in self._origins
        if self._rendering.options.paper or one_too_many or unnamed:
            return joined([label, self._buttons(value, depth)])
        frames.add(origin)
        ratio, acts = _ratio(value), self._may_act()
        frame = element(
            "iframe",
            src=address,
            title=urlsplit(address).hostname or "",
            sandbox=FRAME_SANDBOX,
            loading="lazy",
            referrerpolicy="no-referrer",
            class_=classes("kit-frame", "kit-flat" * (ratio is not None and ratio >= 3)),
            data_message=json.dumps(value.get("data") or {}) if acts else None,
            data_ratio=None if ratio is None else str(ratio),
        )
        return joined([frame, self._buttons(value, depth)])

    def _buttons(self, value: _Element, depth: int) -> Html:
        buttons = self.children(value, depth, "buttons")
        return element("div", buttons, class_="kit-row") if buttons else EMPTY


_KINDS: Mapping[str, Callable[[_Drawing, _Element, int], Html]] = {
    "block": _Drawing.stack,
    "vstack": _Drawing.stack,
    "hstack": _Drawing.stack,
    "box": _Drawing.box,
    "card": _Drawing.card,
    "step": _Drawing.step,
    "stepper": _Drawing.step,
    "modal": _Drawing.window,
    "configuration": _Drawing.hidden,
    "text": _Drawing.text,
    "link": _Drawing.link,
    "hint": _Drawing.hint,
    "markdown": _Drawing.markdown,
    "codeblock": _Drawing.code,
    "divider": _Drawing.divider,
    "image": _Drawing.image,
    "webframe": _Drawing.frame,
    "button": _Drawing.button,
    "input": _Drawing.labelled,
    "textinput": _Drawing.text_input,
    "select": _Drawing.select,
    "switch": _Drawing.check,
    "checkbox": _Drawing.check,
    "radio": _Drawing.check,
}


def _ratio(value: _Element) -> float | None:
    """Width by height, within what a page can show."""
    ratio = value.get("aspectRatio")
    if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not ratio > 0:
        return None
    return round(min(max(float(ratio), 0.1), 20.0), 4)


def frame_origins(shown: JsonObject) -> list[str]:
    """The origins of the pages that an element shows in frames."""
    elements, origins = Elements(object_of(shown, "state")), []
    for value in values_in([shown]):
        if isinstance(value, dict) and value.get("type") == "webframe":
            origin = _origin(safe_address(elements.address(value.get("source"))) or "")
            if origin is not None:
                origins.append(origin)
    return origins


def _origin(address: str) -> str | None:
    """The origin of an address, as a policy names it; None where it has none that may be named."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").lower()
    origin = f"{parts.scheme.lower()}://{host}" + ("" if port is None else f":{port}")
    return origin if _ORIGIN.fullmatch(origin) else None
