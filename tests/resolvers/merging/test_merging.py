"""Merging and pulling: results, pointers, rights, states, conflicts held or applied."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from db.content_enums import (
    ChangeRequestStatus,
    ConflictKind,
    ContributionAction,
    MergeResult,
    RevisionType,
    UpdateResult,
)
from db.models.change_requests import ChangeRequest, Contributor
from db.models.content import Revision
from db.models.merging import MergeConflict
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.change_requests import operations as change_requests
from resolvers.change_requests.operations import UpdateChangeRequestInput
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Conflict, Forbidden, NotFound, PreconditionFailed
from resolvers.core.runners import read, run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    SetVariablesInput,
)
from resolvers.merging.operations import Merging, Pulling, merge_change_request, pull_change_request
from resolvers.revisions import limits as content_limits
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import Step, apply_content_changes, apply_steps
from tests.conftest import World, context
from tests.factories import make_change_request
from tests.merging import BODY, edit, filled_space, text_of, with_request

CLOSED = (ChangeRequestStatus.ARCHIVED, ChangeRequestStatus.MERGED)


async def merge(
    session: Session, person: User, row: ChangeRequest, on_conflict: str = "hold"
) -> Merging:
    ctx = context(session, person)
    ctx.settings = replace(ctx.settings, merge_on_conflict=on_conflict)
    return await run(ctx, merge_change_request, row.space_id, row.id)


async def pull(session: Session, person: User, row: ChangeRequest) -> Pulling:
    return await run(context(session, person), pull_change_request, row.space_id, row.id)


async def now(session: Session, row: ChangeRequest) -> tuple[Space, ChangeRequest]:
    """The space and the change request as they are stored."""
    session.expunge_all()
    found = await session.get_one(ChangeRequest, row.id)
    space = await session.get_one(Space, row.space_id)
    await session.commit()
    return space, found


async def revision(session: Session, id: str) -> Revision:
    found = await session.get_one(Revision, id)
    await session.commit()
    return found


async def stored(session: Session, row: ChangeRequest) -> list[MergeConflict]:
    statement = select(MergeConflict).where(MergeConflict.change_request_id == row.id)
    found = list((await session.execute(statement.order_by(MergeConflict.id))).scalars())
    await session.commit()
    return found


async def test_a_merge_makes_one_revision_of_both(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    first = space.revision_id
    edited = await edit(session, world.editor, space, row, p0={"title": "Better"}, p2=None)
    done = await merge(session, world.reviewer, row)
    assert done.result is MergeResult.MERGE
    place, request = await now(session, row)
    made = await revision(session, done.revision_id)
    assert place.revision_id == request.revision_merged_id == made.id
    assert (made.type, made.merged_from_id) == (RevisionType.MERGE, row.id)
    assert made.parents == [first, edited.id]
    # Nothing was decided in between, so the content is the change request's, node for node.
    assert (made.pages_root, made.slugs_root) == (edited.pages_root, edited.slugs_root)
    assert (request.status, request.outdated_when_closed) == (ChangeRequestStatus.MERGED, False)
    assert (request.revision_id, request.revision_merged_ancestor_id) == (edited.id, None)
    assert place.updated_at >= request.created_at


async def test_a_merge_without_changes_is_a_step(session: Session, world: World) -> None:
    _, row = await with_request(session, world)
    done = await merge(session, world.reviewer, row)
    assert done.revision_id != row.revision_initial_id
    assert (await revision(session, done.revision_id)).type is RevisionType.MERGE


async def test_both_sides_are_in_a_merge(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Better"},
               p1={"body": BODY.replace("First", "Very first")})  # fmt: skip
    await edit(session, world.creator, space, p2={"title": "Other"},
               p1={"body": BODY.replace("Third", "Last")})  # fmt: skip
    done = await merge(session, world.reviewer, row)
    assert done.result is MergeResult.MERGE
    _, request = await now(session, row)
    assert request.outdated_when_closed is True
    ctx = context(session, world.reader)
    made = await revision(session, done.revision_id)
    titles = [(await find_page(ctx, made, id)).title for id in ("p0", "p2")]
    assert titles == ["Better", "Other"]
    text = await text_of(ctx, made, "p1")
    assert "Very first paragraph" in text
    assert "Last paragraph" in text


async def test_conflicts_are_held(session: Session, world: World) -> None:
    """Nothing is merged; it is an update that the conflicts have to be resolved in."""
    space, row = await with_request(session, world)
    edited = await edit(
        session, world.editor, space, row, p0={"title": "Ours"}, p1={"emoji": "1f600"}
    )
    live = await edit(session, world.creator, space, p0={"title": "Theirs"})
    for _ in range(2):
        done = await merge(session, world.reviewer, row)
        assert done.result is MergeResult.CONFLICTS
        place, request = await now(session, row)
        assert place.revision_id == live.id
        assert request.status is ChangeRequestStatus.OPEN
        assert request.revision_merged_ancestor_id == live.id
        assert done.revision_id == request.revision_id
        made = await revision(session, done.revision_id)
        assert (made.type, made.parents) == (RevisionType.UPDATE, [edited.id, live.id])
        (conflict,) = await stored(session, row)
        assert (conflict.kind, conflict.page_id, conflict.field) == (
            ConflictKind.FIELD, "p0", "title",
        )  # fmt: skip
        versions = [conflict.data[name] for name in ("base", "ours", "theirs")]
        assert versions == ["Page 0", "Ours", "Theirs"]
        assert conflict.resolution is None
    ctx = context(session, world.reader)
    assert (await find_page(ctx, made, "p0")).title == "Theirs"
    assert (await find_page(ctx, made, "p1")).emoji == "1f600"
    count = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    assert (await session.execute(count)).scalar_one() == 5


async def test_conflicts_may_be_applied(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"},
               p1={"body": BODY.replace("Second", "Our")})  # fmt: skip
    await edit(session, world.creator, space, p0={"title": "Theirs"},
               p1={"body": BODY.replace("Second", "Their")})  # fmt: skip
    done = await merge(session, world.reviewer, row, "apply")
    assert done.result is MergeResult.CONFLICTS
    place, request = await now(session, row)
    assert (request.status, place.revision_id) == (ChangeRequestStatus.MERGED, done.revision_id)
    assert request.revision_merged_id == done.revision_id
    made = await revision(session, done.revision_id)
    ctx = context(session, world.reader)
    assert (await find_page(ctx, made, "p0")).title == "Theirs"
    text = await text_of(ctx, made, "p1")
    assert 0 < text.index("Their paragraph") < text.index("Our paragraph")
    assert len(await stored(session, row)) == 2


async def test_pulling_nothing_changes_nothing(session: Session, world: World) -> None:
    _, row = await with_request(session, world)
    before = await now(session, row)
    done = await pull(session, world.editor, row)
    assert (done.result, done.revision_id) == (UpdateResult.UPDATE, row.revision_id)
    _, request = await now(session, row)
    assert request.updated_at == before[1].updated_at
    assert request.revision_merged_ancestor_id is None


async def test_pulling_brings_the_space_in(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    edited = await edit(session, world.editor, space, row, p0={"title": "Ours"})
    live = await edit(session, world.creator, space, p1={"title": "Theirs"}, p2=None)
    done = await pull(session, world.editor, row)
    assert done.result is UpdateResult.UPDATE
    place, request = await now(session, row)
    assert (place.revision_id, request.revision_merged_ancestor_id) == (live.id, live.id)
    assert request.revision_id == done.revision_id
    made = await revision(session, done.revision_id)
    assert (made.type, made.parents) == (RevisionType.UPDATE, [edited.id, live.id])
    ctx = context(session, world.reader)
    assert (await find_page(ctx, made, "p0")).title == "Ours"
    assert (await find_page(ctx, made, "p1")).title == "Theirs"
    with pytest.raises(NotFound):
        await find_page(ctx, made, "p2")
    found = await read(ctx, change_requests.get_change_request, space.id, row.id)
    assert found.revision_initial_id == row.revision_initial_id
    await session.commit()
    # Up to date again: the merge takes it as it is.
    merged = await merge(session, world.reviewer, row)
    assert (await revision(session, merged.revision_id)).pages_root == made.pages_root
    _, request = await now(session, row)
    assert request.outdated_when_closed is False


async def test_pulling_records_conflicts(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"})
    live = await edit(session, world.creator, space, p0={"title": "Theirs"})
    done = await pull(session, world.editor, row)
    assert done.result is UpdateResult.CONFLICTS
    _, request = await now(session, row)
    assert request.revision_merged_ancestor_id == live.id
    assert len(await stored(session, row)) == 1
    # It holds all of the space now, and still has to be resolved.
    again = await pull(session, world.editor, row)
    assert (again.result, again.revision_id) == (UpdateResult.UPDATE, done.revision_id)
    merged = await merge(session, world.reviewer, row)
    assert (merged.result, merged.revision_id) == (MergeResult.CONFLICTS, done.revision_id)
    contributors = (await session.execute(select(Contributor.user_id, Contributor.action))).all()
    assert [tuple(one) for one in contributors] == [(world.editor.id, ContributionAction.EDIT)]


@pytest.mark.parametrize("person", ["reader", "commenter", "editor"])
async def test_merging_needs_review(session: Session, world: World, person: str) -> None:
    """The editor is the author."""
    _, row = await with_request(session, world)
    with pytest.raises(Forbidden):
        await merge(session, world.people()[person], row)


@pytest.mark.parametrize(
    ("person", "allowed"),
    [("reader", False), ("commenter", False), ("editor", True), ("reviewer", True)],
)
async def test_pulling_needs_edit(
    session: Session, world: World, person: str, allowed: bool
) -> None:
    _, row = await with_request(session, world)
    if allowed:
        await pull(session, world.people()[person], row)
        return
    with pytest.raises(Forbidden):
        await pull(session, world.people()[person], row)


@pytest.mark.parametrize("person", ["guest", "outsider"])
async def test_others_do_not_learn_of_it(session: Session, world: World, person: str) -> None:
    _, row = await with_request(session, world)
    for operation in (merge, pull):
        with pytest.raises(NotFound):
            await operation(session, world.people()[person], row)


@pytest.mark.parametrize("status", CLOSED)
async def test_closed_ones_are_left_alone(
    session: Session, world: World, status: ChangeRequestStatus
) -> None:
    _, row = await with_request(session, world, status=status)
    for operation in (merge, pull):
        with pytest.raises(PreconditionFailed, match=status.value):
            await operation(session, world.admin, row)


async def test_drafts_are_merged_and_drafts_again_are_not(session: Session, world: World) -> None:
    space, row = await with_request(session, world, status=ChangeRequestStatus.DRAFT)
    done = await merge(session, world.reviewer, row)
    with pytest.raises(PreconditionFailed, match="merged already"):
        await merge(session, world.reviewer, row)
    back = UpdateChangeRequestInput(status=Some(ChangeRequestStatus.DRAFT))
    ctx = context(session, world.admin)
    with pytest.raises(PreconditionFailed):
        await run(ctx, change_requests.update_change_request, space.id, row.id, back)
    place, _ = await now(session, row)
    assert place.revision_id == done.revision_id


async def test_rules_are_asked(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await session.begin_write()
    place = await session.get_one(Space, space.id)
    place.merge_rules = {
        "type": "rules",
        "rules": [
            {"rule": "require_at_least_one_review"},
            {"rule": "require_change_request_description"},
        ],
    }
    await session.commit()
    with pytest.raises(PreconditionFailed, match=r"at_least_one_review.*description") as caught:
        await merge(session, world.reviewer, row)
    assert [one.path for one in caught.value.fields] == [
        "mergeRules.rules[0]", "mergeRules.rules[1]",
    ]  # fmt: skip
    # Pulling and live edits ask no rules.
    await edit(session, world.reviewer, space, p0={"title": "Live"})
    await pull(session, world.editor, row)
    _, request = await now(session, row)
    assert request.status is ChangeRequestStatus.OPEN


async def test_of_many_merges_at_once_one_is_done(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Better"})

    async def attempt(person: User) -> Merging | ApiError:
        async with database.session() as own:
            try:
                return await merge(own, person, row)
            except ApiError as error:
                return error

    people = [world.reviewer, world.creator, world.admin] * 2
    results = await asyncio.gather(*(attempt(person) for person in people))
    done = [one for one in results if isinstance(one, Merging)]
    lost = [one for one in results if isinstance(one, ApiError)]
    assert len(done) == 1
    assert {type(one) for one in lost} == {Conflict}, lost
    count = select(func.count()).select_from(Revision).where(Revision.type == RevisionType.MERGE)
    assert (await session.execute(count)).scalar_one() == 1


async def test_edits_and_merges_take_turns(
    database: Database, session: Session, world: World
) -> None:
    """Edits of primary content, merges of several requests and pulls at once lose nothing."""
    space = await filled_space(session, world, 24)
    await session.begin_write()

    rows = [await make_change_request(session, space, world.editor) for _ in range(4)]
    await session.commit()
    for number, row in enumerate(rows):
        await edit(session, world.editor, space, row, **{f"p{number}": {"title": f"Ours {number}"}})

    async def own(work: Any, *arguments: Any, **options: Any) -> None:
        async with database.session() as opened:
            await work(opened, *arguments, **options)

    await asyncio.gather(
        *(own(merge, world.reviewer, row) for row in rows),
        *(
            own(edit, world.creator, space, **{f"p{number}": {"title": f"Live {number}"}})
            for number in range(10, 18)
        ),
    )
    place, _ = await now(session, rows[0])
    final = await revision(session, place.revision_id)
    ctx: Context = context(session, world.reader)
    for number in range(4):
        assert (await find_page(ctx, final, f"p{number}")).title == f"Ours {number}"
    for number in range(10, 18):
        assert (await find_page(ctx, final, f"p{number}")).title == f"Live {number}"


async def test_both_sides_together_may_not_have_too_many_variables(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_limits, "VARIABLES", 5)
    space, row = await with_request(session, world)
    space_id, id = space.id, row.id
    for request in (None, id):
        names = [f"{'ours' if request else 'theirs'}{number}" for number in range(3)]
        operation = ContentOperationInput(
            set_variables=SetVariablesInput(set=dict.fromkeys(names, 1))
        )
        input = ApplyContentChangesInput(
            target=ContentTargetInput(space=space_id, change_request=request),
            operations=[operation],
        )
        await run(context(session, world.editor), apply_content_changes, input)
    _, row = await now(session, row)
    with pytest.raises(PreconditionFailed, match="variables: there would be 6") as caught:
        await merge(session, world.reviewer, row)
    assert [one.path for one in caught.value.fields] == ["variables"]


async def both_change(
    session: Session, world: World, count: int, first: dict[str, Any], second: dict[str, Any]
) -> tuple[Space, ChangeRequest]:
    """A change request with edits, in a space that another one with edits was merged into."""
    space, mine = await with_request(session, world, count)
    await session.begin_write()
    other = await make_change_request(session, space, world.editor)
    await session.commit()
    await edit(session, world.editor, space, other, **first)
    await edit(session, world.editor, space, mine, **second)
    assert (await merge(session, world.reviewer, other)).result is MergeResult.MERGE
    return space, mine


@pytest.mark.parametrize("on_conflict", ["hold", "apply"])
async def test_the_last_document_is_not_merged_away(
    session: Session, world: World, on_conflict: str
) -> None:
    _, row = await both_change(session, world, 2, {"p0": None}, {"p1": None})
    before = await now(session, row)
    with pytest.raises(PreconditionFailed, match="the last one of a space"):
        await merge(session, world.reviewer, row, on_conflict)
    with pytest.raises(PreconditionFailed, match="the last one of a space"):
        await pull(session, world.editor, row)
    space, row = await now(session, row)
    assert (space.revision_id, row.revision_id) == (before[0].revision_id, before[1].revision_id)
    assert row.status is ChangeRequestStatus.OPEN


async def test_documents_that_are_left_are_enough(session: Session, world: World) -> None:
    _, row = await both_change(session, world, 3, {"p0": None}, {"p1": None})
    assert (await merge(session, world.reviewer, row)).result is MergeResult.MERGE


async def test_merged_pages_nest_only_so_deep(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One side puts p1 below p0, the other p2 below p1, and p3 comes along."""
    below = {"p2": {"parent_id": "p1"}, "p3": {"parent_id": "p2"}}
    _, row = await both_change(session, world, 4, {"p1": {"parent_id": "p0"}}, below)
    monkeypatch.setattr(content_limits, "DEPTH", 3)
    for writing in (merge(session, world.reviewer, row), pull(session, world.editor, row)):
        with pytest.raises(PreconditionFailed, match="deeper than 3 levels"):
            await writing
    monkeypatch.setattr(content_limits, "DEPTH", 4)
    assert (await merge(session, world.reviewer, row)).result is MergeResult.MERGE


async def test_pages_that_come_along_count_as_well(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {"p2": {"parent_id": "p1"}, "p3": {"parent_id": "p2"}}
    second = {"p1": {"parent_id": "p0"}, "p4": {"parent_id": "p1"}}
    _, row = await both_change(session, world, 5, first, second)
    monkeypatch.setattr(content_limits, "DEPTH", 3)
    with pytest.raises(PreconditionFailed, match="deeper than 3 levels"):
        await merge(session, world.reviewer, row)


async def test_a_space_holds_only_so_many_merged_pages(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = [CreatePageInput(title=title) for title in ("One", "Two")]
    space, row = await with_request(session, world, 2)
    for request, page in ((None, new[0]), (row.id, new[1])):
        await run(context(session, world.reviewer), _create, space.id, request, page)
    monkeypatch.setattr(content_limits, "PAGES", 3)
    for writing in (merge(session, world.reviewer, row), pull(session, world.reviewer, row)):
        with pytest.raises(PreconditionFailed, match="at most 3 pages"):
            await writing
    monkeypatch.setattr(content_limits, "PAGES", 4)
    assert (await merge(session, world.reviewer, row)).result is MergeResult.MERGE


async def _create(ctx: Context, space_id: str, request: str | None, page: CreatePageInput) -> None:
    target = await open_target(ctx, space_id, request)
    await apply_steps(ctx, target, [Step("create_page", page, "page")])
