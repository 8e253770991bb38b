"""The HTML of pages about accounts: the frame, and what forms are made of. It holds no scripts."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, hint_symbol, joined
from content.html.styles import frame_style

_STYLE = Path(__file__).parent / "style" / "account.css"
CONTENT = "content"
PRODUCT = "Docstead"
FORM_TOKEN = "form_token"  # noqa: S105 (a name)
# Pages of an account by their path, in the header.
SECTIONS = (
    ("/account", "Profile"),
    ("/account/sessions", "Sessions"),
    ("/account/tokens", "Tokens"),
    ("/account/notifications", "Notifications"),
    ("/graphql", "GraphiQL"),
)


@cache
def style_sheet() -> tuple[str, str]:
    """The style sheet of the pages, and a name for it that changes with it."""
    css = frame_style() + _STYLE.read_text(encoding="utf-8")
    return css, hashlib.sha256(css.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around the content of a page."""

    # The path below which the service is reached; empty at the root of its host.
    prefix: str
    # Whoever is signed in, and what their forms carry.
    person: str | None = None
    form_token: str = ""
    # The path of the page, to mark it in the header.
    current: str = ""


def render(frame: Frame, title: str, content: Html, *, narrow: bool = False) -> str:
    """The HTML file of a page; a narrow one stands in the middle."""
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", escape(PRODUCT if title == PRODUCT else f"{title} | {PRODUCT}")),
        element("meta", name="robots", content="noindex"),
        element("link", rel="stylesheet", href=style_address(frame)),
        element("link", rel="icon", href=f"{frame.prefix}/favicon.ico"),
    ]
    body = body_of(frame, content, narrow=narrow)
    whole = [element("head", joined(head)), element("body", body)]
    return f"<!doctype html>{element('html', joined(whole), lang='en')}"


def style_address(frame: Frame) -> str:
    """Where the style sheet of the pages is served."""
    return f"{frame.prefix}/account/style/{style_sheet()[1]}.css"


def body_of(frame: Frame, content: Html, *, narrow: bool) -> Html:
    """What stands in the body of a page."""
    kind = "narrow" if narrow else "account"
    return joined(
        [
            element("a", escape("Skip to content"), href=f"#{CONTENT}", class_="skip"),
            _header(frame),
            element("main", content, id=CONTENT, class_=kind),
        ]
    )


def _header(frame: Frame) -> Html:
    parts = [element("a", escape(PRODUCT), href=f"{frame.prefix}/", class_="brand")]
    if frame.person is not None:
        items = [
            element(
                "li",
                element(
                    "a",
                    escape(label),
                    href=frame.prefix + path,
                    class_="current" if path == frame.current else None,
                    aria_current="page" if path == frame.current else None,
                ),
            )
            for path, label in SECTIONS
        ]
        parts.append(element("nav", element("ul", joined(items)), aria_label="Account"))
        leave = form(frame, "/sign-out", button("Sign out", look="plain"), class_="sign-out")
        name = element("span", escape(frame.person), dir=direction_of(frame.person), class_="who")
        parts.append(element("div", joined([name, leave]), class_="person"))
    return element("header", element("div", joined(parts), class_="bar"), class_="site-header")


# ------------------------------------------------------------------ forms


def form(frame: Frame, path: str, *content: Html, class_: str | None = None) -> Html:
    """A form that is sent to a path of the service."""
    token = EMPTY
    if frame.form_token:
        token = element("input", type="hidden", name=FORM_TOKEN, value=frame.form_token)
    return element(
        "form",
        joined([token, *content]),
        method="post",
        action=frame.prefix + path,
        class_=class_,
    )


def button(label: str, *, look: str = "primary", about: str = "") -> Html:
    """A button that sends its form; `about` says to those who cannot see it what it is about."""
    text = escape(label)
    if about:
        text = joined([text, element("span", escape(f" {about}"), class_="visually-hidden")])
    return element("button", text, type="submit", class_=f"button {look}")


def hidden(name: str, value: str) -> Html:
    """A value that a form carries along."""
    return element("input", type="hidden", name=name, value=value) if value else EMPTY


def field(
    name: str,
    label: str,
    *,
    value: str = "",
    kind: str = "text",
    hint: str = "",
    error: str = "",
    maximum: int | None = None,
    required: bool = False,
    complete: str | None = None,
    focus: bool = False,
) -> Html:
    """A field with its label, what is to know about it, and what is wrong with its value."""
    notes = [(f"{name}-error", error, "error"), (f"{name}-hint", hint, "hint")]
    described = [id for id, text, _ in notes if text]
    box = element(
        "input",
        id=name,
        name=name,
        type=kind,
        value=value,
        maxlength=maximum,
        required=required,
        autocomplete=complete,
        autofocus=focus or bool(error),
        aria_invalid="true" if error else None,
        aria_describedby=" ".join(described) or None,
    )
    parts = [element("label", escape(label), for_=name), box]
    parts += [element("p", escape(text), id=id, class_=look) for id, text, look in notes if text]
    return element("div", joined(parts), class_="field")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of a field that are offered."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False


def choices(
    name: str,
    title: str,
    offered: Sequence[Choice],
    *,
    kind: str = "radio",
    error: str = "",
    more: Html = EMPTY,
) -> Html:
    """Values to choose from, one by `radio` or several by `checkbox`."""
    legend = element("legend", escape(title))
    items = [_choice(name, kind, choice) for choice in offered]
    wrong = element("p", escape(error), id=f"{name}-error", class_="error") if error else EMPTY
    return element(
        "fieldset",
        joined([legend, *items, more, wrong]),
        class_="field",
        aria_describedby=f"{name}-error" if error else None,
    )


def _choice(name: str, kind: str, choice: Choice) -> Html:
    box = element("input", type=kind, name=name, value=choice.value, checked=choice.chosen)
    hint = element("span", escape(choice.hint)) if choice.hint else EMPTY
    text = element("div", joined([escape(choice.label), hint]))
    return element("label", joined([box, text]), class_="choice")


def selection(
    name: str,
    label: str,
    offered: Sequence[Choice],
    *,
    error: str = "",
    id: str | None = None,
    unseen_label: bool = False,
) -> Html:
    """A list that unfolds, of which one value is chosen.

    On a page with several of a name each has an `id`; with `unseen_label` what is beside it says
    to those who see it what it is about.
    """
    id = id or name
    options = joined(
        element("option", escape(choice.label), value=choice.value, selected=choice.chosen)
        for choice in offered
    )
    box = element(
        "select",
        options,
        id=id,
        name=name,
        aria_invalid="true" if error else None,
        aria_describedby=f"{name}-error" if error else None,
    )
    wrong = element("p", escape(error), id=f"{name}-error", class_="error") if error else EMPTY
    class_ = "visually-hidden" if unseen_label else None
    return element(
        "div",
        joined([element("label", escape(label), for_=id, class_=class_), box, wrong]),
        class_="field",
    )


def notice(text: str, kind: str = "info", *, more: Html = EMPTY) -> Html:
    """A message in a box: `kind` is info, success, warning or danger."""
    role = "alert" if kind == "danger" else "status"
    inner = element("div", joined([element("p", escape(text)), more]))
    return element(
        "div",
        joined([hint_symbol(kind, kind.capitalize()), inner]),
        class_=f"notice {kind}",
        role=role,
    )


# ------------------------------------------------------------------ texts


def paragraph(text: str, class_: str | None = None) -> Html:
    """A paragraph of plain text."""
    return element("p", escape(text), class_=class_)


def heading(title: str, description: str = "") -> Html:
    """The title of a page, and a sentence about it."""
    parts = [element("h1", escape(title))]
    if description:
        parts.append(paragraph(description, "description"))
    return joined(parts)


def moment(time: dt.datetime) -> Html:
    """A time, to the minute and in UTC: without scripts nobody knows where the reader is."""
    shown = time.astimezone(dt.UTC)
    return element(
        "time",
        escape(f"{shown.day} {shown:%B %Y, %H:%M} UTC"),
        datetime=shown.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def facts(pairs: Sequence[tuple[str, Html]]) -> Html:
    """Names with their values."""
    items = [
        element("div", joined([element("dt", escape(name)), element("dd", value)]))
        for name, value in pairs
    ]
    return element("dl", joined(items), class_="facts")
