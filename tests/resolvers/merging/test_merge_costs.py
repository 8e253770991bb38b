"""A merge costs what was changed: statements and bytes, into spaces small and large."""

from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from db.content_enums import MergeResult
from db.models.change_requests import ChangeRequest
from db.models.content import ContentNode, Document
from db.models.spaces import Space
from db.session import Session
from resolvers.core.runners import run
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions.store import NODES
from tests.conftest import Queries, World, context
from tests.merging import BODY, edit, with_request
from tests.resolvers.merging.test_conflicts import conflicting

CHANGED = 20


@dataclass(frozen=True)
class Stored:
    """Rows and bytes of content."""

    rows: int
    size: int

    def __sub__(self, other: "Stored") -> "Stored":
        return Stored(self.rows - other.rows, self.size - other.size)


async def stored(session: Session) -> Stored:
    rows = size = 0
    for model in (ContentNode, Document):
        found = (await session.execute(select(func.count(), func.sum(func.length(model.data)))
                                       .select_from(model))).one()  # fmt: skip
        rows, size = rows + found[0], size + int(found[1] or 0)
    await session.commit()
    return Stored(rows, size)


async def changed(
    session: Session, world: World, pages: int, *, both: bool
) -> tuple[Space, ChangeRequest]:
    """20 pages changed by a request, spread over the space; with `both` by the space, too."""
    space, row = await with_request(session, world, pages)
    step = pages // CHANGED
    ids = [f"p{number * step}" for number in range(CHANGED)]
    ours = {id: {"title": f"Ours {id}", "body": BODY.replace("First", "Our")} for id in ids}
    await edit(session, world.editor, space, row, **ours)
    if both:
        theirs = {id: {"body": BODY.replace("Third", "Their"), "emoji": "1f600"} for id in ids}
        await edit(session, world.creator, space, **theirs)
    return space, row


def forget_nodes() -> None:
    """What the process knows of earlier writes does not count."""
    NODES.clear()


# The lock's limit, the status before and the request with its lock, the space with its lock, its
# organization's rules, open conflicts, the active revision, three revisions; the maps level by
# level, and documents; then what is written, and the entry of the audit log.
FAST, BOTH_SIDES, PULLED = 19, 21, 21


@pytest.mark.parametrize("pages", [100, 5000])
@pytest.mark.parametrize("both", [False, True])
async def test_a_merge_costs_what_was_changed(
    session: Session, world: World, queries: Queries, pages: int, both: bool
) -> None:
    space, row = await changed(session, world, pages, both=both)
    whole = await stored(session)
    forget_nodes()
    with queries.at_most(BOTH_SIDES if both else FAST):
        await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    written = await stored(session) - whole
    if not both:
        # It is the change request's content, which is stored already.
        assert written == Stored(0, 0)
        return
    # 20 documents, and for each page the way to its entry.
    assert written.rows <= CHANGED + CHANGED * 4
    if pages == 5000:
        assert written.size < whole.size / 20, (written, whole)


async def test_pulling_costs_what_was_changed(
    session: Session, world: World, queries: Queries
) -> None:
    space, row = await changed(session, world, 5000, both=True)
    whole = await stored(session)
    forget_nodes()
    with queries.at_most(PULLED):
        await run(context(session, world.editor), pull_change_request, space.id, row.id)
    written = await stored(session) - whole
    assert written.rows <= CHANGED + CHANGED * 4
    assert written.size < whole.size / 20, (written, whole)


async def test_open_conflicts_are_counted_without_what_they_hold(
    session: Session, world: World, queries: Queries
) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    with queries.at_most(FAST):
        merging = await run(
            context(session, world.reviewer), merge_change_request, space.id, row.id
        )
    assert merging.result is MergeResult.CONFLICTS
    asked = [text for text in queries.statements if "FROM change_request_conflict" in text]
    assert asked
    assert not any("data" in text for text in asked)
