"""Merge rules: when each is met, which are asked, what a refusal says, what may be saved."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from strawberry import Some

from db.content_enums import ReviewStatus
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import Invalid, PreconditionFailed
from resolvers.core.runners import run
from resolvers.merging.checks import CHECKS, check_merge_rules, merge_problems
from resolvers.organizations import operations as organizations
from resolvers.organizations.merge_rules import (
    AGENT,
    PLAIN,
    WITH_USERS,
    MergeRuleInput,
    SpaceMergeRules,
    StandaloneMergeRules,
)
from resolvers.spaces import operations as spaces
from tests.conftest import World, context
from tests.factories import (
    make_change_request,
    make_comment,
    make_member,
    make_requested_reviewer,
    make_review,
    make_space,
)

REJECTED = ReviewStatus.CHANGES_REQUESTED
SAID = {
    "object": "document",
    "nodes": [
        {
            "object": "block", "type": "paragraph", "nodes": [
                {"object": "text", "leaves": [{"object": "leaf", "text": "Why", "marks": []}]}
            ],
        }
    ],
}  # fmt: skip
BLANK = {"object": "document", "nodes": [{"object": "block", "type": "paragraph", "nodes": []}]}


def rules(*found: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rules", "rules": list(found)}


async def failing(
    session: Session, person: User, space: Space, row: ChangeRequest
) -> list[tuple[int, str]]:
    """Places and names of the rules that keep somebody from merging."""

    async def ask(ctx: Context) -> list[tuple[int, str]]:
        place = await must(ctx, Space, space.id)
        request = await must(ctx, ChangeRequest, row.id)
        return [(one.index, one.rule) for one in await merge_problems(ctx, place, request)]

    return await run(context(session, person), ask)


async def refused(session: Session, person: User, space: Space, row: ChangeRequest) -> str:
    """What a refusal says; empty when it may be merged."""

    async def ask(ctx: Context) -> str:
        place = await must(ctx, Space, space.id)
        request = await must(ctx, ChangeRequest, row.id)
        try:
            await check_merge_rules(ctx, place, request)
        except PreconditionFailed as error:
            return error.message if error.fields else ""
        return ""

    return await run(context(session, person), ask)


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    return await make_space(session, world.organization)


@pytest.fixture
async def row(session: Session, world: World, space: Space) -> ChangeRequest:
    return await make_change_request(session, space, world.editor)


Prepare = Callable[[Session, World, Space, ChangeRequest], Awaitable[Any]]


async def nothing(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
    pass


def reviewed(*statuses: tuple[str, ReviewStatus], **changes: Any) -> Prepare:
    async def prepare(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
        for name, status in statuses:
            await make_review(session, row, world.people()[name], status=status, **changes)

    return prepare


def changed(**values: Any) -> Prepare:
    async def prepare(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
        for name, value in values.items():
            setattr(row, name, value)

    return prepare


async def moved_on(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
    space.revision_id = new_id()


async def old_review(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
    review = await make_review(session, row, world.reviewer)
    review.revision_id = new_id()


async def asked(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
    await make_review(session, row, world.reviewer)
    await make_requested_reviewer(session, row, world.creator, world.editor)


async def agent(session: Session, world: World, space: Space, row: ChangeRequest) -> None:
    account = User(id=AGENT, display_name="Agent", email="agent@example.com")
    session.add(account)
    await session.flush()
    await make_member(session, world.organization, user=account)
    await make_review(session, row, account)


OK, NOT = ReviewStatus.APPROVED, REJECTED
ONE, ALL = "require_at_least_one_review", "require_all_reviews_approved"
SPECIFIC, ONE_OF = "require_specific_reviewers", "require_one_of_specific_reviewers"
UP_TO_DATE = "require_up_to_date_change_request"
CASES: list[tuple[str, Prepare, bool]] = [
    (ONE, nothing, False),
    (ONE, reviewed(("reviewer", OK)), True),
    (ONE, reviewed(("reviewer", NOT)), False),
    (ONE, reviewed(("reviewer", NOT), ("creator", OK)), True),
    (ONE, reviewed(("reviewer", OK), superseded=True), False),
    (ONE, old_review, False),
    (ALL, nothing, True),
    (ALL, reviewed(("reviewer", OK), ("creator", OK)), True),
    (ALL, reviewed(("reviewer", OK), ("creator", NOT)), False),
    (ALL, reviewed(("creator", NOT), superseded=True), True),
    (ALL, asked, False),
    (SPECIFIC, reviewed(("reviewer", OK)), False),
    (SPECIFIC, reviewed(("reviewer", OK), ("creator", OK)), True),
    (SPECIFIC, reviewed(("reviewer", OK), ("creator", NOT)), False),
    (ONE_OF, reviewed(("reviewer", OK)), True),
    (ONE_OF, reviewed(("admin", OK)), False),
    (ONE_OF, nothing, False),
    ("require_agent_review", reviewed(("reviewer", OK)), False),
    ("require_agent_review", agent, True),
    (UP_TO_DATE, nothing, True),
    (UP_TO_DATE, moved_on, False),
    ("require_change_request_subject", changed(subject="Typos"), True),
    ("require_change_request_subject", changed(subject=" \t"), False),
    ("require_change_request_description", changed(description=SAID), True),
    ("require_change_request_description", changed(description=BLANK), False),
    ("require_change_request_description", changed(description=None), False),
]


@pytest.mark.parametrize(("rule", "prepare", "met"), CASES)
async def test_each_rule(
    session: Session, world: World, space: Space, row: ChangeRequest,
    rule: str, prepare: Prepare, met: bool,
) -> None:  # fmt: skip
    stored: dict[str, Any] = {"rule": rule}
    if rule in WITH_USERS:
        stored["users"] = [world.reviewer.id, world.creator.id]
    space.merge_rules = rules(stored)
    await prepare(session, world, space, row)
    await session.commit()
    assert await failing(session, world.admin, space, row) == ([] if met else [(0, rule)])


@pytest.mark.parametrize(
    ("expression", "met"),
    [
        ("true", True),
        ("changeRequest.subject == 'Typos'", True),
        ("changeRequest.subject.startsWith('x')", False),
        ("!changeRequest.outdated && changeRequest.number == 1", True),
        ("changeRequest.createdBy.id == actor.id", False),
        ("changeRequest.createdBy.displayName == 'Editor'", True),
        ("changeRequest.status == 'open'", True),
        ("reviews.length == 2", True),
        ("reviews.some(r => r.status == 'approved' && r.reviewer.displayName == 'Reviewer')", True),
        ("reviews[0].comment.body.markdown == 'Fine'", True),
        ("reviews.every(r => !r.outdated)", False),
        ("actor.object == 'user' && actor.displayName == 'Admin'", True),
        ("space.title == 'Docs' && space.editMode == 'locked'", True),
        ("space.permissions.merge && space.changeRequestsOpen == 1", True),
        ("space['vis' + 'ibility'] == 'private'", True),
        ("space.organization == changeRequest.space", False),
        ("changeRequest.comments == 1", True),
        ("changeRequest.createdAt < '3000'", True),
        ("changeRequest.missing.deeper", False),
        ("changeRequest.subject.nothing()", False),
    ],
)
async def test_custom_rules(
    session: Session, world: World, space: Space, row: ChangeRequest, expression: str, met: bool
) -> None:
    space.title, row.subject = "Docs", "Typos"
    space.merge_rules = rules({"rule": "custom", "expression": expression})
    old = await make_review(session, row, world.creator, superseded=True)
    said = await make_comment(
        session, space, world.reviewer, row, markdown="Fine", review_id=old.id
    )
    await make_review(session, row, world.reviewer, comment_id=said.id)
    await session.commit()
    message = await refused(session, world.admin, space, row)
    assert message == "" if met else expression in message


async def test_a_refusal_names_every_rule_that_fails(
    session: Session, world: World, space: Space, row: ChangeRequest
) -> None:
    space.merge_rules = rules(
        {"rule": ONE},
        {"rule": "require_change_request_subject"},
        {"rule": "custom", "expression": "false"},
        {"rule": "require_change_request_description"},
    )
    row.subject = "There"
    await session.commit()
    assert await failing(session, world.reviewer, space, row) == [
        (0, ONE), (2, "custom"), (3, "require_change_request_description"),
    ]  # fmt: skip
    message = await refused(session, world.reviewer, space, row)
    for name in (ONE, "custom", "require_change_request_description"):
        assert name in message
    assert "require_change_request_subject" not in message


async def test_bypassing_skips_all_other_rules(
    session: Session, world: World, space: Space, row: ChangeRequest
) -> None:
    space.merge_rules = rules(
        {"rule": ONE}, {"rule": "allow_bypass", "users": [world.admin.id]},
        {"rule": "custom", "expression": "false"},
    )  # fmt: skip
    await session.commit()
    assert await failing(session, world.admin, space, row) == []
    assert await failing(session, world.creator, space, row) == [(0, ONE), (2, "custom")]


async def test_spaces_inherit_from_their_organization(
    session: Session, world: World, space: Space, row: ChangeRequest
) -> None:
    world.organization.merge_rules = rules({"rule": ONE})
    await session.commit()
    assert await failing(session, world.admin, space, row) == [(0, ONE)]
    for own, expected in (({"type": "none"}, []), (rules(), []), (rules({"rule": ALL}), [])):
        await session.begin_write()
        space.merge_rules = own
        session.add(await session.merge(space))
        await session.commit()
        assert await failing(session, world.admin, space, row) == expected


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("changeRequest.", "character"),
        ("1 +", "character"),
        ("reviews.some(", "character"),
        ("page.title == 'x'", "character 1"),
        ("true && visitor.claims.x", "character 9"),
        ("  ", "required"),
        ("x" * 1025, "1024"),
    ],
)
async def test_expressions_that_cannot_be_read_are_refused_when_saved(
    session: Session, world: World, space: Space, expression: str, part: str
) -> None:
    await session.commit()

    wanted = [MergeRuleInput(rule="custom", expression=expression)]
    ctx = context(session, world.admin)
    on_space = spaces.UpdateSpaceInput(
        merge_rules=Some(SpaceMergeRules(type="rules", rules=wanted))
    )
    on_organization = organizations.UpdateOrganizationInput(
        merge_rules=Some(StandaloneMergeRules(type="rules", rules=wanted))
    )
    for operation, id, given in (
        (spaces.update_space, space.id, on_space),
        (organizations.update_organization, world.organization.id, on_organization),
    ):

        async def save(
            ctx: Context, operation: Any = operation, id: str = id, given: Any = given
        ) -> None:
            inputs.check({"input": given})
            await operation(ctx, id, given)

        with pytest.raises(Invalid, match=r"mergeRules\.rules\[0\]\.expression") as caught:
            await run(ctx, save)
        assert part in str(caught.value)


def test_every_rule_that_may_be_saved_can_be_checked() -> None:
    assert CHECKS.keys() == {*WITH_USERS, *PLAIN}
