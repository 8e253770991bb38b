"""Links of spaces, pages and change requests, and backlinks: which are broken, and for whom."""

from typing import Any

import pytest

from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Session
from resolvers.core.pagination import encode_cursor, fingerprint
from resolvers.links.backlinks import PAGE_KINDS
from resolvers.revisions.states import Changes, write_revision
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.resolvers.search.test_search import Writer

PAGE = "docstead:page?page="
ANCHOR = "docstead:anchor?"
# Of the contexts that write here.
APP = "http://127.0.0.1:8000"


@pytest.fixture
async def writer(session: Session, world: World) -> Writer:
    space = await factories.make_space(session, world.organization, title="Manual")
    await session.commit()
    return Writer(session, space)


def name_of(item: dict[str, Any]) -> str:
    """A link of /v1 as a few words: status, relation and target."""
    target = item.get("targetReference", {})
    kind = target.get("kind", "nothing")
    id = target.get("page", target.get("file", target.get("space", {}))).get("id", "")
    inner = target.get("internalLocation", {}).get("anchor", "")
    return f"{item['status']} {kind} {target.get('url', id)}{'#' + inner if inner else ''}".strip()


async def links(api: Api, path: str, person: Any, **params: Any) -> tuple[list[str], Any]:
    """The links at a path of /v1 as words, and their numbers."""
    answer = await api.rest("GET", path, person, params=params)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return sorted(map(name_of, body["items"])), body.get("stats")


async def places(api: Api, path: str, person: Any, **params: Any) -> list[str]:
    """Backlinks as words: the page, in another space with its title."""
    answer = await api.rest("GET", path, person, params={"limit": 100, **params})
    assert answer.status_code == 200, answer.text
    assert answer.json()["count"] == len(answer.json()["items"])
    return [
        f"{item['space']['title']}/{item['page']['id']}"
        + (" in request" if "versionContext" in item else "")
        for item in answer.json()["items"]
    ]


async def test_every_kind_of_link_has_its_status(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    person = world.reader
    text = f"""[page]({PAGE}b) [gone]({PAGE}zzz) [web](https://example.com) [file](missing.md)
[app]({APP}/s/{writer.space.id}/b) [mail](mailto:a@example.com) [here](#one) [no](#two)

# One

[person](docstead:user?user={person.id}) [nobody](docstead:user?user=nobody)
[there]({ANCHOR}anchor=deep&page=b) [lost]({ANCHOR}anchor=lost&page=b)

{{% include "/reusable-content/gone" %}}
"""
    await writer.write(writer.page("a", text), writer.page("b", "## Deep\n\n[a](#deep)\n"))
    path = f"/spaces/{writer.space.id}/links"
    found, stats = await links(api, path, person)
    assert found == sorted([
        "ok page b", "broken nothing", "ok url https://example.com", "broken url missing.md",
        f"in-app url {APP}/s/{writer.space.id}/b", "ok url mailto:a@example.com",
        "ok page a#one", "broken nothing", "ok user", "broken nothing", "ok page b#deep",
        "broken nothing", "broken nothing",
    ])  # fmt: skip
    assert stats == {"total": 13, "broken": {"total": 6}}
    for status, number in (("ok", 6), ("broken", 6), ("in-app", 1)):
        some, same = await links(api, path, person, status=status)
        assert len(some) == number
        assert same == stats
    of_page, own = await links(api, f"/spaces/{writer.space.id}/content/page/b/links", person)
    assert (of_page, own) == (["ok page b#deep"], {"total": 1, "broken": {"total": 0}})


async def test_links_to_tabs_and_updates_are_not_broken(
    api: Api, world: World, writer: Writer
) -> None:
    text = """{% tabs %}
{% tab title="Linux" %}
[a](#tab:linux) [b](#tab:linux:2) [c](#tab:windows)
{% endtab %}
{% tab title="linux" %}
[d](#update:2026-02-01) [e](#update:2026-02-01:2)
{% endtab %}
{% endtabs %}

{% updates %}
{% update date="2026-02-01" %}
Text.
{% endupdate %}
{% endupdates %}
"""
    await writer.write(writer.page("a", text))
    found, _ = await links(api, f"/spaces/{writer.space.id}/links", world.reader)
    assert found == sorted([
        "ok page a#tab:linux", "ok page a#tab:linux:2", "ok page a#update:2026-02-01",
        "broken nothing", "broken nothing",
    ])  # fmt: skip


async def test_links_break_and_mend_with_their_targets(
    api: Api, world: World, writer: Writer
) -> None:
    path = f"/spaces/{writer.space.id}/links"

    async def broken() -> int:
        _, stats = await links(api, path, world.reader)
        return int(stats["broken"]["total"])

    text = f"[b]({PAGE}b) [x]({ANCHOR}anchor=x&page=b)\n"
    await writer.write(writer.page("a", text), writer.page("b", "## X\n"), writer.page("c", "C.\n"))
    assert await broken() == 0
    backlinks = f"/spaces/{writer.space.id}/content/page/b/backlinks"
    assert await places(api, backlinks, world.reader) == ["Manual/a"]
    await writer.write(writer.page("b", "## Y\n"))
    assert await broken() == 1
    await writer.write(writer.page("b", "## X\n", parent_id="c", slug="elsewhere"))
    assert await broken() == 0
    await writer.write(removed=("b",))
    assert await broken() == 2
    await writer.write(writer.page("b", "## X\n"))
    assert await broken() == 0
    await writer.write(writer.page("a", "Nothing.\n"))
    assert await links(api, path, world.reader) == ([], {"total": 0, "broken": {"total": 0}})


async def test_links_between_spaces_are_for_those_who_may_read_both(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    closed = await factories.make_space(
        session, world.organization, default_level=None, title="Closed"
    )
    await session.commit()
    other = Writer(session, closed)
    await other.write(other.page("secret", f"[a]({PAGE}a&space={writer.space.id})\n"))
    await writer.write(writer.page("a", f"[s]({PAGE}secret&space={closed.id})\n"))
    path = f"/spaces/{writer.space.id}"
    assert (await links(api, f"{path}/links", world.admin))[0] == ["ok page secret"]
    found, stats = await links(api, f"{path}/links", world.reader)
    assert (found, stats["broken"]["total"]) == (["broken nothing"], 1)
    assert len((await links(api, f"{path}/links", world.reader, status="broken"))[0]) == 1
    assert (await links(api, f"{path}/links", world.admin, status="broken"))[0] == []
    backlinks = f"{path}/content/page/a/backlinks"
    assert await places(api, backlinks, world.admin) == ["Closed/secret"]
    assert await places(api, backlinks, world.reader) == []
    await other.write(removed=("secret",))
    assert (await links(api, f"{path}/links", world.admin))[0] == ["broken nothing"]
    assert await places(api, backlinks, world.admin) == []
    await other.write(other.page("secret", "Back.\n"))
    assert (await links(api, f"{path}/links", world.admin))[0] == ["ok page secret"]
    closed = await session.merge(closed)
    closed.deleted_at = closed.created_at
    await session.commit()
    assert (await links(api, f"{path}/links", world.admin))[0] == ["broken nothing"]


async def proposal(
    session: Session, world: World, writer: Writer, *pages: Any, removed: tuple[str, ...] = ()
) -> ChangeRequest:
    """A change request of the editor with these pages written and removed."""
    await session.begin_write()
    space = await session.merge(await session.get_one(Space, writer.space.id))
    request = await factories.make_change_request(session, space, world.editor)
    changes = Changes()
    for page in pages:
        text = writer.bodies.pop(page.id, None)
        if text is not None:
            page.document_id = writer.add_document(changes, page.id, text)
        if page.id in writer.pages:
            changes.before[page.id] = writer.pages[page.id]
        changes.pages[page.id] = page
    for id in removed:
        changes.before[id] = writer.pages[id]
        changes.pages[id] = None
    made = await write_revision(context(session), space.id, writer.revision, changes)
    request.revision_id = made.id
    await session.commit()
    return request


async def test_backlinks_of_pages_of_several_spaces_are_where_they_stand(
    api: Api, world: World, session: Session
) -> None:
    for title in ("Manual", "Handbook"):
        space = await factories.make_space(session, world.organization, title=title)
        await session.commit()
        writer = Writer(session, space)
        linking = writer.page("b", f"[a]({PAGE}a)\n", title=f"{title}: how to")
        await writer.write(writer.page("a", "A.\n"), linking)
    data = await api.data(
        """query($id: ID!) { organization(id: $id) { spaces { nodes { title
          page(id: "a") {
            first: backlinks { ...Where } last: backlinks(last: 1) { ...Where } } } } } }
        fragment Where on ContentLocationConnection { totalCount nodes {
          ... on PageLocation { space { title } page { title } } } }""",
        world.reader,
        id=world.organization.id,
    )
    for one in data["organization"]["spaces"]["nodes"]:
        place = {"space": {"title": one["title"]}, "page": {"title": f"{one['title']}: how to"}}
        listed = {"totalCount": 1, "nodes": [place]}
        assert one["page"] == {"first": listed, "last": listed}


async def test_links_of_a_change_request(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    await writer.write(
        writer.page("a", f"[b]({PAGE}b) [c]({PAGE}c) [old]({PAGE}never)\n"),
        writer.page("b", f"## X\n\n[c]({PAGE}c)\n"), writer.page("c", "C.\n"),
        writer.page("d", f"[x]({ANCHOR}anchor=x&page=b) [web](https://example.com)\n"),
    )  # fmt: skip
    request = await proposal(
        session, world, writer,
        writer.page("b", f"## Y\n\n[new]({PAGE}new) [a]({PAGE}a)\n"),
        writer.page("new", f"[b]({PAGE}b)\n"), removed=("c",),
    )  # fmt: skip
    base = f"/spaces/{writer.space.id}"
    path = f"{base}/change-requests/{request.number}"
    before = await links(api, f"{base}/links", world.reader)
    found, stats = await links(api, f"{path}/links", world.reader)
    assert found == sorted([
        "ok page b", "broken nothing", "broken nothing", "broken nothing",
        "ok url https://example.com", "ok page new", "ok page a",
    ])  # fmt: skip
    # That to the removed page and that to the renamed heading; one was broken before.
    assert stats == {"total": 7, "broken": {"total": 3, "changeRequest": 2}}
    for where, number in (("change-request", 2), ("space", 1)):
        answer = await api.rest("GET", f"{path}/links?brokenContext={where}", world.reader)
        assert (len(answer.json()["items"]), answer.json()["count"]) == (number, number)
    seen, cursor = [], None
    while True:
        params = {"limit": 3} | ({"page": cursor} if cursor else {})
        body = (await api.rest("GET", f"{path}/links", world.reader, params=params)).json()
        seen += body["items"]
        cursor = body.get("next", {}).get("page")
        if cursor is None:
            break
    assert sorted(map(name_of, seen)) == found
    assert await links(api, f"{path}/content/page/b/links", world.reader) == (
        ["ok page a", "ok page new"], {"total": 2, "broken": {"total": 0}},
    )  # fmt: skip
    assert (await links(api, f"{path}/content/page/d/links", world.reader))[0] == [
        "broken nothing", "ok url https://example.com",
    ]  # fmt: skip
    assert await places(api, f"{path}/content/page/b/backlinks", world.reader) == [
        "Manual/new in request", "Manual/a in request", "Manual/d in request",
    ]  # fmt: skip
    assert await places(api, f"{base}/content/page/b/backlinks", world.reader) == [
        "Manual/a", "Manual/d",
    ]  # fmt: skip
    # The request changes nothing of the space.
    assert await links(api, f"{base}/links", world.reader) == before
    query = """query ($id: ID!) { space(id: $id) { changeRequests { nodes {
      links { totalCount nodes { status locationCount } } linkStats { total } } } } }"""
    data = await api.data(query, world.reader, id=writer.space.id)
    (node,) = data["space"]["changeRequests"]["nodes"]
    assert node["links"]["totalCount"] == node["linkStats"]["total"] == 7


async def test_a_request_that_changes_nothing_has_the_links_of_the_space(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    await writer.write(writer.page("a", f"[b]({PAGE}b) [gone]({PAGE}gone)\n"), writer.page("b"))
    request = await proposal(session, world, writer)
    base = f"/spaces/{writer.space.id}"
    found, stats = await links(api, f"{base}/change-requests/{request.id}/links", world.reader)
    assert found == (await links(api, f"{base}/links", world.reader))[0]
    assert stats == {"total": 2, "broken": {"total": 1, "changeRequest": 0}}


async def test_places_far_behind_the_end(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    await writer.write(writer.page("a", f"[b]({PAGE}b)\n"), writer.page("b"))
    request = await proposal(session, world, writer)
    base = f"/spaces/{writer.space.id}"
    for path, mark in (
        (f"{base}/content/page/b/backlinks", fingerprint("backlinks", sorted(PAGE_KINDS))),
        (f"{base}/change-requests/{request.id}/links", fingerprint("request-links", None, None)),
    ):
        params = {"page": encode_cursor(mark, [2**31 - 1])}
        answer = await api.rest("GET", path, world.reader, params=params)
        assert answer.status_code == 200, answer.text
        assert answer.json()["items"] == []


async def test_statements_do_not_grow_with_links(
    api: Api, world: World, session: Session, writer: Writer, queries: Queries
) -> None:
    numbers = []
    for count in (2, 40):
        pages = [
            writer.page(f"p{n}", "".join(f"[{m}]({PAGE}p{m}) " for m in range(count)) + "\n")
            for n in range(count)
        ]
        await writer.write(*pages)
        request = await proposal(session, world, writer, writer.page("p0", f"[x]({PAGE}p1)\n"))
        base = f"/spaces/{writer.space.id}"
        row = []
        for path in (
            f"{base}/links", f"{base}/content/page/p1/links", f"{base}/content/page/p1/backlinks",
            f"{base}/change-requests/{request.id}/links",
            f"{base}/change-requests/{request.id}/content/page/p1/backlinks",
        ):  # fmt: skip
            await api.rest("GET", path, world.reader)
            queries.statements.clear()
            answer = await api.rest("GET", path, world.reader)
            assert answer.status_code == 200
            row.append(len(queries.statements))
        numbers.append(row)
    # Most of them are for the spaces and organizations that /v1 shows whole.
    assert numbers[0] == numbers[1]
    assert max(numbers[0]) <= 44
