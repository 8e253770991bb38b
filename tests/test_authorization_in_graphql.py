"""Who may do what in GraphQL: every field of Query and Mutation, asked by every kind of caller.

Rows of the route table are asked for the same as there, so tests/test_authorization.py says who
may. `ONLY_HERE` adds what no row has; a field of neither fails. Many fields are asked for in one
request, which is cheap: a refused mutation leaves those behind it as they are.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from db.enums import TokenScope
from db.models.sign_in import UserSession
from db.session import Session
from resolvers.access.tokens import create_token
from resolvers.content.computed import SOURCES
from resolvers.core.operation_scopes import scope_of
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from schema.wiring import OPERATION
from tests import factories
from tests.callers import (
    CALLERS,
    PROGRAMS,
    STRANGERS,
    Operation,
    may,
    operation_of,
    refusals,
    tokens_of_callers,
)
from tests.conftest import Api, Stored, World
from tests.graphql_requests import RootField, document, parts, root_field_of
from tests.operation_requests import Requests, Unchanged, filled, one_request_each
from tests.parity import SCHEMA
from tests.seeds import SAMPLE_SOURCE, SampleSource
from tests.test_authorization import WEAKEST
from tests.test_scopes import Tokens, lacking

PAGE = {"title": "New"}
# Writes of the content of a space that no row has, with their inputs.
CONTENT: dict[str, Any] = {
    "createPage": PAGE,
    "updatePage": {"page": "child", "title": "Changed"},
    "renamePage": {"page": "child", "title": "Changed"},
    "movePage": {"page": "child", "parent": None},
    "deletePage": {"page": "child"},
    "revertPage": {"page": "child", "revision": "{edited}"},
    "createFile": {"url": "{page}", "name": "new.md"},
    "replaceFile": {"file": "apng", "name": "new.png"},
    "deleteFile": {"file": "apng"},
    "createReusableContent": PAGE,
    "updateReusableContent": {"reusableContent": "notice", "title": "Changed"},
    "deleteReusableContent": {"reusableContent": "notice"},
    "setSpaceVariables": {"set": {"new": 1}},
    "setRedirect": {"path": "new", "page": "home"},
    "deleteRedirect": {"path": "old"},
}
# What a token may make that has no other scope.
TOKEN = {"label": "new", "scopes": ["WRITE"]}
# Fields that no row has: the weakest who may, whether that is their role on a space or collection,
# and arguments.
ONLY_HERE: dict[str, tuple[str, bool, dict[str, Any]]] = {
    "node": ("guest", True, {"id": "{space}"}),
    "nodes": ("guest", True, {"ids": "{spaces}"}),
    "serviceAccount": ("admin", False, {"id": "{service}"}),
    "siteSpace": ("guest", False, {"id": "{siteSpace}"}),
    "siteSection": ("guest", False, {"id": "{section}"}),
    "siteSectionGroup": ("guest", False, {"id": "{group}"}),
    "siteConditions": ("editor", False, {"id": "{site}"}),
    "createToken": ("outsider", False, {"input": TOKEN}),
    "revokeToken": ("admin", False, {"id": "{token}"}),
    "endSession": ("admin", False, {"id": "{session}"}),
    "endOtherSessions": ("outsider", False, {}),
    "createServiceAccount": (
        "admin", False, {"organizationId": "{organization}", "input": {"name": "New"}},
    ),
    "updateServiceAccount": ("admin", False, {"id": "{service}", "input": {"name": "Changed"}}),
    "deleteServiceAccount": ("admin", False, {"id": "{service}"}),
    "createServiceToken": ("admin", False, {"id": "{service}", "input": TOKEN}),
    "resendInvitation": ("admin", False, {"id": "{invited}"}),
    "addReaction": ("commenter", True, {"subjectId": "{comment}", "input": {"emoji": "1f600"}}),
    "removeReaction": ("commenter", True, {"subjectId": "{comment}", "input": {"emoji": "1f44d"}}),
    "applyContentChanges": (
        "editor", True,
        {"input": {"target": {"space": "{space}"}, "operations": [{"createPage": PAGE}]}},
    ),
    **{
        name: ("editor", True, {"spaceId": "{space}", "input": input})
        for name, input in CONTENT.items()
    },
}  # fmt: skip
# Fields of objects that no row has: the field of the query, and what is below it.
BELOW: dict[str, tuple[str, bool, str, dict[str, Any], str]] = {
    "serviceAccounts": (
        "admin", False, "organization", {"id": "{organization}"}, "serviceAccounts(first: 1)",
    ),
    "tokens": ("outsider", False, "viewer", {}, "tokens(first: 1)"),
    "sessions": ("outsider", False, "viewer", {}, "sessions(first: 1)"),
    "effectiveRole": (
        "creator", True, "space", {"id": "{space}"}, 'effectiveRole(user: "{admin}")',
    ),
}  # fmt: skip
# What may not be seen is null in `node` and `nodes`, and is not in this list.
NOTHING = (None, [None], {"serviceAccounts": {"totalCount": 0}})
# Rows whose operation GraphQL has in other words.
IN_OTHER_WORDS = {"writeSpaceContent", "writeChangeRequestContent", "resolvePublishedContentByUrl"}
OPERATIONS = {
    field.graphql_name or SCHEMA.config.name_converter.get_graphql_name(field): field.metadata[
        OPERATION
    ].operation
    for root in ("Query", "Mutation")
    for field in SCHEMA.get_type_by_name(root).fields  # type: ignore[union-attr]
}


@dataclass(frozen=True)
class Case:
    """A field, who may ask for it, and how others are refused."""

    field: RootField
    operation: Operation
    refused: dict[str, set[int]]


def cases_of(requests: Requests, values: dict[str, Any]) -> list[Case]:
    """A case of each row and of each line of the tables above."""
    cases = []
    for row in ROUTES:
        one = root_field_of(row, requests.asked[row.operation_id])
        if one is None:
            assert row.operation_id in IN_OTHER_WORDS, row.operation_id
            continue
        operation = operation_of(row, WEAKEST[row.operation_id])
        refused = {caller: _refused(caller, row) for caller in CALLERS}
        cases.append(Case(one, operation, refused))
    either = {caller: {404} if caller in STRANGERS else {403, 404} for caller in CALLERS}
    either |= {"nobody": {401}, "visitor": {401, 403, 404}}
    either |= {caller: {401, 403, 404} for caller in PROGRAMS}
    mutations = SCHEMA._schema.mutation_type
    assert mutations is not None
    for name, (weakest, of_content, arguments) in ONLY_HERE.items():
        one = RootField(name, name, filled(arguments, values), (), name in mutations.fields)
        cases.append(Case(one, Operation(name, weakest, of_content), either))
    for name, (weakest, of_content, field, arguments, below) in BELOW.items():
        text = below.replace("{admin}", values["{admin}"])
        one = RootField(name, field, filled(arguments, values), (text,))
        cases.append(Case(one, Operation(name, weakest, of_content), either))
    return cases


def _refused(caller: str, row: Row) -> set[int]:
    """What is refused before anything is looked for is 403; in /v1 it is seen to tell nothing."""
    statuses = refusals(caller, row, WEAKEST)
    return statuses if caller in ("nobody", *STRANGERS) else statuses | {403}


@dataclass
class Asking:
    """Sends fields with a token; the status of each, 200 for an answer."""

    api: Api
    requests: Requests
    # By the names of their fields in requests.
    cases: dict[str, Case]
    # Tokens of callers; nobody has none.
    texts: dict[str, str | None]

    async def __call__(self, token: str | None, fields: list[RootField]) -> dict[str, int]:
        answer = await self.answer(token, fields)
        body = answer.json()
        if body.get("data") is None:
            assert answer.status_code in (401, 403), answer.text
            return {one.alias: answer.status_code for one in fields}
        statuses = {one.alias: 404 if body["data"][one.alias] in NOTHING else 200 for one in fields}
        for error in body.get("errors", ()):
            statuses[error["path"][0]] = error["extensions"]["status"]
        return statuses

    async def answer(self, token: str | None, fields: list[RootField]) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await self.api.client.post("/graphql", json=document(fields), headers=headers)


@pytest.fixture
async def asking(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Asking]:
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    async with one_request_each(api, world, session) as requests:
        seed = requests.seed
        await session.begin_write()
        invited = await factories.make_invitation(
            session, world.organization, world.admin, email="waiting@example.com"
        )
        token, _ = await create_token(session, world.admin.id, "spare")
        sessions = select(UserSession.id).where(UserSession.user_id == world.admin.id)
        signed_in = (await session.execute(sessions)).scalar_one()
        await session.commit()
        values = {
            "{organization}": world.organization.id, "{space}": seed.space.id,
            "{spaces}": [seed.space.id],
            "{service}": seed.known["serviceAccountId"][0], "{site}": seed.site.id,
            "{siteSpace}": seed.site_space.id, "{section}": seed.known["siteSectionId"][0],
            "{group}": seed.known["siteSectionGroupId"][0], "{token}": token.id,
            "{session}": signed_in, "{invited}": invited.id, "{comment}": seed.comment.id,
            "{page}": requests.page, "{admin}": world.admin.id,
            "{edited}": seed.known["revisionId"][0],
        }  # fmt: skip
        cases = {case.field.alias: case for case in cases_of(requests, values)}
        texts = await tokens_of_callers(api, world, session, requests)
        opened = Asking(api, requests, cases, texts)
        # What can be taken away: a redirect, and a reaction of everybody who may have one.
        redirect = RootField(
            "made", "setRedirect",
            {"spaceId": seed.space.id, "input": {"path": "old", "page": "home"}}, writes=True,
        )  # fmt: skip
        reaction = replace(cases["removeReaction"].field, field="addReaction")
        for caller in CALLERS:
            if may(caller, cases["removeReaction"].operation):
                assert await opened(texts[caller], [reaction]) == {reaction.alias: 200}
        assert await opened(texts["admin"], [redirect]) == {"made": 200}
        await session.close()
        yield opened


async def test_each_field_is_asked(asking: Asking) -> None:
    assert {case.field.field for case in asking.cases.values()} == OPERATIONS.keys()


async def test_each_caller_may_do_what_the_tables_say(asking: Asking, stored: Stored) -> None:
    unchanged = await Unchanged(stored).begin()
    wrong: dict[tuple[str, str], Any] = {}
    # Fields that the same callers may ask for are in one document, which is compiled once.
    together: dict[tuple[bool, frozenset[str]], list[RootField]] = {}
    for case in asking.cases.values():
        callers = frozenset(caller for caller in CALLERS if may(caller, case.operation))
        together.setdefault((case.field.writes, callers), []).append(case.field)
    for (writes, callers), fields in together.items():
        for caller in CALLERS:
            allowed = caller in callers
            documents = list(parts(fields))
            if writes and allowed:
                # With the others they have succeeded in /v1.
                documents = [[one] for one in fields if one.alias in ONLY_HERE]
            for few in documents:
                for alias, status in (await asking(asking.texts[caller], few)).items():
                    expected = asking.cases[alias].refused[caller]
                    if allowed:
                        expected = {200}
                    if status not in expected:
                        wrong[alias, caller] = (status, expected)
                if writes and allowed:
                    await unchanged.restore()
                elif not await unchanged():
                    wrong[few[0].alias, caller] = "one of them changed something"
    assert not wrong, "\n".join(f"{who}: {answer}" for who, answer in wrong.items())


def missing_scopes(answer: httpx2.Response) -> dict[str, str]:
    """The scope that is said to be missing, by alias."""
    errors = answer.json()["errors"]
    return {one["path"][0]: one["extensions"].get("missingScope", "") for one in errors}


# What is sent to an endpoint needs the scopes of its types, too (docs/webhooks.md).
MORE_SCOPES = ("createWebhook", "updateWebhook")


async def test_each_field_asks_for_its_scope_and_no_other(asking: Asking, stored: Stored) -> None:
    tokens, people = Tokens(asking.api), asking.requests.people
    wrong: dict[Any, Any] = {}
    by_scope: dict[TokenScope, list[Case]] = {}
    for case in asking.cases.values():
        scope = scope_of(OPERATIONS[case.field.field].__name__, writes=case.field.writes)
        if scope is not None:
            by_scope.setdefault(scope, []).append(case)
    everything_else = {
        scope: await tokens.text(people["admin"], lacking(scope)) for scope in by_scope
    }
    nothing_else = {
        (name, scope): await tokens.text(person, frozenset({scope}))
        for name, person in people.items()
        for scope in by_scope
    }
    unchanged = await Unchanged(stored).begin()
    for scope, cases in by_scope.items():
        for writes in (False, True):
            fields = [case.field for case in cases if case.field.writes is writes]
            for few in parts(fields):
                missing = missing_scopes(await asking.answer(everything_else[scope], few))
                for one in few:
                    if missing.get(one.alias) != scope.value:
                        wrong[one.alias, "without"] = missing.get(one.alias)
        for case in cases:
            weakest = case.operation.weakest
            # Lists below an object may need further scopes (tests/test_scopes.py).
            if (
                case.field.below
                or weakest in ("nobody", "integration")
                or case.operation.name in MORE_SCOPES
            ):
                continue
            answer = await asking.answer(nothing_else[weakest, scope], [case.field])
            if "errors" in answer.json():
                wrong[case.field.alias, "with"] = answer.text
            if case.field.writes:
                await unchanged.restore()
    assert not wrong, "\n".join(f"{what}: {answer}" for what, answer in wrong.items())
