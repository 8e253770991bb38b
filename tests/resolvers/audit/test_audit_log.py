"""The audit log: written with the write, added to only, read by administrators, without secrets."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError, OperationalError
from strawberry import ID, Some

from db.audit_enums import AuditActorKind, AuditDoor
from db.base import utc_now
from db.enums import Role
from db.models.all import metadata
from db.models.audit import AuditEntry, AuditMention, AuditRetention
from db.models.git import GitConfiguration
from db.models.notifications import NotificationSettings
from db.models.organizations import Member, Organization, Team
from db.session import Database, Session
from resolvers.audit.operations import allow_pruning, prune_audit_log
from resolvers.core.audit_objects import OBJECTS
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Forbidden, Invalid
from resolvers.core.runners import run
from resolvers.lists import bounded_counts
from resolvers.organizations.member_writes import UpdateMemberInput, update_member
from resolvers.organizations.teams import UpdateTeamInput, update_team
from tests import factories
from tests.conftest import Api, Queries, World, context

LIST = """query ($id: ID!, $first: Int, $last: Int, $after: String, $before: String,
    $orderBy: AuditOrder, $actor: ID, $action: String, $objectType: AuditObjectType,
    $objectId: String, $door: AuditDoor, $since: DateTime, $until: DateTime) {
  organization(id: $id) { auditLog(first: $first, last: $last, after: $after, before: $before,
    orderBy: $orderBy, actor: $actor, action: $action, objectType: $objectType,
    objectId: $objectId, door: $door, since: $since, until: $until) {
    totalCount pageInfo { endCursor startCursor hasNextPage hasPreviousPage }
    nodes { id at action door address requestId
      actor { kind userId name tokenId sessionId } object { type objectId name }
      person { userId name }
      changes { kind objectType objectId personId field before after } } } } }"""


async def stored(database: Database) -> list[AuditEntry]:
    async with database.session() as session:
        rows = await session.execute(select(AuditEntry).order_by(AuditEntry.at, AuditEntry.id))
        return list(rows.scalars())


async def count(session: Session) -> int:
    return len((await session.execute(select(AuditEntry.id))).all())


def to(role: Role) -> UpdateMemberInput:
    return UpdateMemberInput(role=Some(role))


async def change_role(session: Session, world: World, role: Role) -> None:
    ctx = context(session, world.admin)
    await run(ctx, update_member, ID(world.organization.id), ID(world.reader.id), to(role))


async def test_entries_go_with_their_write(
    session: Session, world: World, database: Database
) -> None:
    """Refused, failed and idle writes leave none; one that is repeated leaves one."""
    organization, reader = ID(world.organization.id), ID(world.reader.id)
    with pytest.raises(Forbidden):
        await run(
            context(session, world.editor), update_member, organization, reader, to(Role.EDIT)
        )
    tried = 0

    async def locked_once(ctx: Context, fails: bool) -> Member:
        nonlocal tried
        tried += 1
        member = await update_member(ctx, organization, reader, to(Role.COMMENT))
        await ctx.session.flush()
        if fails or tried == 1:
            raise OperationalError("UPDATE", {}, Exception("database is locked"))
        return member

    async def failing(ctx: Context) -> Member:
        await locked_once(ctx, True)
        raise ValueError

    with pytest.raises(Exception, match=r"locked|try again"):
        await run(context(session, world.admin), failing)
    await change_role(session, world, Role.READ)
    assert await stored(database) == []
    tried = 0
    await run(context(session, world.admin), locked_once, False)
    (entry,) = await stored(database)
    assert (tried, entry.action, entry.actor_id) == (2, "lockedOnce", world.admin.id)


async def test_savepoints_that_are_taken_back_are_no_changes(
    session: Session, world: World, database: Database
) -> None:
    async def rehearse(ctx: Context) -> Member:
        async with ctx.session.begin_nested() as nested:
            member = await update_member(
                ctx, ID(world.organization.id), ID(world.reader.id), to(Role.EDIT)
            )
            await ctx.session.flush()
            await ctx.session.execute(update(Team).values(title="x"))
            await nested.rollback()
        return member

    await run(context(session, world.admin), rehearse)
    assert await stored(database) == []


async def test_an_entry_says_who_changed_what_and_survives_it(
    session: Session, world: World, database: Database, api: Api
) -> None:
    person = world.reader
    team = await factories.make_team(session, world.organization, world.editor)
    await session.commit()
    organization = world.organization.id
    members = f"/orgs/{organization}/members/{person.id}"
    people = f"/orgs/{organization}/teams/{team.id}/members"
    sent = {"headers": {"X-Request-Id": "one"}}
    calls: list[tuple[str, str, Any]] = [
        ("PATCH", members, {"role": "edit"}),
        ("PATCH", members, {"role": "edit"}),
        (
            "PUT",
            people,
            {"memberships": {person.id: {"role": "owner"}}, "remove": [world.editor.id]},
        ),
        ("DELETE", f"{people}/{person.id}", None),
        ("DELETE", members, None),
        ("DELETE", members, None),
    ]
    for method, path, body in calls:
        assert (await api.rest(method, path, world.admin, body, **sent)).status_code < 300
    log = await stored(database)
    shown = [
        (entry.action, entry.object_type.value, entry.object_id, entry.object_name) for entry in log
    ]
    as_member = ("member", person.id, "Reader")
    as_team = ("team", team.id, team.title)
    assert shown == [
        ("updateMember", *as_member), ("updateTeamMembers", *as_team),
        ("removeTeamMember", *as_team), ("removeMember", *as_member),
    ]  # fmt: skip
    assert [entry.person_name for entry in log] == ["Reader", None, "Reader", "Reader"]
    values = [
        [(change["kind"], change["personId"], change["field"], change["before"], change["after"])
         for change in entry.changes]
        for entry in log
    ]  # fmt: skip
    assert values[0] == [("changed", person.id, "role", "read", "edit")]
    assert sorted(values[1]) == [
        ("added", person.id, "owner", None, "true"),
        ("removed", world.editor.id, "owner", "false", None),
    ]
    assert values[2] == [("removed", person.id, "owner", "true", None)]
    assert ("removed", person.id, "role", "edit", None) in values[3]
    for entry in log:
        assert entry.actor_kind is AuditActorKind.PERSON
        assert (entry.actor_id, entry.actor_name) == (world.admin.id, "Admin")
        assert (entry.door, entry.request_id) == (AuditDoor.V1, "one")
        assert (entry.organization_id, entry.address) == (organization, "127.0.0.1")
        assert entry.token_id is not None
        assert entry.session_id is None
    # The organization goes, its log stays.
    async with database.session() as other:
        await other.begin_write()
        await other.execute(delete(Organization).where(Organization.id == organization))
        await other.commit()
    assert len(await stored(database)) == 4


async def test_requests_that_are_repeated_leave_one(api: Api, world: World, session: Session,
                                                    database: Database) -> None:  # fmt: skip
    await session.commit()
    path = f"/orgs/{world.organization.id}/teams"
    keyed = {"headers": {"Idempotency-Key": "k"}}
    for _ in range(2):
        answer = await api.rest("PUT", path, world.admin, {"title": "Writers"}, **keyed)
        assert answer.status_code == 201
    both = await asyncio.gather(
        *(api.rest("PUT", path, world.admin, {"title": f"T{number}"}) for number in range(6))
    )
    assert {answer.status_code for answer in both} == {201}
    ids = [entry.object_id for entry in await stored(database)]
    assert len(ids) == len(set(ids)) == 7


async def test_nothing_changes_the_log(session: Session, world: World, database: Database) -> None:
    await change_role(session, world, Role.EDIT)
    (entry,) = await stored(database)
    await session.begin_write()
    session.add(AuditMention(entry_id=entry.id, object_id="page"))
    await session.commit()
    statements = [
        update(AuditEntry).values(action="other"),
        delete(AuditEntry),
        text("UPDATE audit_entry SET at = at"),
        text("DELETE FROM audit_entry"),
        update(AuditMention).values(object_id="other"),
        delete(AuditMention),
    ]
    if not database.is_sqlite:
        statements.append(text("TRUNCATE audit_entry CASCADE"))
    before = [entry.id for entry in await stored(database)]
    for statement in statements:
        async with database.session() as other:
            await other.begin_write()
            with pytest.raises(DBAPIError, match="only added to"):
                await other.execute(statement)
    assert [(entry.id, entry.action) for entry in await stored(database)] == [
        (id, "updateMember") for id in before
    ]


async def test_old_entries_are_removed_by_the_operator_alone(
    session: Session, world: World, database: Database
) -> None:
    now = utc_now()
    for days in (1, 10, 20, 30):
        at = now - timedelta(days=days)
        await factories.make_audit_entry(session, world.organization, world.admin, at=at)
    await session.commit()
    cut = now - timedelta(days=15)
    for ctx in (context(session, world.admin), context(session, world.outsider)):
        for operation in (allow_pruning, prune_audit_log):
            with pytest.raises(Forbidden):
                await run(ctx, operation, cut)
    with pytest.raises(Invalid, match="still to come"):
        await run(context(session), allow_pruning, now + timedelta(days=1))
    # It has to be allowed first.
    with pytest.raises((DBAPIError, Conflict)):
        await run(context(session), prune_audit_log, cut)
    assert await run(context(session), allow_pruning, cut) == 2
    with pytest.raises((DBAPIError, Conflict)):
        await run(context(session), prune_audit_log, now)
    assert await run(context(session), prune_audit_log, cut) == 2
    left = await stored(database)
    assert [entry.action for entry in left] == ["updateMember"] * 2 + ["pruneAuditLog"]
    assert left[-1].organization_id == world.organization.id
    assert left[-1].actor_kind is AuditActorKind.SYSTEM
    async with database.session() as other:
        (allowed,) = (await other.execute(select(AuditRetention.before))).scalars()
    assert abs(allowed - cut) < timedelta(milliseconds=1)


async def test_administrators_read_it_with_filters_in_both_directions(
    session: Session, world: World, api: Api
) -> None:
    start = utc_now() - timedelta(hours=1)
    people = [world.admin, world.editor]
    for number in range(12):
        await factories.make_audit_entry(
            session, world.organization, people[number % 2],
            at=start + timedelta(minutes=number // 2), action=f"act{number % 3}",
            door=AuditDoor.GRAPHQL if number % 4 == 0 else AuditDoor.V1, object_id=f"o{number % 5}",
        )  # fmt: skip
    elsewhere = await factories.make_organization(session)
    await factories.make_audit_entry(session, elsewhere, world.admin)
    await factories.make_audit_entry(session, None, world.admin)
    await session.commit()

    async def listed(**variables: Any) -> Any:
        data = await api.data(LIST, world.admin, id=world.organization.id, **variables)
        return data["organization"]["auditLog"]

    whole = await listed()
    ids = [node["id"] for node in whole["nodes"]]
    assert (whole["totalCount"], len(ids)) == (12, 12)
    assert [node["at"] for node in whole["nodes"]] == sorted(
        (node["at"] for node in whole["nodes"]), reverse=True
    )
    ascending = await listed(orderBy={"field": "AT"})
    assert [node["id"] for node in ascending["nodes"]] == ids[::-1]
    path = f"/orgs/{world.organization.id}/audit-log"
    filters: dict[str, tuple[dict[str, Any], Any]] = {
        f"actor={world.editor.id}": ({"actor": world.editor.id}, lambda n: n % 2 == 1),
        "action=act1": ({"action": "act1"}, lambda n: n % 3 == 1),
        "objectType=team": ({"objectType": "TEAM"}, lambda n: False),
        "objectId=o2&objectType=member": ({"objectId": "o2", "objectType": "MEMBER"},
                                          lambda n: n % 5 == 2),
        "door=graphql": ({"door": "GRAPHQL"}, lambda n: n % 4 == 0),
    }  # fmt: skip
    since, until = (
        (start + timedelta(minutes=minute)).isoformat(timespec="milliseconds") for minute in (2, 4)
    )
    filters[f"since={since}&until={until}".replace("+", "%2B")] = (
        {"since": since, "until": until}, lambda n: 2 <= n // 2 < 4,
    )  # fmt: skip
    for query, (variables, matches) in filters.items():
        expected = [ids[11 - number] for number in range(11, -1, -1) if matches(number)]
        page = await listed(**variables)
        assert [node["id"] for node in page["nodes"]] == expected, query
        assert page["totalCount"] == len(expected)
        answer = (await api.rest("GET", f"{path}?{query}", world.admin)).json()
        assert [item["id"] for item in answer["items"]] == expected, query
        assert answer["count"] == len(expected)
    forward: list[str] = []
    after = None
    while True:
        page = await listed(first=5, after=after)
        forward += [node["id"] for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert forward == ids
    page = await listed(last=4, before=after)
    assert [node["id"] for node in page["nodes"]] == ids[-5:-1]


async def test_nobody_else_reads_it(session: Session, world: World, api: Api) -> None:
    await factories.make_audit_entry(session, world.organization, world.editor)
    await factories.make_audit_entry(session, None, world.editor)
    await session.commit()
    path = f"/orgs/{world.organization.id}/audit-log"
    statuses = {
        name: (await api.rest("GET", path, person)).status_code
        for name, person in world.people().items()
    }
    refused = dict.fromkeys(statuses, 403)
    assert statuses == refused | {"admin": 200, "outsider": 404}
    assert (await api.rest("GET", path, None)).status_code == 401
    lines = {"headers": {"Accept": "application/x-ndjson"}}
    assert (await api.rest("GET", path, world.creator, **lines)).status_code == 403
    answer = await api.graphql(LIST, world.creator, id=world.organization.id)
    assert answer["data"]["organization"] == {"auditLog": None}
    assert answer["errors"][0]["extensions"]["status"] == 403
    own = "query ($id: ID!) { user(id: $id) { auditLog { nodes { person { userId } } } } }"
    for person, length in ((world.editor, 1), (world.admin, 0)):
        data = await api.data(own, person, id=world.editor.id)
        assert (
            data["user"]["auditLog"]["nodes"] == [{"person": {"userId": world.editor.id}}] * length
        )
    for person, length in ((world.editor, 1), (world.admin, 0)):
        answer = (await api.rest("GET", "/user/audit-log", person)).json()
        assert (len(answer["items"]), answer["count"]) == (length, length)


async def test_it_is_exported_as_lines(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(7):
        await factories.make_audit_entry(session, world.organization, world.admin)
    await session.commit()
    monkeypatch.setattr("rest_compat.endpoint.LINES_PER_READ", 3)
    path = f"/orgs/{world.organization.id}/audit-log"
    listed = (await api.rest("GET", f"{path}?limit=100", world.admin)).json()["items"]
    answer = await api.rest(
        "GET", path, world.admin, headers={"Accept": "application/x-ndjson, */*;q=0.1"}
    )
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in answer.text.splitlines()] == listed
    assert len(listed) == 7
    none = await api.rest(
        "GET", f"{path}?action=none", world.admin, headers={"Accept": "application/x-ndjson"}
    )
    assert (none.status_code, none.text) == (200, "")


async def test_long_logs_are_not_counted_to_the_end(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        await factories.make_audit_entry(session, world.organization, world.admin)
    await session.commit()
    monkeypatch.setattr(bounded_counts, "MOST_COUNTED", 3)
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/audit-log", world.admin)
    assert (answer.json()["count"], len(answer.json()["items"])) == (3, 4)


async def test_an_entry_costs_one_statement(
    session: Session, world: World, queries: Queries
) -> None:
    team = await factories.make_team(session, world.organization)
    await session.commit()
    title = UpdateTeamInput(title="Other")
    await run(context(session, world.admin), update_team, ID(team.id), title)
    idle = 4
    with queries(idle):
        await run(context(session, world.admin), update_team, ID(team.id), title)
    with queries(idle + 3):
        # The change itself, its entry, and its event.
        await run(
            context(session, world.admin), update_team, ID(team.id), UpdateTeamInput(title="New")
        )


async def test_nothing_secret_is_written_down(
    session: Session, world: World, api: Api, database: Database
) -> None:
    site = await factories.make_site(session, world.organization)
    await session.commit()
    at = f"/orgs/{world.organization.id}/sites/{site.id}"
    mcp = {"name": "S", "url": "https://u:pw-secret@m.example/?key=url-secret",
           "headers": {"Authorization": "Bearer header-secret"}}  # fmt: skip
    answers = [
        await api.rest("POST", f"{at}/share-links", world.admin, {"name": "Partners"}),
        await api.rest("POST", f"{at}/publishing/auth/regenerate", world.admin),
        await api.rest("PUT", f"{at}/revalidation", world.admin, {"url": "https://r.example/h"}),
        await api.rest("POST", f"{at}/mcp-servers", world.admin, mcp),
    ]
    log = json.dumps(
        [[str(getattr(row, column.key)) for column in AuditEntry.__table__.c]
         for row in await stored(database)]
    )  # fmt: skip
    assert log.count("graphql") == 0
    secrets = ["secret", *api.tokens.values()]
    async with database.connection() as connection:
        for table, column in (
            ("site_publishing_auth", "private_key"), ("site_revalidation", "secret"),
            ("site_share_link", "secret"),
        ):  # fmt: skip
            rows = await connection.execute(select(metadata.tables[table].c[column]))
            secrets += rows.scalars()
    assert len(answers) <= len(secrets)
    for secret in secrets:
        assert secret not in log.replace("regenerateSiteRevalidationSecret", "")


# Words in the names of columns that hold secrets or content.
SECRET = {"key", "secret", "digest", "password", "headers", "document", "markdown"}


def test_fields_that_are_shown_exist_and_are_no_secrets() -> None:
    for model, kind in OBJECTS.items():
        for name in kind.fields:
            assert name in model.__table__.c, (model, name)
            # How often there is mail is a digest, too.
            if (model, name) != (NotificationSettings, "digest"):
                assert not SECRET & set(name.split("_")), (model, name)
            # Of addresses only that of who signs people on, and those that credentials were cut off
            # from: others may hold some.
            plain = name == "sso_url" or model is GitConfiguration
            assert not name.endswith("url") or plain, (model, name)
