"""What the engine promises beyond the specification: one call per level, and no more columns."""

import asyncio
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import orjson
import pytest
from graphql import GraphQLObjectType, build_schema, parse

from resolvers.core.batch_functions import Columns, Projection
from schema.engine import executor
from schema.engine.engine import Engine
from schema.engine.sources import Attribute, Batch, Source

SCHEMA = build_schema("""
  enum Colour { RED GREEN }
  type Author { id: ID! name: String! books(first: Int): BookConnection! }
  type Book { id: ID! title: String pages: Int! colour: Colour author: Author shelf: String! }
  type BookEdge { cursor: String! node: Book! }
  type BookConnection { nodes: [Book!]! edges: [BookEdge!]! total: Int! }
  type Query { books(first: Int): BookConnection! authors: [Author!]! }
""")


class Layout:
    """The layout of rows with these columns, as the database layer gives them."""

    def __init__(self, names: Sequence[str], types: dict[str, type], **converters: Any) -> None:
        self.index = {name: place for place, name in enumerate(names)}
        self.convert = converters
        self.wire: dict[tuple[str, str], Any] = {}
        self.types = types
        self.not_null = frozenset(types) - {"title"}


def _read(place: int, convert: Any) -> Any:
    raw = itemgetter(place)
    return raw if convert is None else lambda row: convert(raw(row))


def row_class(
    names: Sequence[str], types: dict[str, type], **converters: Any
) -> type[tuple[Any, ...]]:
    members: dict[str, Any] = {
        name: property(_read(place, converters.get(name))) for place, name in enumerate(names)
    }
    members["row_layout"] = Layout(names, types, **converters)
    return type("Row", (tuple,), members)


TYPES = {"id": str, "title": str, "pages": int, "colour": str, "author_id": str}


class Library:
    """Batch functions that note how they were called."""

    def __init__(self, count: int = 4) -> None:
        self.calls: list[tuple[str, int, Any, Projection | None]] = []
        self.books = [
            {"id": f"b{n}", "title": None if n == 1 else f"Book {n}", "pages": n,
             "colour": ("r", "g")[n % 2], "author_id": f"a{n % 2}"}
            for n in range(count)
        ]  # fmt: skip

    def rows(self, columns: Columns) -> list[Any]:
        names = sorted(TYPES if columns is None else columns | {"id"})
        colours = {"r": "RED", "g": "GREEN"}
        row = row_class(names, TYPES, colour=colours.__getitem__)
        return [row(book[name] for name in names) for book in self.books]

    async def all_books(
        self, context: Any, rows: Sequence[Any], first: Any, projection: Projection
    ) -> list[Any]:
        self.calls.append(("books", len(rows), first, projection))
        return [Page(self.rows(projection.columns)[:first])]

    async def authors_of(
        self, context: Any, rows: Sequence[Any], arguments: Any, projection: Projection
    ) -> list[Any]:
        self.calls.append(("author", len(rows), arguments, projection))
        row = row_class(["id", "name"], {"id": str, "name": str})
        found = {id: row((id, f"Author {id}")) for id in ("a0", "a1")}
        return [found[book.author_id] for book in rows]

    async def books_of(
        self, context: Any, rows: Sequence[Any], first: Any, projection: Projection
    ) -> list[Any]:
        self.calls.append(("books of authors", len(rows), first, projection))
        return [Page(self.rows(projection.columns)[:first]) for _ in rows]

    async def shelves(self, context: Any, rows: Sequence[Any], arguments: Any) -> list[Any]:
        self.calls.append(("shelf", len(rows), arguments, None))
        return [ValueError("lost") if row.pages == 2 else f"shelf {row.pages}" for row in rows]

    def source_of(self, type_: GraphQLObjectType, name: str, field: Any) -> Source | None:
        first = {"arguments": lambda values: values.get("first")}
        known: dict[tuple[str, str], Source] = {
            ("Query", "books"): Batch(
                self.all_books, reads=frozenset(), takes_projection=True, **first
            ),
            ("Book", "author"): Batch(
                self.authors_of, reads=frozenset({"author_id"}), takes_projection=True
            ),
            ("Author", "books"): Batch(
                self.books_of, reads=frozenset({"id"}), takes_projection=True, **first
            ),
            ("Book", "shelf"): Batch(self.shelves, reads=frozenset({"pages"})),
            ("BookConnection", "nodes"): Attribute("rows", passes=True),
            ("BookConnection", "edges"): Attribute("edges", passes=True),
            ("BookConnection", "total"): Attribute("total"),
            ("BookEdge", "node"): Attribute("node", passes=True),
        }
        if type_.name.startswith("__"):
            return None
        return known.get((type_.name, name)) or Attribute(name)


class Page:
    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows
        self.total = len(rows)

    @property
    def edges(self) -> list[Any]:
        return [Edge(row) for row in self.rows]


class Edge:
    def __init__(self, node: Any) -> None:
        self.node = node
        self.cursor = f"at {node.id}"


async def ask(library: Library, text: str, **variables: Any) -> Any:
    engine = Engine(SCHEMA, library.source_of)
    result = await engine.execute(engine.plan(parse(text)), None, None, variables)
    return result


async def test_each_relation_is_one_call_for_its_level_and_shared_rows_are_shown_once() -> None:
    library = Library()
    result = await ask(
        library,
        "query($n: Int) { books { nodes { title author { name books(first: $n) "
        "{ nodes { id } } } } } }",
        n=2,
    )
    assert result.errors is None
    nodes = result.data["books"]["nodes"]
    assert [node["title"] for node in nodes] == ["Book 0", None, "Book 2", "Book 3"]
    assert [node["author"]["name"] for node in nodes] == ["Author a0", "Author a1"] * 2
    assert nodes[3]["author"]["books"]["nodes"] == [{"id": "b0"}, {"id": "b1"}]
    # Four books have two authors, whose books are asked for once.
    assert [(name, rows, first) for name, rows, first, _ in library.calls] == [
        ("books", 1, None),
        ("author", 4, None),
        ("books of authors", 2, 2),
    ]


@pytest.mark.parametrize(
    ("selection", "columns"),
    [
        ("nodes { id }", {"id"}),
        ("nodes { title t: title pages }", {"title", "pages"}),
        ("edges { cursor node { pages } }", {"pages"}),
        ("nodes { title } edges { node { author { id } } }", {"title", "author_id"}),
        ("nodes { shelf }", {"pages"}),
        ("nodes { __typename }", set()),
        ("total", set()),
        ("... @skip(if: true) { nodes { pages } } nodes { id }", {"id"}),
    ],
)
async def test_a_source_is_told_what_is_read_of_its_rows(selection: str, columns: set[str]) -> None:
    library = Library()
    await ask(library, f"{{ books {{ {selection} }} }}")
    projection = library.calls[0][3]
    assert projection is not None
    assert projection.columns == columns


@pytest.mark.parametrize(
    ("selection", "wrapper_columns"),
    [
        ("nodes { id }", set()),
        ("total nodes { id }", {"total"}),
        ("edges { cursor node { id } }", set()),
    ],
)
async def test_a_source_is_told_what_is_read_of_what_holds_its_rows(
    selection: str, wrapper_columns: set[str]
) -> None:
    library = Library()
    await ask(library, f"{{ books {{ {selection} }} }}")
    projection = library.calls[0][3]
    assert projection is not None
    assert projection.wrapper_columns == wrapper_columns


async def test_text_of_json_stands_in_an_answer_only_where_that_is_asked_for() -> None:
    schema = build_schema("scalar JSONObject type Row { data: JSONObject } type Query { row: Row }")
    row = row_class(["data"], {}, data=orjson.loads)
    row.row_layout.fragments = {("data", "JSONObject"): orjson.Fragment}  # type: ignore[attr-defined]

    async def one(
        context: Any, rows: Sequence[Any], arguments: Any, projection: Projection
    ) -> list[Any]:
        return [row(('{"a": [1]}',))]

    def source_of(type_: GraphQLObjectType, name: str, field: Any) -> Source | None:
        if type_.name.startswith("__"):
            return None
        return Batch(one, takes_projection=True) if name == "row" else Attribute(name)

    engine = Engine(schema, source_of)
    plan = engine.plan(parse("{ row { data } }"))
    assert (await engine.execute(plan)).data == {"row": {"data": {"a": [1]}}}
    written = orjson.dumps((await engine.execute(plan, fragments=True)).data)
    assert written == b'{"row":{"data":{"a": [1]}}}'
    assert (await engine.execute(plan)).data == {"row": {"data": {"a": [1]}}}


async def test_conditions_choose_what_is_compiled() -> None:
    library = Library()
    engine = Engine(SCHEMA, library.source_of)
    plan = engine.plan(
        parse("query($deep: Boolean!) { books { nodes { id author @include(if: $deep) { id } } } }")
    )
    for deep in (True, False, True, False):
        result = await engine.execute(plan, variables={"deep": deep})
        assert ("author" in result.data["books"]["nodes"][0]) is deep  # type: ignore[index]
    assert len(plan.variants) == 2


async def test_rows_with_a_wrong_value_are_still_shown_as_far_as_they_go() -> None:
    library = Library()
    library.books[2]["pages"] = None
    library.books[3]["colour"] = "b"
    result = await ask(library, "{ books { nodes { colour } } authors: __typename }")
    assert [node["colour"] for node in result.data["books"]["nodes"]] == [
        "RED", "GREEN", "RED", None,
    ]  # fmt: skip
    assert [error.path for error in result.errors] == [["books", "nodes", 3, "colour"]]


async def test_an_error_of_one_row_is_the_error_of_that_row() -> None:
    result = await ask(Library(), "{ books { edges { cursor } nodes { id shelf } } }")
    assert result.data is None
    (error,) = result.errors
    assert (error.path, error.message) == (["books", "nodes", 2, "shelf"], "lost")
    assert isinstance(error.original_error, ValueError)


async def test_a_batch_function_that_gives_too_few_values_is_an_error_of_all_rows() -> None:
    library = Library()

    async def short(context: Any, rows: Sequence[Any], arguments: Any) -> list[Any]:
        return [1]

    library.shelves = short  # type: ignore[method-assign]
    result = await ask(library, "{ books { nodes { shelf } } }")
    assert result.data is None
    assert "1 values for 4 rows" in result.errors[0].message


async def test_large_levels_let_other_tasks_run() -> None:
    library = Library(3 * executor.SLICE)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    result = await ask(library, "{ books { nodes { id pages } } }")
    counting.cancel()
    assert len(result.data["books"]["nodes"]) == 3 * executor.SLICE
    assert turns >= 3


async def test_cancelling_reaches_the_source_that_is_at_work() -> None:
    library = Library()
    started, ended = asyncio.Event(), []

    async def slow(context: Any, rows: Sequence[Any], arguments: Any) -> list[Any]:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return []

    library.shelves = slow  # type: ignore[method-assign]
    asking = asyncio.create_task(ask(library, "{ books { nodes { shelf } } }"))
    await started.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert ended == ["cancelled"]


def test_what_cannot_be_run_stops_the_start() -> None:
    schema = build_schema("directive @defer on FIELD type Query { a: Int }")
    with pytest.raises(TypeError, match="@defer"):
        Engine(schema)
