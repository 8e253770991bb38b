"""Controls of blocks of integrations, and what our script needs of them to be used.

They are drawn disabled: the script of the page enables those that `_acting` marks, with the action
of the integration that follows. What opens a window carries the seal that this server has given to
it, so that readers ask for no other component, and for none with other properties.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.documents.integration_elements import (
    CLOSE_WINDOW,
    Elements,
    listed,
    name_of_window,
    opened_address,
    texts,
    window_of,
)
from content.html.markup import EMPTY, Html, classes, element, escape, joined, safe_address
from content.html.rendering import Rendering

# Options of one control, and characters of one action as JSON.
MOST_OPTIONS, MOST_ACTION = 200, 10_000
# The icons of the published kit, as signs that every font has or replaces.
SYMBOLS = {
    "close": "✕", "edit": "✎", "github": "◉", "gitlab": "◈", "maximize": "⤢", "email": "✉",
    "settings": "⚙", "search": "⌕", "delete": "⌫", "star": "★", "warning": "⚠", "link": "∞",
    "link-external": "↗", "eye": "◎", "eye-off": "⊘", "lock": "⚿", "check": "✓",
    "check-circle": "✔",
}  # fmt: skip
_Element = Mapping[str, Any]


def symbol(name: Any) -> Html:
    """An icon of the kit; nothing where it has none of that name."""
    sign = SYMBOLS.get(name) if isinstance(name, str) else None
    return element("span", escape(sign), class_="kit-icon", aria_hidden="true") if sign else EMPTY


@dataclass(slots=True)
class Place:
    """Where something of an integration stands: `name` makes ids, `seals` are those of windows."""

    name: str = ""
    seals: Mapping[str, Any] = field(default_factory=dict)
    is_window: bool = False
    # Ids that were made.
    number: int = 0

    def id(self) -> str:
        """An id of this place that it has not made before."""
        self.number += 1
        return f"{self.name}-{self.number}"


class Controls:
    """What draws the controls of one block or window."""

    def __init__(self, rendering: Rendering, elements: Elements, place: Place) -> None:
        self._rendering, self._elements, self._place = rendering, elements, place
        # Whether a reader can act in it; whether a label names the control that is drawn.
        self.acts = self._labelled = False

    def element(self, value: Any, depth: int) -> Html:
        """An element, a text, or nothing."""
        raise NotImplementedError

    def button(self, value: _Element, depth: int) -> Html:
        """A link where the button opens an address; else a button for our script, if an action of
        the integration follows."""
        icon, behind = symbol(value.get("icon")), symbol(value.get("trailingIcon"))
        name = texts(value, "label") or texts(value, "tooltip") or texts(value, "icon")
        label = joined([icon, escape(texts(value, "label") or ("" if icon else name)), behind])
        style = texts(value, "style")
        look = classes("kit-button", f"kit-{style}" if style in ("primary", "danger") else "")
        said = name if name != texts(value, "label") else None
        tooltip = texts(value, "tooltip")
        address = safe_address(self.opened(value))
        if address and value.get("disabled") is not True:
            return element("a", label or escape(address), href=address, class_=look,
                           title=tooltip, aria_label=said)  # fmt: skip
        return element("button", label, type="button", disabled=True, class_=look, aria_label=said,
                       title=tooltip, **self._acting(value, "onPress"))  # fmt: skip

    def opened(self, value: _Element) -> str:
        """The address that is opened when something is pressed; "" where something else follows."""
        action = value.get("onPress")
        if not isinstance(action, dict):
            return ""
        return opened_address({**action, "url": self._elements.text(action.get("url"))})

    def pressed(self, value: _Element, content: Html) -> Html:
        """What is shown of a card that leads somewhere, or that an action follows."""
        address = safe_address(self.opened(value))
        if address:
            return element("a", content or symbol("link-external"), href=address,
                           aria_label=None if content else address)  # fmt: skip
        acting = self._acting(value, "onPress")
        if "data_action" not in acting:
            return content
        name = None if content else self._rendering.options.words.blocks.show
        return element("button", content or symbol("maximize"), type="button", disabled=True,
                       class_="kit-press", aria_label=name, **acting)  # fmt: skip

    def labelled(self, value: _Element, depth: int) -> Html:
        """A control with its label and what is said of it."""
        hint, label = self._inline(value.get("hint"), depth), texts(value, "label")
        control = value.get("element")
        self._labelled = bool(label)
        drawn = self.element(control, depth + 1)
        self._labelled = False
        parts = [element("span", escape(label)), drawn,
                 element("small", hint) if hint else EMPTY]  # fmt: skip
        # Blocks of text and buttons have no label of this kind.
        named = isinstance(control, dict) and control.get("type") not in ("button", "codeblock")
        return element("label" if named else "div", joined(parts), class_="kit-input")

    def text_input(self, value: _Element, depth: int) -> Html:
        """A field for a text."""
        current = self._value(value)
        # What is typed as a password is nobody's to see.
        kind = texts(value, "inputType")
        shown = "" if kind == "password" else current
        acting = self._acting(value)
        placeholder = texts(value, "placeholder")
        label = self._said(value, placeholder)
        if value.get("multiline") is True:
            return element("textarea", escape(shown), disabled=True, aria_label=label, rows=4,
                           placeholder=placeholder, **acting)  # fmt: skip
        type = kind if kind in ("password", "email") else "text"
        return element("input", type=type, value=shown, disabled=True, aria_label=label,
                       placeholder=placeholder, **acting)  # fmt: skip

    def select(self, value: _Element, depth: int) -> Html:
        """All options where it has a list of them, else what is chosen; a field with proposals
        where something else may be chosen, too."""
        chosen = set(map(str, listed(self._elements.value(value, "initialValue"))))
        options, follows = value.get("options"), value.get("follows")
        offered = [
            (texts(option, "id"), _option(option))
            for option in (options if isinstance(options, list) else [])[:MOST_OPTIONS]
            if isinstance(option, dict) and texts(option, "id")
        ]
        multiple, typed = value.get("multiple") is True, value.get("acceptInput") is True
        acting = self._acting(value, "onValueChange") if offered or typed else {}
        if acting and isinstance(follows, list):
            acting["data_follows"] = " ".join(map(str, follows))
        if typed and not multiple:
            return self._proposing(value, offered, " ".join(chosen), acting)
        parts = [element("option", label, value=id, selected=id in chosen) for id, label in offered]
        if not chosen.intersection(id for id, _ in offered) and not multiple:
            # Nothing of the list: what is chosen nevertheless, or what to do.
            shown = ", ".join(sorted(chosen)) or texts(value, "placeholder")
            parts.insert(0, element("option", escape(shown), selected=True))
        return element("select", joined(parts), disabled=True, multiple=multiple,
                       aria_label=self._said(value, texts(value, "placeholder")), **acting,
                       )  # fmt: skip

    def _proposing(
        self, value: _Element, offered: list[tuple[str, Html]], chosen: str, acting: dict[str, str]
    ) -> Html:
        placeholder, name = texts(value, "placeholder"), self._place.id()
        proposals = joined(element("option", label, value=id) for id, label in offered)
        return joined([
            element("input", type="text", value=chosen, disabled=True, list=name,
                    placeholder=placeholder, aria_label=self._said(value, placeholder), **acting),
            element("datalist", proposals, id=name),
        ])  # fmt: skip

    def check(self, value: _Element, depth: int) -> Html:
        """A box or a switch that is on or off, or one of several choices."""
        current = self._elements.value(value, "initialValue")
        on = value["value"] in listed(current) if "value" in value else current is True
        kind = "radio" if value.get("type") == "radio" else "checkbox"
        choice = value.get("value")
        written = json.dumps(choice) if isinstance(choice, str | int | float) else None
        acting = self._acting(value, "onValueChange")
        group = f"{self._place.name}-{acting['data_name']}" if "data_name" in acting else None
        return element(
            "input", type=kind, checked=on, disabled=True, aria_label=self._said(value),
            role="switch" if value.get("type") == "switch" else None,
            name=group if kind == "radio" else None, data_choice=written, **acting,
        )  # fmt: skip

    def _said(self, value: _Element, words: str = "") -> str | None:
        """The name of a control that no label names."""
        return None if self._labelled else words or texts(value, "state")

    def _may_act(self) -> bool:
        """Whether a reader can act here; from then on the block is one in which they do."""
        options = self._rendering.options
        may = bool(options.blocks) and not options.paper
        self.acts = self.acts or may
        return may

    def _acting(self, value: _Element, member: str = "") -> dict[str, str]:
        """What our script needs of a control: the name in the state that it changes, and the action
        of the integration that follows; nothing where a reader cannot use it.

        What begins with `@` belongs to editors but for windows, and nothing follows it here.
        """
        action, confirm = value.get(member), value.get("confirm")
        acting: dict[str, str] = {}
        if (name := texts(value, "state")) and value.get("type") != "button":
            acting["data_name"] = name
        acting |= self._following(action)
        if not acting or value.get("disabled") is True or not self._may_act():
            return {}
        # A choice is asked about whether an action follows it or not.
        if isinstance(confirm, dict) and (value.get("type") != "button" or "data_action" in acting):
            words = self._rendering.options.words.blocks
            said = {name: texts(confirm, name) for name in ("title", "text", "confirm", "style")}
            acting["data_confirm"] = json.dumps({**said, "cancel": words.cancel})
        return acting

    def _following(self, action: Any) -> dict[str, str]:
        named = texts(action, "action") if isinstance(action, dict) else ""
        if not named or len(written := json.dumps(action)) > MOST_ACTION:
            return {}
        window = window_of(action)
        if window is not None:
            seal = self._place.seals.get(name_of_window(*window))
            return {"data_action": written, "data_seal": str(seal)} if seal else {}
        if named.startswith("@") and not (named == CLOSE_WINDOW and self._place.is_window):
            return {}
        return {"data_action": written}

    def _value(self, value: _Element) -> str:
        return self._elements.text(self._elements.value(value, "initialValue"))

    def _inline(self, value: Any, depth: int) -> Html:
        return joined(self.element(child, depth + 1) for child in listed(value))


def _option(option: _Element) -> Html:
    """The label of an option; pictures stand in no option."""
    icon = option.get("icon")
    sign = SYMBOLS.get(icon, "") if isinstance(icon, str) else ""
    return escape(" ".join(filter(None, [sign, texts(option, "label") or texts(option, "id")])))
