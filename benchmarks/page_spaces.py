"""Spaces of many pages, for the reads of content that are measured."""

from dataclasses import dataclass, replace

from benchmarks.data import (
    id_of,
    insert_rows,
    organization_row,
    people_rows,
    space_row,
    token_of,
)
from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.enums import Role
from db.models.organizations import Organization, User
from db.models.spaces import Space
from db.session import Database
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision


@dataclass(frozen=True, slots=True)
class PageSpaces:
    """Spaces by their number of pages, the revision of each that edits one page, who reads."""

    spaces: dict[int, str]
    revisions: dict[str, str]
    page_id: str
    path: str
    token: str


PAGES_OF_A_SECTION = 49
SMALL, LARGE = 50, 5_000
BODY = """Version <code class="expression">space.vars.version</code> of the product.

{% if space.vars.beta %}
Some of this **may change**.
{% endif %}

* one
* two
"""


async def fill_pages(database: Database, large: int = LARGE) -> PageSpaces:
    """A space of 50 pages and a large one, in sections of 50, and an edit of one page in each."""
    organization_id = id_of("o", 3)
    people = people_rows("n", organization_id, [Role.ADMIN])
    spaces = {
        pages: space_row(id_of("u", number), organization_id, number)
        for number, pages in enumerate((SMALL, large))
    }
    revisions = {}
    async with database.session() as session:
        await session.begin_write()
        await insert_rows(session, Organization, [organization_row(organization_id)])
        for model, rows in people.items():
            await insert_rows(session, model, rows)
        await insert_rows(session, Space, list(spaces.values()))
        ctx = Context(OPERATOR, session)
        for pages, space in spaces.items():
            first = await write_revision(ctx, space["id"], None, _page_changes(space["id"], pages))
            edited = await write_revision(ctx, space["id"], first, _edit(space["id"]))
            row = await session.get_one(Space, space["id"])
            row.revision_id = revisions[space["id"]] = edited.id
        await session.commit()
        # Else the servers would index them while they are measured.
        await reindex(ctx, again=False)
    found = {pages: str(space["id"]) for pages, space in spaces.items()}
    return PageSpaces(found, revisions, "s0p7", "section-0/page-7", token_of(people[User][0]["id"]))


def _page_changes(space_id: str, pages: int) -> Changes:
    changes = Changes(variables={"version": "2.0", "beta": True})
    body = changes.add_document(BODY, parse_document(BODY, seed="a"))

    def page(id: str, order: str, title: str, parent: str | None) -> None:
        changes.pages[id] = Page(
            space_id=space_id, revision_id="", id=id, type=PageType.DOCUMENT, title=title,
            parent_id=parent, order=order, slug=title.lower().replace(" ", "-"),
            description="What this page is about.", document_id=body,
        )  # fmt: skip

    sections = pages // (PAGES_OF_A_SECTION + 1)
    for section, order in enumerate(spread(sections)):
        page(f"s{section}", order, f"Section {section}", None)
        for number, place in enumerate(spread(PAGES_OF_A_SECTION)):
            page(f"s{section}p{number}", place, f"Page {number}", f"s{section}")
    return changes


def _edit(space_id: str) -> Changes:
    before = _page_changes(space_id, 50).pages["s0p7"]
    assert before is not None
    return Changes(pages={"s0p7": replace(before, title="Page seven")})
