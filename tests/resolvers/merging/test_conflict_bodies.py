"""Decisions on conflicts in documents: texts that come with them, which may be long."""

from typing import Any

import pytest

from content.documents import limits as document_limits
from db.content_enums import ConflictResolution
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.errors import Invalid
from resolvers.revisions import limits as content_limits
from resolvers.revisions.states import bodies
from tests.conftest import World, context
from tests.held_work import held, make_little_much
from tests.merging import BODY, edit
from tests.resolvers.merging.test_conflicts import conflicting, decide, page, stored

CUSTOM = ConflictResolution.CUSTOM


async def disagreed(session: Session, world: World) -> tuple[Space, ChangeRequest]:
    """A change request with a conflict about the first paragraph of a page."""
    ours, theirs = (BODY.replace("First", word) for word in ("Ours", "Theirs"))
    return await conflicting(session, world, {"p0": {"body": ours}}, {"p0": {"body": theirs}})


async def blocks(session: Session, row: ChangeRequest, id: str) -> list[Any]:
    one = await page(session, row, id)
    (body,) = await bodies(context(session), [(row.space_id, one.document_id)])
    assert body is not None
    await session.commit()
    return body.document["nodes"]  # type: ignore[no-any-return]


async def test_others_write_while_a_long_text_is_read(
    database: Database, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_little_much(monkeypatch)
    _, row = await disagreed(session, world)
    (conflict,) = await stored(session, row)

    async def settle() -> None:
        async with database.session() as own:
            text = "".join(f"{number}\n\n" for number in range(200))
            await decide(own, world.editor, row, conflict, CUSTOM, markdown=text)

    space, editor = await session.get_one(Space, row.space_id), world.editor
    await session.commit()
    large = await held(monkeypatch, settle())
    await edit(session, editor, space, row, p1={"title": "Meanwhile"})
    await large.result()
    assert len(await blocks(session, row, "p0")) == 202
    assert (await page(session, row, "p1")).title == "Meanwhile"
    (conflict,) = await stored(session, row)
    assert conflict.resolution is CUSTOM


@pytest.mark.parametrize(
    ("markdown", "bound"),
    [
        ("- a\n" * 400, "at most 1000 nodes"),
        ("a\n\n" * 300_000, f"300,000 lines that are not blank; at most {document_limits.LINES:,}"),
    ],
)
async def test_too_many_nodes_are_refused(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch, markdown: str, bound: str
) -> None:
    monkeypatch.setattr(content_limits, "NODES", 1_000)
    _, row = await disagreed(session, world)
    (conflict,) = await stored(session, row)
    with pytest.raises(Invalid) as caught:
        await decide(session, world.editor, row, conflict, CUSTOM, markdown=markdown)
    (error,) = caught.value.fields
    assert error.path == "markdown"
    assert bound in error.message
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None


async def test_links_of_a_decision_lead_to_pages(session: Session, world: World) -> None:
    """As those of any other text that is written."""
    _, row = await disagreed(session, world)
    (conflict,) = await stored(session, row)
    text = "Agreed, see [the other](page-1)."
    await decide(session, world.editor, row, conflict, CUSTOM, markdown=text)
    first, *_ = await blocks(session, row, "p0")
    link = next(node for node in first["nodes"] if node.get("type") == "link")
    assert link["data"]["ref"] == {"kind": "page", "page": "p1"}
