"""Pages that integrations make: shown as others are, kept when their integration fails."""

import contextlib
import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select

from db.base import utc_now
from db.job_enums import JobKind
from db.models.content import ComputedPage
from db.session import Session
from jobs import computed_pages
from jobs.table import KINDS
from jobs.worker import Worker
from resolvers.content import integration_sources
from resolvers.content.integration_sources import spaces_with_stale_sources
from resolvers.content.source_answers import MOST_PAGES, PagesOfAnswer, document_of_answer
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Unavailable
from resolvers.core.runners import read, run
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.specifications.uses import wake_spaces
from resolvers.writing.commits import commit_revision
from resolvers.writing.computed_pages import MadePages, put_made_pages
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.published.integrated import Integrated, integrate
from tests.resolvers.writing.test_computed_pages import computed
from tests.runtime.scripts import bundle

TYPE = "integration:echo:planets"
SOURCE = {"type": TYPE, "props": {"names": ["Moon", "Sun"]}}
SOURCES = [{"id": "planets", "title": "Planets", "configuration": {"componentId": "c"}}]
SCRIPT = bundle(
    """
    const { configuration } = environment.spaceInstallation ?? { configuration: {} };
    if (configuration.fail) throw new Error("as configured");
    if (event.type === "content_compute_revision") {
      return Response.json({ pages: [{ type: "group", title: "All", pages: event.props.names.map(
        (name) => ({ type: "document", title: name, id: name, emoji: "1f4d8",
          computed: { type: "%s", props: { name },
            dependencies: Object.fromEntries(Object.entries(event.dependencies).map(
              ([key, { ref }]) => [key, { ref }])) } })) },
        { type: "link", title: "Out", target: { kind: "url", url: "https://out.example" } }] });
    }
    if (event.type === "content_compute_document") {
      return Response.json({ document: { markdown: `About **${event.props.name}** ${
        configuration.word ?? ""} ${JSON.stringify(event.dependencies)}` } });
    }
    return new Response("OK");
    """.replace("%s", TYPE)
)


@pytest.fixture
async def planets(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    made = await integrate(
        api, world, session, "Text.", SCRIPT, contentSources=SOURCES
    )  # fmt: skip
    changes = Changes()
    place = computed(made.space, "place", "V9")
    place.computed = {
        **SOURCE,
        "dependencies": {"own": {"ref": {"kind": "space", "space": made.space.id}}},
    }
    changes.pages["place"] = place
    async with api.server.database.session() as writing:
        await writing.begin_write()
        ctx = context(writing)
        target = await open_target(ctx, made.space.id)
        before = target.revision
        revision = await commit_revision(ctx, target, changes)
        await index_revision(ctx, made.space.id, before, revision)
        await writing.commit()
    yield made
    await api.server.runner.close()


async def work(planets: Integrated) -> None:
    """What the sweep finds, and the jobs of it."""
    server = planets.api.server
    async with server.context_of(OPERATOR) as ctx:
        stale = await read(ctx, spaces_with_stale_sources)
        if stale:
            await run(ctx, wake_spaces, stale)
    kinds = {JobKind.COMPUTED_PAGES: KINDS[JobKind.COMPUTED_PAGES]}
    worker = Worker(server.context_of, kinds, server.database.bell, at_once=1,
                    most_of_organization=4)  # fmt: skip
    while True:
        await worker.fill()
        if not worker.busy:
            return
        await worker.settle()


async def row(planets: Integrated) -> ComputedPage:
    async with planets.api.server.database.session() as session:
        return (await session.execute(select(ComputedPage))).scalars().one()


async def test_pages_are_made_kept_and_made_anew(planets: Integrated) -> None:
    await work(planets)
    page = await planets.get("/all/moon")
    assert page.status_code == 200
    assert "About <strong>Moon</strong>" in page.text
    # What it depends on comes with it, as it is.
    assert planets.space.id in page.text
    assert "revision" in page.text
    async with planets.api.server.context_of(OPERATOR) as ctx:
        # What it makes itself is no other version of the space that it depends on.
        assert await read(ctx, spaces_with_stale_sources) == []
    contents = await planets.get("/")
    assert "https://out.example" in contents.text
    assert "**Sun**" in (await planets.get("/all/sun.md")).text
    # Where the integration fails, the last good pages stay.
    await planets.configure({"fail": True})
    await work(planets)
    assert "About <strong>Moon</strong>" in (await planets.get("/all/moon")).text
    failed = (await row(planets)).tried
    assert failed is not None
    assert "!" in failed
    # It is not tried again at once.
    await work(planets)
    assert (await row(planets)).tried == failed
    await planets.configure({"word": "again"})
    await work(planets)
    assert "again" in (await planets.get("/all/moon")).text
    # So do they when it is gone.
    await planets.call("DELETE", f"/integrations/echo/installations/{planets.installation}")
    await work(planets)
    assert "About <strong>Moon</strong>" in (await planets.get("/all/moon")).text


async def test_both_doors_ask_a_source(planets: Integrated) -> None:
    body = {"source": SOURCE, "seed": "s"}
    made = await planets.call("POST", f"/spaces/{planets.space.id}/content/computed/revision", body)
    assert [page["title"] for page in made["pages"]] == ["All", "Out"]
    assert [page["title"] for page in made["pages"][0]["pages"]] == ["Moon", "Sun"]
    unknown = {"source": {"type": "integration:other:x", "props": {}}, "seed": "s"}
    path = f"/spaces/{planets.space.id}/content/computed/revision"
    answer = await planets.api.rest("POST", path, planets.world.admin, unknown)
    assert answer.status_code == 404


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["type", "title", "pages", "slug", "id", "emoji", "icon", "target",
                             "computed", "description", "kind", "url", "markdown", "document",
                             "nodes", "object"]),
            st.one_of(inner, st.sampled_from(["document", "group", "link", "computed", "url"])),
            max_size=6,
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@given(VALUES)
def test_whatever_is_answered_is_content_or_refused(value: Any) -> None:
    for made in (
        lambda: PagesOfAnswer("space", "seed").below(value, None, "", 0),
        lambda: document_of_answer(value, "seed"),
    ):
        with contextlib.suppress(Unavailable):
            made()


def test_answers_are_bounded() -> None:
    pages: Any = [{"type": "document", "title": str(n)} for n in range(MOST_PAGES + 1)]
    with pytest.raises(Unavailable, match="more than"):
        PagesOfAnswer("space", "seed").below(pages, None, "", 0)
    deep: Any = []
    for _ in range(30):
        deep = [{"type": "group", "title": "G", "pages": deep}]
    with pytest.raises(Unavailable, match="in each other"):
        PagesOfAnswer("space", "seed").below(deep, None, "", 0)
    twice = [{"type": "document", "title": "A", "id": "x"}] * 2
    with pytest.raises(Unavailable, match="two pages"):
        PagesOfAnswer("space", "seed").below(twice, None, "", 0)


MALICIOUS = [
    {"type": "document", "title": "A\0B"},
    {"type": "document", "title": "A", "description": "\0"},
    {"type": "link", "title": "A", "target": {"kind": "url", "url": "javascript:alert(1)"}},
    {"type": "link", "title": "A", "target": {"kind": "url", "url": "x" * 10_000}},
]


async def test_no_answer_is_asked_for_for_ever(
    planets: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_noted() -> None:
        await work(planets)
        failed = (await row(planets)).tried
        assert failed is not None
        assert "!" in failed
        async with planets.api.server.context_of(OPERATOR) as ctx:
            assert await read(ctx, spaces_with_stale_sources) == []

    await work(planets)
    for page in MALICIOUS:
        answer = orjson.dumps({"pages": [page]}).decode()
        await planets.publish(bundle(f"return Response.json({answer});"))
        await is_noted()
    text = 'return Response.json({document: {markdown: "a\\u0000b"}});'
    await planets.publish(SCRIPT.replace("const {", f"if (event.props?.name) {text}\nconst {{", 1))
    await is_noted()
    # Texts that are too many, and time that is too short for them.
    with monkeypatch.context() as patched:
        patched.setattr(integration_sources, "MOST_CHARACTERS", 20)
        await planets.configure({"word": "many"})
        await is_noted()
    with monkeypatch.context() as patched:
        patched.setattr(integration_sources, "SECONDS", 0.0)
        await planets.configure({"word": "slow"})
        await is_noted()
    # What nobody has thought of.
    with monkeypatch.context() as patched:
        patched.setattr(integration_sources, "document_of_answer", broken)
        await planets.configure({"word": "broken"})
        await is_noted()
    with monkeypatch.context() as patched:
        patched.setattr(computed_pages, "put_made_pages", put_nothing)
        await planets.configure({"word": "unstorable"})
        await is_noted()
    assert "About <strong>Moon</strong>" in (await planets.get("/all/moon")).text


def broken(*_: Any) -> Any:
    raise RuntimeError("nobody has thought of this")


@operation(audited=False)
async def put_nothing(ctx: Context, space_id: str, outcomes: list[MadePages]) -> None:
    if any(outcome.pages is not None for outcome in outcomes):
        raise RuntimeError("the database cannot hold this")
    await put_made_pages(ctx, space_id, outcomes)


async def test_a_sweep_costs_the_same_for_any_number_and_leaves_out_nobody(
    planets: Integrated, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spaces without the integration stand before and behind the one that has it."""
    server = planets.api.server
    async with server.database.session() as session:
        for _ in range(5):
            space = await factories.make_space(session, planets.world.organization)
            session.add_all(
                ComputedPage(
                    space_id=space.id, page_id=f"p{n}", name=TYPE, failures=0,
                    source={**SOURCE, "dependencies": {
                        "one": {"ref": {"kind": "space", "space": planets.space.id}},
                        "two": {"ref": {"kind": "openapi", "spec": "none"}}}},
                ) for n in range(3)
            )  # fmt: skip
        await session.commit()
    async with server.context_of(OPERATOR) as ctx:
        with queries.at_most(7):
            assert [id for id, _ in await read(ctx, spaces_with_stale_sources)] == [
                planets.space.id
            ]
    monkeypatch.setattr(integration_sources, "MOST_SWEPT", 2)
    found: list[str] = []
    begin = utc_now()
    for minute in range(3):
        now = begin + dt.timedelta(minutes=minute)
        monkeypatch.setattr(Context, "now", lambda _, now=now: now)
        async with server.context_of(OPERATOR) as ctx:
            found += [id for id, _ in await read(ctx, spaces_with_stale_sources)]
    assert found == [planets.space.id]
