"""Translations and glossaries through both doors: who sees and changes them, what is refused."""

from typing import Any

from db.base import utc_now
from db.models.spaces import Space
from db.models.translations import Translation
from db.session import Session
from jobs.purge import purge
from resolvers.core.actors import OPERATOR
from resolvers.spaces.bin import RETENTION
from resolvers.translations.glossary import TERM_LENGTH
from tests import factories
from tests.conftest import Api, World, settle

CREATE = """mutation($organization: ID!, $input: CreateTranslationInput!) {
  createTranslation(organizationId: $organization, input: $input) {
    id status language source { space language } result { space }
    sourceSpace { id } resultSpace { id title language } permissions { view edit } } }"""
LISTS = """query($id: ID!) { organization(id: $id) {
  translations(first: 10) { totalCount nodes { id stats { runs } } }
  glossary(first: 10) { nodes { id translations typedTranslations { language term } } }
  fonts(first: 10) { nodes { id } } agentInstructions { updatedBy } } }"""
GLOSSARY = """mutation($organization: ID!, $input: UpdateGlossaryInput!) {
  updateGlossaryEntries(organizationId: $organization, input: $input) { organization { id } } }"""


async def test_both_doors_make_and_show_the_same(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization, title="x" * 50)
    await settle(session)
    organization = world.organization.id
    source = {"space": space.id, "language": "EN"}
    data = await api.data(
        CREATE, world.admin, organization=organization, input={"source": source, "language": "DE"}
    )
    made = data["createTranslation"]
    assert (made["status"], made["result"]) == ("PENDING", None)
    assert made["permissions"] == {"view": True, "edit": True}
    assert made["sourceSpace"] == {"id": space.id}
    title = made["resultSpace"]["title"]
    assert (len(title), title[-10:]) == (50, " (Deutsch)")
    shown = await api.rest("GET", f"/orgs/{organization}/translations/{made['id']}", world.reader)
    assert shown.json()["permissions"] == {"view": True, "edit": False}
    listed = (await api.data(LISTS, world.reader, id=organization))["organization"]
    assert listed["translations"] == {
        "totalCount": 1, "nodes": [{"id": made["id"], "stats": {"runs": 0}}],
    }  # fmt: skip
    # It stands behind its source, and its roles are those of the source.
    spaces = await api.rest("GET", f"/orgs/{organization}/spaces", world.reader)
    assert made["resultSpace"]["id"] in [one["id"] for one in spaces.json()["items"]]
    # Neither goes to another organization.
    other = await factories.make_organization(session)
    await factories.make_member(session, other, factories.Role.CREATE, world.admin)
    await settle(session)
    for id in (space.id, made["resultSpace"]["id"]):
        answer = await api.rest(
            "POST", f"/spaces/{id}/transfer", world.admin, {"organization": other.id}
        )
        assert (answer.status_code, "translat" in answer.text) == (412, True), answer.text


async def test_who_may_not_read_both_spaces_sees_no_translation(
    api: Api, world: World, session: Session
) -> None:
    source = await factories.make_space(session, world.organization)
    result = await factories.make_space(session, world.organization, default_level=None)
    hidden = await session.get_one(Space, result.id)
    hidden.default_level = None
    row = await factories.make_translation(session, source, result)
    await settle(session)
    path = f"/orgs/{world.organization.id}/translations"
    assert (await api.rest("GET", f"{path}/{row.id}", world.reader)).status_code == 404
    assert (await api.rest("GET", path, world.reader)).json()["items"] == []
    assert (await api.rest("GET", f"{path}/{row.id}", world.admin)).status_code == 200
    assert (await api.rest("POST", f"{path}/{row.id}/run", world.reader)).status_code == 404


async def test_what_is_made_of_a_purged_source_can_be_edited(
    api: Api, world: World, session: Session
) -> None:
    source = await factories.make_space(session, world.organization)
    result = await factories.make_space(session, world.organization)
    row = await factories.make_translation(session, source, result)
    computed = await session.get_one(Space, result.id)
    computed.computed_source = {"type": "builtin:translation"}
    binned = await session.get_one(Space, source.id)
    binned.deleted_at = utc_now() - RETENTION * 2
    await settle(session)
    async with api.server.context_of(OPERATOR) as ctx:
        assert await purge(ctx, utc_now()) == 1
    await session.begin_write()
    assert await session.get(Translation, row.id) is None
    left = await session.get_one(Space, result.id, populate_existing=True)
    assert left.computed_source is None


async def test_glossaries_change_as_a_whole_or_not_at_all(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    organization = world.organization.id
    path = f"/orgs/{organization}/translations-glossary"

    async def put(*operations: dict[str, Any]) -> Any:
        return await api.rest("PUT", path, world.admin, {"operations": list(operations)})

    good = {"type": "insert", "translations": {"en": "page", "de": "Seite"}}
    for bad, at in (
        ({"type": "insert"}, "operations[1].translations"),
        ({"type": "insert", "translations": {}}, "operations[1].translations"),
        ({"type": "insert", "translations": {"xx": "a"}}, "operations[1].translations"),
        ({"type": "insert", "translations": {"en": 1}}, "operations[1].translations.en"),
        ({"type": "insert", "translations": {"en": " "}}, "operations[1].translations.en"),
        ({"type": "insert", "translations": {"en": "a\nb"}}, "operations[1].translations.en"),
        (
            {"type": "insert", "translations": {"en": "a" * (TERM_LENGTH + 1)}},
            "operations[1].translations.en",
        ),
        ({**good, "id": "x"}, "operations[1].id"),
        ({"type": "update", "id": "x", "translations": {"en": "a"}}, "operations[1].id"),
        ({"type": "delete"}, "operations[1].id"),
        ({**good, "type": "delete", "id": "x"}, "operations[1].translations"),
        ({"type": "other"}, "operations[1].type"),
    ):
        answer = await put(good, bad)
        assert (answer.status_code, at in answer.text) == (400, True), (bad, answer.text)
    assert (await api.rest("GET", path, world.reader)).json()["items"] == []
    assert (await put(good)).status_code == 204
    (entry,) = (await api.rest("GET", path, world.reader)).json()["items"]
    assert entry["translations"] == {"de": "Seite", "en": "page"}
    one = await api.rest("GET", f"{path}/{entry['id']}", world.reader)
    assert one.json() == entry
    await put({"type": "update", "id": entry["id"], "translations": {"en": "site"}})
    # Guests see what they were given, and no terms.
    hidden = (await api.data(LISTS, world.guest, id=organization))["organization"]["glossary"]
    assert hidden["nodes"] == []
    refused = await api.rest("GET", f"{path}/{entry['id']}", world.guest)
    assert refused.status_code == 404
    (shown,) = (await api.data(LISTS, world.reader, id=organization))["organization"]["glossary"][
        "nodes"
    ]
    assert shown == {
        "id": entry["id"], "translations": {"en": "site"},
        "typedTranslations": [{"language": "EN", "term": "site"}],
    }  # fmt: skip
    data = await api.data(
        GLOSSARY, world.admin, organization=organization,
        input={"operations": [{"type": "DELETE", "id": entry["id"]}]},
    )  # fmt: skip
    assert data["updateGlossaryEntries"]["organization"] == {"id": organization}
    assert (await api.rest("GET", f"{path}/{entry['id']}", world.reader)).status_code == 404
