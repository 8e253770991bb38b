"""Hints, expandables and panels in the HTML of wikis and generators, which are plain boxes there.

Each function looks at one element and says what it stands for, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from content.imports.dom import Tag

# Words in class names of boxes, and the style of hint they stand for.
_STYLES = {
    "info": "info",
    "information": "info",
    "note": "info",
    "seealso": "info",
    "abstract": "info",
    "important": "warning",
    "warning": "warning",
    "warn": "warning",
    "attention": "warning",
    "caution": "warning",
    "danger": "danger",
    "error": "danger",
    "bug": "danger",
    "failure": "danger",
    "tip": "success",
    "hint": "success",
    "success": "success",
}
# Confluence shows its `note` in yellow and its `warning` in red.
_MACRO_STYLES = {"info": "info", "information": "info", "note": "warning", "warning": "danger",
                 "tip": "success"}  # fmt: skip
_ICON_STYLES = {
    "": "info", "💡": "info", "ℹ": "info", "📌": "info", "📝": "info", "🗒": "info", "👉": "info",
    "⚠": "warning", "🚧": "warning", "❗": "warning", "❕": "warning",
    "🚨": "danger", "🛑": "danger", "⛔": "danger", "🚫": "danger", "❌": "danger", "🔥": "danger",
    "✅": "success", "✔": "success", "☑": "success", "🎉": "success", "👍": "success",
}  # fmt: skip
_BOXES = ("admonition", "markdown-alert", "theme-admonition", "alert", "callout", "notification")
_BOX_TITLES = frozenset(
    {"admonition-title", "markdown-alert-title", "title", "alert-heading", "callout-title"}
)


@dataclass(slots=True)
class Box:
    """A hint (`style` is set) or an expandable with its title and what stands in it."""

    style: str | None
    title: str
    body: list[Tag | str]


def read_box(tag: Tag) -> Box | None:
    """The hint or expandable that an element stands for, else None."""
    boxes = (rule(tag) for rule in _RULES)
    return next((box for box in boxes if box is not None), None)


def _details(tag: Tag) -> Box | None:
    if tag.name != "details":
        return None
    summary = tag.child("summary")
    title = summary.words() if summary is not None else ""
    return Box(None, title, [child for child in tag.children if child is not summary])


def _rendered_macro(tag: Tag) -> Box | None:
    """`div.confluence-information-macro` of the HTML export."""
    prefix = "confluence-information-macro-"
    classes = tag.classes()
    if "confluence-information-macro" not in classes:
        return None
    kinds = [name.removeprefix(prefix) for name in classes if name.startswith(prefix)]
    style = _MACRO_STYLES.get(kinds[0] if kinds else "info", "info")
    title = next((child.words() for child in tag.elements() if "title" in child.classes()), "")
    body = tag.of_class("confluence-information-macro-body")
    return Box(style, title, body.children if body is not None else [])


def _rendered_expand(tag: Tag) -> Box | None:
    """`div.expand-container` of the HTML export."""
    if "expand-container" not in tag.classes():
        return None
    control = tag.of_class("expand-control-text") or tag.of_class("expand-control")
    body = tag.of_class("expand-content")
    return Box(None, control.words() if control else "", body.children if body else [])


def _rendered_panel(tag: Tag) -> Box | None:
    """`div.panel` with a header; panels of code are something else."""
    classes = tag.classes()
    if "panel" not in classes or "code" in classes or "preformatted" in classes:
        return None
    header = next((child for child in tag.elements() if "panelheader" in child.classes()), None)
    body = next((child for child in tag.elements() if "panelcontent" in child.classes()), None)
    return Box("info", header.words() if header else "", body.children) if body else None


def macro_parameter(tag: Tag, name: str) -> str:
    """The text of a parameter of an `ac:structured-macro`."""
    for child in tag.elements():
        if child.name == "ac:parameter" and child.get("ac:name") == name:
            return child.words()
    return ""


def _stored_macro(tag: Tag) -> Box | None:
    """`ac:structured-macro` as wikis store it."""
    if tag.name not in ("ac:structured-macro", "ac:macro"):
        return None
    name = tag.get("ac:name")
    if name not in _MACRO_STYLES and name not in ("expand", "panel"):
        return None
    body = tag.child("ac:rich-text-body")
    style = None if name == "expand" else _MACRO_STYLES.get(name, "info")
    return Box(style, macro_parameter(tag, "title"), body.children if body else [])


def _figure_callout(tag: Tag) -> Box | None:
    """`figure.callout` and `aside`: an icon beside text."""
    if tag.name != "figure" or "callout" not in tag.classes():
        return None
    parts = tag.elements()
    bodies = parts[1:] if len(parts) > 1 else parts
    body = [child for part in bodies for child in part.children]
    icon = parts[0].words() if len(parts) > 1 else ""
    style = style_of_icon(icon)
    if style is None and icon:
        # It says something that no hint shows by itself.
        first = next((child for child in body if isinstance(child, Tag)), None)
        (body if first is None else first.children).insert(0, f"{icon} ")
    return Box(style or "info", "", body)


def style_of_icon(icon: str) -> str | None:
    """The style of a hint whose symbol says the same as an icon; None for others."""
    return _ICON_STYLES.get(icon.strip().removesuffix("\ufe0f"))


def _toggle(tag: Tag) -> Box | None:
    """`ul.toggle` around one `details`."""
    items = tag.elements()
    if tag.name != "ul" or "toggle" not in tag.classes() or len(items) != 1:
        return None
    inner = [child for child in items[0].elements() if child.name == "details"]
    return _details(inner[0]) if len(inner) == 1 else None


def _admonition(tag: Tag) -> Box | None:
    """Boxes of generators: a class that says it is one, and one that says of which kind."""
    classes = tag.classes()
    if tag.name not in ("div", "aside", "section", "blockquote"):
        return None
    if not any(name.startswith(_BOXES) for name in classes):
        return None
    words = [part for name in classes for part in name.replace("_", "-").split("-")]
    style = next((_STYLES[word] for word in words if word in _STYLES), None)
    if style is None:
        return None
    title, body = "", list[Tag | str]()
    for child in tag.children:
        if isinstance(child, Tag) and (set(child.classes()) & _BOX_TITLES) and not title:
            title = child.words()
        else:
            body.append(child)
    # A title that only repeats the kind says nothing.
    return Box(style, "" if title.lower().strip(" :") in _STYLES else title, body)


_RULES: tuple[Callable[[Tag], Box | None], ...] = (
    _details,
    _rendered_macro,
    _rendered_expand,
    _rendered_panel,
    _stored_macro,
    _figure_callout,
    _toggle,
    _admonition,
)
