"""Mutations that /v1 does not have leave one entry in the audit log that names what they change."""

from typing import Any

from sqlalchemy import select

from db.models.audit import AuditEntry
from db.models.comments import Reaction
from db.models.sign_in import UserSession
from db.session import Database, Session
from resolvers.core.naming import camel
from rest_compat.routes.all import ROUTES
from schema.mutation import Mutation
from schema.wiring import OPERATION
from tests import factories
from tests.audit_coverage import state_of, unnamed_changes
from tests.conftest import Api, Stored, World
from tests.event_coverage import OF_MUTATIONS, event_ids, new_events, wrong_events
from tests.kinds import dealt
from tests.operation_requests import one_request_each

# Who calls them, and their arguments; %NAME is an id. Each edit of content changes one thing.
CALLS: dict[str, tuple[str, str]] = {
    "createToken": ("reader", 'input: {label: "New"}'),
    "revokeToken": ("reader", 'id: "%token"'),
    "endSession": ("reader", 'id: "%session"'),
    "endOtherSessions": ("reader", ""),
    "createServiceAccount": ("admin", 'organizationId: "%organization", input: {name: "Bot"}'),
    "updateServiceAccount": ("admin", 'id: "%service", input: {name: "Robot", role: READ}'),
    "deleteServiceAccount": ("admin", 'id: "%service"'),
    "createServiceToken": ("admin", 'id: "%service", input: {label: "New"}'),
    "addReaction": ("commenter", 'subjectId: "%comment", input: {emoji: "1f44d"}'),
    "removeReaction": ("commenter", 'subjectId: "%comment", input: {emoji: "1f680"}'),
}
EDITS: dict[str, tuple[str, list[tuple[str, str, str | None]]]] = {
    "createPage": ('{title: "Newer"}', [("added", "page", None)]),
    "updatePage": ('{page: "home", title: "Main"}', [("changed", "page", "home")]),
    "renamePage": ('{page: "home", title: "Main"}', [("changed", "page", "home")]),
    "movePage": ('{page: "child", parent: null}', [("changed", "page", "child")]),
    "deletePage": (
        '{page: "child"}', [("removed", "page", id) for id in ("child", "deep")],
    ),
    "createFile": ('{url: "%url", name: "n.md"}', [("added", "file", None)]),
    "replaceFile": ('{file: "apng", url: "%url"}', [("changed", "file", "apng")]),
    "deleteFile": ('{file: "apng"}', [("removed", "file", "apng")]),
    "createReusableContent": ('{title: "New"}', [("added", "reusableContent", None)]),
    "updateReusableContent": (
        '{reusableContent: "notice", title: "Warning"}',
        [("changed", "reusableContent", "notice")],
    ),
    "deleteReusableContent": (
        '{reusableContent: "notice"}', [("removed", "reusableContent", "notice")],
    ),
    "setSpaceVariables": ('{set: {edition: "3"}}', []),
    "setRedirect": ('{path: "older", page: "home"}', []),
    "deleteRedirect": ('{path: "old"}', []),
}  # fmt: skip
OTHER_EDITS: dict[str, tuple[str, list[tuple[str, str, str | None]]]] = {
    "applyContentChanges": (
        'input: {target: {space: "%space"}, operations: ['
        '{createPage: {title: "Newer"}}, {deletePage: {page: "deep"}}]}',
        [("added", "page", None), ("removed", "page", "deep")],
    ),
    "revertPage": (
        'spaceId: "%space", changeRequestId: "%request", input: {page: "home"}',
        [("changed", "page", "home")],
    ),
}
# What needs a mail server: the tests of invitations have one.
ELSEWHERE = {"resendInvitation"}


def test_all_are_called() -> None:
    mutations = {
        field.metadata[OPERATION].operation
        for field in Mutation.__strawberry_definition__.fields  # type: ignore[attr-defined]
    }
    alone = mutations - {row.operation for row in ROUTES}
    assert OF_MUTATIONS.keys() | ELSEWHERE == {camel(operation.__name__) for operation in alone}
    assert CALLS.keys() | EDITS.keys() | OTHER_EDITS.keys() | ELSEWHERE == {
        camel(operation.__name__) for operation in alone
    }


async def log_of(database: Database) -> list[AuditEntry]:
    async with database.session() as session:
        return list((await session.execute(select(AuditEntry))).scalars())


async def test_each_names_what_it_changes(
    api: Api, world: World, session: Session, database: Database, stored: Stored
) -> None:
    calls = {name: (*call, None) for name, call in CALLS.items()} | {
        name: ("editor", f'spaceId: "%space", input: {input}', affected)
        for name, (input, affected) in EDITS.items()
    } | {name: ("editor", *call) for name, call in OTHER_EDITS.items()}  # fmt: skip
    wrong: dict[str, Any] = {}
    async with one_request_each(api, world, session) as requests:
        seed, reader = requests.seed, world.reader
        session.add(
            Reaction(
                comment_id=seed.comment.id,
                user_id=world.commenter.id,
                code_points="1f680",
                emoji="🚀",
            )
        )
        token = await factories.make_token(session, reader)
        sessions = select(UserSession.id).where(UserSession.user_id == reader.id)
        ids = {
            "token": token.id, "session": (await session.execute(sessions)).scalar_one(),
            "organization": world.organization.id, "space": seed.space.id,
            "service": seed.known["serviceAccountId"][0], "comment": seed.comment.id,
            "request": seed.change_request.id, "url": requests.page,
        }  # fmt: skip
        await session.commit()
        await session.close()
        await call(api, world, "setRedirect", "editor",
                   f'spaceId: "{seed.space.id}", input: {{path: "old", page: "home"}}')  # fmt: skip
        saved = await stored.save()
        before = await state_of(database)
        earlier = {entry.id for entry in await log_of(database)}
        earlier_events = await event_ids(database)
        for name, (caller, arguments, expected) in dealt([*calls.items()], database):
            for key, value in ids.items():
                arguments = arguments.replace(f"%{key}", value)
            await call(api, world, name, caller, arguments)
            entries = [entry for entry in await log_of(database) if entry.id not in earlier]
            if [entry.action for entry in entries] != [name]:
                wrong[name] = [entry.action for entry in entries]
            elif unnamed := unnamed_changes(before, await state_of(database), entries):
                wrong[name] = unnamed
            elif expected is not None and (named := named_by(entries[0], expected)) != expected:
                wrong[name] = named
            else:
                events = await new_events(database, earlier_events)
                if problem := wrong_events(events, OF_MUTATIONS[name]):
                    wrong[name] = problem
            await stored.restore(saved)
    assert wrong == {}


async def call(api: Api, world: World, name: str, caller: str, arguments: str) -> None:
    field = f"{name}({arguments})" if arguments else name
    await api.data(f"mutation {{ {field} {{ __typename }} }}", world.people()[caller])


def named_by(entry: AuditEntry, expected: list[Any]) -> list[tuple[str, str, str | None]]:
    """What an entry says beside its object; ids that are not expected by value are None."""
    expected_ids = {id for _, _, id in expected}
    return sorted(
        (
            (
                item["kind"],
                item["type"],
                item["objectId"] if item["objectId"] in expected_ids else None,
            )
            for item in entry.affected
        ),
        key=lambda named: (named[0], named[2] or ""),
    )
