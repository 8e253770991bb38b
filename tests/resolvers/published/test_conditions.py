"""Why something of a site is hidden: told to editors, and as visitors have it."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.expressions.conditions import explain
from content.expressions.evaluation import holds
from db.models.site_settings import AdaptiveSchema
from db.session import Session
from resolvers.core.errors import BadRequest, Forbidden, NotFound
from resolvers.core.runners import read
from resolvers.published.conditions import get_site_conditions
from resolvers.published.visitors import shown
from tests.conftest import Api, Sown, World, context, settle
from tests.published.sites import CLAIMS_SCHEMA, Published, make_sections

LAYOUT = {"guides": ["en", "fr"], "beta": ["one", "two"]}


@pytest.fixture
async def made(session: Session, world: World) -> Published:
    found = await make_sections(session, world.organization, LAYOUT, adaptive_content=True)
    found.sections["beta"].condition = "visitor.claims.beta"
    found.site_spaces["beta/two"].condition = "visitor.claims.plan in ['pro', 'team']"
    found.site_spaces["guides/fr"].condition = "visitor.claims.unsigned.language.shout()"
    session.add(AdaptiveSchema(site_id=found.site.id, json_schema=CLAIMS_SCHEMA))
    await session.flush()
    return found


async def test_what_is_told(session: Session, world: World, made: Published) -> None:
    ctx = context(session, world.editor)
    claims = {"beta": False, "plan": "pro", "other": 1, "unsigned": {"language": "fr"}}
    found = await read(ctx, get_site_conditions, made.site.id, claims)
    assert found.claims == {"beta": False, "plan": "pro", "unsigned": {"language": "fr"}}
    told = {one.id: one for one in found.structure}
    beta, two = told[made.sections["beta"].id], told[made.site_spaces["beta/two"].id]
    assert (beta.place.value, beta.title, beta.holds, beta.shown) == (
        "section",
        "Beta",
        False,
        False,
    )
    assert [(one.name, one.value) for one in beta.reads] == [("visitor.claims.beta", "false")]
    assert (two.holds, two.shown, two.title) == (True, False, "beta two")
    fr = told[made.site_spaces["guides/fr"].id]
    assert fr.holds is False
    assert fr.problem is not None
    assert "shout" in fr.problem
    assert (found.pages, found.more_pages) == (None, None)
    empty = await read(ctx, get_site_conditions, made.site.id)
    assert empty.structure[0].reads[0].value is None


async def test_it_is_what_visitors_have(session: Session, world: World, made: Published) -> None:
    ctx = context(session, world.editor)
    for claims in ({}, {"beta": True}, {"beta": True, "plan": "pro"}, {"plan": "free"}):
        found = await read(ctx, get_site_conditions, made.site.id, dict(claims))
        there = await shown(ctx, made.site.id, claims)
        hidden = {one.id for one in found.structure if not one.shown}
        spaces = {one.id for one in made.site_spaces.values()}
        told = {one.id for one in found.structure} & spaces
        assert told - hidden == told & there.site_space_ids


async def test_pages(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    query = """query($id: ID!, $placed: ID!, $claims: JSONObject) {
      siteConditions(id: $id, siteSpace: $placed, claims: $claims) {
        pages { place id: placeId holds shown problem reads { name value } } morePages } }"""
    values = {"id": seed.site.id, "placed": seed.site_space.id, "claims": {}}
    found = (await api.data(query, world.editor, **values))["siteConditions"]
    assert found["morePages"] == 0
    (page,) = found["pages"]
    assert (page["place"], page["holds"], page["shown"]) == ("PAGE", True, True)
    assert (page["problem"], page["reads"]) == (None, [])
    answer = await api.graphql(query, world.editor, **{**values, "placed": "none"})
    assert answer["errors"][0]["extensions"]["status"] == 404


async def test_who_is_told(session: Session, world: World, made: Published) -> None:
    for person in (world.commenter, world.reader):
        with pytest.raises(Forbidden):
            await read(context(session, person), get_site_conditions, made.site.id)
    with pytest.raises(NotFound):
        await read(context(session, world.outsider), get_site_conditions, made.site.id)
    large: dict[str, Any] = {"unsigned": {"language": "x" * 5000}}
    with pytest.raises(BadRequest):
        await read(context(session, world.editor), get_site_conditions, made.site.id, large)


async def test_in_graphql(api: Api, session: Session, world: World, made: Published) -> None:
    await settle(session)
    data = await api.data(
        """query($id: ID!, $claims: JSONObject) { siteConditions(id: $id, claims: $claims) {
             claims structure {
               place id: placeId condition holds shown reads { name value } } } }""",
        world.editor,
        id=made.site.id,
        claims={"beta": True},
    )
    first = data["siteConditions"]["structure"][0]
    assert first == {
        "place": "SECTION",
        "id": made.sections["beta"].id,
        "condition": "visitor.claims.beta",
        "holds": True,
        "shown": True,
        "reads": [{"name": "visitor.claims.beta", "value": "true"}],
    }


EXPRESSIONS = st.sampled_from(
    ["", "a", "a.b", "a.b == 1", "a['b'] > 1", "a.b.c.d", "a.b.no()", "(", "!a", "a?.b", "[a.b]",
     "a.b ? false : x", "'t'", "false"]
)  # fmt: skip


@given(EXPRESSIONS, st.dictionaries(st.sampled_from("ab"), st.just({"b": 1}) | st.integers()))
def test_explanations_agree_with_conditions(text: str, values: dict[str, Any]) -> None:
    found = explain(text, values)
    assert found.holds == holds(text, values)
    assert not (found.holds and found.problem)
