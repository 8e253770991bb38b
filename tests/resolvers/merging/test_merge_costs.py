"""A merge costs what was changed: statements and bytes, into spaces small and large."""

import asyncio
import re
from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from db.content_enums import MergeResult
from db.models.change_requests import ChangeRequest
from db.models.content import ContentNode, Document
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.errors import Conflict, Invalid
from resolvers.core.runners import run
from resolvers.merging import operations
from resolvers.merging.operations import Merging, merge_change_request, pull_change_request
from resolvers.revisions import limits
from resolvers.revisions.bodies_work import LIGHT, BodiesWork
from resolvers.revisions.states import get_in_space
from resolvers.revisions.store import NODES
from resolvers.revisions.tree import find_page
from resolvers.writing.received_files import Place
from tests.conftest import Api, Queries, World, context
from tests.merging import BODY, edit, text_of, with_request
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
# level, sizes of documents, and documents; then what is written, and the entry of the audit log
# with what it names, and the events. Ids are random: one more for a map that is a level deeper.
FAST, BOTH_SIDES, PULLED = 22, 25, 25


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


PARAGRAPHS = 400
# In statements that read bodies.
BODIES = "document.markdown, document.data"


async def large(session: Session, world: World) -> tuple[Space, ChangeRequest]:
    """A page of which both sides have edited each paragraph, at other ends."""
    space, row = await with_request(session, world)
    texts = [f"Paragraph number {n} says something about {n * 7919}." for n in range(PARAGRAPHS)]
    await edit(session, world.creator, space, p0={"body": "\n\n".join(texts)})
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    ours, theirs = [f"{text} Ours." for text in texts], [f"Theirs. {text}" for text in texts]
    await edit(session, world.editor, space, row, p0={"body": "\n\n".join(ours)})
    await edit(session, world.creator, space, p0={"body": "\n\n".join(theirs)})
    return space, row


async def test_a_large_merge_is_worked_out_before_it_locks_anything(
    database: Database, session: Session, world: World, queries: Queries
) -> None:
    space, row = await large(session, world)
    await session.close()

    async def merge() -> Merging:
        async with database.session() as own:
            return await run(context(own, world.reviewer), merge_change_request, space.id, row.id)

    with queries.at_most(3 * BOTH_SIDES):
        merging = asyncio.create_task(merge())
        # The list of statements wakes nobody.
        while not any(BODIES in text for text in queries.statements):  # noqa: ASYNC110
            await asyncio.sleep(0)
        # It reads bodies, so it has no lock: this edit does not wait, and is part of the merge.
        async with database.session() as own:
            await edit(own, world.creator, space, p1={"title": "Meanwhile"})
            edited = len(queries.statements)
        merged = await merging
    assert merged.result is MergeResult.MERGE
    # The last transaction compares nothing and reads no body: only what it writes is new.
    statements = queries.statements[edited:]
    last = len(statements) - next(
        n for n, text in enumerate(reversed(statements)) if "change_request_conflict" in text
    )
    assert not any("FROM document" in text for text in statements[last:])
    async with database.session() as own:
        ctx = context(own, world.creator)
        revision = await get_in_space(ctx, space.id, merged.revision_id)
        assert (await find_page(ctx, revision, "p1")).title == "Meanwhile"
        body = await text_of(ctx, revision, "p0")
    assert body.count("Theirs. Paragraph") == body.count("Ours.") == PARAGRAPHS


async def test_who_works_ahead_is_told_that_somebody_else_has_merged(
    session: Session, world: World
) -> None:
    """As without working ahead: only who asks later learns that it is merged already."""
    space, row = await with_request(session, world)
    before = row.status
    await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    ctx, place, work = context(session, world.reviewer), Place(space.id, row.id), BodiesWork()
    await operations._merge_ahead(ctx, place, work)
    with pytest.raises(Conflict, match="somebody else has merged"):
        await run(ctx, operations._merge, place, before, work, LIGHT)


@pytest.mark.parametrize(
    ("name", "bound", "edits", "problem"),
    [
        (
            "MERGED",
            100,
            {},
            r"have changed 3 bodies that have 2\d\d characters .* at most 100 are merged",
        ),
        ("CONFLICTS", 1, {"title": "Their title"}, "would leave 2 conflicts, at most 1 are"),
    ],
)
async def test_a_merge_beyond_a_bound_is_refused(
    session: Session, world: World, queries: Queries, monkeypatch: pytest.MonkeyPatch, api: Api,
    name: str, bound: int, edits: dict[str, str], problem: str,
) -> None:  # fmt: skip
    space, row = await with_request(session, world)
    ours = {"body": BODY.replace("First", "Our"), **({"title": "Our title"} if edits else {})}
    await edit(session, world.editor, space, row, p0=ours)
    await edit(session, world.creator, space, p0={"body": BODY.replace("First", "Their"), **edits})
    whole = await stored(session)
    monkeypatch.setattr(limits, name, bound)
    for person, operation in (
        (world.reviewer, merge_change_request),
        (world.editor, pull_change_request),
    ):
        queries.statements.clear()
        with pytest.raises(Invalid, match=problem) as caught:
            await run(context(session, person), operation, space.id, row.id)
        assert [error.path for error in caught.value.fields] == ["changeRequest"]
        if name == "MERGED":
            # It is refused before a body is read.
            assert not any(BODIES in text for text in queries.statements)
    path = f"/spaces/{space.id}/change-requests/{row.id}"
    for step, person in (("merge", world.reviewer), ("update", world.editor)):
        refused = await api.rest("POST", f"{path}/{step}", person)
        assert refused.status_code == 422
        assert re.search(problem, refused.json()["error"]["message"])
    for mutation, person in (("merge", world.reviewer), ("pull", world.editor)):
        answer = await api.graphql(
            f"mutation ($space: ID!, $id: ID!) {{ {mutation}ChangeRequest"
            "(spaceId: $space, id: $id) { __typename } }",
            person, space=space.id, id=row.id,
        )  # fmt: skip
        (error,) = answer["errors"]
        assert re.search(problem, error["message"])
        assert error["extensions"]["fields"][0]["path"] == "changeRequest"
    assert await stored(session) == whole
    session.expunge_all()
    unchanged = await session.get_one(ChangeRequest, row.id)
    assert (unchanged.status, unchanged.revision_id) == (row.status, row.revision_id)


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
