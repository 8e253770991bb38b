"""Cells of typed columns in HTML tables."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from content.documents.cell_references import cell_reference
from content.json_types import Json, JsonObject
from content.markdown.writer.html import attribute, html_text
from content.markdown.writer.writing import UnwritableError, Writing


def value_cell(value: Json, column: JsonObject, writing: Writing) -> str:
    """The content of a cell with a value of the column's type."""
    write = _CELLS.get(str(column.get("type")))
    if write is None:
        raise UnwritableError
    return write(value, column, writing)


def _number(value: Json, column: JsonObject, writing: Writing) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnwritableError
    text = repr(value)
    if "e" in text or "n" in text:
        raise UnwritableError
    return text


def _checkbox(value: Json, column: JsonObject, writing: Writing) -> str:
    return "true" if value is True else "false"


def _select(value: Json, column: JsonObject, writing: Writing) -> str:
    options = column.get("options")
    labels = {
        str(option.get("value")): str(option.get("label", ""))
        for option in (options if isinstance(options, list) else [])
        if isinstance(option, dict)
    }
    return ", ".join(
        f'<span data-option="{attribute(chosen)}">{html_text(labels.get(str(chosen), ""))}</span>'
        for chosen in (value if isinstance(value, list) else [])
    )


def _reference(value: Json, column: JsonObject, writing: Writing) -> str:
    if value is None:
        return ""
    if not isinstance(value, dict):
        raise UnwritableError
    url = writing.url(value)
    return f'<a href="{attribute(url)}">{html_text(posixpath.basename(url) or url)}</a>'


def _image(value: Json, column: JsonObject, writing: Writing) -> str:
    if isinstance(value, dict) and "ref" in value:
        fit = value.get("objectFit")
        if not isinstance(value["ref"], dict) or value.keys() - {"ref", "objectFit"}:
            raise UnwritableError
        written = _reference(value["ref"], column, writing)
        if fit is None:
            return written
        return written.replace("<a ", f'<a data-object-fit="{attribute(fit)}" ', 1)
    return _reference(value, column, writing)


def _references(value: Json, column: JsonObject, writing: Writing) -> str:
    items = value if isinstance(value, list) else []
    return "".join(
        _reference(cell_reference(column.get("type"), item) or item, column, writing)
        for item in items
    )


_CELLS: dict[str, Callable[[Json, JsonObject, Writing], str]] = {
    "checkbox": _checkbox,
    "content-ref": _reference,
    "files": _references,
    "image": _image,
    "number": _number,
    "rating": _number,
    "select": _select,
    "users": _references,
}
