"""The types of the nasty schema: every base type in every mix of lists and non-null."""

from collections.abc import Iterator

from graphql import GraphQLObjectType, GraphQLOutputType, build_schema

LEAVES = ("Int", "Float", "String", "Boolean", "ID", "Colour", "Odd")
COMPOSITES = ("Plant", "Animal", "Stone", "Thing", "Living", "Item", "Heap")
WRAPPERS = (
    "{}", "{}!", "[{}]", "[{}!]", "[{}]!", "[{}!]!",
    "[[{}]]", "[[{}!]!]!", "[[{}]!]", "[[{}!]]",
)  # fmt: skip
# Columns are attributes of a row; every other field is computed from it.
COLUMN = "column"
ECHO = (
    "(int: Int = 3, ints: [Int!], grid: [[Int]!] = [[1], []], filter: Filter, choice: Choice,"
    " colour: Colour! = RED, colours: [Colour], odd: Odd, odds: [Odd!]! = [3], must: Boolean!)"
)
SOME = "(limit: Int = 2, filter: Filter = {id: 1})"

INPUTS = """
enum Colour { RED GREEN BLUE }
scalar Odd
input Filter {
  id: ID, colour: Colour = GREEN, colours: [Colour!]! = [RED, BLUE], inner: Filter, choice: Choice,
  odd: Odd, number: Float!  = 1.5, word: String
}
input Choice @oneOf { number: Int, words: [String!], filter: Filter }
"""


def lines(rotation: int, step: int, leaf_step: int) -> Iterator[str]:
    """Fields of a type; each rotation gives another part of all mixes."""
    every = [(base, wrapper) for base in COMPOSITES for wrapper in range(len(WRAPPERS))]
    for base, wrapper in every[rotation::step]:
        arguments = SOME if wrapper % 2 == 0 else ""
        yield f"{base.lower()}{wrapper}{arguments}: {WRAPPERS[wrapper].format(base)}"
    every = [(base, wrapper) for base in LEAVES for wrapper in range(len(WRAPPERS))]
    for base, wrapper in every[rotation::leaf_step]:
        yield f"{base.lower()}{wrapper}: {WRAPPERS[wrapper].format(base)}"
    for base in LEAVES:
        wrapper = (rotation + LEAVES.index(base)) % 6
        yield f"{COLUMN}{base}: {WRAPPERS[wrapper].format(base)}"
    yield f"echo{ECHO}: String"


def block(head: str, fields: Iterator[str] | list[str]) -> str:
    return f"{head} {{\n  " + "\n  ".join(fields) + "\n}\n"


def sdl() -> str:
    """The whole schema."""
    thing = ["id: ID!", "self: Thing", "twin: Thing!", "twins: [Thing]", "columnName: String"]
    living = [*thing, "age: Int!", "friends(limit: Int = 2): [[Living]!]", "item: Item"]
    stricter = ["id: ID!", "twin: Animal!", "twins: [Living!]!", "columnName: String!"]
    parts = [
        INPUTS,
        block("interface Thing", thing),
        block("interface Living implements Thing", living),
        "union Item = Plant | Animal | Stone\n",
        block("type Plant implements Living & Thing", [*living, *lines(0, 5, 7)]),
        block(
            "type Animal implements Living & Thing",
            [*stricter, "self: Animal", *living[5:], *lines(1, 5, 7)],
        ),
        block("type Stone implements Thing", [*thing, *lines(2, 5, 7)]),
        # A page of rows: what its batch function fetched is behind attributes.
        block("type Heap", ["nodes: [Stone!]!", "edges: [HeapEdge!]!", "more: Boolean!"]),
        block("type HeapEdge", ["cursor: String!", "node: Stone!"]),
        block("type Query", list(lines(0, 1, 1))),
        block("type Mutation", list(lines(3, 4, 9))),
    ]
    return "\n".join(parts)


def _column_types() -> dict[tuple[str, str], GraphQLOutputType]:
    return {
        (type_.name, name): one.type
        for type_ in build_schema(sdl()).type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, one in type_.fields.items()
        if name.startswith(COLUMN)
    }


# Types of the columns by type and name.
COLUMN_TYPES = _column_types()
