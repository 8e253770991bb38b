"""OpenAPI specifications and their versions."""

import datetime as dt

import strawberry

from db.models import organizations as people, specifications as models
from db.specification_enums import (
    SpecificationErrorCode,
    SpecificationState,
    SpecificationVisibility,
)
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.specifications import fields, operations as specifications
from schema.node import Node
from schema.types.above import Organization, SpecificationVersion as Version
from schema.wiring import Connection, batch, column, related, source_rows, visible_related


@strawberry.type(description="Addresses of an OpenAPI specification.")
class SpecificationUrls:
    location: Url = column("The specification in /v1.")
    app: Url = column("The specification for people.")
    published: Url | None = column("Its last good version, for everybody, while it is public.")


@strawberry.type(description="What the caller may do with an OpenAPI specification.")
class SpecificationPermissions:
    view: bool = column("See it.")
    edit: bool = column("Change and delete it.")


@strawberry.type(description="What was wrong with an OpenAPI specification.")
class SpecificationProblem:
    message: str = column("What is wrong, and where.")
    code: str | None = column("Always null: messages have no codes of their own.")


@strawberry.type(description="An OpenAPI specification of an organization.")
class Specification(Node):
    is_type_of = source_rows(models.Specification)
    slug: str = column("Its name in addresses and in blocks of pages.")
    source_url: Url | None = strawberry.field(
        name="sourceURL", description="Where it is fetched from; null when it was sent as text."
    )
    visibility: SpecificationVisibility = column("Who may read it.")
    processing_state: SpecificationState = column("How far its processing is.")
    last_processed_at: dt.datetime | None = column("When it was last processed.")
    last_process_error_code: SpecificationErrorCode | None = column(
        "Why that has failed; null when it has not. The last good version stays in use."
    )
    last_processed_errors: list[SpecificationProblem] = batch(
        fields.specification_problems, "What was wrong; empty when nothing was."
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed by somebody.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization that it is of."
    )
    last_version: Version | None = visible_related(
        models.SpecificationVersion, "last_version_id", "Its last good version."
    )
    versions: Connection[Version] = batch(
        specifications.versions_of_specifications,
        "Its versions, newest first; the newest 50 are kept.",
        arguments=PageArguments,
    )
    permissions: SpecificationPermissions = batch(
        fields.specification_permissions, "What the caller may do with it."
    )
    urls: SpecificationUrls = batch(fields.specification_urls, "Its addresses.")


@strawberry.type(description="Addresses of a version of an OpenAPI specification.")
class SpecificationVersionUrls:
    location: Url = column("The version in /v1.")


@strawberry.type(description="What an OpenAPI specification was at a time.")
class SpecificationVersion(Node):
    is_type_of = source_rows(models.SpecificationVersion)
    title: str = column("Its title.")
    format: str = column("What it was written in, such as `Swagger 2.0`.")
    size: int = column("Bytes of its content as JSON.")
    created_at: dt.datetime = column("When it was made.")
    specification: Specification = related(
        models.Specification, "specification_id", "The specification."
    )
    content: JsonObject = batch(
        fields.version_contents,
        "The specification as one file of OpenAPI 3.1, whatever it was written in.",
    )
    url: Url = batch(fields.version_content_urls, "Where /v1 has its content.")
    urls: SpecificationVersionUrls = batch(fields.version_urls, "Its addresses.")
