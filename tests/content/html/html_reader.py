"""Reads HTML as strictly as a test can: every element closed, in order, nothing that runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
SAFE_SCHEMES = {"http", "https", "mailto", "tel"}
FORBIDDEN = {
    "script", "style", "iframe", "object", "embed", "form", "input", "button", "base", "meta",
    "link", "frame", "applet", "foreignobject", "use", "animate", "set",
}  # fmt: skip
_OWN_MODULE = re.compile(r"/[^:?#]*~assets/[0-9a-f]{16}/[a-z-]+\.js")
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "data", "poster", "xlink:href"}


@dataclass
class Reader(HTMLParser):
    """What a piece of HTML holds; the faults are what must not be there."""

    text: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    # Elements that a whole page may have, and a document may not.
    allowed: frozenset[str] = frozenset()
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag in FORBIDDEN - self.allowed and not self._is_own_script(tag, attributes):
            self.faults.append(f"<{tag}>")
        elif tag == "script" and not (_is_ours(attributes) or self._is_own_script(tag, attributes)):
            self.faults.append(f"<script {attributes}>")
        for name, value in attributes.items():
            if name.startswith("on") or name == "style":
                self.faults.append(f"{tag}.{name}")
            if name in ADDRESSES and not _is_safe(value):
                self.faults.append(f"{tag}.{name}={value!r}")
        if len(attributes) != len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        if tag not in VOID:
            self._open.append(tag)

    def _is_own_script(self, tag: str, attributes: dict[str, str]) -> bool:
        """Whether this is a module of the server in the head of a whole page."""
        own = _OWN_MODULE.fullmatch(attributes.get("src", "")) is not None
        return (
            tag == "script" and own and attributes.keys() == {"type", "src", "integrity"}
            and attributes["type"] == "module" and self._open == ["html", "head"]
        )  # fmt: skip

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.faults.append(f"</{tag}> within {self._open[-3:]}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script" and not self._is_data():
            self.faults.append(f"script {data!r}")
        self.text.append(data)

    def _is_data(self) -> bool:
        """Whether the last script is none that browsers run."""
        return self.elements[-1] == ("script", {"type": "application/ld+json"})

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"comment {data!r}")

    def close(self) -> None:
        super().close()
        self.faults += [f"<{tag}> is not closed" for tag in self._open]


def _is_safe(value: str) -> bool:
    """Whether a browser would read the address as relative or of a safe scheme."""
    seen = re.sub("[\x00-\x20]", "", value)
    scheme = re.match(r"([^/?#]*?):", seen)
    return scheme is None or scheme.group(1).lower() in SAFE_SCHEMES


def _is_ours(attributes: dict[str, str]) -> bool:
    """Whether a script is data, or one that the browser takes only with this digest."""
    if attributes.keys() == {"type"}:
        return attributes["type"] == "application/ld+json"
    return attributes.keys() == {"src", "integrity"}


def read_html(html: str, allowed: frozenset[str] = frozenset()) -> Reader:
    """The contents of a piece of HTML; `allowed` elements are no faults."""
    reader = Reader(allowed=allowed)
    reader.feed(html)
    reader.close()
    return reader


def text_of(html: str) -> str:
    """The text of a piece of HTML, white space as single blanks."""
    return " ".join("".join(read_html(html).text).split())
