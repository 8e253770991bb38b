"""What was read may be sent back: every resource that is updated takes its own answer."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select

from db.content_enums import ChangeRequestStatus
from db.models.sites import SiteSpace
from db.session import Session
from rest_compat.endpoint import plan_of
from rest_compat.routes.all import ROUTES
from rest_compat.table import Reply, Row
from tests.conftest import Api, World, settle
from tests.factories import make_change_request, make_site, make_space
from tests.seeds import sow

MOST_PATHS = 12
READS = {re.sub(r"{\w+(:\w+)?}", "{}", row.path): row for row in ROUTES if row.method == "GET"}
UPDATES = [
    row for row in ROUTES if row.method in ("PATCH", "PUT") and plan_of(row).body is not None
]
# Updates of what no read shows in this form: a decision on a conflict, a sorting, the many, a
# glossary, and teams and fonts that are made. Who is in a team, or has a role on something, has no
# `id` in the list.
NOT_READ = {
    "updateUserPermissionInSpace", "updateTeamPermissionInSpace",
    "updateUserPermissionInCollection", "updateTeamPermissionInCollection",
    "resolveConflictInChangeRequest", "sortSiteStructure", "writeSiteRedirects",
    "createOrganizationTeam", "updateMembersInOrganizationTeam", "addMemberToOrganizationTeamById",
    "markNotificationsRead", "markNotificationsUnread", "setSpaceNotificationLevel",
    "createOrUpdateOpenAPISpecBySlug",
    "createCustomFont", "updateGlossaryEntries", "setIntegrationDevelopmentMode",
}  # fmt: skip


def read_of(row: Row) -> tuple[Row, bool]:
    """The row that reads what another one updates, and whether it reads a list of them."""
    path = re.sub(r"{\w+(:\w+)?}", "{}", row.path)
    if path in READS:
        return READS[path], False
    found = READS[path.removesuffix("/{}")]
    assert found.reply is Reply.PAGE
    return found, True


async def read(api: Api, world: World, row: Row, path: str) -> Any:
    """The object at a path as its read gives it; None when it is not there."""
    source, listed = read_of(row)
    where, _, id = path.rpartition("/") if listed else (path, "", "")
    person = world.admin
    answer = await api.rest("GET", where, person)
    if answer.status_code == 404:
        return None
    assert answer.status_code == 200, (source.operation_id, answer.text)
    if not listed:
        return answer.json()
    return next((one for one in answer.json()["items"] if one["id"] == id), None)


def paths_of(row: Row, known: dict[str, list[str]]) -> Iterator[str]:
    """Some paths of the row with known ids."""
    names = re.findall(r"{(\w+)(?::\w+)?}", row.path)
    template = re.sub(r"{(\w+)(:\w+)?}", r"{\1}", row.path)
    for values in itertools.islice(itertools.product(*(known[name] for name in names)), MOST_PATHS):
        yield template.format(**dict(zip(names, values, strict=True)))


async def test_every_answer_may_be_sent_back(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    await session.begin_write()
    closed = [
        await make_change_request(session, seed.space, world.editor, status=status)
        for status in (ChangeRequestStatus.MERGED, ChangeRequestStatus.ARCHIVED)
    ]
    plain = await make_site(session, world.organization, seed.space)
    placed = (
        await session.execute(select(SiteSpace.id).where(SiteSpace.site_id == plain.id))
    ).scalar_one()
    await settle(session)
    known = seed.known | {
        "userId": [world.admin.id],
        "changeRequestId": [*seed.known["changeRequestId"][:1], *(one.id for one in closed)],
        "siteId": [*seed.known["siteId"], plain.id],
        "siteSpaceId": [*seed.known["siteSpaceId"], placed],
    }
    checked = set()
    for row in UPDATES:
        if row.operation_id in NOT_READ:
            continue
        for path in paths_of(row, known):
            before = await read(api, world, row, path)
            if before is None:
                continue
            # What answers show as an object and requests name by its id.
            sent = {name: value["id"] if name == "defaultTeam" and value else value
                    for name, value in before.items()}  # fmt: skip
            answer = await api.rest(row.method, path, world.admin, sent)
            assert answer.is_success, (row.operation_id, answer.text)
            assert await read(api, world, row, path) == before, row.operation_id
            checked.add(row.operation_id)
    assert checked == {row.operation_id for row in UPDATES} - NOT_READ


async def test_documents_may_be_sent_back(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    comments = f"/spaces/{seed.space.id}/comments"
    # Markdown that is not as a writer of documents would spell it.
    body = {"body": {"markdown": "Title\n=====\n\n+ one\n+ two\n\n__bold__ and _not_"}}
    comment = (await api.rest("POST", comments, world.admin, body)).json()
    await api.rest("PUT", f"{comments}/{comment['id']}", world.admin, {"resolved": True})
    for format in ("markdown", "document"):
        path = f"{comments}/{comment['id']}?format={format}"
        before = (await api.rest("GET", path, world.admin)).json()
        assert before["body"].keys() == {format}
        answer = await api.rest("PUT", path, world.admin, before)
        assert answer.status_code == 200, answer.text
        assert (await api.rest("GET", path, world.admin)).json() == before
    request = f"/spaces/{seed.space.id}/change-requests/{seed.change_request.id}"
    described = {"description": {"object": "document", "data": {}, "nodes": []}}
    before = (await api.rest("PATCH", request, world.admin, described)).json()
    answer = await api.rest("PATCH", request, world.admin, before)
    assert (answer.status_code, answer.json()) == (200, before)


async def test_what_holds_already_is_no_override(api: Api, world: World, session: Session) -> None:
    """A site space that follows its site goes on to follow it, also when it was sent back."""
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    placed = (await session.execute(select(SiteSpace.id))).scalar_one()
    await settle(session)
    of_site = f"/orgs/{world.organization.id}/sites/{site.id}/customization"
    of_space = f"/orgs/{world.organization.id}/sites/{site.id}/site-spaces/{placed}/customization"
    own = {"footer": {"copyright": "Ours"}, "styling": {"theme": "bold"}}
    await api.rest("PATCH", of_space, world.admin, own)
    shown = (await api.rest("GET", of_space, world.admin)).json()
    assert (await api.rest("PATCH", of_space, world.admin, shown)).json() == shown
    look = {"title": "Manual", "styling": {"theme": "muted", "corners": "straight"}}
    await api.rest("PUT", of_site, world.admin, look)
    after = (await api.rest("GET", of_space, world.admin)).json()
    assert (after["title"], after["styling"]["corners"]) == ("Manual", "straight")
    assert (after["footer"]["copyright"], after["styling"]["theme"]) == ("Ours", "bold")


async def test_a_status_that_only_a_merge_gives_is_not_set(
    api: Api, world: World, session: Session
) -> None:
    seed = await sow(session, world)
    path = f"/spaces/{seed.space.id}/change-requests/{seed.change_request.id}"
    answer = await api.rest("PATCH", path, world.admin, {"status": "merged"})
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["path"] == "status"
