"""Kept answers about content, in both doors: whoever asks gets what a server without any would say,
after any write; and what is kept costs two reads."""

import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import delete, update

from db.base import utc_now
from db.enums import DefaultLevel, Role, TokenScope
from db.models.content import ContentHomonym
from db.models.organizations import Member, Token
from db.models.sites import SiteSpace
from db.models.spaces import AccessGrant, Space
from db.session import Database
from jobs.reindex import index_space
from resolvers.access.tokens import create_token
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.search.builds import begin_build
from tests import factories
from tests.conftest import Api, settle
from tests.published.kept_sites import SITE_WRITES, Kept, Write, kept, said

__all__ = ["kept"]

PAGE = """query($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) { id title path
  ... on DocumentPage { document markdown next { id } pages { nodes { id } } } } }"""
EVALUATED = """query($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) {
  ... on DocumentPage { title document(evaluated: TRUE) markdown(evaluated: TRUE) } } }"""
RIGHTS = """query($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) { title
  permissions { view comment edit } space { title } } }"""
SEARCH = """query($s: ID!, $q: String!) { space(id: $s) { id search(query: $q, first: 2) {
  totalCount nodes { pageId title path ancestors { title } sections { title html } } } } }"""
TREE = "query($s: ID!) { revision(spaceId: $s) { id pages { nodes { id title path } } } }"


@dataclass
class Answers:
    """Servers as in `Kept`, and callers by their tokens."""

    kept: Kept
    tokens: dict[str, str] = field(default_factory=dict)

    async def compare(self, times: int = 2) -> None:
        """Both servers say the same to everybody, the first one so many times."""
        tokens = {**self.tokens, **await self.visitors()}
        spaces = (self.kept.guide, self.kept.second)
        site = self.kept.site
        look = f"/v1/orgs/{site.organization_id}/sites/{site.id}/customization"
        for (name, token), space in itertools.product(tokens.items(), spaces):
            for method, path, body in (*_questions(space), ("GET", look, None)):
                headers = {"Authorization": f"Bearer {token}"}
                expected = await self.kept.plain.request(method, path, json=body, headers=headers)
                for _ in range(times):
                    answer = await self.kept.keeping.request(
                        method, path, json=body, headers=headers
                    )
                    assert said(answer) == said(expected), (name, path, body)

    async def visitors(self) -> dict[str, str]:
        """Content tokens of visitors without and with claims; both servers give the first alike."""
        url = f"http://docs.test/sites/{self.kept.site.id}/other"
        tokens: dict[str, str] = {}
        for name, claims in {"visitor": {}, "beta": {"beta": True}}.items():
            body: dict[str, Any] = {"url": url}
            if claims:
                body["visitor"] = {"jwtToken": self.kept.token(**claims)}
            expected = await self.kept.plain.post("/v1/urls/published", json=body)
            for _ in range(2):
                answer = await self.kept.keeping.post("/v1/urls/published", json=body)
                assert answer.status_code == expected.status_code
                if not claims:
                    assert said(answer) == said(expected)
            if "apiToken" in answer.json():
                tokens[name] = answer.json()["apiToken"]
        # Those of previews of settings: neither gets what the other one sees, nor a visitor that.
        for at, look in enumerate(self.kept.looks):
            address = f"http://docs.test/sites/{self.kept.site.id}{look}"
            answer = await self.kept.keeping.post("/v1/urls/published", json={"url": address})
            if "apiToken" in answer.json():
                tokens[f"look {at}"] = answer.json()["apiToken"]
        return tokens


def _questions(space: Space) -> list[tuple[str, str, Any]]:
    content = f"/v1/spaces/{space.id}/content"
    page = "other" if space.title == "Guide" else "more"
    variables = {"s": space.id, "p": page}
    documents = (PAGE, EVALUATED, RIGHTS) if page == "other" else (TREE,)
    return [
        ("GET", f"{content}/pages", None),
        ("GET", f"{content}/path/{'deep' if page == 'other' else 'more'}", None),
        ("GET", f"{content}/page/{page}?format=document&evaluated=true", None),
        *(("POST", "/graphql", {"query": text, "variables": variables}) for text in documents),
        *_searches(space),
    ]


def _searches(space: Space) -> list[tuple[str, str, Any]]:
    """What is there and what is nowhere, and, in the other door, what is mistyped."""
    variables = {"s": space.id, "q": "othr"}
    return [
        *(("GET", f"/v1/spaces/{space.id}/search?query={word}", None) for word in ("more", "none")),
        ("POST", "/graphql", {"query": SEARCH, "variables": variables}),
    ]


@pytest.fixture
async def answers(kept: Kept, api: Api) -> Answers:
    world, session = kept.world, kept.session
    people = (world.admin, world.reader, world.guest)
    tokens = {person.display_name: await api.token_of(person) for person in people}
    await session.begin_write()
    scopes = frozenset({TokenScope.SPACE_READ})
    _, tokens["narrow"] = await create_token(session, world.reader.id, "narrow", scopes=scopes)
    await settle(session)
    return Answers(kept, tokens)


async def _level(kept: Kept, number: int) -> None:
    levels = [DefaultLevel.ADMIN, None, DefaultLevel.INHERIT]
    level = {"default_level": levels[number % len(levels)]}
    await kept.session.execute(update(Space).where(Space.id == kept.guide.id).values(**level))


async def _bin(kept: Kept, number: int) -> None:
    moment = utc_now() if number % 2 == 0 else None
    await kept.session.execute(
        update(Space).where(Space.id == kept.second.id).values(deleted_at=moment)
    )


async def _member(kept: Kept, number: int) -> None:
    roles = [None, Role.EDIT, Role.READ]
    of_reader = Member.user_id == kept.world.reader.id
    await kept.session.execute(
        update(Member).where(of_reader).values(role=roles[number % len(roles)])
    )


async def _homonym(kept: Kept, number: int) -> None:
    """Of the space whose tree is asked for, which has the ids of all pages."""
    await kept.session.execute(
        delete(ContentHomonym).where(ContentHomonym.space_id == kept.second.id)
    )
    if number % 2 == 0:
        kept.session.add(ContentHomonym(space_id=kept.second.id, kind="page", id="more"))


async def _scopes(kept: Kept, number: int) -> None:
    scopes = [[TokenScope.USER_READ.value], [TokenScope.SPACE_READ.value]]
    await kept.session.execute(
        update(Token).where(Token.label == "narrow").values(scopes=scopes[number % 2])
    )


async def _grant(kept: Kept, number: int) -> None:
    """The guest gets a role on a space, or loses it."""
    of_guest = AccessGrant.user_id == kept.world.guest.id
    await kept.session.execute(delete(AccessGrant).where(of_guest))
    if number % 2 == 0:
        await factories.make_grant(kept.session, kept.guide, kept.world.guest, Role.READ)


async def _index(kept: Kept, number: int) -> None:
    """The index of the space is forgotten, or is built again."""
    await _build(kept, kept.guide, number)


async def _build(kept: Kept, space: Space, number: int) -> None:
    ctx = Context(OPERATOR, kept.session)
    if number % 2 == 0:
        await run(ctx, begin_build, space.id)
    else:
        await index_space(ctx, space.id)


async def _gone_from_site(kept: Kept, number: int) -> None:
    """A space leaves the site for good."""
    await kept.session.execute(
        delete(SiteSpace).where(
            SiteSpace.site_id == kept.site.id, SiteSpace.space_id == kept.second.id
        )
    )


OTHER_WRITES: dict[str, Write] = {
    "the level of a space": _level,
    "the bin": _bin,
    "the role of a member": _member,
    "a homonym": _homonym,
    "the scopes of a token": _scopes,
    "a grant": _grant,
    "the index": _index,
}
WRITES = SITE_WRITES | OTHER_WRITES
STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(WRITES)), st.integers(0, 7)), min_size=1, max_size=3
)


async def test_each_write(answers: Answers, api: Api) -> None:
    """Each is seen by the next request, and so is the write that takes it back."""
    kept = answers.kept
    await answers.compare()
    assert api.server.kept_answers is not None
    assert len(api.server.kept_answers) > 20
    for name in [*OTHER_WRITES, "a text", "the condition of a page", "a site space",
                 "the schema of claims", "published", "previews", "a redirect"]:  # fmt: skip
        for number in (0, 1):
            await WRITES[name](kept, number)
            await settle(kept.session)
            # What is as it was before the write that was taken back was read twice then.
            await answers.compare(times=2 - number)
    await _gone_from_site(kept, 0)
    await settle(kept.session)
    await answers.compare()


@settings(
    max_examples=4, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(steps=STEPS)
@pytest.mark.slow
async def test_any_writes(answers: Answers, steps: list[tuple[str, int]]) -> None:
    for name, number in steps:
        await WRITES[name](answers.kept, number)
        await settle(answers.kept.session)
        await answers.compare()


@pytest.mark.parametrize("homonym", [False, True])
async def test_a_kept_answer_is_two_reads(
    answers: Answers, database: Database, homonym: bool
) -> None:
    """Who asks, and whether they find the content as it was; also where the same documentation was
    imported twice, so that ids name their space."""
    kept = answers.kept
    if homonym:
        kept.session.add(ContentHomonym(space_id=kept.second.id, kind="page", id="more"))
        await settle(kept.session)
    tokens = {"Admin": answers.tokens["Admin"], **await answers.visitors()}
    content = f"/v1/spaces/{kept.second.id}/content"
    variables = {"s": kept.second.id, "p": "more"}
    asked: list[tuple[str, str, Any]] = [
        ("GET", f"{content}/page/more?format=document", None),
        ("GET", f"{content}/pages", None),
        ("POST", "/graphql", {"query": PAGE, "variables": variables}),
    ]
    searches = _searches(kept.second)
    for name, (method, path, body) in itertools.product(
        ("Admin", "visitor", "beta"), asked + searches
    ):
        # Visitors' searches follow from more.
        if name != "Admin" and (method == "POST" or "/search?" in path):
            continue
        headers = {"Authorization": f"Bearer {tokens[name]}"}

        ask = partial(kept.keeping.request, method, path, json=body)
        first = await ask(headers=headers)
        statements: list[str] = []
        watch, database.watch = database.watch, statements.append
        again = await ask(headers=headers)
        tag = first.headers.get("etag")
        known = None
        if tag is not None:
            known = await ask(headers=headers | {"If-None-Match": tag})
        database.watch = watch
        assert said(again) == said(first), (name, path)
        # Of several keys it is one statement.
        assert len(statements) == (2 if known is None else 4), (name, path, statements)
        assert known is None or (known.status_code, known.content) == (304, b"")


async def test_ids_that_an_index_has_noted_are_shown(answers: Answers) -> None:
    """Homonyms come with the index, which in old spaces is built apart from the revision."""
    kept = answers.kept
    kept.session.add(ContentHomonym(space_id=kept.second.id, kind="page", id="more"))
    await settle(kept.session)
    # The tree with this id is kept now.
    await answers.compare()
    await _build(kept, kept.second, 0)
    kept.session.add(ContentHomonym(space_id=kept.second.id, kind="page", id="start"))
    await settle(kept.session)
    await answers.compare()
    await _build(kept, kept.second, 1)
    await settle(kept.session)
    await answers.compare()


async def test_where_an_address_leads_with_a_token_is_not_kept(kept: Kept, api: Api) -> None:
    """It may end at any time, whatever it says of the visitor."""
    assert api.server.kept_answers is not None
    url = f"http://docs.test/sites/{kept.site.id}/other"
    bodies: list[dict[str, Any]] = [{"url": url}]
    bodies += [
        {"url": url, "visitor": {"jwtToken": kept.token(**claims)}}
        for claims in ({}, {"unknown": 1}, {"beta": True})
    ]
    for body in bodies:
        assert (await kept.keeping.post("/v1/urls/published", json=body)).status_code == 200
    assert len(api.server.kept_answers) == 1


async def test_what_follows_from_more_is_not_kept(answers: Answers, api: Api) -> None:
    """Rights of the caller, and texts that lead to other spaces."""
    kept = answers.kept
    headers = {"Authorization": f"Bearer {answers.tokens['Admin']}"}
    variables = {"s": kept.guide.id, "p": "other"}
    assert api.server.kept_answers is not None
    before = len(api.server.kept_answers)
    for _ in range(2):
        body = {"query": RIGHTS, "variables": variables}
        answer = await kept.keeping.post("/graphql", json=body, headers=headers)
        assert answer.json()["data"]["page"]["permissions"]["edit"]
        content = f"/v1/spaces/{kept.guide.id}/content/page/other?format=markdown"
        answer = await kept.keeping.get(content, headers=headers)
        assert "/s/" in answer.json()["markdown"]
    assert len(api.server.kept_answers) == before


async def test_codings_of_kept_answers(answers: Answers) -> None:
    kept = answers.kept
    headers = {"Authorization": f"Bearer {answers.tokens['Admin']}"}
    path = f"/v1/spaces/{kept.guide.id}/content/pages"
    plain = await kept.keeping.get(path, headers=headers | {"Accept-Encoding": "identity"})
    for coding in ("gzip", "zstd"):
        for _ in range(3):
            answer = await kept.keeping.get(path, headers=headers | {"Accept-Encoding": coding})
            assert answer.headers["content-encoding"] == coding
            assert answer.text == plain.text
