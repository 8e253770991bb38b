"""Change requests as operations: numbers, transitions, lists, who may."""

import asyncio
import datetime as dt
from typing import Any

import pytest
from sqlalchemy import update
from strawberry import Some

from db.content_enums import ChangeRequestStatus
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.organizations import User
from db.models.reviews import RequestedReviewer
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.change_requests import fields as change_request_lists, operations as change_requests
from resolvers.change_requests.fields import ChangeRequestArguments, ChangeRequestKey
from resolvers.change_requests.operations import CreateChangeRequestInput, UpdateChangeRequestInput
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Forbidden, Invalid, NotFound, PreconditionFailed
from resolvers.core.runners import read, run
from resolvers.organizations import operations as organizations
from resolvers.spaces import operations as spaces
from tests.conftest import Queries, World, context, settle
from tests.factories import make_change_request, make_grant, make_space

Status = ChangeRequestStatus
Wanted = ChangeRequestStatus


def to(status: ChangeRequestStatus) -> UpdateChangeRequestInput:
    return UpdateChangeRequestInput(status=Some(status))


async def prepared(session: Session, world: World, **changes: Any) -> tuple[Space, ChangeRequest]:
    space = await make_space(session, world.organization)
    row = await make_change_request(session, space, world.editor, **changes)
    await session.commit()
    return space, row


async def listed(ctx: Context, space: Space, **filters: Any) -> list[int]:
    found = await read(ctx, spaces.get_space, space.id)
    arguments = ChangeRequestArguments(**filters)
    (part,) = await change_request_lists.change_requests_of_spaces(ctx, [found], arguments)
    return [row.number for row in part.rows]


async def test_a_new_one_is_a_draft_of_the_active_revision(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    await session.commit()
    ctx = context(session, world.editor)
    first = await run(
        ctx, change_requests.create_change_request, space.id, CreateChangeRequestInput()
    )
    second = await run(
        ctx,
        change_requests.create_change_request,
        space.id,
        CreateChangeRequestInput(subject="Typos"),
    )
    assert (first.number, second.number) == (1, 2)
    assert (first.status, first.subject, second.subject) == (Status.DRAFT, "", "Typos")
    assert first.revision_id == first.revision_initial_id == space.revision_id
    assert first.created_by_id == world.editor.id


async def test_unknown_agent_tasks_are_not_found(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    await session.commit()
    ctx = context(session, world.editor)
    new = CreateChangeRequestInput(agent_task_id="task")
    with pytest.raises(NotFound, match="agentTaskId"):
        await run(ctx, change_requests.create_change_request, space.id, new)
    # The failed one took no number.
    row = await run(
        ctx, change_requests.create_change_request, space.id, CreateChangeRequestInput()
    )
    assert row.number == 1


async def test_numbers_have_no_gaps_and_no_duplicates(
    database: Database, session: Session, world: World
) -> None:
    space = await make_space(session, world.organization)
    await session.commit()

    async def create(person: User) -> int:
        async with database.session() as own:
            ctx = context(own, person)
            new = CreateChangeRequestInput(subject=person.display_name)
            row = await run(ctx, change_requests.create_change_request, space.id, new)
            return row.number

    people = [world.editor, world.reviewer, world.creator, world.admin] * 5
    numbers = await asyncio.gather(*(create(person) for person in people))
    assert sorted(numbers) == list(range(1, 21))


@pytest.mark.parametrize("person", ["reader", "commenter"])
async def test_creating_needs_edit(session: Session, world: World, person: str) -> None:
    space = await make_space(session, world.organization)
    await session.commit()
    ctx = context(session, world.people()[person])
    with pytest.raises(Forbidden):
        await run(ctx, change_requests.create_change_request, space.id, CreateChangeRequestInput())


@pytest.mark.parametrize("person", ["guest", "outsider"])
async def test_others_do_not_learn_of_it(session: Session, world: World, person: str) -> None:
    space, row = await prepared(session, world)
    ctx = context(session, world.people()[person])
    for operation, arguments in (
        (change_requests.create_change_request, (CreateChangeRequestInput(),)),
        (change_requests.update_change_request, (row.id, to(Wanted.ARCHIVED))),
    ):
        with pytest.raises(NotFound):
            await run(ctx, operation, space.id, *arguments)
    with pytest.raises(NotFound):
        await read(ctx, change_requests.get_change_request, space.id, row.id)


async def test_found_by_id_and_by_number_within_its_space(session: Session, world: World) -> None:
    space, row = await prepared(session, world)
    other = await make_space(session, world.organization)
    await session.commit()
    ctx = context(session, world.reader)
    for id in (row.id, "1", "01"):
        found = await read(ctx, change_requests.get_change_request, space.id, id)
        assert found.id == row.id
    for id in ("2", "0", "9" * 9, "9" * 40, "٣", "", "nothing", "-1"):
        with pytest.raises(NotFound):
            await read(ctx, change_requests.get_change_request, space.id, id)
    for id in (row.id, "1"):
        with pytest.raises(NotFound):
            await read(ctx, change_requests.get_change_request, other.id, id)


AUTHOR, EDIT, REVIEW = "author", "editor", "reviewer"
TRANSITIONS = [
    (Status.DRAFT, Wanted.OPEN, {AUTHOR, EDIT, REVIEW}),
    (Status.OPEN, Wanted.DRAFT, {AUTHOR, EDIT, REVIEW}),
    (Status.DRAFT, Wanted.ARCHIVED, {AUTHOR, REVIEW}),
    (Status.OPEN, Wanted.ARCHIVED, {AUTHOR, REVIEW}),
    (Status.ARCHIVED, Wanted.DRAFT, {AUTHOR, REVIEW}),
    (Status.ARCHIVED, Wanted.OPEN, {AUTHOR, REVIEW}),
    (Status.DRAFT, Wanted.DRAFT, {AUTHOR, EDIT, REVIEW}),
    (Status.ARCHIVED, Wanted.ARCHIVED, {AUTHOR, EDIT, REVIEW}),
]


@pytest.mark.parametrize(("before", "wanted", "allowed"), TRANSITIONS)
async def test_transitions(
    session: Session, world: World, before: Status, wanted: Wanted, allowed: set[str]
) -> None:
    space = await make_space(session, world.organization)
    # The author has no more than `read` today.
    people = {AUTHOR: world.reader, EDIT: world.editor, REVIEW: world.reviewer}
    for name, person in {**people, "commenter": world.commenter}.items():
        row = await make_change_request(session, space, world.reader, status=before)
        await session.commit()
        ctx = context(session, person)
        if name not in allowed:
            with pytest.raises(Forbidden):
                await run(ctx, change_requests.update_change_request, space.id, row.id, to(wanted))
            continue
        found = await run(ctx, change_requests.update_change_request, space.id, row.id, to(wanted))
        assert found.status.value == wanted.value
        assert found.outdated_when_closed is (
            None
            if wanted is not Wanted.ARCHIVED
            else (None if before is Status.ARCHIVED else False)
        )


@pytest.mark.parametrize("wanted", [one for one in Wanted if one is not Wanted.MERGED])
async def test_merged_ones_keep_their_status(
    session: Session, world: World, wanted: Wanted
) -> None:
    space, row = await prepared(session, world, status=Status.MERGED)
    ctx = context(session, world.editor)
    with pytest.raises(PreconditionFailed):
        await run(ctx, change_requests.update_change_request, space.id, row.id, to(wanted))
    subject = UpdateChangeRequestInput(subject=Some("After all"))
    changed = await run(ctx, change_requests.update_change_request, space.id, row.id, subject)
    assert (changed.subject, changed.status) == ("After all", Status.MERGED)


async def test_updated_at_moves_with_changes_only(session: Session, world: World) -> None:
    long_ago = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    space, row = await prepared(session, world, subject="Same", updated_at=long_ago)
    ctx = context(session, world.editor)
    for nothing in (UpdateChangeRequestInput(), UpdateChangeRequestInput(subject=Some("Same"))):
        same = await run(ctx, change_requests.update_change_request, space.id, row.id, nothing)
        assert same.updated_at == long_ago
    other = UpdateChangeRequestInput(subject=Some("Other"))
    changed = await run(ctx, change_requests.update_change_request, space.id, row.id, other)
    assert changed.updated_at > long_ago


async def test_descriptions_are_documents(session: Session, world: World) -> None:
    space, row = await prepared(session, world)
    ctx = context(session, world.editor)
    text = {"object": "text", "leaves": [{"text": "Why"}]}
    block = {"object": "block", "type": "paragraph", "nodes": [text]}
    value: Any = {"object": "document", "nodes": [block]}
    described = UpdateChangeRequestInput(description=Some(value))
    changed = await run(ctx, change_requests.update_change_request, space.id, row.id, described)
    assert changed.description is not None
    assert len(changed.description["nodes"][0]["key"]) == 20
    bad: Any = UpdateChangeRequestInput(description=Some({"object": "document", "nodes": "x"}))
    with pytest.raises(Invalid, match=r"description\.nodes"):
        await run(ctx, change_requests.update_change_request, space.id, row.id, bad)
    none = UpdateChangeRequestInput(description=Some(None))
    cleared = await run(ctx, change_requests.update_change_request, space.id, row.id, none)
    assert cleared.description is None


async def test_outdated_follows_the_space_until_it_is_closed(
    session: Session, world: World
) -> None:
    space, row = await prepared(session, world)
    ctx = context(session, world.editor)

    async def outdated() -> bool:
        found = await read(ctx, change_requests.get_change_request, space.id, row.id)
        (value,) = await change_request_lists.change_requests_outdated(ctx, [found], None)
        await settle(session)
        return value

    async def move_primary(revision_id: str) -> None:
        await session.begin_write()
        await session.execute(
            update(Space).where(Space.id == space.id).values(revision_id=revision_id)
        )
        await session.commit()

    initial = space.revision_id
    assert await outdated() is False
    await run(ctx, change_requests.update_change_request, space.id, row.id, to(Wanted.ARCHIVED))
    await move_primary(new_id())
    assert await outdated() is False, "frozen"
    await run(ctx, change_requests.update_change_request, space.id, row.id, to(Wanted.OPEN))
    assert await outdated() is True, "active again"
    await run(ctx, change_requests.update_change_request, space.id, row.id, to(Wanted.ARCHIVED))
    await move_primary(initial)
    assert await outdated() is True, "frozen"


async def test_lists_are_newest_first_with_filters(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    rows = [
        await make_change_request(session, space, author, status=status)
        for author, status in (
            (world.editor, Status.OPEN),
            (world.creator, Status.DRAFT),
            (world.editor, Status.MERGED),
            (world.creator, Status.OPEN),
        )
    ]
    await session.commit()
    ctx = context(session, world.reader)
    assert await listed(ctx, space) == [4, 3, 2, 1]
    assert await listed(ctx, space, status=(Status.OPEN,)) == [4, 1]
    assert await listed(ctx, space, status=(Status.DRAFT, Status.MERGED)) == [3, 2]
    assert await listed(ctx, space, creator=world.editor.id) == [3, 1]
    assert await listed(ctx, space, creator=world.editor.id, status=(Status.OPEN,)) == [1]
    assert await listed(ctx, space, contributor=world.editor.id) == []
    session.add(
        RequestedReviewer(
            space_id=space.id, change_request_id=rows[0].id, user_id=world.reviewer.id,
            requested_by_id=world.editor.id, revision_id=rows[0].revision_id,
        )
    )  # fmt: skip
    await session.commit()
    assert await listed(ctx, space, requested_reviewer=world.reviewer.id) == [1]
    assert await listed(ctx, space, requested_reviewer=world.editor.id) == []
    closed = (Status.MERGED, Status.ARCHIVED)
    assert await listed(ctx, space, requested_reviewer=world.reviewer.id, status=closed) == []
    found = await read(ctx, spaces.get_space, space.id)
    (one,) = await change_request_lists.change_request_of_spaces(
        ctx, [found], ChangeRequestKey("3")
    )
    (none,) = await change_request_lists.change_request_of_spaces(
        ctx, [found], ChangeRequestKey("33")
    )
    assert (one and one.id, none) == (rows[2].id, None)


async def test_pages_follow_each_other(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    for _ in range(7):
        await make_change_request(session, space, world.editor)
    await session.commit()
    ctx = context(session, world.reader)
    found = await read(ctx, spaces.get_space, space.id)
    numbers, after = [], None
    while True:
        arguments = ChangeRequestArguments(first=3, after=after, status=(Status.OPEN,))
        (part,) = await change_request_lists.change_requests_of_spaces(ctx, [found], arguments)
        numbers.append([row.number for row in part.rows])
        after = part.next_cursor
        if after is None:
            break
    assert numbers == [[7, 6, 5], [4, 3, 2], [1]]
    with pytest.raises(BadRequest):
        await change_request_lists.change_requests_of_spaces(
            ctx, [found], ChangeRequestArguments(after=part.cursor_of(part.rows[0]))
        )


async def test_the_organization_lists_what_the_caller_reads(session: Session, world: World) -> None:
    shown, hidden, binned = [await make_space(session, world.organization) for _ in range(3)]
    for space in (shown, hidden, binned):
        await make_change_request(session, space, world.editor, subject=space.title)
    await make_grant(session, hidden, world.reader, None)
    binned.deleted_at = dt.datetime.now(dt.UTC)
    await session.commit()

    async def subjects(person: User) -> list[str]:
        ctx = context(session, person)
        organization = await read(ctx, organizations.get_organization, world.organization.id)
        (part,) = await change_request_lists.change_requests_of_organizations(
            ctx, [organization], ChangeRequestArguments()
        )
        return [row.subject for row in part.rows]

    assert await subjects(world.reader) == [shown.title]
    assert sorted(await subjects(world.editor)) == sorted([hidden.title, shown.title])
    assert await subjects(world.guest) == []


async def test_in_the_bin_there_is_reading_for_creators_only(
    session: Session, world: World
) -> None:
    space, row = await prepared(session, world)
    await session.begin_write()
    await session.execute(
        update(Space).where(Space.id == space.id).values(deleted_at=dt.datetime.now(dt.UTC))
    )
    await session.commit()
    creator = context(session, world.creator)
    assert (await read(creator, change_requests.get_change_request, space.id, "1")).id == row.id
    assert await listed(creator, space) == [1]
    for person in (world.creator, world.editor):
        ctx = context(session, person)
        with pytest.raises(NotFound):
            await run(ctx, change_requests.update_change_request, space.id, "1", to(Wanted.DRAFT))
        with pytest.raises(NotFound):
            await run(
                ctx, change_requests.create_change_request, space.id, CreateChangeRequestInput()
            )
    with pytest.raises(NotFound):
        await read(
            context(session, world.reviewer), change_requests.get_change_request, space.id, "1"
        )


@pytest.mark.parametrize("count", [1, 30])
async def test_computed_fields_cost_one_statement_each(
    session: Session, world: World, queries: Queries, count: int
) -> None:
    space = await make_space(session, world.organization)
    for _ in range(count):
        await make_change_request(session, space, world.editor)
    await session.commit()
    ctx = context(session, world.reader)
    found = await read(ctx, spaces.get_space, space.id)
    with queries(1):
        (part,) = await change_request_lists.change_requests_of_spaces(
            ctx, [found], ChangeRequestArguments()
        )
    assert len(part.rows) == count
    with queries(1):
        await change_request_lists.change_requests_outdated(ctx, part.rows, None)
    with queries(0):
        await change_request_lists.change_request_urls(ctx, part.rows, None)


async def test_two_who_close_it_at_once(database: Database, session: Session, world: World) -> None:
    space, row = await prepared(session, world)

    async def move(person: User, wanted: Wanted) -> Status:
        async with database.session() as own:
            ctx = context(own, person)
            found = await run(
                ctx, change_requests.update_change_request, space.id, row.id, to(wanted)
            )
            return found.status

    results = await asyncio.gather(
        move(world.reviewer, Wanted.ARCHIVED), move(world.creator, Wanted.DRAFT)
    )
    assert set(results) == {Status.ARCHIVED, Status.DRAFT}
    async with database.session() as own:
        final = await read(
            context(own, world.reader), change_requests.get_change_request, space.id, row.id
        )
        assert (final.outdated_when_closed is not None) == (final.status is Status.ARCHIVED)
