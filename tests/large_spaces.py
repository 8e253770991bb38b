"""A space of 5,000 pages, for what may not depend on the size of a space."""

from dataclasses import dataclass

from content.ordering import spread
from db.content_enums import PageType
from db.enums import EditMode
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from tests import factories
from tests.conftest import World, context, make_world

PAGES = 5000
PER_PARENT = 50


@dataclass(frozen=True)
class LargeSpace:
    """A world with one space; no session has its rows."""

    world: World
    space: Space


def large(space_id: str, *, in_git: bool) -> Changes:
    """5,000 documents: 100 at the top level with 49 pages below each."""
    changes = Changes()
    orders = spread(PAGES)
    for number in range(PAGES):
        top = number - number % PER_PARENT
        changes.pages[f"p{number:04}"] = Page(
            space_id=space_id, revision_id="", id=f"p{number:04}", type=PageType.DOCUMENT,
            title=f"Page {number}", parent_id=None if number == top else f"p{top:04}",
            order=orders[number], slug=f"page-{number}",
            git={"oid": "a" * 40, "path": f"docs/{top}/page-{number}.md", "root": "docs"}
            if in_git else None,
        )  # fmt: skip
    return changes


async def write_large_space(session: Session, *, in_git: bool) -> LargeSpace:
    world = await make_world(session)
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    changes = large(space.id, in_git=in_git)
    space.revision_id = (await write_revision(context(session), space.id, None, changes)).id
    return LargeSpace(world, space)
