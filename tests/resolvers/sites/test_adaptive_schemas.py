"""Schemas of visitor claims as operations, and the conditions that follow from them."""

from typing import Any

import pytest

from db.session import Session
from resolvers.access.claims_schemas import claims_schemas
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Forbidden, NotFound
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject
from resolvers.sites import adaptive_schemas
from resolvers.sites.adaptive_schemas import UpdateAdaptiveSchemaInput
from tests.conftest import Queries, World, context, settle
from tests.factories import make_adaptive_schema, make_site, make_space

PLAN = {"type": "string", "description": "Plan", "enum": ["free", "pro"]}


def schema(**properties: Any) -> UpdateAdaptiveSchemaInput:
    return UpdateAdaptiveSchemaInput(
        json_schema=JsonObject(
            {"type": "object", "properties": properties, "additionalProperties": False}
        )
    )


async def test_a_schema_is_replaced_as_a_whole(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    with pytest.raises(NotFound):
        await read(ctx, adaptive_schemas.get_adaptive_schema, site.id)
    empty = await read(ctx, adaptive_schemas.get_template_conditions, site.id)
    assert empty.items == []
    for wanted in (schema(plan=PLAN), schema(beta={"type": "boolean", "description": "Beta"})):
        await run(ctx, adaptive_schemas.update_adaptive_schema, site.id, wanted)
        found = await read(
            context(session, world.reader), adaptive_schemas.get_adaptive_schema, site.id
        )
        assert found.json_schema == wanted.json_schema
    offered = await read(ctx, adaptive_schemas.get_template_conditions, site.id)
    assert [(one.description, one.condition) for one in offered.items] == [
        ("Beta", "visitor.claims.beta")
    ]


async def test_a_bad_schema_leaves_the_one_before(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await make_adaptive_schema(session, site, plan=PLAN)
    await settle(session)
    ctx = context(session, world.creator)
    with pytest.raises(BadRequest, match=r"jsonSchema\.properties\.plan\.enum\[1\]: must") as error:
        await run(
            ctx, adaptive_schemas.update_adaptive_schema, site.id,
            schema(plan={**PLAN, "enum": ["free", 1]}),
        )  # fmt: skip
    assert [one.path for one in error.value.fields] == ["jsonSchema.properties.plan.enum[1]"]
    found = await read(ctx, adaptive_schemas.get_adaptive_schema, site.id)
    assert found.json_schema["properties"] == {"plan": PLAN}


async def test_who_may(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await make_adaptive_schema(session, site)
    await settle(session)
    wanted = schema(plan=PLAN)
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        with pytest.raises(Forbidden):
            await run(
                context(session, person), adaptive_schemas.update_adaptive_schema, site.id, wanted
            )
    for person in (world.guest, world.outsider):
        ctx = context(session, person)
        with pytest.raises(NotFound):
            await run(ctx, adaptive_schemas.update_adaptive_schema, site.id, wanted)
        with pytest.raises(NotFound):
            await read(ctx, adaptive_schemas.get_adaptive_schema, site.id)
    found = await read(context(session), adaptive_schemas.get_adaptive_schema, site.id)
    assert list(found.json_schema["properties"]) == ["beta"]


async def test_visitors_do_not_see_the_schema(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space, published=True)
    await make_adaptive_schema(session, site)
    await settle(session)
    ctx = Context(Actor(visitor=Visitor(site.id, world.organization.id)), session)
    with pytest.raises(NotFound):
        await read(ctx, adaptive_schemas.get_adaptive_schema, site.id)
    assert await adaptive_schemas.adaptive_schemas_of_sites(ctx, [site], None) == [None]
    assert (await read(ctx, adaptive_schemas.get_template_conditions, site.id)).items == []


async def test_schemas_of_many_sites_are_one_statement(
    session: Session, world: World, queries: Queries
) -> None:
    made = [
        await make_site(session, world.organization, adaptive_content=number < 2)
        for number in range(3)
    ]
    for site in made[1:]:
        await make_adaptive_schema(session, site)
    await settle(session)
    ctx = context(session, world.reader)
    with queries(1):
        found = await adaptive_schemas.adaptive_schemas_of_sites(ctx, made, None)
    assert [one and one.site_id for one in found] == [None, made[1].id, made[2].id]
    with queries(1):
        # The third site has no adaptive content, so its claims are not read.
        in_use = await claims_schemas(ctx, [site.id for site in made])
    assert in_use.keys() == {made[1].id}
