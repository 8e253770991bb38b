"""What sources of integrations depend on, and which spaces depend on each other by them."""

from collections.abc import Collection, Iterator, Mapping, Set
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
    return leading_back(edges, dependencies)


def leading_back(
    edges: Mapping[str, Collection[str]], dependencies: Collection[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of some dependencies that lead back, or to spaces of which nothing is known: `edges`
    has the others. One walk over all of them, however many there are."""
    graph = {space: set(others) for space, others in edges.items()}
    for space, other in dependencies:
        graph.setdefault(space, set()).add(other)
    circles, open_ends = _circles(graph, edges.keys())
    return {
        (space, other)
        for space, other in dependencies
        if circles[other] in open_ends or circles[space] == circles[other]
    }


def _circles(
    graph: Mapping[str, Collection[str]], followed: Set[str]
) -> tuple[dict[str, int], set[int]]:
    """By spaces the circle that each is in (Tarjan's strongly connected components), and those
    circles that lead to a space that was not followed."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    circles: dict[str, int] = {}
    open_ends: set[int] = set()
    waiting: list[str] = []
    for start in graph:
        walk = [] if start in order else [(start, iter((start,)))]
        while walk:
            space, others = walk[-1]
            for other in others:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    waiting.append(other)
                    walk.append((other, iter(graph.get(other, ()))))
                    break
                if other not in circles:
                    lowest[space] = min(lowest[space], order[other])
            else:
                walk.pop()
                if walk:
                    above = walk[-1][0]
                    lowest[above] = min(lowest[above], lowest[space])
                if space not in circles and lowest[space] == order[space]:
                    number = order[space]
                    members = [waiting.pop()]
                    while members[-1] != space:
                        members.append(waiting.pop())
                    circles |= dict.fromkeys(members, number)
                    # Circles that this one leads to are complete.
                    behind = {
                        circles[other] for member in members for other in graph.get(member, ())
                    }
                    if behind & open_ends or not followed >= set(members):
                        open_ends.add(number)
    return circles, open_ends
