"""Builders of dictionaries: for rows of a layout, and for rows of any class."""

import enum
from types import SimpleNamespace
from typing import Any

import pytest

from schema.engine.builders import Form, Json, build
from schema.engine.failures import Failure
from schema.engine.plan import Completion, Field, Leaf, NonNull, Object, Selection
from schema.engine.sources import Attribute, Batch, Constant


def _number(value: Any) -> Any:
    if not isinstance(value, int) or abs(value) >= 2**31:
        raise ValueError(f"{value!r} is no number")
    return value


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


TEXT = Leaf("String", str, ready=str)
NUMBER = Leaf("Int", _number, ready=int)
COLOUR = Leaf("Colour", lambda value: Colour(value).value, few=True)
OTHER = Leaf("Other", lambda value: [value])


async def _nothing(context: Any, rows: Any, arguments: Any) -> list[Any]:
    return [None for _ in rows]


def selection_of(*fields: Field) -> Selection:
    made = Selection()
    made.complete(fields)
    return made


def field(name: str, completion: Completion, **options: Any) -> Field:
    return Field(name, Attribute(name), completion, **options)


def shown(selection: Selection, *rows: Any, outputs: Any = ()) -> list[Json]:
    made, failed = build(selection, Form(), rows, outputs)
    assert not failed
    return made


def test_rows_of_any_class_are_read_by_attribute() -> None:
    selection = selection_of(
        Field("object", Constant("thing"), TEXT),
        field("title", TEXT),
        field("pages", NonNull(NUMBER)),
        field("colour", COLOUR),
        field("other", OTHER),
        # No name that could stand in a program.
        field("class", TEXT),
        field("of-two", TEXT),
    )
    row = SimpleNamespace(title="A", pages=3, colour=Colour.RED, other=4)
    row.__dict__.update({"class": "B", "of-two": None})
    expected = {
        "object": "thing", "title": "A", "pages": 3, "colour": "red", "other": [4], "class": "B",
        "of-two": None,
    }  # fmt: skip
    assert shown(selection, row, row) == [expected, expected]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("pages", None, TypeError),
        ("pages", 2**31, ValueError),
        ("pages", -(2**31) - 1, ValueError),
        ("pages", "1", ValueError),
        ("colour", "green", ValueError),
        ("colour", [], ValueError),
        ("kind", None, TypeError),
        ("title", KeyError("title"), KeyError),
    ],
)
def test_a_wrong_value_is_the_failure_of_its_own_place(
    name: str, value: Any, problem: type[Exception]
) -> None:
    selection = selection_of(
        field("title", TEXT),
        field("pages", NonNull(NUMBER)),
        field("colour", COLOUR),
        field("kind", NonNull(COLOUR)),
    )
    right = {"title": "A", "pages": 1, "colour": None, "kind": Colour.RED}
    rows = [SimpleNamespace(**right), SimpleNamespace(**right | {name: value})]
    # What was wrong once is looked at again each time.
    for _ in range(2):
        made, failed = build(selection, Form(), rows, [])
        assert failed
        assert made[0] == {"title": "A", "pages": 1, "colour": None, "kind": "red"}
        wrong = made[1].pop(name)
        assert isinstance(wrong, Failure)
        assert isinstance(wrong.error, problem)
        assert all(not isinstance(one, Failure) for one in made[1].values())


def test_optional_members_are_left_out_where_they_are_null() -> None:
    below = Field("below", Batch(_nothing), Object(Selection()), optional=True)
    selection = selection_of(
        field("id", TEXT),
        field("title", TEXT, optional=True),
        below,
        field("colour", COLOUR, optional=True),
        field("last", TEXT),
    )
    rows = [
        SimpleNamespace(id="1", title=None, colour=None, last=None),
        SimpleNamespace(id="2", title="A", colour=None, last="Z"),
        SimpleNamespace(id="3", title=None, colour=Colour.RED, last="Z"),
    ]
    made = shown(selection, *rows, outputs=[[None, None, {"x": 1}]])
    assert made == [
        {"id": "1", "last": None},
        {"id": "2", "title": "A", "last": "Z"},
        {"id": "3", "below": {"x": 1}, "colour": "red", "last": "Z"},
    ]
    # In the order of the selection, too.
    assert list(made[2]) == ["id", "below", "colour", "last"]
    # Nor are they there where a level is built by columns.
    rows[2].title = KeyError("title")
    slow, failed = build(selection, Form(), rows, [[None, None, {"x": 1}]])
    assert failed
    assert slow[:2] == made[:2]
    assert list(slow[2]) == ["id", "title", "below", "colour", "last"]


def test_more_values_than_are_kept_are_all_shown() -> None:
    many = Leaf("Many", str, few=True)
    rows = [SimpleNamespace(number=number) for number in range(3_000)]
    made = shown(selection_of(field("number", many)), *rows)
    assert [one["number"] for one in made] == list(map(str, range(3_000)))


def test_what_is_withheld_is_shown_as_a_constant() -> None:
    selection = selection_of(
        field("title", TEXT),
        Field("colour", Attribute("colour", withheld_as=Constant(Colour.RED)), NonNull(COLOUR)),
        Field("pages", Attribute("pages", withheld_as=Constant(None)), NUMBER, optional=True),
    )
    row = SimpleNamespace(title="A", colour=Colour.BLUE, pages=3)
    open_to_caller = {"title": "A", "colour": "blue", "pages": 3}
    withheld = {"title": "A", "colour": "red"}
    for _ in range(2):
        assert build(selection, Form(), [row], []) == ([open_to_caller], False)
        assert build(selection, Form(withheld=True), [row], []) == ([withheld], False)
    # Values that are wrong do not show through where a level is built by columns.
    wrong = SimpleNamespace(title=KeyError("title"), colour="no colour", pages="no number")
    ((shown_of_wrong,), failed) = build(selection, Form(withheld=True), [wrong], [])
    assert failed
    assert isinstance(shown_of_wrong.pop("title"), Failure)
    assert shown_of_wrong == {"colour": "red"}


def test_only_leaves_can_be_withheld() -> None:
    with pytest.raises(TypeError, match="no leaf"):
        Field("below", Attribute("below", withheld_as=Constant(None)), Object(Selection()))
