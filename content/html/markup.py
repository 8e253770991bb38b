"""Making HTML that is safe by its type: only escaped text, elements and symbols are `Html`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape as escape_html
from typing import NewType

# Text that is HTML already. Only the functions of this module make it, from escaped parts.
Html = NewType("Html", str)
EMPTY = Html("")

SCHEMES = frozenset({"http", "https", "mailto", "tel"})
VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source"})
ADDRESS_LIMIT = 8_192

# Control characters have no place in HTML, and lone surrogates none in UTF-8.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# Browsers ignore these within an address, so `java\nscript:` would be a scheme.
_IGNORED = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]")
_SCHEME = re.compile(r"([^/?#]*?):")
# Words and what is between them; a word in pieces that end with a sign, or are long enough.
_WORDS = re.compile(r"\s+|\S+")
_PIECES = re.compile(r"[/_.:,;=&?)-]*[^/_.:,;=&?)-]{1,24}[/_.:,;=&?)-]*|[/_.:,;=&?)-]+")
LONG_WORD = 14
_NAME = re.compile(r"[a-z][a-z0-9-]*")

Attribute = str | int | bool | None


def escape(text: str) -> Html:
    """Text as HTML; characters that cannot be shown become U+FFFD."""
    return Html(escape_html(_UNPRINTABLE.sub("\ufffd", text.replace("\r", "\n"))))


def escape_breakable(text: str) -> Html:
    """Text as HTML that may be broken within long words, such as addresses, on a narrow line."""
    return joined(
        escape(word) if len(word) <= LONG_WORD else _breakable(word)
        for word in _WORDS.findall(text)
    )


def _breakable(word: str) -> Html:
    pieces = _PIECES.findall(word)
    return Html("<wbr>".join(escape(piece) for piece in pieces))


def joined(parts: Iterable[Html]) -> Html:
    """Pieces of HTML one after the other."""
    return Html("".join(parts))


def element(name: str, content: Html = EMPTY, /, **attributes: Attribute) -> Html:
    """An element; attributes without a value (None, False, "") are left out, True has no value.

    In names of attributes `_` stands for `-`, and one at the end is dropped (`class_`).
    """
    assert _NAME.fullmatch(name)
    head = [name]
    for key, value in attributes.items():
        if value is None or value is False or value == "":
            continue
        written = key.rstrip("_").replace("_", "-")
        head.append(written if value is True else f'{written}="{escape(str(value))}"')
    opening = f"<{' '.join(head)}>"
    return Html(opening if name in VOID else f"{opening}{content}</{name}>")


def classes(*names: str) -> str | None:
    """A class attribute of the names that are not empty; None when all are."""
    return " ".join(name for name in names if name) or None


def old_anchors(ids: Iterable[str]) -> list[Html]:
    """Places to which links lead that say one of these ids; nothing to see, to hear or to focus."""
    return [element("span", id=id, class_="old-anchor") for id in ids]


def safe_address(url: str) -> str | None:
    """The address when it may be linked to: http, https, mailto, tel, or relative; else None."""
    compact = _IGNORED.sub("", url)
    if not compact or len(compact) > ADDRESS_LIMIT:
        return None
    scheme = _SCHEME.match(compact)
    if scheme is not None and scheme.group(1).lower() not in SCHEMES:
        return None
    # Blanks within an address are written as such, all else that is ignored is left out.
    return _IGNORED.sub("", url.strip().replace(" ", "%20")) or None


# Symbols of hints and of tasks: their drawings are constants, and the only HTML that `element` does
# not make.


def picture(drawing: str, name: str, label: str) -> Html:
    """A drawing on 16 x 16 units in the colour of the text; `drawing` is never text of others."""
    return Html(
        f'<svg class="symbol {name}" width="16" height="16" viewBox="0 0 16 16" role="img" '
        f'aria-label="{escape(label)}" fill="none" stroke="currentColor" stroke-width="1.5" '
        f'stroke-linecap="round" stroke-linejoin="round">{drawing}</svg>'
    )


_CIRCLE = '<circle cx="8" cy="8" r="6.6"></circle>'
_BOX = '<rect x="2" y="2" width="12" height="12" rx="2.5"></rect>'

HINTS: Mapping[str, str] = {
    "info": f'{_CIRCLE}<path d="M8 7.4 L8 11.2 M8 4.9 L8 4.95"></path>',
    "success": f'{_CIRCLE}<path d="M5.2 8.3 L7.2 10.3 L10.9 6"></path>',
    "warning": '<path d="M8 2 L14.6 13.4 L1.4 13.4 Z M8 6.4 L8 9.4 M8 11.4 L8 11.45"></path>',
    "danger": f'{_CIRCLE}<path d="M8 4.8 L8 8.6 M8 11.1 L8 11.15"></path>',
}


def hint_symbol(style: str, label: str) -> Html:
    """The symbol of a hint of one of the styles in `HINTS`."""
    return picture(HINTS[style], "symbol-hint", label)


def task_symbol(done: bool, label: str) -> Html:
    """A box, with a tick in it when the task is done."""
    if not done:
        return picture(_BOX, "symbol-task", label)
    tick = '<path d="M5 8.3 L7.2 10.5 L11.2 5.8"></path>'
    return picture(f"{_BOX}{tick}", "symbol-task symbol-done", label)
