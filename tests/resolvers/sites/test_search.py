"""Search in sites: their scopes, members and visitors, and pages that conditions hide."""

from typing import Any

import pytest

from db.base import utc_now
from db.enums import Language
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.search import postgresql as search_postgresql, sqlite as search_sqlite
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.resolvers.search.test_search import Writer
from tests.rest_compat.published.test_visitors import token

QUERY = """query($id: ID!, $query: String!, $mode: SiteSearchMode! = DEFAULT, $current: ID,
    $included: [ID!], $ids: [ID!]) {
  site(id: $id) {
    search(query: $query, mode: $mode, currentSiteSpace: $current, includedSiteSpaces: $included,
           siteSpaceIds: $ids, first: 50) {
      totalCount
      nodes { id: spaceId title pages(first: 10) {
        nodes { id: pageId title path sections { id: sectionId title body } } } }
    }
  }
}"""
EN, FR = Language.EN, Language.FR


async def written(session: Session, world: World, title: str, **more: Any) -> Writer:
    """A space with a page that every search here finds."""
    space = await factories.make_space(session, world.organization, title=title, **more)
    await session.commit()
    writer = Writer(session, space)
    await writer.write(writer.page("start", f"# Start\n\nAn apple of {title}.\n"))
    return writer


class Shelf:
    """A site with sections and variants; site spaces by the titles of their spaces."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.placed: dict[str, str] = {}
        self.writers: dict[str, Writer] = {}

    @property
    def path(self) -> str:
        return f"/orgs/{self.site.organization_id}/sites/{self.site.id}/search"


@pytest.fixture
async def shelf(session: Session, world: World) -> Shelf:
    """Guide in English and French (default English), Reference in French and English (default
    French), and News, which has one variant only."""
    site = Site(
        organization_id=world.organization.id, title="Docs", published=True, adaptive_content=True
    )
    session.add(site)
    await session.flush()
    made = Shelf(site)
    sections = {
        "guide": (("Guide", EN), ("Le guide", FR)),
        "reference": (("La reference", FR), ("Reference", EN)),
        "news": (("News", EN),),
    }
    for position, (path, variants) in enumerate(sections.items()):
        section = SiteSection(site_id=site.id, title=path, path=path, position=position)
        session.add(section)
        await session.flush()
        for place, (title, language) in enumerate(variants):
            writer = await written(session, world, title, language=language)
            await session.begin_write()
            one = SiteSpace(
                site_id=site.id, section_id=section.id, space_id=writer.space.id,
                path=f"p{position}{place}", position=place,
            )  # fmt: skip
            session.add(one)
            await session.flush()
            made.placed[title], made.writers[title] = one.id, writer
            if place == 0:
                section.default_site_space_id = one.id
        if position == 0:
            site.default_section_id = section.id
    await session.commit()
    return made


async def titles(
    api: Api, shelf: Shelf, body: dict[str, Any], headers: dict[str, str]
) -> list[str]:
    """Titles of the spaces that /v1 finds an apple in; the same in GraphQL where it is offered."""
    found = await api.rest("POST", shelf.path, None, {"query": "apple", **body}, headers=headers)
    assert found.status_code == 200, found.text
    answer = found.json()
    if set(body) <= {"scope"}:
        scope = body.get("scope", {"mode": "default"})
        variables = {
            "id": shelf.site.id, "query": "apple", "mode": scope["mode"].upper(),
            "current": scope.get("currentSiteSpace"), "included": scope.get("includedSiteSpaces"),
            "ids": scope.get("siteSpaceIds"),
        }  # fmt: skip
        other = await api.client.post(
            "/graphql", json={"query": QUERY, "variables": variables}, headers=headers
        )
        list_ = other.json()["data"]["site"]["search"]
        assert list_["totalCount"] == answer["count"]
        assert [one["id"] for one in list_["nodes"]] == [one["id"] for one in answer["items"]]
        for node, item in zip(list_["nodes"], answer["items"], strict=True):
            pages = [
                {**page, "sections": [
                    {name: part[name] for name in ("id", "title", "body")}
                    for part in page["sections"]
                ]}
                for page in node["pages"]["nodes"]
            ]  # fmt: skip
            assert pages == [
                {
                    **{name: page[name] for name in ("id", "title", "path")},
                    "sections": [
                        {name: part[name] for name in ("id", "title", "body")}
                        for part in page["sections"]
                    ],
                }
                for page in item["pages"]
            ]
    assert answer["count"] == len(answer["items"])
    return sorted(one["title"] for one in answer["items"])


EVERY = ["Guide", "La reference", "Le guide", "News", "Reference"]


async def test_scopes(api: Api, world: World, shelf: Shelf) -> None:
    ids = shelf.placed
    cases: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({}, ["Guide", "La reference", "News"]),
        ({"scope": {"mode": "default"}}, ["Guide", "La reference", "News"]),
        (
            {"scope": {"mode": "default", "currentSiteSpace": ids["Guide"]}},
            ["Guide", "News", "Reference"],
        ),
        (
            {"scope": {"mode": "default", "currentSiteSpace": ids["Le guide"]}},
            ["La reference", "Le guide", "News"],
        ),
        (
            {"scope": {"mode": "default", "includedSiteSpaces": [ids["Le guide"]]}},
            ["Guide", "La reference", "Le guide", "News"],
        ),
        (
            {"scope": {"mode": "specific", "siteSpaceIds": [ids["News"], ids["Reference"]]}},
            ["News", "Reference"],
        ),
        ({"scope": {"mode": "all"}}, EVERY),
        ({"mode": "all"}, EVERY),
        ({"mode": "specific", "siteSpaceIds": [ids["News"]]}, ["News"]),
        ({"siteSpaceIds": [ids["News"], ids["News"]]}, ["News"]),
        ({"mode": "current", "siteSpaceId": ids["Le guide"]}, ["Le guide"]),
    )
    for headers in (
        await token(api, shelf.site),
        {"Authorization": f"Bearer {await api.token_of(world.reader)}"},
    ):
        for body, expected in cases:
            assert await titles(api, shelf, body, headers) == sorted(expected), body


@pytest.mark.parametrize(
    ("body", "field", "problem"),
    [
        ({"query": ""}, "query", "at least 1"),
        ({"query": "x" * 513}, "query", "at most 512"),
        ({}, "query", "is required"),
        ({"query": "x", "scope": {}}, "scope.mode", "is required"),
        ({"query": "x", "scope": {"mode": "some"}}, "scope.mode", "use one of"),
        ({"query": "x", "scope": {"mode": "specific"}}, "siteSpaceIds", "is required"),
        (
            {"query": "x", "scope": {"mode": "specific", "siteSpaceIds": []}},
            "scope.siteSpaceIds", "at least 1",
        ),
        (
            {"query": "x", "scope": {"mode": "specific", "siteSpaceIds": ["none"]}},
            "siteSpaceIds", "'none' is no space",
        ),
        (
            {"query": "x", "scope": {"mode": "default", "currentSiteSpace": "none"}},
            "currentSiteSpace", "'none' is no space",
        ),
        (
            {"query": "x", "scope": {"mode": "all", "currentSiteSpace": "a"}},
            "currentSiteSpace", "is not allowed with the mode 'all'",
        ),
        (
            {"query": "x", "scope": {"mode": "all"}, "mode": "all"},
            "mode", "is not allowed beside",
        ),
        ({"query": "x", "mode": "current"}, "siteSpaceId", "is required with"),
        ({"query": "x", "mode": "all", "siteSpaceIds": ["a"]}, "siteSpaceIds", "is not allowed"),
        ({"query": "x", "siteSpaceId": "a"}, "siteSpaceId", "the mode 'current' only"),
        ({"query": "x", "mode": "specific"}, "siteSpaceIds", "is required"),
    ],
)  # fmt: skip
async def test_what_is_refused(
    api: Api, world: World, shelf: Shelf, body: dict[str, Any], field: str, problem: str
) -> None:
    found = await api.rest("POST", shelf.path, world.reader, body)
    assert found.status_code == 422, found.text
    (detail,) = found.json()["error"]["details"]
    assert detail["path"] == field
    assert problem in detail["message"]


async def test_who_may_search_what(api: Api, session: Session, world: World, shelf: Shelf) -> None:
    everything = {"scope": {"mode": "all"}}
    row = await session.get_one(SiteSpace, shelf.placed["Le guide"])
    row.condition = "visitor.claims.beta"
    section = await session.get_one(SiteSection, (await session.get_one(
        SiteSpace, shelf.placed["News"])).section_id)  # fmt: skip
    section.condition = "visitor.claims.news"
    space = await session.get_one(Space, shelf.writers["Reference"].space.id)
    space.deleted_at = utc_now()
    closed = await session.get_one(Space, shelf.writers["La reference"].space.id)
    closed.default_level = None
    await settle(session)
    for claims, expected in (
        ({}, ["Guide", "La reference"]),
        ({"beta": True}, ["Guide", "La reference", "Le guide"]),
        ({"beta": True, "news": 1}, ["Guide", "La reference", "Le guide", "News"]),
    ):
        headers = await token(api, shelf.site, claims=claims)
        assert await titles(api, shelf, everything, headers) == expected
    headers = {"Authorization": f"Bearer {await api.token_of(world.reader)}"}
    assert await titles(api, shelf, everything, headers) == ["Guide", "Le guide", "News"]
    named = {"query": "apple", "siteSpaceIds": [shelf.placed["La reference"]]}
    assert (await api.rest("POST", shelf.path, world.reader, named)).status_code == 422
    for person in (world.outsider, None):
        found = await api.rest("POST", shelf.path, person, {"query": "apple"})
        assert found.status_code in (401, 404)
    # The default is hidden: the first variant that is there stands in for it.
    default = await session.get_one(SiteSpace, shelf.placed["Guide"])
    default.condition = "false"
    await session.commit()
    headers = await token(api, shelf.site, claims={"beta": True})
    assert await titles(api, shelf, {}, headers) == ["La reference", "Le guide"]


async def test_pages_that_conditions_hide(
    api: Api, session: Session, world: World, shelf: Shelf
) -> None:
    """Lists have no gaps, and counts are those of what is seen."""
    writer = shelf.writers["News"]
    secret, open_ = {"condition": "visitor.claims.beta"}, {}
    await writer.write(
        writer.page("s0", "# Secret\n\nplum plum plum\n", title="Plum secret", **secret),
        *(
            writer.page(
                f"{'s' if number % 3 else 'n'}{number + 1}", "plum\n", title=f"Plum {number}",
                parent_id="s0" if number % 3 else None, **open_,
            )
            for number in range(30)
        ),
        writer.page("silent", "plum\n", no_index=True),
        writer.page("hidden", "plum\n", hidden=True),
    )  # fmt: skip
    # Nothing but hidden pages: the space itself is not found.
    other = shelf.writers["Guide"]
    await other.write(other.page("quince", "A plum of quinces.\n", condition="false"))
    space = f"/spaces/{writer.space.id}/search"
    for claims, number in (({}, 11), ({"beta": True}, 32)):
        headers = await token(api, shelf.site, claims=claims)
        listed: list[str] = []
        params: dict[str, Any] = {"query": "plum", "limit": 4}
        while True:
            answer = (await api.rest("GET", space, None, headers=headers, params=params)).json()
            assert answer["count"] == number
            listed += [one["id"] for one in answer["items"]]
            if "next" not in answer:
                break
            assert len(answer["items"]) == 4
            params["page"] = answer["next"]["page"]
        assert len(set(listed)) == len(listed) == number
        assert "silent" not in listed
        assert "hidden" in listed
        assert claims or not any(id.startswith("s") for id in listed)
        body = {"query": "plum", "scope": {"mode": "all"}}
        found = (await api.rest("POST", shelf.path, None, body, headers=headers)).json()
        assert [one["title"] for one in found["items"]] == ["News"]
        assert found["count"] == 1
        assert len(found["items"][0]["pages"]) == 10
        if not claims:
            assert "ecret" not in str(found)
    people = (await api.rest("POST", shelf.path, world.reader, body)).json()
    assert {one["title"] for one in people["items"]} == {"News", "Guide"}
    answer = (await api.rest("GET", space, world.reader, params={"query": "plum"})).json()
    assert answer["count"] == 32
    # All words first, then any: a hidden page with all of them does not count.
    headers = await token(api, shelf.site)
    body = {"query": "plum quinces", "scope": {"mode": "all"}}
    found = (await api.rest("POST", shelf.path, None, body, headers=headers)).json()
    assert [one["title"] for one in found["items"]] == ["News"]


PAGED = """query($id: ID!, $after: String) { site(id: $id) { search(query: "plum", mode: ALL) {
  nodes { pages(first: 4, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id: pageId }
  } } } } }"""


async def test_hidden_pages_do_not_change_the_order_between_two_lists(
    api: Api, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first pages come with the spaces, others by themselves: in one order, also where more
    match than are ranked, but fewer than that are seen."""
    for engine in (search_sqlite, search_postgresql):
        monkeypatch.setattr(engine, "most_ranked", lambda terms: 12)
    writer = shelf.writers["News"]
    words = " ".join(f"w{number}" for number in range(300))
    await writer.write(
        *(writer.page(f"long{number}", f"{words}\n", title="Plum") for number in range(5)),
        *(
            writer.page(f"short{number}", "## Plum\n\nplum plum\n", description="Plum plum")
            for number in range(5)
        ),
        *(writer.page(f"secret{number}", "plum\n", condition="false") for number in range(10)),
    )
    headers = await token(api, shelf.site)
    listed: list[str] = []
    after = None
    while True:
        variables = {"id": shelf.site.id, "after": after}
        answer = await api.client.post(
            "/graphql", json={"query": PAGED, "variables": variables}, headers=headers
        )
        (space,) = answer.json()["data"]["site"]["search"]["nodes"]
        assert space["pages"]["totalCount"] == 10
        listed += [page["id"] for page in space["pages"]["nodes"]]
        if not space["pages"]["pageInfo"]["hasNextPage"]:
            break
        after = space["pages"]["pageInfo"]["endCursor"]
    assert len(listed) == len(set(listed)) == 10


async def test_same_ids_in_other_spaces(api: Api, shelf: Shelf) -> None:
    """What is hidden is a page of one space, not all pages of the same id."""
    for title, condition in (("Guide", "false"), ("News", None)):
        writer = shelf.writers[title]
        await writer.write(writer.page("same", "A pear.\n", condition=condition))
    headers = await token(api, shelf.site)
    body = {"query": "pear", "scope": {"mode": "all"}}
    found = (await api.rest("POST", shelf.path, None, body, headers=headers)).json()
    assert [one["title"] for one in found["items"]] == ["News"]


async def test_paging_over_spaces(api: Api, world: World, shelf: Shelf) -> None:
    body = {"query": "apple", "scope": {"mode": "all"}}
    listed, params = [], {"limit": 2}
    for _ in range(3):
        answer = await api.rest("POST", shelf.path, world.reader, body, params=params)
        assert answer.json()["count"] == 5
        listed += [one["title"] for one in answer.json()["items"]]
        params = {"limit": 2, **answer.json().get("next", {})}
    assert sorted(listed) == EVERY
    bad = await api.rest("POST", shelf.path, world.reader, body, params={"limit": 0})
    assert bad.status_code == 422
    other = {**body, "query": "other"}
    first = await api.rest("POST", shelf.path, world.reader, body, params={"limit": 2})
    place = first.json()["next"]["page"]
    bad = await api.rest("POST", shelf.path, world.reader, other, params={"page": place})
    assert bad.status_code == 400


@pytest.mark.parametrize("pages", [1, 8])
async def test_statements(
    api: Api, world: World, shelf: Shelf, queries: Queries, pages: int
) -> None:
    """As many for a few spaces as for many, with conditions too."""
    for writer in shelf.writers.values():
        await writer.write(
            *(writer.page(f"x{number}", f"A fig {number}.\n") for number in range(pages)),
            writer.page("closed", "A fig.\n", condition="visitor.claims.beta"),
        )
    headers = await token(api, shelf.site)
    for mode in ({"mode": "all"}, {"mode": "specific", "siteSpaceIds": [
        shelf.placed["News"], shelf.placed["Guide"],
    ]}):  # fmt: skip
        body = {"query": "fig", "scope": mode}
        # What a process keeps of content is read once.
        await api.rest("POST", shelf.path, None, body, headers=headers)
        # The site, its sections and site spaces; the site; its spaces in scope; their revisions
        # and what conditions are read with; the best with their number and pages; their names;
        # revisions. What was found in these pages is known.
        with queries(8):
            found = await api.rest("POST", shelf.path, None, body, headers=headers)
        assert found.status_code == 200
        await api.rest("POST", shelf.path, world.reader, body)
        # The token; the site; its spaces in scope; the best with their number and pages; their
        # names; revisions.
        with queries.at_most(6):
            await api.rest("POST", shelf.path, world.reader, body)
