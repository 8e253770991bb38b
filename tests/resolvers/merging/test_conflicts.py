"""Resolving conflicts: each kind, each resolution, settling by edits, and what is refused."""

from dataclasses import replace
from typing import Any

import pytest
import strawberry
from sqlalchemy import select
from strawberry import Some

from content.merge.conflict import ConflictKind as EngineKind, Resolution
from db.content_enums import ChangeRequestStatus, ConflictKind, ConflictResolution, MergeResult
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.merging import MergeConflict
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.change_requests import operations as change_requests
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, Invalid, NotFound, PreconditionFailed
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject
from resolvers.drafts.operation_inputs import SetVariablesInput
from resolvers.merging import conflict_lists
from resolvers.merging.conflict_lists import ConflictArguments
from resolvers.merging.conflict_resolution import ResolveConflictInput, resolve_conflict
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions.rows import Page
from resolvers.revisions.states import bodies
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import Step, apply_steps
from tests.conftest import World, context
from tests.held_work import make_little_much
from tests.merging import BODY, edit, with_request

OURS, THEIRS, BOTH, CUSTOM = ConflictResolution


async def conflicting(
    session: Session, world: World, ours: dict[str, Any], theirs: dict[str, Any]
) -> tuple[Space, ChangeRequest]:
    """A change request that has pulled what conflicts with its own edits."""
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, **ours)
    await edit(session, world.creator, space, **theirs)
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    return space, row


async def stored(session: Session, row: ChangeRequest) -> list[MergeConflict]:
    session.expunge_all()
    statement = select(MergeConflict).where(MergeConflict.change_request_id == row.id)
    found = list((await session.execute(statement.order_by(MergeConflict.id))).scalars())
    await session.commit()
    return found


async def decide(
    session: Session, person: User, row: ChangeRequest, conflict: MergeConflict,
    resolution: ConflictResolution, **more: Any,
) -> MergeConflict:  # fmt: skip
    if "value" in more:
        more["value"] = Some(more["value"])
    wanted = ResolveConflictInput(resolution=resolution, **more)
    inputs.check({"input": wanted})
    ctx = context(session, person)
    return await run(ctx, resolve_conflict, row.space_id, row.id, conflict.id, wanted)


async def latest(session: Session, row: ChangeRequest) -> Revision:
    session.expunge_all()
    request = await session.get_one(ChangeRequest, row.id)
    found = await session.get_one(Revision, request.revision_id)
    await session.commit()
    return found


async def page(session: Session, row: ChangeRequest, id: str) -> Page:
    ctx = context(session)
    found = await find_page(ctx, await latest(session, row), id)
    await session.commit()
    return found


async def markdown(session: Session, row: ChangeRequest, id: str) -> str:
    found = await page(session, row, id)
    (body,) = await bodies(context(session), [(row.space_id, found.document_id)])
    await session.commit()
    return "" if body is None else body.markdown


def test_enumerations_are_those_of_the_engine() -> None:
    assert [one.value for one in ConflictKind] == [one.value for one in EngineKind]
    assert [one.value for one in ConflictResolution] == [one.value for one in Resolution]


@pytest.mark.parametrize(
    ("resolution", "more", "expected"),
    [
        (OURS, {}, "Ours"),
        (THEIRS, {}, "Theirs"),
        (CUSTOM, {"value": {"value": "Mine"}}, "Mine"),
        (CUSTOM, {}, "Theirs"),
    ],
)
async def test_fields(
    session: Session, world: World, resolution: ConflictResolution, more: Any, expected: str
) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    before = await latest(session, row)
    (conflict,) = await stored(session, row)
    decided = await decide(session, world.editor, row, conflict, resolution, **more)
    assert (decided.resolution, decided.resolved_by_id) == (resolution, world.editor.id)
    assert decided.resolved_at is not None
    assert (await page(session, row, "p0")).title == expected
    after = await latest(session, row)
    if expected == "Theirs":
        assert after.id == before.id
    else:
        assert after.parents == [before.id]
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.MERGE
    with pytest.raises(PreconditionFailed):
        await decide(session, world.editor, row, conflict, OURS)


@pytest.mark.parametrize(
    ("resolution", "more", "there", "gone"),
    [
        (OURS, {}, ["Our second"], ["Their second"]),
        (THEIRS, {}, ["Their second"], ["Our second"]),
        (BOTH, {}, ["Their second", "Our second"], []),
        (
            CUSTOM,
            {"markdown": "Agreed **second**."},
            ["Agreed **second**"],
            ["Our second", "Their se"],
        ),
        (CUSTOM, {}, ["Their second", "Our second"], []),
    ],
)
async def test_blocks(
    session: Session, world: World, resolution: ConflictResolution, more: Any,
    there: list[str], gone: list[str],
) -> None:  # fmt: skip
    space, row = await conflicting(
        session, world,
        {"p1": {"body": BODY.replace("Second paragraph", "Our second one is quite long")}},
        {"p1": {"body": BODY.replace("Second paragraph", "Their second is otherwise")}},
    )  # fmt: skip
    (conflict,) = await stored(session, row)
    assert (conflict.kind, conflict.page_id) == (ConflictKind.BLOCK, "p1")
    assert conflict.block is not None
    await decide(session, world.editor, row, conflict, resolution, **more)
    text = await markdown(session, row, "p1")
    assert [part for part in there if part not in text] == []
    assert [part for part in gone if part in text] == []
    assert "First paragraph" in text
    assert "Third paragraph" in text
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.MERGE


async def test_nodes_may_be_given_for_blocks(session: Session, world: World) -> None:
    _, row = await conflicting(
        session, world, {"p1": {"body": BODY.replace("Second", "Our")}},
        {"p1": {"body": BODY.replace("Second", "Their")}},
    )  # fmt: skip
    (conflict,) = await stored(session, row)
    (shown,) = await conflict_lists.conflict_ours(context(session), [conflict], None)
    await decide(session, world.editor, row, conflict, CUSTOM, value=shown)
    text = await markdown(session, row, "p1")
    assert "Our paragraph" in text
    assert "Their paragraph" not in text
    await decide(session, world.editor, row, conflict, CUSTOM, value=None)
    assert "Our paragraph" not in await markdown(session, row, "p1")


@pytest.mark.parametrize(
    ("ours", "theirs"), [(None, {"title": "Edited"}), ({"title": "Edited"}, None)]
)
@pytest.mark.parametrize("resolution", [OURS, THEIRS])
async def test_pages_removed_and_edited(
    session: Session, world: World, ours: Any, theirs: Any, resolution: ConflictResolution
) -> None:
    _, row = await conflicting(session, world, {"p2": ours}, {"p2": theirs})
    (conflict,) = await stored(session, row)
    assert conflict.kind is ConflictKind.PAGE_DELETED_EDITED
    assert (await page(session, row, "p2")).title == "Edited"
    await decide(session, world.editor, row, conflict, resolution)
    removed = ours is None if resolution is OURS else theirs is None
    if removed:
        with pytest.raises(NotFound):
            await page(session, row, "p2")
    else:
        assert (await page(session, row, "p2")).title == "Edited"


@pytest.mark.parametrize(
    ("resolution", "more", "parent"),
    [
        (OURS, {}, "p0"),
        (THEIRS, {}, "p1"),
        (CUSTOM, {"value": {"value": {"parent": None}}}, None),
    ],
)
async def test_pages_moved_twice(
    session: Session, world: World, resolution: ConflictResolution, more: Any, parent: str | None
) -> None:
    _, row = await conflicting(
        session, world, {"p2": {"parent_id": "p0"}}, {"p2": {"parent_id": "p1"}}
    )
    (conflict,) = await stored(session, row)
    assert conflict.kind is ConflictKind.PAGE_MOVED_TWICE
    await decide(session, world.editor, row, conflict, resolution, **more)
    assert (await page(session, row, "p2")).parent_id == parent


async def _set(ctx: Context, space_id: str, request: str | None, value: Any) -> None:
    target = await open_target(ctx, space_id, request)
    wanted = SetVariablesInput(set=JsonObject({"version": value}))
    await apply_steps(ctx, target, [Step("set_variables", wanted, "")])


@pytest.mark.parametrize(
    ("resolution", "more", "expected"),
    [
        (OURS, {}, "2"),
        (THEIRS, {}, "3"),
        (CUSTOM, {"value": {"value": "4"}}, "4"),
        (CUSTOM, {"value": None}, None),
    ],
)
async def test_variables(
    session: Session, world: World, resolution: ConflictResolution, more: Any, expected: Any
) -> None:
    space, row = await with_request(session, world)
    ctx = context(session, world.editor)
    await run(ctx, _set, space.id, row.id, "2")
    await run(context(session, world.creator), _set, space.id, None, "3")
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    (conflict,) = await stored(session, row)
    assert (conflict.kind, conflict.field) == (ConflictKind.VARIABLE, "version")
    await decide(session, world.editor, row, conflict, resolution, **more)
    assert (await latest(session, row)).variables.get("version") == expected


async def test_editing_settles_a_conflict(session: Session, world: World) -> None:
    space, row = await conflicting(
        session, world,
        {"p0": {"title": "Ours"}, "p1": {"body": BODY.replace("Second", "Our")}},
        {"p0": {"title": "Theirs"}, "p1": {"body": BODY.replace("Second", "Their")}},
    )  # fmt: skip
    assert len(await stored(session, row)) == 2
    # Something else changes nothing.
    await edit(session, world.editor, space, row, p2={"title": "Elsewhere"})
    assert {one.resolution for one in await stored(session, row)} == {None}
    await edit(session, world.reviewer, space, row, p0={"title": "Agreed"})
    by_kind = {one.kind: one for one in await stored(session, row)}
    field, block = by_kind[ConflictKind.FIELD], by_kind[ConflictKind.BLOCK]
    assert (field.resolution, field.resolved_by_id) == (CUSTOM, world.reviewer.id)
    assert block.resolution is None
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.CONFLICTS
    await edit(session, world.editor, space, row, p1={"body": BODY.replace("Second", "Agreed")})
    assert {one.resolution for one in await stored(session, row)} == {CUSTOM}
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.MERGE


async def test_a_decision_may_be_changed_until_the_merge(session: Session, world: World) -> None:
    _, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    (conflict,) = await stored(session, row)
    for resolution, expected in ((OURS, "Ours"), (THEIRS, "Theirs"), (OURS, "Ours")):
        await decide(session, world.editor, row, conflict, resolution)
        assert (await page(session, row, "p0")).title == expected


@pytest.mark.parametrize(
    ("resolution", "more", "part"),
    [
        (BOTH, {}, "resolution"),
        (OURS, {"value": {"value": "x"}}, "value"),
        (CUSTOM, {"value": {"value": 5}}, "value"),
        (CUSTOM, {"value": {"value": ""}}, "value"),
        (CUSTOM, {"value": {"value": "x" * 1000}}, "value"),
        (CUSTOM, {"value": None}, "value"),
        (CUSTOM, {"markdown": "x"}, "markdown"),
        (CUSTOM, {"markdown": "x", "value": {"value": "x"}}, "markdown"),
        (CUSTOM, {"value": {}}, "value"),
    ],
)
async def test_what_a_field_cannot_become(
    session: Session, world: World, resolution: ConflictResolution, more: Any, part: str
) -> None:
    _, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    (conflict,) = await stored(session, row)
    with pytest.raises(Invalid, match=part):
        await decide(session, world.editor, row, conflict, resolution, **more)
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None


@pytest.mark.parametrize(
    "value",
    [
        {"object": "text"},
        {"object": "block", "type": "paragraph", "nodes": "x"},
        {"nodes": [{"object": "block", "type": 5}]},
        {"nodes": [5]},
        {"value": "text"},
        {"value": 5},
        {"object": 5},
    ],
)
async def test_what_a_block_cannot_become(session: Session, world: World, value: Any) -> None:
    _, row = await conflicting(
        session, world, {"p1": {"body": BODY.replace("Second", "Our")}},
        {"p1": {"body": BODY.replace("Second", "Their")}},
    )  # fmt: skip
    (conflict,) = await stored(session, row)
    with pytest.raises(Invalid, match="value"):
        await decide(session, world.editor, row, conflict, CUSTOM, value=value)


@pytest.mark.parametrize(
    ("person", "error"),
    [
        ("reader", Forbidden), ("commenter", Forbidden), ("guest", NotFound),
        ("outsider", NotFound),
    ],
)  # fmt: skip
async def test_resolving_needs_edit(
    session: Session, world: World, person: str, error: type[ApiError]
) -> None:
    _, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    (conflict,) = await stored(session, row)
    with pytest.raises(error):
        await decide(session, world.people()[person], row, conflict, OURS)


async def test_conflicts_are_found_in_their_change_request(session: Session, world: World) -> None:
    _, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    _, other = await with_request(session, world)
    (conflict,) = await stored(session, row)
    with pytest.raises(NotFound):
        await decide(session, world.editor, other, conflict, OURS)
    ctx = context(session, world.reader)
    for resolved, expected in ((None, 1), (False, 1), (True, 0)):
        found = await read(ctx, change_requests.get_change_request, row.space_id, row.id)
        (part,) = await conflict_lists.conflicts_of_change_requests(
            ctx, [found], ConflictArguments(resolved=resolved)
        )
        assert len(part.rows) == expected


async def test_the_second_pull_keeps_what_is_open(session: Session, world: World) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    await edit(session, world.creator, space, p1={"title": "Live"})
    done = await run(context(session, world.editor), pull_change_request, space.id, row.id)
    assert done.result.value == "update"
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None
    held = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert held.result is MergeResult.CONFLICTS
    await decide(session, world.editor, row, conflict, OURS)
    merged = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert merged.result is MergeResult.MERGE
    assert merged.change_request.status is ChangeRequestStatus.MERGED


async def test_with_apply_open_conflicts_hold_nothing(session: Session, world: World) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    ctx = context(session, world.reviewer)
    ctx.settings = replace(ctx.settings, merge_on_conflict="apply")
    done = await run(ctx, merge_change_request, space.id, strawberry.ID(row.id))
    assert done.result is MergeResult.CONFLICTS
    assert done.change_request.status is ChangeRequestStatus.MERGED


LARGE: tuple[tuple[ConflictResolution, dict[str, str], list[str]], ...] = (
    (OURS, {}, ["First ours here."]),
    (BOTH, {}, ["First theirs here.", "First ours here."]),
    (CUSTOM, {"markdown": "Mine."}, ["Mine."]),
)


async def test_conflicts_in_large_pages(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is more work in them than a decision does under its lock."""
    make_little_much(monkeypatch)
    tail = [f"Line {number}" for number in range(200)]
    space, row = await with_request(session, world)

    def body(first: str) -> dict[str, str]:
        return {"body": "\n\n".join([first, *tail])}

    await edit(session, world.editor, space, p0=body("First one here."))
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    await edit(session, world.editor, space, row, p0=body("First ours here."))
    await edit(session, world.creator, space, p0=body("First theirs here."))
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    (conflict,) = await stored(session, row)
    for resolution, more, expected in LARGE:
        await decide(session, world.editor, row, conflict, resolution, **more)
        written = (await markdown(session, row, "p0")).split("\n\n")
        assert written[: len(expected) + 1] == [*expected, "Line 0"]
