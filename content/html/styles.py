"""The style sheets of documents, which are files in `content/html/style`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "style"


@cache
def screen_style() -> str:
    """CSS for browsers, light and dark; the document stands in an element of class `document`."""
    return _read("screen.css") + _read("content.css") + _read("parts.css")


@cache
def frame_style() -> str:
    """CSS of a page for browsers, without which `screen_style` has no header and no title."""
    return screen_style() + _read("frame.css")


@cache
def print_style() -> str:
    """CSS for paper; the document stands in an element of class `document`."""
    # The rules for paper come last, because they change some of those for every place.
    return _read("content.css") + _read("print.css")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
