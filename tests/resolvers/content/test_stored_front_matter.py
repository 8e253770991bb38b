"""Pages that an earlier release stored with raw front matter: read, edited and merged as repaired.

The rows are written in its form: the layout as the file had it, a cover without a position.
"""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from content.merkle.read import lookup
from content.pages.layout_options import LAYOUT_DEFAULTS, WORDS
from db.content_enums import CoverSize, PageType, PageWidth
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.content.changes import changes_between
from resolvers.core.errors import Invalid
from resolvers.drafts.operation_inputs import UpdatePageInput
from resolvers.drafts.page_inputs import PageBodyInput, PageLayoutInput
from resolvers.merging.content import merge_revisions
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.store import walk_one
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.resolvers.writing.test_content_writes import Content

RAW_LAYOUT = {
    "outline": {"visible": False}, "metadata": {"visible": False}, "width": "huge",
    "title": {"visible": "perhaps"}, "cover": {"visible": True, "size": "full"},
}  # fmt: skip
LAYOUT = {"outline": False, "metadata": False, "coverSize": "full"}
COVER = {"ref": {"kind": "url", "url": "https://example.com/a.png"}}


def raw_page(space_id: str, id: str, **more: Any) -> Page:
    return Page(
        space_id=space_id, revision_id="", id=id, type=PageType.DOCUMENT, title="Old",
        parent_id=None, order="V", slug=id, layout=RAW_LAYOUT, cover=dict(COVER), icon="i" * 80,
        emoji="rocket", **more,
    )  # fmt: skip


@pytest.fixture
async def content(session: Session, world: World) -> Content:
    space = await factories.make_space(session, world.organization)
    ctx = context(session, world.reviewer)
    changes = Changes(pages={"old": raw_page(space.id, "old")})
    await commit_revision(ctx, await open_target(ctx, space.id), changes)
    await settle(session)
    return Content(session, space, ctx)


def test_both_doors_have_the_same_words() -> None:
    assert WORDS["width"] == tuple(one.value for one in PageWidth)
    assert WORDS["coverSize"] == tuple(one.value for one in CoverSize)


async def test_raw_front_matter_is_read_as_it_would_be_now(
    api: Api, world: World, content: Content
) -> None:
    page = (await content.pages())["old"]
    assert (page.layout, page.icon, page.emoji) == (LAYOUT, None, None)
    assert page.cover == {**COVER, "yPos": 0}
    assert page.extra == {
        "icon": "i" * 80, "emoji": "rocket",
        "layout": {"width": "huge", "title": {"visible": "perhaps"}},
    }  # fmt: skip
    shown = await api.rest("GET", f"/spaces/{content.space.id}/content/page/old", world.reader)
    assert shown.json()["layout"] == {**LAYOUT_DEFAULTS, **LAYOUT}
    query = """query ($space: ID!) { space(id: $space) { revision { pages(first: 1) { nodes {
        icon ... on DocumentPage { cover layout { width cover coverSize title outline metadata } }
    } } } } }"""
    answer = await api.graphql(query, world.reader, space=content.space.id)
    assert "errors" not in answer
    (node,) = answer["data"]["space"]["revision"]["pages"]["nodes"]
    assert node["layout"] == {
        "width": "default", "cover": True, "coverSize": "full", "title": True,
        "outline": False, "metadata": False,
    }  # fmt: skip


async def test_what_is_stored_oddly_is_no_change(content: Content) -> None:
    before = await content.newest()
    title = UpdatePageInput(page="old", title=Some("Old"))
    assert not (await content.apply(title)).changed
    await content.apply(UpdatePageInput(page="old", description=Some("New")))
    after = await content.newest()
    (change,) = (await changes_between(content.ctx, before, after, 10)).changes
    assert change.attributes is not None
    # `pages` are the page before and after.
    assert change.attributes.changed.keys() - {"pages"} == {"description"}
    stored = await walk_one(content.ctx, content.space.id, lookup(after.pages_root, ["old"]))
    assert stored["old"]["layout"] == LAYOUT
    assert "icon" not in stored["old"]


async def test_a_field_that_is_set_forgets_what_did_not_fit(content: Content) -> None:
    await content.apply(
        UpdatePageInput(
            page="old", layout=Some(PageLayoutInput(title=Some(False))), icon=Some("bolt")
        )
    )
    page = (await content.pages())["old"]
    assert (page.layout, page.icon) == ({**LAYOUT, "title": False}, "bolt")
    assert page.extra == {"emoji": "rocket"}
    matter = "layout: {width: wide, toolbar: {visible: true}}\nemoji: 1f600\nkey: [1]\n"
    text = f"---\n{matter}---\n\nBody\n"
    await content.apply(UpdatePageInput(page="old", body=PageBodyInput(markdown=text)))
    page = (await content.pages())["old"]
    assert (page.layout, page.emoji) == ({"width": "wide"}, "1f600")
    assert page.extra == {"key": [1], "layout": {"toolbar": {"visible": True}}}


async def test_merging_what_is_stored_oddly_is_no_conflict(content: Content) -> None:
    """One side edits another field of the page, the other its layout."""
    base = await content.newest()
    ours = await write_revision(
        content.ctx, content.space.id, base,
        Changes(pages={"old": raw_page(content.space.id, "old", description="Ours")}),
    )  # fmt: skip
    mended = (await content.pages())["old"]
    mended.layout = {**LAYOUT, "pagination": False}
    theirs = await write_revision(
        content.ctx, content.space.id, base, Changes(pages={"old": mended})
    )
    found = await merge_revisions(content.ctx, base, ours, theirs)
    assert not found.merged.conflicts
    merged = (await found.onto_theirs()).pages["old"]
    assert merged is not None
    assert (merged.description, merged.layout) == ("Ours", {**LAYOUT, "pagination": False})


async def test_a_condition_in_front_matter_that_cannot_be_read_is_refused(
    content: Content,
) -> None:
    text = "---\nif: [a]\n---\n\nBody\n"
    error = await content.refused(
        Invalid, UpdatePageInput(page="old", body=PageBodyInput(markdown=text))
    )
    assert "front matter 'if'" in error.message
    statement = select(Revision.id).join(Space, Space.revision_id == Revision.id)
    assert (await content.session.execute(statement)).first() is not None
