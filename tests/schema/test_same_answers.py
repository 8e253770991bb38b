"""Random documents over the product's own schema, with rows: the engine against graphql-core.

graphql-core calls the fields' resolvers, which load by the same batch functions; the engine calls
the batch functions for whole levels, with plain rows. The answers are the same, on each database
and for people who see more or less. So are they when relations are prefetched with their rows
(resolvers/core/nesting.py). Errors are compared when they do not depend on timing
(tests/schema/engine/oracle.py).
"""

import datetime as dt
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import pytest
from graphql import is_required_argument

from db.enums import TokenScope
from db.models.comments import Reaction
from db.models.organizations import User
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.content.computed import SOURCES
from resolvers.core import nesting
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.context import Context
from resolvers.core.installation import ImportAccess
from schema.build import build_schema
from schema.engine.engine import Engine
from schema.execution import engine_of
from tests import factories
from tests.conftest import Api, World
from tests.fetching.servers import serving
from tests.schema.engine.oracle import Answer, actual, expected, failures_stand_alone
from tests.schema.engine.random_documents import Request, Taste, random_request
from tests.schema.engine.random_values import Known
from tests.schema.engine.smallest import smallest
from tests.seeds import SAMPLE_SOURCE, SampleSource, Seed, sow

FIRST = int(os.environ.get("DOCSTEAD_TEST_SEED", "0")) * 1_000_000
# Documents for each person.
PEOPLE = {"admin": 80, "commenter": 60, "guest": 40, "outsider": 15, "nobody": 15}
NOW = dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
STRAWBERRY = build_schema()
SCHEMA = STRAWBERRY._schema
EMOJI = ({"code_points": "1f44d", "emoji": "1f44d"}, {"code_points": "2764", "emoji": "2764"})
SCALARS: dict[str, Sequence[object]] = {
    "DateTime": ["2026-01-31T08:00:00.000Z"],
    "URL": ["https://a.example"],
    "JSONObject": [{"a": [1]}],
    "JSONValue": ["a", 1, True, {"a": [1]}],
}


def known_values(known: dict[str, list[str]]) -> Known:
    """Ids of the rows that were sown, by the coordinate of an argument."""
    every = [one for values in known.values() for one in values]
    named = {
        "Query.member(userId:)": known["userId"],
        "Query.pageByPath(path:)": known["pagePath"],
        "Query.commentReply(id:)": known["commentReplyId"],
        # Nothing there asks a server: random documents are many.
        "Query.contentByUrl(url:)": [f"http://docs.test/s/{id}" for id in known["spaceId"]],
        "Query.embed(url:)": ["nothing"],
        "Query.spaceEmbed(url:)": ["nothing"],
        "InsightsRangeInput.from": [None],
        "InsightsRangeInput.to": [None],
        "Query.node(id:)": every,
        "Query.nodes(ids:)": every,
    }

    def values(at: str) -> Sequence[object]:
        if at in named:
            return named[at]
        place, _, argument = at.partition("(")
        name = argument.removesuffix(":)")
        if name == "id":
            name = f"{place.removeprefix('Query.')}Id"
        if name == "first":
            return (None, 1, 2, 3, 50, 1000, 0)
        if name == "after":
            return (None, None, None, None, "no cursor")
        # The first of each kind are the ones that most people see.
        return [*known.get(name, ())[:1] * 5, *known.get(name, ())]

    return values


async def sow_more(session: Session, world: World, seed: Seed) -> None:
    """Several rows of what people write, so that levels have more than one."""
    people = list(world.people().values())
    for number in range(4):
        await factories.make_space(session, world.organization, seed.collection)
        place = seed.change_request if number % 2 else None
        comment = await factories.make_comment(session, seed.space, people[number], place)
        for person in people[:number]:
            await factories.make_comment(session, seed.space, person, place, parent=comment)
            session.add(Reaction(comment_id=comment.id, user_id=person.id, **EMOJI[number % 2]))
        await factories.make_change_request(session, seed.space, people[number])
    await session.commit()


Ask = Callable[[Request], Awaitable[Answer]]


async def looking_ahead(engine: Engine, document: Any, *, context: Context, **given: Any) -> Answer:
    """The answer where relations are prefetched with their rows."""
    return await actual(engine, document, context=context, looks_ahead=True, **given)


def asking(
    how: Callable[..., Awaitable[Answer]],
    of: Any,
    api: Api,
    actor: Actor,
    prefetched: list[int] | None = None,
) -> Ask:
    """Answers requests with a context of their own, at a fixed time.

    `prefetched` gets the number of calls whose values were prefetched.
    """

    async def ask(request: Request) -> Answer:
        async with api.server.context_of(actor) as ctx:
            ctx.clock = lambda: NOW
            given: dict[str, Any] = {"variables": request.variables, "operation": request.operation}
            answer = await how(of, request.document, context=ctx, **given)
            if prefetched is not None:
                prefetched.append(len(ctx.prefetched))
        async with api.server.context_of(actor) as ctx:
            ctx.clock = lambda: NOW
            given["context"] = ctx
            alone = await failures_stand_alone(answer, SCHEMA, request.document, given)
        return answer.without_timing(alone)

    return ask


SAMPLE_INPUT = (
    f'{{ seed: "s", source: {{ type: "{SAMPLE_SOURCE["type"]}", props: {{ title: "T" }} }} }}'
)


INPUTS = {"siteInsights": "{ range: { preset: LAST_YEAR } }", "siteCustomizationPreview": "{}"}


async def test_nothing_but_the_type_of_every_root_field(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of which no column is read are found all the same."""
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    seed = await sow(session, world)
    await session.close()
    async with serving({"/page": ("text/html", b"<title>Page</title>")}) as server:
        allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
        api.server.imports = ImportAccess(Fetcher(allowance))
        await ask_root_fields(seed, world, api, f"{server.url}page")


async def ask_root_fields(seed: Seed, world: World, api: Api, page: str) -> None:
    """Ask both executors for every root field; `page` can be fetched."""
    known = {name: values[0] for name, values in seed.known.items()}
    known |= {"url": page, "path": known["pagePath"], "ids": known["spaceId"], "shareKey": "none"}
    known["source"] = "/text"
    known["slug"] = known["specSlug"]
    known["name"] = known["integrationName"]
    actor = Actor(world.admin.id, frozenset(TokenScope))
    assert SCHEMA.query_type is not None
    known["publishedSiteId"] = seed.known["siteId"][1]
    ids = {
        "commentReply": "commentReplyId", "revisionChanges": "revisionId", "customFont": "fontId",
        "specificationVersion": "versionId", "integrationEvent": "eventId",
        "siteStructure": "siteId", "siteConditions": "siteId", "siteRevalidation": "siteId",
        "sitePublishingAuth": "siteId",
        "publishedContentSite": "publishedSiteId", "sitePreview": "publishedSiteId",
        "siteCustomizationPreview": "publishedSiteId",
    }  # fmt: skip
    for name, field in SCHEMA.query_type.fields.items():
        own = ids.get(name, f"{name}Id")
        given = {
            argument: known[own] if argument in ("id", "siteId") and own in known
            else known.get(argument, known["spaceId"])
            for argument, one in field.args.items()
            if is_required_argument(one)
        }  # fmt: skip
        texts = {argument: f'"{value}"' for argument, value in given.items()} | (
            {"input": INPUTS.get(name, SAMPLE_INPUT)} if "input" in given else {}
        )
        urls = {"contentByUrl": f"/s/{known['spaceId']}", "publishedSite": "/o/x"}
        if name in urls:
            texts["url"] = f'"http://docs.test{urls[name]}"'
        written = ", ".join(f"{argument}: {text}" for argument, text in texts.items())
        request = Request(
            f"{{ it: {name}{f'({written})' if written else ''} {{ __typename }} }}", {}, None
        )
        right = await asking(expected, SCHEMA, api, actor)(request)
        # Of scripts, and of whoever asks with the token of an integration.
        if name != "ownIntegration" and not name.lower().endswith("integrationui"):
            assert right.value["it"] is not None, (request.text, right)
        assert await asking(actual, engine_of(STRAWBERRY), api, actor)(request) == right


@pytest.mark.usefixtures("fixed_clock")
@pytest.mark.usefixtures("forgotten_coroutines")
@pytest.mark.parametrize("person", PEOPLE)
async def test_engine_and_graphql_core_give_the_same(
    session: Session, world: World, api: Api, person: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every shape counts as asked for before, so that all are nested.
    monkeypatch.setattr(nesting, "Shape", partial(nesting.Shape, requested=True))
    seed = await sow(session, world)
    await sow_more(session, world, seed)
    await session.close()
    user: User | None = world.people().get(person)
    actor = Actor(user.id, frozenset(TokenScope)) if user else NOBODY
    taste = Taste(
        scalars=SCALARS,
        known=known_values(seed.known),
        introspection=0.01,
        meaning=0.97,
        depth=8,
        selections=60,
    )
    ours = asking(actual, engine_of(STRAWBERRY), api, actor)
    theirs = asking(expected, SCHEMA, api, actor)
    prefetched: list[int] = []
    nested = asking(looking_ahead, engine_of(STRAWBERRY), api, actor, prefetched)
    answers = []

    async def differ(request: Request) -> bool:
        right = await theirs(request)
        return await ours(request) != right or await nested(request) != right

    for number in range(PEOPLE[person]):
        request = random_request(SCHEMA, (person, FIRST + number), taste)
        answers.append(await ours(request))
        if answers[-1] != await theirs(request) or answers[-1] != await nested(request):
            small = await smallest(SCHEMA, request, differ)
            mine, right = await ours(small), await theirs(small)
            if mine == right:
                mine = await nested(small)
            shown = (small.text, small.variables, "expected", right.data, *right.errors)
            pytest.fail(
                "\n".join(map(str, (*shown, "but the engine gave", mine.data, *mine.errors)))
            )
    sizes = [len(one.data) for one in answers]
    if len(sizes) > 50:
        assert sum(size > 300 for size in sizes) > len(sizes) * 0.05, sorted(sizes)
        # Most of the root fields find rows that nothing can be read with.
        assert sum(map(bool, prefetched)) > len(sizes) * 0.04, prefetched
    assert sum(bool(one.errors) for one in answers) > len(sizes) * 0.1
