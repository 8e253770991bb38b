"""A walk over addresses with `~`: whatever stands around it, nobody reads what is not for them.

What each address may show is worked out by a slow rule of its own from what was made: every text
holds a marker, and an answer may hold those alone that the site, its setting and a signed address
open. The walk asks for pages, Markdown and lists, and reads `/v1` and GraphQL with the tokens that
the addresses give.
"""

import datetime as dt
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from content.markdown.parser import parse_document
from db.base import utc_now
from db.content_enums import ChangeRequestStatus, PageType
from db.enums import SitePreviews, SiteVisibility
from db.models.organizations import Organization
from db.models.site_settings import ShareLink
from db.models.spaces import Space
from db.session import Session
from resolvers.access.drafts import Draft
from resolvers.published import preview_tokens
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from resolvers.search.index import index_revision
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.published.sites import Published, make_flat
from tests.published.test_hostile import Door

BASE = "http://docs.test"
MARKER = re.compile(r"mark(\d{4})")
STATES = tuple(ChangeRequestStatus)
# Statements of one answer, however odd its address is.
STATEMENTS = 40


@dataclass
class Place:
    """Something that has a marker: the primary content of a space, a change request, a revision."""

    space: str
    kind: str
    id: str
    number: int | None = None
    revision: str = ""


@dataclass
class Walked:
    """All that was made."""

    sites: dict[str, Published]
    spaces: dict[str, str]
    # By the number of the marker.
    places: dict[int, Place]
    # Beginnings of addresses, with the markers that they open.
    roots: dict[str, frozenset[int]]
    # Names of drafts and keys, and paths of pages.
    segments: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class Making:
    """Makes spaces whose every text has a marker."""

    def __init__(self, session: Session, world: World) -> None:
        self.session, self.world = session, world
        self.places: dict[int, Place] = {}

    def mark(self, place: Place) -> str:
        number = len(self.places) + 1
        self.places[number] = place
        return f"mark{number:04}"

    def changes(self, space: Space, mark: str, before: Changes | None = None) -> Changes:
        """Every text of a space anew."""
        changes = Changes()
        if before is not None:
            changes.before.update((id, page) for id, page in before.pages.items() if page)
        for id, slug, order in (("home", "home", "V0"), ("only", f"only-{mark}", "V1")):
            text = f"# Part {mark}\n\nWords {mark}, see [it](docstead:page?page=home).\n"
            changes.pages[id] = Page(
                space_id=space.id, revision_id="", id=id, type=PageType.DOCUMENT,
                title=f"Title {mark}", slug=slug, parent_id=None, order=order,
                document_id=changes.add_document(text, parse_document(text, seed=f"{mark}{id}")),
            )  # fmt: skip
        note = f"A note {mark}.\n"
        changes.contents["note"] = ReusableContent(
            space_id=space.id, revision_id="", id="note", title=f"Note {mark}",
            document_id=changes.add_document(note, parse_document(note, seed=mark)),
        )  # fmt: skip
        changes.files["file"] = File(
            space_id=space.id, revision_id="", id="file", name=f"{mark}.pdf",
            content_type="application/pdf", size=3, sha256=mark[-1] * 64,
        )  # fmt: skip
        return changes

    async def space(self, organization: Organization) -> Space:
        """A space with an older revision and a change request in each state."""
        ctx = context(self.session)
        space = await factories.make_space(self.session, organization)
        old = Place(space.id, "revision", "")
        begun = self.changes(space, self.mark(old))
        first = await write_revision(ctx, space.id, None, begun)
        old.id = old.revision = first.id
        primary = Place(space.id, "primary", "")
        changes = self.changes(space, self.mark(primary), begun)
        now = await write_revision(ctx, space.id, first, changes)
        primary.id = primary.revision = now.id
        space.revision_id = now.id
        await index_revision(ctx, space.id, None, now)
        for state in STATES:
            place = Place(space.id, "change request", "")
            mark = self.mark(place)
            request = await factories.make_change_request(
                self.session, space, self.world.editor, status=state, subject=f"Subject {mark}"
            )
            head = await write_revision(ctx, space.id, now, self.changes(space, mark, changes))
            request.revision_id = head.id
            place.id, place.number, place.revision = request.id, request.number, head.id
        return space


PREVIEWS = tuple(SitePreviews)
OPEN = {SiteVisibility.PUBLIC, SiteVisibility.UNLISTED}


@pytest.fixture(params=PREVIEWS)
def previews(request: pytest.FixtureRequest) -> SitePreviews:
    return SitePreviews(request.param)


@pytest.fixture
async def walked(api: Api, session: Session, world: World, previews: SitePreviews) -> Walked:
    organization = await session.merge(world.organization)
    other = await factories.make_organization(session)
    making = Making(session, world)
    spaces: dict[str, Space] = {}
    for name in ("one", "two", "three", "gone"):
        spaces[name] = await making.space(organization)
    spaces["foreign"] = await making.space(other)
    sites = {}
    layout: dict[str, tuple[Organization, tuple[str, ...], SiteVisibility]] = {
        "public": (organization, ("one", "two"), SiteVisibility.PUBLIC),
        "unlisted": (organization, ("two", "three"), SiteVisibility.UNLISTED),
        "shared": (organization, ("one",), SiteVisibility.SHARE_LINK),
        "closed": (organization, ("one",), SiteVisibility.VISITOR_AUTH),
        "foreign": (other, ("foreign",), SiteVisibility.PUBLIC),
    }
    for name, (owner, shown, visibility) in layout.items():
        sites[name] = await make_flat(
            session, owner, *shown, visibility=visibility, previews=previews
        )
        for path in shown:
            sites[name].site_spaces[path].space_id = spaces[path].id
    link = ShareLink(site_id=sites["shared"].site.id, name="Key")
    session.add(link)
    await settle(session)
    await api.server.file_access()
    assert api.server._token_key is not None
    walked = Walked(sites, {name: one.id for name, one in spaces.items()}, making.places, {})
    fill(walked, layout, previews, link.secret, api.server._token_key)
    return walked


def fill(walked: Walked, layout: Any, previews: SitePreviews, key: str, signing: bytes) -> None:
    """The beginnings of addresses with what they open, by the rule as docs/sites.md has it."""

    def primary(names: Any) -> frozenset[int]:
        spaces = {walked.spaces[name] for name in names}
        return frozenset(
            number for number, place in walked.places.items()
            if place.kind == "primary" and place.space in spaces
        )  # fmt: skip

    def everything(names: Any) -> frozenset[int]:
        spaces = {walked.spaces[name] for name in names}
        return frozenset(n for n, place in walked.places.items() if place.space in spaces)

    def sign(site: str, draft: Draft, hours: int = 0, claims: Any = None) -> str:
        now = utc_now() - dt.timedelta(hours=hours)
        return preview_tokens.issue(signing, walked.sites[site].site.id, claims, now, draft)

    for name, (_, shown, visibility) in layout.items():
        root = f"/sites/{walked.sites[name].site.id}"
        opened = visibility in OPEN
        plain = primary(shown) if opened else frozenset()
        if opened and previews is SitePreviews.ANYBODY:
            plain = everything(shown)
        walked.roots[root] = plain
        if name == "shared":
            walked.roots[f"{root}/{key}"] = primary(shown)
        if name == "closed":
            token = walked.sites[name].token()
            walked.roots[f"{root}?jwt_token={token}"] = primary(shown)
            walked.roots[f"{root}/~preview/{sign(name, Draft(), claims={})}"] = primary(shown)
        for number, place in walked.places.items():
            draft = (
                Draft(change_request_id=place.id) if place.kind == "change request"
                else Draft(revision_id=place.id)
            )  # fmt: skip
            token = sign(name, draft)
            reads = plain
            here = place.space in {walked.spaces[one] for one in shown}
            if opened and here and previews is not SitePreviews.NOBODY:
                reads = plain | {number}
            if number % 3 == 0 or here:
                walked.roots[f"{root}/~preview/{token}"] = reads
                # Of another site, and of an hour that has passed.
                other = "unlisted" if name != "unlisted" else "public"
                base = f"/sites/{walked.sites[other].site.id}"
                walked.roots.setdefault(f"{base}/~preview/{token}", frozenset())
                walked.roots[f"{root}/~preview/{sign(name, draft, hours=3)}"] = frozenset()
    ids = [name for place in walked.places.values() for name in (place.id, str(place.number))]
    walked.segments = [*dict.fromkeys(ids), key, walked.sites["shared"].site.id]
    walked.paths = ["home", *(f"only-mark{number:04}" for number in walked.places)]


NUMBERS = (
    "1", "2", "3", "4", "5", "0", "-1", "+1", "01", "1.0", "1e0", "%31", "٣", "²", "9" * 30,
    "2147483648", "9223372036854775808", " 1", "1%00", "null", "*", "%", "_", "", "..", "~",
)  # fmt: skip
WORDS = (
    "~", "%7E", "%7e", "%257E", "~~", "changes", "Changes", "CHANGES", "revisions", "change",
    "~%2Fchanges", "~preview", "~/preview", "preview", "~gitbook", "v", "one", "two", "three",
    "gone", ".", "..", "", "%2e%2e", "%00", "home", "a" * 300, "\u202e",
)  # fmt: skip
ENDS = (
    "", "/", "/home", "/home.md", ".md", "/llms.txt", "/llms-full.txt", "/llms-full.txt/1",
    "/sitemap.xml", "/sitemap-pages.xml", "/robots.txt", "?q=words", "/home?q=mark", "//home",
    "/~gitbook/auth/login", "/favicon.ico", "/~", "/~/changes/1", "/~/revisions/x/home",
)  # fmt: skip
# The number of the dice is printed with a failure, and the same ones are thrown in each run.
DICE = st.builds(Random, st.integers(0, 2**64 - 1))
ONCE = settings(
    max_examples=20, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip


def tail(dice: Random, walked: Walked) -> str:
    """What stands behind the beginning of an address: mostly well-formed, with wrong parts."""

    def piece() -> str:
        return dice.choice(dice.choice((NUMBERS, walked.segments, walked.segments, WORDS)))

    def marked() -> str:
        where = dice.choice(("", "", "one/", "two/", "three/", "v/two/", "nowhere/"))
        tilde = dice.choice(("~", "~", "~", "%7E", "%257e"))
        kind = dice.choice(("changes", "changes", "revisions", "revisions", "Changes", "pages"))
        return f"{where}{tilde}/{kind}/{piece()}/{dice.choice((*walked.paths, '', ''))}"

    match dice.randrange(4):
        case 0:
            text = f"{marked()}/{marked()}"
        case 1:
            pieces = range(dice.randrange(7))
            text = "/".join(dice.choice((dice.choice(WORDS), piece())) for _ in pieces)
        case _:
            text = marked()
    return text + dice.choice(ENDS)


def split(root: str, tail: str) -> tuple[str, str]:
    """Path and query of an address; a beginning may have a query of its own."""
    path, _, query = root.partition("?")
    end, _, more = tail.partition("?")
    return f"{path}/{end}", "&".join(one for one in (query, more) if one)


def marks(text: str) -> frozenset[int]:
    return frozenset(map(int, MARKER.findall(text)))


def beyond(walked: Walked, root: str, text: str, asked: str) -> set[int]:
    """Markers of an answer that are not for whoever asks, without those that they wrote."""
    return set(marks(text) - walked.roots[root] - marks(asked))


@given(dice=DICE)
@ONCE
async def test_pages_and_lists(api: Api, walked: Walked, queries: Queries, dice: Random) -> None:
    door = Door(api)
    root = dice.choice(list(walked.roots))
    path, query = split(root, tail(dice, walked))
    accept = dice.choice(["text/html", "text/markdown"])
    raw = quote(path, safe="/%~.-_:+*@ ").encode()
    headers = [(b"accept", accept.encode())]
    jar = ""
    for _ in range(4):
        with queries.at_most(STATEMENTS):
            status, given_, body = await door.whole(
                raw, query.encode(), [*headers, (b"cookie", jar.encode())]
            )
        text = body.decode()
        assert status < 500, (path, query, text)
        assert beyond(walked, root, text, path + query) == set(), (path, query, text[:3000])
        primary = {n for n, place in walked.places.items() if place.kind == "primary"}
        drafted = marks(text) - primary - marks(path + query)
        if status == 200 and (drafted or "/~preview/" in path) and "robots.txt" not in path:
            # Lists are those of the site, and the style sheet and the icon hold nothing.
            assert given_.get("x-robots-tag") == "noindex", (path, given_)
        if drafted:
            assert given_["cache-control"].startswith("private"), (path, given_)
        jar = given_.get("set-cookie", "").partition(";")[0] or jar
        location = given_.get("location", "").removeprefix(BASE)
        if not 300 <= status < 400 or not location.startswith("/"):
            break
        path, _, query = location.partition("?")
        raw = path.encode()


GRAPHQL = """query($space: ID!, $request: ID!, $revision: ID!) {
  changeRequest(spaceId: $space, id: $request) {
    subject revision { id } pageByPath(path: "home") { title ... on DocumentPage { markdown } } }
  revision(spaceId: $space, id: $revision) {
    allPages(first: 5) { nodes { title } } files(first: 5) { nodes { name } }
    reusableContents(first: 5) { nodes { title markdown } } }
  space(id: $space) { changeRequests(first: 10) { nodes { subject } } } }"""
READS = (
    "", "/content", "/content/pages", "/content/page/home?format=document",
    "/content/page/home?format=markdown", "/content/path/home", "/content/files",
    "/content/reusable-contents/note", "/changes", "/links", "/comments", "/pdf",
)  # fmt: skip
OF_REVISIONS = (
    "", "/pages", "/page/home", "/page/home/document", "/path/home", "/files", "/files/file",
    "/reusable-contents/note", "/reusable-contents/note/document", "/changes",
)  # fmt: skip


@given(dice=DICE)
@ONCE
async def test_reads_with_tokens(api: Api, walked: Walked, queries: Queries, dice: Random) -> None:
    root = dice.choice(list(walked.roots))
    path, query = split(root, dice.choice(["", tail(dice, walked)]))
    reads = [
        (
            dice.choice([place.space, *walked.spaces.values()]),
            dice.choice([dice.choice(NUMBERS), str(place.number), place.id]),
            place,
            dice.randrange(2 * len(READS) + len(OF_REVISIONS)),
        )
        for place in dice.choices(list(walked.places.values()), k=3)
    ]
    body: dict[str, Any] = {"url": f"{BASE}{path}"[:2048]}
    if query.startswith("jwt_token="):
        body["visitor"] = {"jwtToken": query.partition("=")[2].partition("&")[0]}
    with queries.at_most(STATEMENTS):
        answer = await api.rest("POST", "/urls/published", None, body)
    assert answer.status_code < 500, (body, answer.text)
    if "apiToken" not in answer.text:
        assert beyond(walked, root, answer.text, path + query) == set()
        return
    headers = {"Authorization": f"Bearer {answer.json()['apiToken']}"}
    for home, named, place, end in reads:
        requests = [f"/change-requests/{quote(named, safe='%')}{one}" for one in READS]
        revisions = [f"/revisions/{place.revision}{one}" for one in OF_REVISIONS]
        read = [*requests, *revisions, *READS][end]
        with queries.at_most(STATEMENTS):
            found = await api.rest("GET", f"/spaces/{home}{read}", None, headers=headers)
        assert found.status_code < 500, (read, found.text)
        assert beyond(walked, root, found.text, read) == set(), (root, home, read, found.text)
        variables = {"space": home, "request": named, "revision": place.revision}
        asked = {"query": GRAPHQL, "variables": variables}
        answer = await api.client.post("/graphql", json=asked, headers=headers)
        assert answer.status_code < 500
        assert "INTERNAL" not in answer.text
        assert beyond(walked, root, answer.text, "") == set(), (root, variables, answer.text)


async def test_what_is_open_is_read(api: Api, walked: Walked, previews: SitePreviews) -> None:
    """The walk is no walk past closed doors: each beginning opens what the rule says."""
    door = Door(api)
    for index, (root, opened) in enumerate(walked.roots.items()):
        # Of signed addresses some.
        if "?" in root or ("~preview" in root and index % 8):
            continue
        reached: set[int] = set()
        for number, place in walked.places.items():
            own = next(name for name, id in walked.spaces.items() if id == place.space)
            for where in ("", f"{own}/"):
                shown = {
                    "primary": "",
                    "revision": f"~/revisions/{place.id}/",
                    "change request": f"~/changes/{place.number}/",
                }[place.kind]
                if number not in opened and number % 5:
                    continue
                path = f"{root}/{where}{shown}only-mark{number:04}"
                status, _, body = await door.whole(path.encode())
                reached |= marks(body.decode()) if status == 200 else set()
        assert reached == set(opened), (root, previews)
