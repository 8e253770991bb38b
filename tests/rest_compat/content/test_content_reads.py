"""Reading content of a space, of a change request and of a revision: one behaviour, three paths."""

from typing import Any

import pytest

from content.markdown.parser import parse_document
from db.content_enums import ChangeRequestStatus, PageType
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, Queries, Sown, World, context
from tests.seeds import Seed


@pytest.fixture
def world(sown: Sown) -> World:
    return sown.world


@pytest.fixture
def seed(sown: Sown) -> Seed:
    return sown.seed  # type: ignore[no-any-return]


def targets(seed: Seed) -> dict[str, str]:
    """Where each revision is read: the primary content, the change request's, both by id."""
    space = f"/spaces/{seed.space.id}"
    edited, first = seed.known["revisionId"][:2]
    return {
        "primary": f"{space}/content",
        "request": f"{space}/change-requests/{seed.change_request.number}/content",
        "first": f"{space}/revisions/{first}",
        "edited": f"{space}/revisions/{edited}",
    }


async def test_a_revision_is_the_same_whatever_leads_to_it(
    api: Api, world: World, seed: Seed
) -> None:
    bases = targets(seed)
    parts = [
        "", "/pages", "/files", "/files/apng", "/page/child?format=markdown", "/page/group",
        "/path/group", "/reusable-contents/notice",
    ]  # fmt: skip
    for part in parts:
        found = {
            name: (await api.rest("GET", base + part, world.guest)).json()
            for name, base in bases.items()
        }
        assert found["primary"] == found["first"], part
        assert found["request"] == found["edited"], part
        assert found["request"] != found["primary"], part


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/revisions/nothing", "revision 'nothing' does not exist in the space"),
        ("/revisions/{hidden}/pages", "revision {hidden!r} does not exist in the space"),
        ("/change-requests/99/content", "change request '99' does not exist in the space"),
        ("/change-requests/x/content/files", "change request 'x' does not exist in the space"),
        ("/change-requests/x/changes", "change request 'x' does not exist in the space"),
        ("/content/page/nothing", "page 'nothing' does not exist in this content"),
        ("/content/files/nothing", "file 'nothing' does not exist in this content"),
        ("/content/path/home/nothing", "there is no page at 'home/nothing' in this content"),
        ("/content/path/group/:link", "there is no page at 'group/:link' in this content"),
        ("/content/reusable-contents/x", "reusable content 'x' does not exist in this content"),
        ("/documents/nothing", "document 'nothing' does not exist in the space"),
    ],
)
async def test_what_does_not_exist(
    api: Api, world: World, seed: Seed, path: str, message: str
) -> None:
    hidden = seed.hidden.revision_id
    response = await api.rest(
        "GET", f"/spaces/{seed.space.id}{path.format(hidden=hidden)}", world.admin
    )
    assert response.status_code == 404
    assert response.json()["error"]["message"] == message.format(hidden=hidden)


async def test_nobody_reads_the_content_of_a_space_in_the_bin(
    api: Api, world: World, seed: Seed
) -> None:
    assert (await api.rest("DELETE", f"/spaces/{seed.space.id}", world.admin)).status_code == 205
    space = f"/spaces/{seed.space.id}"
    for base in targets(seed).values():
        for part in ("", "/pages", "/files", "/page/home", "/path/home"):
            assert (await api.rest("GET", base + part, world.admin)).status_code == 404
    for part in (
        f"/change-requests/{seed.change_request.id}/changes",
        f"/revisions/{seed.revision.id}/changes",
        f"/documents/{seed.known['documentId'][0]}",
    ):
        assert (await api.rest("GET", space + part, world.admin)).status_code == 404


async def test_change_request_and_revision_exclude_each_other(
    api: Api, world: World, seed: Seed
) -> None:
    answer = await api.graphql(
        'query ($s: ID!, $r: ID!) { page(spaceId: $s, id: "home", changeRequestId: "1", '
        "revisionId: $r) { id } }",
        world.reader,
        s=seed.space.id,
        r=seed.revision.id,
    )
    assert answer["errors"][0]["extensions"]["status"] == 422
    assert answer["errors"][0]["extensions"]["fields"][0]["path"] == "revisionId"


# ------------------------------------------------------------------ ETag


def uncompressed(api: Api) -> None:
    """Take answers as they are: the tag of a compressed one is weak."""
    api.client.headers["Accept-Encoding"] = "identity"


async def test_answers_carry_the_revision_and_are_not_sent_twice(
    api: Api, world: World, seed: Seed, session: Session
) -> None:
    await session.commit()
    uncompressed(api)
    base = targets(seed)["primary"]
    for part in ("/pages", "/page/home", "/path/home", "/reusable-contents/notice"):
        first = await api.rest("GET", base + part, world.guest)
        tag = first.headers["ETag"]
        assert tag == f'"{seed.revision.id}"'
        for given in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = await api.rest(
                "GET", base + part, world.guest, headers={"If-None-Match": given}
            )
            assert (again.status_code, again.content) == (304, b"")
            # Named as the client has it.
            assert again.headers["ETag"].removeprefix("W/") == tag
        for given in ('"other"', tag.strip('"'), "", "W/", ",,"):
            again = await api.rest(
                "GET", base + part, world.guest, headers={"If-None-Match": given}
            )
            assert (again.status_code, again.json()) == (200, first.json())


async def test_answers_with_signed_addresses_are_sent_anew_each_hour(
    api: Api, world: World, seed: Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    uncompressed(api)
    base = targets(seed)["primary"]
    for part in ("", "/files", "/files/apng"):
        tag = (await api.rest("GET", base + part, world.guest)).headers["ETag"]
        revision, hour = tag.strip('"').split("-")
        assert revision == seed.revision.id
        later = f'"{revision}-{int(hour) - 1}"'
        for given, status in ((tag, 304), (later, 200), (f'"{revision}"', 200)):
            headers = {"If-None-Match": given}
            answer = await api.rest("GET", base + part, world.guest, headers=headers)
            assert answer.status_code == status, (part, given)


async def test_who_may_not_read_learns_nothing_from_a_known_tag(
    api: Api, world: World, seed: Seed
) -> None:
    headers = {"If-None-Match": f'"{seed.revision.id}", *'}
    path = targets(seed)["primary"] + "/pages"
    assert (await api.rest("GET", path, world.outsider, headers=headers)).status_code == 404
    assert (await api.rest("GET", path, None, headers=headers)).status_code == 401


async def test_a_known_answer_reads_the_revision_only(
    api: Api, world: World, seed: Seed, queries: Queries
) -> None:
    path = targets(seed)["primary"]
    await api.rest("GET", path, world.guest)
    headers = {"If-None-Match": "*"}
    with queries(2):  # the token, the revision
        assert (await api.rest("GET", path, world.guest, headers=headers)).status_code == 304


# ------------------------------------------------------------------ flags


async def test_metadata_leaves_out_what_git_says(api: Api, world: World, seed: Seed) -> None:
    base = targets(seed)["primary"]
    whole = (await api.rest("GET", base, world.guest)).json()
    plain = (await api.rest("GET", f"{base}?metadata=false", world.guest)).json()
    assert whole["git"]["message"] == "Start"
    # The field has two names: the specification's, and that of published clients.
    assert whole["git"]["createdByGitBook"] is whole["git"]["createdByService"] is False
    assert whole["pages"][0]["git"]["path"] == "README.md"
    assert "git" not in plain
    assert "git" not in plain["pages"][0]
    del whole["git"], whole["pages"][0]["git"]
    assert plain == whole


async def evaluated_space(session: Session, world: World) -> tuple[Space, str]:
    """A space with one page that says hello, depending on variables and on the reader."""
    text = (
        'Version <code class="expression">space.vars.version</code> of '
        '<code class="expression">page.vars.product</code>\n\n'
        "{% if visitor.claims.admin %}\nSecret\n{% endif %}\n\n"
        "{% if space.vars.version == '2' %}\nSecond\n{% endif %}\n"
    )
    space = await factories.make_space(session, world.organization)
    changes = Changes(variables={"version": "2"})
    changes.pages["p"] = Page(
        space_id=space.id, revision_id="", id="p", type=PageType.DOCUMENT, title="P", order="a",
        parent_id=None, slug="p", variables={"product": "Docs"},
        document_id=changes.add_document(text, parse_document(text, seed="a")),
    )  # fmt: skip
    revision = await write_revision(context(session), space.id, None, changes)
    space.revision_id = revision.id
    await session.commit()
    return space, text


@pytest.mark.parametrize(
    ("evaluated", "lines"),
    [
        ("true", ["# P", "Version 2 of Docs", "Second"]),
        (
            "deterministic-only",
            ["# P", "Version 2 of Docs", "{% if visitor.claims.admin %}", "Secret", "{% endif %}",
             "Second"],
        ),
    ],
)  # fmt: skip
async def test_evaluated_markdown(
    api: Api, world: World, session: Session, evaluated: str, lines: list[str]
) -> None:
    space, text = await evaluated_space(session, world)
    path = f"/spaces/{space.id}/content/page/p?format=markdown"
    for plain in (path, f"{path}&evaluated=false"):
        stored = (await api.rest("GET", plain, world.reader)).json()["markdown"]
        assert stored == f"# P\n\n{text}"
    worked = (await api.rest("GET", f"{path}&evaluated={evaluated}", world.reader)).json()
    assert [line for line in worked["markdown"].splitlines() if line] == lines


async def test_evaluated_documents(api: Api, world: World, session: Session) -> None:
    space, _ = await evaluated_space(session, world)
    base = f"/spaces/{space.id}/revisions/{space.revision_id}/page/p/document"
    stored = (await api.rest("GET", base, world.reader)).json()
    assert [node["type"] for node in stored["nodes"]] == ["paragraph", "if", "if"]
    worked = (await api.rest("GET", f"{base}?evaluated=true", world.reader)).json()
    assert [node["type"] for node in worked["nodes"]] == ["paragraph", "paragraph"]
    page = (
        await api.rest(
            "GET", f"/spaces/{space.id}/content/page/p?format=document&evaluated=true", world.reader
        )
    ).json()
    assert page["document"] == worked
    refused = await api.rest("GET", f"{base}?evaluated=perhaps", world.reader)
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0]["path"] == "evaluated"


# ------------------------------------------------------------------ paths


@pytest.mark.parametrize(
    "path", ["home/child", "HOME/Child/", "//home//child", "home%2Fchild", "h%256fme/child"]
)
async def test_paths_are_matched_kindly(api: Api, world: World, seed: Seed, path: str) -> None:
    answer = await api.rest("GET", f"{targets(seed)['primary']}/path/{path}", world.guest)
    assert answer.json()["id"] == "child"


async def test_a_path_that_is_too_long(api: Api, world: World, seed: Seed) -> None:
    answer = await api.rest("GET", f"{targets(seed)['primary']}/path/{'x' * 2049}", world.guest)
    assert answer.status_code == 422
    message = "path: has 2049 characters, at most 2048 are allowed"
    assert answer.json()["error"]["message"] == message


async def test_the_empty_path_is_the_landing_page_even_when_it_is_hidden(
    api: Api, world: World, seed: Seed
) -> None:
    bases = targets(seed)
    assert (await api.rest("GET", f"{bases['primary']}/path/", world.guest)).json()["id"] == "home"
    edited = (await api.rest("GET", f"{bases['request']}/path/", world.guest)).json()
    assert (edited["id"], edited["hidden"]) == ("home", True)


async def test_old_paths_lead_to_pages(
    api: Api, world: World, session: Session, seed: Seed
) -> None:
    await session.commit()
    uncompressed(api)
    base = targets(seed)["primary"]
    old = (await api.rest("GET", f"{base}/page/home", world.guest)).json()
    ctx = context(session)
    target = await open_target(ctx, seed.space.id)
    changes = Changes()
    page = await _stored_page(ctx, target.revision, "home")
    changes.before["home"] = page
    moved = await _stored_page(ctx, target.revision, "home")
    moved.slug = "welcome"
    changes.pages["home"] = moved
    revision = await commit_revision(ctx, target, changes)
    await session.commit()
    for path in ("home", "HOME/"):
        found = await api.rest("GET", f"{base}/path/{path}", world.guest)
        assert (found.json()["id"], found.json()["path"]) == ("home", "welcome")
        assert found.headers["ETag"] == f'"{revision.id}"'
    assert (await api.rest("GET", f"{base}/path/home/child", world.guest)).json()["id"] == "child"
    revisions = f"/spaces/{seed.space.id}/revisions"
    found = await api.rest("GET", f"{revisions}/{revision.id}/path/home", world.guest)
    assert (found.json()["id"], found.json()["path"]) == ("home", "welcome")
    # An older revision has the page at its path of then, and at the one of now.
    for path in ("home", "welcome"):
        before = await api.rest("GET", f"{revisions}/{seed.revision.id}/path/{path}", world.guest)
        assert (before.json()["id"], before.json()["path"]) == ("home", "home")
    nowhere = await api.rest("GET", f"{revisions}/{revision.id}/path/nowhere", world.guest)
    assert nowhere.status_code == 404
    assert old["path"] == "home"


async def _stored_page(ctx: Any, revision: Revision, id: str) -> Page:
    from resolvers.revisions.tree import find_page

    return await find_page(ctx, revision, id)


# ------------------------------------------------------------------ navigation


async def test_link_pages_have_the_address_of_their_target(
    api: Api, world: World, session: Session, seed: Seed, queries: Queries
) -> None:
    await session.commit()
    space = seed.space.id
    home = (await api.rest("GET", f"/spaces/{space}/content/page/home", world.guest)).json()
    app = home["urls"]["app"].removesuffix(f"/{space}/home")
    targets: dict[str, tuple[dict[str, str], str | None]] = {
        "url": ({"kind": "url", "url": "https://a.example"}, "https://a.example"),
        "page": ({"kind": "page", "page": "child"}, f"{app}/{space}/home/child"),
        "own": ({"kind": "page", "page": "home", "space": space}, f"{app}/{space}/home"),
        "anchor": (
            {"kind": "anchor", "page": "child", "anchor": "a-b"},
            f"{app}/{space}/home/child#a-b",
        ),
        "space": ({"kind": "space", "space": space}, f"{app}/{space}"),
        "gone": ({"kind": "page", "page": "nothing"}, None),
        "elsewhere": ({"kind": "page", "page": "home", "space": "other"}, None),
        "file": ({"kind": "file", "file": "apng"}, None),
    }
    answer = await api.rest(
        "POST", f"/spaces/{space}/content?compat=false", world.editor,
        {"changes": [{"type": "insert_page", "kind": "link", "title": name, "ref": name,
                      "target": target}
                     for name, (target, _) in targets.items()]},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    created = {one["ref"]: one["id"] for one in answer.json()["created"]}
    one = f"/spaces/{space}/content/page/{created['page']}"
    with queries.at_most(8):  # nothing but the page and those above its target
        single = (await api.rest("GET", one, world.guest)).json()
    tree = await api.rest("GET", f"/spaces/{space}/content/pages", world.guest)
    shown = {page["title"]: page for page in tree.json()["pages"] if page["title"] in targets}
    for name, (_, href) in targets.items():
        assert shown[name].get("href") == href, name
    assert single == shown["page"]
    with queries(2):  # the token and the revision: the tree is known
        await api.rest("GET", f"/spaces/{space}/content/pages", world.guest)


async def test_previous_next_and_landing_page(api: Api, world: World, seed: Seed) -> None:
    query = """query ($s: ID!) {
      revision(spaceId: $s) { landingPage { id } allPages { nodes { id ... on DocumentPage {
        previous { id } next { id } noIndex } } } } }"""
    data = (await api.data(query, world.reader, s=seed.space.id))["revision"]
    assert data["landingPage"]["id"] == "home"
    # `child` is hidden, and so is what is below it.
    pages = {node["id"]: node for node in data["allPages"]["nodes"]}
    assert (pages["home"]["previous"], pages["home"]["next"]) == (None, None)
    assert (pages["deep"]["previous"], pages["deep"]["next"]) == (None, None)


async def test_flags_of_a_page_hold_for_what_is_below_it(
    api: Api, world: World, seed: Seed
) -> None:
    base = targets(seed)["request"]
    whole = (await api.rest("GET", f"{base}/page/home", world.guest)).json()
    assert whole["noIndex"] is True
    assert whole["noRobotsIndex"] is False
    assert whole["pages"][0]["noIndex"] is True
    alone = (await api.rest("GET", f"{base}/page/child", world.guest)).json()
    assert alone["noIndex"] is True
    tree = (await api.rest("GET", f"{base}/pages", world.guest)).json()["pages"]
    assert [page.get("noIndex") for page in tree] == [True, False, False]
    assert tree[0]["pages"][0]["noIndex"] is True


# ------------------------------------------------------------------ changes


async def test_changes_of_a_change_request(api: Api, world: World, seed: Seed) -> None:
    space = f"/spaces/{seed.space.id}"
    answer = await api.rest(
        "GET", f"{space}/change-requests/{seed.change_request.id}/changes?limit=100", world.guest
    )
    body = answer.json()
    assert set(body) == {"changes"}
    found = [
        (one["type"], one.get("page", one.get("file", one.get("reusableContent", {}))).get("id"))
        for one in body["changes"]
    ]
    assert found == [
        ("page_deleted", "computed"), ("page_moved", "deep"), ("page_edited", "group"),
        ("page_edited", "home"), ("page_edited", "link"), ("page_created", "new"),
        ("variables_edited", None), ("file_edited", "apng"), ("file_deleted", "bpdf"),
        ("reusable_content_edited", "notice"), ("reusable_content_created", "second"),
    ]  # fmt: skip
    by = {f"{kind} {id}": one for (kind, id), one in zip(found, body["changes"], strict=True)}
    home = by["page_edited home"]
    assert home["page"] == {"id": "home", "type": "document", "title": "Start", "path": "start"}
    assert set(home["attributes"]) == {
        "title", "slug", "document", "hidden", "layout", "noIndex",
    }  # fmt: skip
    assert home["attributes"]["title"] == {"before": "Home", "after": "Start"}
    assert home["attributes"]["layout"]["after"]["width"] == "wide"
    assert by["page_edited group"]["attributes"] == {
        "title": {"before": "Group", "after": "Chapter"}, "emoji": {"after": "1f600"},
    }  # fmt: skip
    assert by["page_edited link"]["attributes"]["target"]["after"]["url"] == "https://b.example"
    moved = by["page_moved deep"]
    assert moved["page"]["path"] == "group/deep"
    assert moved["parent"]["before"]["path"] == "home/child"
    assert moved["parent"]["after"]["id"] == "group"
    assert by["variables_edited None"]["variables"] == {
        "beta": {"before": True}, "name": {"after": "Docs"},
        "version": {"before": "1.0", "after": "2.0"},
    }  # fmt: skip
    image = by["file_edited apng"]["attributes"]
    assert (image["name"], image["size"]) == (
        {"before": "a.png", "after": "c.png"}, {"before": 3, "after": 4},
    )  # fmt: skip
    assert image["dimensions"] == {"before": {"width": 10, "height": 10}}
    assert image["downloadURL"]["before"] != image["downloadURL"]["after"]
    assert by["file_deleted bpdf"]["file"]["name"] == "b.pdf"
    assert set(by["reusable_content_edited notice"]["attributes"]) == {"title", "document"}


async def test_changes_of_a_revision_are_limited(api: Api, world: World, seed: Seed) -> None:
    edited, first = seed.known["revisionId"][:2]
    base = f"/spaces/{seed.space.id}/revisions"
    body = (await api.rest("GET", f"{base}/{edited}/changes", world.guest)).json()
    assert (len(body["changes"]), body["more"]) == (10, 1)
    assert body["mergedFrom"]["id"] == seed.change_request.id
    one = (await api.rest("GET", f"{base}/{edited}/changes?limit=1", world.guest)).json()
    assert (one["changes"], one["more"]) == (body["changes"][:1], 10)
    # The first revision has made all there is.
    made = (await api.rest("GET", f"{base}/{first}/changes?limit=1000", world.guest)).json()
    kinds = [change["type"] for change in made["changes"]]
    assert kinds.count("page_created") == 6
    assert kinds.count("file_created") == 2
    assert "more" not in made
    for wrong in ("0", "1001", "-1", "x", "1.5"):
        refused = await api.rest("GET", f"{base}/{edited}/changes?limit={wrong}", world.guest)
        assert refused.status_code == 422, wrong
        assert refused.json()["error"]["details"][0]["path"] == "limit"


async def test_any_two_revisions_can_be_compared(api: Api, world: World, seed: Seed) -> None:
    edited, first = seed.known["revisionId"][:2]
    query = """query ($s: ID!, $id: ID!, $since: ID) {
      revisionChanges(spaceId: $s, id: $id, since: $since, limit: 100) {
        more changes { type ... on PageChange { page { id } attributes { hidden { before after } }
      } } } }"""
    values = {"s": seed.space.id, "id": first, "since": edited}
    data = (await api.data(query, world.reader, **values))["revisionChanges"]
    assert data["more"] is None
    assert {"type": "PAGE_CREATED", "page": {"id": "computed"}, "attributes": None} in [
        *data["changes"]
    ]
    back = next(
        one for one in data["changes"]
        if one["type"] == "PAGE_EDITED" and one["page"]["id"] == "home"
    )  # fmt: skip
    assert back["attributes"]["hidden"] == {"before": True, "after": False}
    same = (await api.data(query, world.reader, **values | {"since": first}))["revisionChanges"]
    assert same["changes"] == []
    elsewhere = await api.graphql(query, world.reader, **values | {"since": "nothing"})
    assert elsewhere["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_a_merged_request_still_tells_what_it_changed(
    api: Api, world: World, session: Session, seed: Seed
) -> None:
    request = seed.change_request
    request.status = ChangeRequestStatus.MERGED
    seed.space.revision_id = request.revision_id
    session.add_all([request, seed.space])
    await session.commit()
    path = f"/spaces/{seed.space.id}/change-requests/{request.id}/changes?limit=100"
    assert len((await api.rest("GET", path, world.guest)).json()["changes"]) == 11
