"""Named tuples as rows, and attributes of many rows."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from sqlalchemy import String

from db.base import RoleRank
from db.enums import Role
from db.rows import SQLITE, Column, row_classes, values_of, with_row_layout


@with_row_layout
class Figures(NamedTuple):
    title: str
    open: bool
    size: int = 0
    icon: str | None = None


def test_the_layout_of_named_tuples_follows_their_annotations() -> None:
    layout: Any = Figures.row_layout  # type: ignore[attr-defined]
    assert layout.index == {"title": 0, "open": 1, "size": 2, "icon": 3}
    # A number may be too large for the interface, so each is looked at.
    assert layout.types == {"title": str, "open": bool, "icon": str}
    assert layout.not_null == {"title", "open", "size"}


def test_attributes_of_many_rows_are_those_of_each() -> None:
    columns = [Column("title", String()), Column("role", RoleRank())]
    make = row_classes(None, columns, SQLITE).of_tuple
    tuple_rows: list[Any] = [make(("A", 6)), make((None, 1))]
    other: Any = SimpleNamespace(title="B", role=Role.EDIT)
    figures: list[Any] = [Figures("A", True)]
    for rows in (tuple_rows, [*tuple_rows, other], [other], [], figures):
        assert values_of(rows, "title") == [row.title for row in rows]
    for rows in (tuple_rows, [*tuple_rows, other]):
        assert values_of(rows, "role") == [row.role for row in rows]
