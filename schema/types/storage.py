"""Uploads to organizations, their fonts, and their instructions for agents."""

import datetime as dt

import strawberry

from db.customization_enums import FontFormat
from db.models import organizations as people, storage as models
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject, Url
from resolvers.customization import fonts
from resolvers.organizations import agent_instructions
from schema.node import Node
from schema.types.above import Organization
from schema.wiring import batch, column, related, source_rows


@strawberry.type(name="StorageUploadURL", description="Where a file is sent, and its key.")
class StorageUploadUrl:
    url: Url = column("Send the bytes there, with PUT, within an hour.")
    key: str = column("What names the file for the operation that makes something of it.")


@strawberry.type(description="A file of a font.")
class CustomFontSource:
    url: Url = column("Where it is; anybody may fetch it.")
    format: FontFormat = column("Its format.")


@strawberry.type(description="One weight of a font.")
class CustomFontFace:
    weight: int = column("Its weight, 1 to 1000.")
    sources: list[CustomFontSource] = column("Its files.")


@strawberry.type(description="What the caller may do with a font.")
class CustomFontPermissions:
    edit: bool = column("Whether it may be changed.")


@strawberry.type(description="A font of an organization.")
class CustomFont(Node):
    is_type_of = source_rows(models.CustomFont)
    custom: bool = batch(fonts.are_custom, "True: it is the organization's own.")
    font_family: str = column("Its name.")
    font_faces: list[CustomFontFace] = batch(fonts.font_faces, "Its weights.")
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization whose font it is."
    )
    permissions: CustomFontPermissions = batch(
        fonts.font_permissions, "What the caller may do with it."
    )


@strawberry.type(description="Where instructions are found.")
class AgentInstructionsUrls:
    location: Url = column("The instructions in /v1.")


@strawberry.type(description="What agents are to know about an organization.")
class AgentInstructions:
    instructions: JsonObject = column(f"The instructions: a document. {DOCUMENT_SCHEMA}")
    updated_at: dt.datetime = column("When they were last changed.")
    updated_by: str = column("Id of who has changed them; empty when nobody has.")
    urls: AgentInstructionsUrls = batch(
        agent_instructions.instructions_urls, "Where they are found."
    )


@strawberry.type(description="What the server says of itself.")
class ApiInformation:
    version: str = column("The version of the interface.")
    build: str = column("The version of the server.")
