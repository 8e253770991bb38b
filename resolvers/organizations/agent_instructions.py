"""Instructions of organizations for agents that work with their content."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import select

from content.documents.limits import document_problem
from content.documents.shape import DocumentError, checked_document
from db.base import Base
from db.enums import Role
from db.models.organizations import Organization
from db.models.storage import AgentInstructions
from db.prepared import among
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, reads

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {"schemaVersion": 1}, "nodes": []}


@strawberry.input(description="Instructions for agents.")
class AgentInstructionsInput:
    instructions: JsonObject = inputs.field(
        f"A document; one without nodes removes them. {DOCUMENT_SCHEMA}", required=True
    )


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions of an organization, and who has written them: empty when nobody has."""

    organization_id: str
    instructions: JsonObject
    updated_at: dt.datetime
    updated_by: str
    audited: Base | None = None


def checked_instructions(document: Json, where: str) -> Json:
    """A document with instructions as it is stored; Invalid names what is wrong."""
    try:
        checked = dict(checked_document(document))
    except DocumentError as error:
        raise invalid(f"{where}.{error.path}" if error.path else where, error.problem) from error
    problem = document_problem(checked)
    if problem is not None:
        raise invalid(where, problem)
    return checked


@statement
def _instructions(viewer: Viewer) -> Written:
    return select(AgentInstructions).where(among(AgentInstructions.organization_id, "ids"))


async def get_agent_instructions(ctx: Context, organization_id: OrganizationId) -> Instructions:
    """What an organization tells agents, for its members; an empty document for nothing."""
    organization = await must(ctx, Organization, organization_id)
    (instructions,) = await agent_instructions(ctx, [organization], None)
    return instructions


@reads("id", "created_at")
async def agent_instructions(
    ctx: Context, rows: Sequence[Organization], arguments: Any
) -> list[Instructions]:
    """What organizations tell agents."""
    ids = {row.id for row in rows}
    stored = {row.organization_id: row for row in await _instructions.rows(ctx, ids=ids)}
    return [
        Instructions(row.id, JsonObject(EMPTY), row.created_at, "")
        if row.id not in stored
        else _shown(stored[row.id])
        for row in rows
    ]


def _shown(row: AgentInstructions, audited: Base | None = None) -> Instructions:
    return Instructions(
        row.organization_id,
        JsonObject(dict(row.document)),
        row.updated_at,
        row.updated_by_id or "",
        audited,
    )


async def update_agent_instructions(
    ctx: Context, organization_id: OrganizationId, input: AgentInstructionsInput
) -> Instructions:
    """Tell agents what they are to know about an organization; needs its role `admin`."""
    organization = await must(ctx, Organization, organization_id, Role.ADMIN, lock=True)
    document = checked_instructions(input.instructions, "instructions")
    row = await ctx.session.get(AgentInstructions, organization_id)
    if document == (EMPTY if row is None else row.document):
        # What was read and sent back changes nothing.
        return (await agent_instructions(ctx, [organization], None))[0]
    if row is None:
        row = AgentInstructions(organization_id=organization_id)
        ctx.session.add(row)
    row.document, row.updated_at, row.updated_by_id = document, ctx.now(), ctx.actor.user_id
    await ctx.session.flush()
    return _shown(row, organization)


@computed_from("organization_id")
async def instructions_urls(
    ctx: Context, rows: Sequence[Instructions], arguments: Any
) -> list[Urls]:
    """Where instructions are found."""
    base = ctx.settings.public_url
    return [Urls(f"{base}/v1/orgs/{row.organization_id}/agent-instructions") for row in rows]
