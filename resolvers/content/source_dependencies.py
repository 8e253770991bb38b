"""What sources of integrations depend on, and which spaces depend on each other by them."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import and_, select

from db.models.content import ComputedPage
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement

PREFIX = "integration:"
# All names that begin so, as a range of the index: a pattern would read every row.
OF_INTEGRATIONS = and_(
    ComputedPage.name >= PREFIX, ComputedPage.name < PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)
)
# What one source depends on; how far dependencies are followed, and over how many spaces.
MOST_DEPENDENCIES, FOLLOWED, MOST_FOLLOWED = 20, 10, 1_000


@statement
def computed_of_integrations(viewer: Viewer) -> Written:
    """The computed pages of some spaces that integrations make."""
    return select(
        ComputedPage.space_id, ComputedPage.page_id, ComputedPage.source, ComputedPage.tried
    ).where(among(ComputedPage.space_id, "spaces"), OF_INTEGRATIONS)


def references_of(dependencies: Any) -> list[tuple[str, Any]]:
    """What a source depends on, by name; nothing where there is too much of it."""
    if not isinstance(dependencies, dict) or len(dependencies) > MOST_DEPENDENCIES:
        return []
    return [
        (name, dependency.get("ref") if isinstance(dependency, dict) else None)
        for name, dependency in dependencies.items()
    ]


def spaces_of(source: Mapping[str, Any]) -> Iterator[str]:
    """The spaces that a source depends on."""
    for _, reference in references_of(source.get("dependencies")):
        if isinstance(reference, dict) and reference.get("kind") == "space":
            yield str(reference.get("space"))


async def circular_dependencies(
    ctx: Context, dependencies: Collection[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of some dependencies, each a space and the one that a source in it depends on, that
    lead back: the other space depends on the first one, by however many others. What leads
    further than is followed counts as such."""
    dependencies = {(space, other) for space, other in dependencies if space != other}
    edges: dict[str, set[str]] = {}
    level = {other for _, other in dependencies}
    for _ in range(FOLLOWED):
        level -= edges.keys()
        if not level or len(edges) + len(level) > MOST_FOLLOWED:
            break
        edges |= {space: set() for space in level}
        for row in await computed_of_integrations.rows(ctx, spaces=level):
            edges[row.space_id].update(spaces_of(row.source))
        level = {other for space in level for other in edges[space]}
    reached: dict[str, set[str] | None] = {}
    for _, other in dependencies:
        if other not in reached:
            reached[other] = _reached(edges, other)
    return {
        (space, other)
        for space, other in dependencies
        if (there := reached[other]) is None or space in there
    }


def _reached(edges: Mapping[str, set[str]], start: str) -> set[str] | None:
    """The spaces that one depends on, by however many others; None where that is not known."""
    others: set[str] = set()
    waiting = [start]
    while waiting:
        space = waiting.pop()
        if space not in edges:
            return None
        new = edges[space] - others
        others |= new
        waiting.extend(new)
    return others
