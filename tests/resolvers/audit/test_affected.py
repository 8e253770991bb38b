"""What entries name beside their object: what goes with it, and the pages of a write of content."""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import ID

from db.enums import Role
from db.models.audit import AuditEntry, AuditMention
from db.models.organizations import Member
from db.models.spaces import AccessGrant
from db.session import Database, Session
from resolvers.core import audit_notes
from resolvers.core.runners import run
from resolvers.organizations.member_writes import remove_member
from resolvers.organizations.teams import delete_team
from tests import factories
from tests.conftest import Api, World, context
from tests.seeds import sow

LIST = """query ($id: ID!, $objectId: String) { organization(id: $id) {
  auditLog(objectId: $objectId) { totalCount nodes { action affectedCount
    affected { kind type objectId name personId } } } } }"""


async def last_entry(database: Database) -> AuditEntry:
    async with database.session() as session:
        rows = await session.execute(select(AuditEntry).order_by(AuditEntry.at, AuditEntry.id))
        return list(rows.scalars())[-1]


def affected_by(entry: AuditEntry) -> set[tuple[Any, ...]]:
    assert entry.affected_count == len(entry.affected)
    return {
        (item["kind"], item["type"], item["objectId"], item["name"], item["personId"])
        for item in entry.affected
    }


async def test_what_goes_with_a_member_and_a_team(
    session: Session, world: World, database: Database
) -> None:
    organization, person = world.organization, world.editor
    collection = await factories.make_collection(session, organization, title="Shelf")
    space = await factories.make_space(session, organization, collection, title="Guide")
    team = await factories.make_team(session, organization, person, world.reader)
    await factories.make_grant(session, space, person, Role.ADMIN)
    await factories.make_grant(session, collection, person, None)
    await factories.make_grant(session, space, team, Role.EDIT)
    provider = await factories.make_saml_provider(session, organization, default_team_id=team.id)
    request = await factories.make_change_request(session, space, world.admin)
    await factories.make_requested_reviewer(session, request, person, world.admin)
    await session.commit()
    ctx = context(session, world.admin)
    await run(ctx, remove_member, ID(organization.id), ID(person.id))
    entry = await last_entry(database)
    assert (entry.object_type.value, entry.object_id) == ("member", person.id)
    assert affected_by(entry) == {
        ("changed", "space", space.id, "Guide", person.id),
        ("changed", "collection", collection.id, "Shelf", person.id),
        ("changed", "changeRequest", request.id, request.subject, person.id),
        ("changed", "team", team.id, team.title, person.id),
    }
    values = {(item["objectId"], item["field"], item["before"]) for item in entry.changes}
    assert (space.id, "role", "admin") in values
    await run(ctx, delete_team, ID(team.id))
    entry = await last_entry(database)
    assert (entry.object_type.value, entry.object_id) == ("team", team.id)
    assert affected_by(entry) == {
        ("changed", "team", team.id, None, world.reader.id),
        ("changed", "space", space.id, "Guide", None),
        ("changed", "signOnProvider", provider.id, provider.label, None),
    }


async def test_many_are_counted(
    session: Session, world: World, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones are named, with a fixed number of statements."""
    monkeypatch.setattr(audit_notes, "MOST_NAMED", 3)
    monkeypatch.setattr("resolvers.core.audit.MOST_NAMED", 3)
    organization = world.organization
    for _ in range(7):
        space = await factories.make_space(session, organization)
        await factories.make_grant(session, space, world.guest, Role.READ)
    await session.commit()
    await run(context(session, world.admin), remove_member, ID(organization.id), ID(world.guest.id))
    entry = await last_entry(database)
    assert (len(entry.affected), entry.affected_count) == (3, 7)
    async with database.session() as other:
        grants = select(AccessGrant.id).where(AccessGrant.user_id == world.guest.id)
        assert (await other.execute(grants)).all() == []
        member = select(Member.user_id).where(Member.user_id == world.guest.id)
        assert (await other.execute(member)).all() == []


async def test_who_changed_a_page(
    session: Session, world: World, api: Api, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both interfaces, by the id that the page has in each."""
    elsewhere = await factories.make_organization(session)
    await factories.make_member(session, elsewhere, Role.ADMIN, world.outsider)
    seed = await sow(session, world)
    space, request = seed.space.id, seed.change_request
    organization = world.organization.id
    await session.close()

    async def write(name: str, arguments: str, person: Any = world.editor) -> None:
        await api.data(f"mutation {{ {name}({arguments}) {{ __typename }} }}", person)

    await write("updatePage", f'spaceId: "{space}", input: {{page: "home", title: "Main"}}')
    await write("movePage", f'spaceId: "{space}", input: {{page: "child", parent: null}}')
    inside = f'spaceId: "{space}", changeRequestId: "{request.id}"'
    await write("updatePage", f'{inside}, input: {{page: "home", description: "Here"}}')
    # Refused, and without any change.
    refused = f'spaceId: "{space}", input: {{page: "home", title: "No"}}'
    assert "errors" in await api.graphql(
        f"mutation {{ updatePage({refused}) {{ __typename }} }}", world.reader
    )
    await write("updatePage", f'spaceId: "{space}", input: {{page: "home", title: "Main"}}')
    await write("deletePage", f'spaceId: "{space}", input: {{page: "home"}}')

    async def asked(id: str) -> list[Any]:
        data = await api.data(LIST, world.admin, id=organization, objectId=id)
        nodes = data["organization"]["auditLog"]["nodes"]
        assert data["organization"]["auditLog"]["totalCount"] == len(nodes)
        path = f"/orgs/{organization}/audit-log?objectId={id}"
        page = (await api.rest("GET", path, world.admin)).json()
        assert [item["action"] for item in page["items"]] == [node["action"] for node in nodes]
        assert [
            [(item["objectId"], item.get("name")) for item in entry["affected"]]
            for entry in page["items"]
        ] == [[(item["objectId"], item["name"]) for item in node["affected"]] for node in nodes]
        return [(node["action"], node["affected"]) for node in nodes]

    def page(kind: str, title: str, id: str = "home") -> dict[str, Any]:
        return {
            "kind": kind, "type": "PAGE", "objectId": id, "name": title, "personId": None,
        }  # fmt: skip

    home = await asked("home")
    assert home == [
        ("deletePage", [page("REMOVED", "Main")]),
        ("updatePage", [page("CHANGED", "Start")]),
        ("updatePage", [page("CHANGED", "Main")]),
    ]
    # The page of the change request has an id of its own in GraphQL.
    assert await asked(f"page~{request.id}~home") == home
    assert [action for action, _ in await asked("child")] == ["movePage"]
    assert await asked("deep") == []
    assert len(await asked(space)) == 3
    # Whoever chooses the id of a page hides nothing about an object with that id.
    async with database.session() as other:
        await other.begin_write()
        entry = (await other.execute(select(AuditMention.entry_id).limit(1))).scalar_one()
        other.add(AuditMention(entry_id=entry, object_id=space))
        await other.commit()
    assert len(await asked(space)) == 3
    # Administrators of other organizations learn nothing of it.
    data = await api.data(LIST, world.outsider, id=elsewhere.id, objectId="home")
    assert data["organization"]["auditLog"]["nodes"] == []
    # More than an entry names are counted.
    monkeypatch.setattr(audit_notes, "MOST_MENTIONED", 2)
    operations = ", ".join(f'{{createPage: {{title: "P{number}"}}}}' for number in range(5))
    target = f'{{target: {{space: "{space}"}}, operations: [{operations}]}}'
    await write("applyContentChanges", f"input: {target}")
    entry = await last_entry(database)
    assert (len(entry.affected), entry.affected_count) == (2, 5)
