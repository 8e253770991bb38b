"""OpenAPI specifications: making, replacing and deleting them; lists of them and their versions."""

from dataclasses import dataclass
from typing import Annotated

import strawberry
from sqlalchemy import and_, bindparam, func, select

from content.openapi.compression import decompressed
from content.openapi.reading import MOST_BYTES
from db.blobs import BlobMissingError
from db.enums import Role
from db.ids import new_id
from db.models.organizations import Organization
from db.models.specifications import (
    SLUG_LENGTH,
    Specification,
    SpecificationContent,
    SpecificationVersion,
)
from db.prepared import KEY
from db.specification_enums import SpecificationState, SpecificationVisibility
from db.storage_enums import StorageUploadKind as UploadKind
from fetching.errors import FetchError
from fetching.locations import read_location
from resolvers.access.policy import must, ranks
from resolvers.access.specification_policy import makers
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest, NotFound, PreconditionFailed
from resolvers.core.pagination import by_id
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import enqueue_of_server
from resolvers.lists.listings import Listing
from resolvers.organizations.locks import locked_organization
from resolvers.specifications.contents import digest_of, drop_unused, store
from resolvers.specifications.processing import LOST, job_of
from resolvers.storage.operations import use_upload

# Specifications of an organization.
MOST_SPECIFICATIONS = 200

Slug = Annotated[str, inputs.argument("The slug of the specification.")]
VersionId = Annotated[strawberry.ID, inputs.argument("Id of the version.")]
_SLUG = inputs.Bounds(
    1, SLUG_LENGTH, r"[a-z0-9]+(?:-[a-z0-9]+)*",
    "lower-case letters and digits, in words with hyphens between them",
)  # fmt: skip
_NAMED = and_(
    Specification.organization_id == bindparam("organization_id", type_=KEY),
    Specification.slug == bindparam("slug", type_=KEY),
)
_OF_SPECIFICATION = SpecificationVersion.specification_id == bindparam(
    "specification_id", type_=KEY
)


@strawberry.input(
    description="Where a specification comes from: exactly one of these.", one_of=True
)
class SpecificationSourceInput(inputs.OneOf):
    url: Url | None = inputs.field(
        "An http or https URL on the public internet, which is looked at every six hours.",
        one_of=True,
    )
    text: str | None = inputs.text(
        "The specification itself: Swagger 2.0, OpenAPI 3.0 or 3.1 as JSON or YAML.",
        min=1,
        max=MOST_BYTES,
        one_of=True,
    )
    upload: str | None = inputs.text(
        "The key of a file that was uploaded to the organization with the kind `import_file`: the "
        "specification itself.",
        min=1,
        max=64,
        one_of=True,
    )


@strawberry.input(description="A new OpenAPI specification.")
class CreateSpecificationInput:
    slug: str = inputs.field("Its name in addresses and blocks; it stays.", bounds=_SLUG,
                             required=True)  # fmt: skip
    source: SpecificationSourceInput = inputs.field("Where it comes from.", required=True)


@strawberry.input(description="The source of an OpenAPI specification, which is processed at once.")
class PutSpecificationInput:
    source: SpecificationSourceInput = inputs.field("Where it comes from.", required=True)


@strawberry.input(description="Changes to an OpenAPI specification.")
class UpdateSpecificationInput:
    visibility: SpecificationVisibility = inputs.field("Who may read it.", required=True)


@operation(one_statement=True)
async def get_specification(
    ctx: Context, organization_id: OrganizationId, slug: Slug, *, projection: Projection = ALL
) -> Specification:
    """An OpenAPI specification of an organization, for its members."""
    return await must(
        ctx, Specification, None, where=_NAMED, projection=projection,
        organization_id=organization_id, slug=slug[: SLUG_LENGTH + 1],
    )  # fmt: skip


async def get_specification_version(
    ctx: Context,
    organization_id: OrganizationId,
    slug: Slug,
    id: VersionId,
    *,
    projection: Projection = ALL,
) -> SpecificationVersion:
    """A version of an OpenAPI specification, for members of the organization."""
    row = await get_specification(ctx, organization_id, slug)
    return await _version(ctx, row, id, projection)


async def get_latest_specification_version(
    ctx: Context, organization_id: OrganizationId, slug: Slug, *, projection: Projection = ALL
) -> SpecificationVersion:
    """The last good version of an OpenAPI specification; NOT_FOUND before there is one."""
    row = await get_specification(ctx, organization_id, slug)
    if row.last_version_id is None:
        raise NotFound(f"the OpenAPI specification {slug!r} has no version yet")
    return await _version(ctx, row, row.last_version_id, projection)


async def _version(
    ctx: Context, row: Specification, id: str, projection: Projection
) -> SpecificationVersion:
    return await must(
        ctx, SpecificationVersion, id, where=_OF_SPECIFICATION, projection=projection,
        specification_id=row.id,
    )  # fmt: skip


async def create_specification(
    ctx: Context, organization_id: OrganizationId, input: CreateSpecificationInput
) -> Specification:
    """Make an OpenAPI specification, which is private and processed at once; needs the role
    `create` in the organization. BAD_REQUEST (400) for a slug that is taken."""
    source = _checked(ctx, input.source)
    await locked_organization(ctx, organization_id, Role.CREATE, makers)
    if await _existing(ctx, organization_id, input.slug) is not None:
        raise BadRequest.at("slug", f"{input.slug!r} is taken")
    return await _created(ctx, organization_id, input.slug, source)


async def put_specification(
    ctx: Context, organization_id: OrganizationId, slug: Slug, input: PutSpecificationInput
) -> Specification:
    """Give an OpenAPI specification a source, the same one as well, and process it; one that is not
    there is made. Needs the role `create` in the organization."""
    source = _checked(ctx, input.source)
    for problem in _SLUG.problems(slug):
        raise BadRequest.at("slug", problem)
    rank_by_id = await ranks(ctx, Organization, [organization_id], makers)
    if rank_by_id.get(organization_id, 0) < Role.READ.rank:
        # Whether there is one is not for guests.
        raise NotFound(
            f"the OpenAPI specification {slug!r} does not exist or is not visible to you"
        )
    await locked_organization(ctx, organization_id, Role.CREATE, makers)
    row = await _existing(ctx, organization_id, slug)
    if row is None:
        return await _created(ctx, organization_id, slug, source)
    old = row.source_digest
    await _assign(ctx, row, source)
    row.requested += 1
    row.processing_state = SpecificationState.PENDING
    row.updated_at = ctx.now()
    if old is not None and old != row.source_digest:
        await drop_unused(ctx, organization_id, {old})
    await enqueue_of_server(ctx, [job_of(row.id, organization_id)])
    return row


async def update_specification(
    ctx: Context, organization_id: OrganizationId, slug: Slug, input: UpdateSpecificationInput
) -> Specification:
    """Make an OpenAPI specification public or private; needs the role `create` in the organization.

    One that is public can be read by everybody at `urls.published`.
    """
    row = await _locked(ctx, organization_id, slug)
    row.visibility = input.visibility
    if ctx.session.is_modified(row):
        row.updated_at = ctx.now()
    return row


async def delete_specification(
    ctx: Context, organization_id: OrganizationId, slug: Slug
) -> Deletion:
    """Delete an OpenAPI specification with its versions; blocks that show it become broken links.
    Needs the role `create` in the organization."""
    with finding_what_to_delete():
        await must(ctx, Specification, None, where=_NAMED, organization_id=organization_id,
                   slug=slug[: SLUG_LENGTH + 1])  # fmt: skip
    row = await _locked(ctx, organization_id, slug)
    digests = set(
        await ctx.session.scalars(
            select(SpecificationVersion.digest).where(
                SpecificationVersion.specification_id == row.id
            )
        )
    )
    if row.source_digest is not None:
        digests.add(row.source_digest)
    await ctx.session.delete(row)
    await ctx.session.flush()
    await drop_unused(ctx, organization_id, digests)
    return Deletion(deleted_id=row.id, organization_id=organization_id)


async def _locked(ctx: Context, organization_id: str, slug: str) -> Specification:
    return await must(
        ctx, Specification, None, Role.CREATE, where=_NAMED, lock=True,
        organization_id=organization_id, slug=slug[: SLUG_LENGTH + 1],
    )  # fmt: skip


async def _existing(ctx: Context, organization_id: str, slug: str) -> Specification | None:
    """The specification with a slug, locked; whoever calls holds the organization."""
    statement = select(Specification).where(
        Specification.organization_id == organization_id, Specification.slug == slug
    )
    row: Specification | None = await ctx.session.scalar(
        statement.with_for_update(), execution_options={"populate_existing": True}
    )
    return row


async def _created(
    ctx: Context, organization_id: str, slug: str, source: SpecificationSourceInput
) -> Specification:
    count = select(func.count()).where(Specification.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() >= MOST_SPECIFICATIONS:
        raise PreconditionFailed(
            f"an organization has {MOST_SPECIFICATIONS} specifications at most"
        )
    row = Specification(
        id=new_id(), organization_id=organization_id, slug=slug, requested=1,
        visibility=SpecificationVisibility.PRIVATE, processing_state=SpecificationState.PENDING,
        last_processed_errors=[], created_at=ctx.now(), updated_at=ctx.now(),
    )  # fmt: skip
    row.is_new = True
    await _assign(ctx, row, source)
    ctx.session.add(row)
    await ctx.session.flush()
    await enqueue_of_server(ctx, [job_of(row.id, organization_id)])
    return row


async def _assign(ctx: Context, row: Specification, source: SpecificationSourceInput) -> None:
    if row.source_url != source.url:
        # What another source was fetched with says nothing of this one.
        row.source_url, row.entity_tag = source.url, None
    row.source_digest = None
    data = None if source.text is None else source.text.encode()
    if source.upload is not None:
        data = await _uploaded(ctx, row.organization_id, source.upload)
    if data is not None:
        row.source_digest = digest_of(data)
        await store(ctx, row.organization_id, row.source_digest, data)
    # A job that is lost is noticed by then.
    row.due_at = ctx.now() + LOST


async def _uploaded(ctx: Context, organization_id: str, key: str) -> bytes:
    """The bytes of an uploaded file, which is used once."""
    where = "source.upload"
    upload = await use_upload(ctx, organization_id, key, UploadKind.IMPORT_FILE, where,
                              lasting=False)  # fmt: skip
    if upload.size > MOST_BYTES:
        raise BadRequest.at(where, f"the file has more than {MOST_BYTES} bytes")
    try:
        return b"".join([chunk async for chunk in ctx.blobs.read(upload.id, upload.sha256 or "")])
    except BlobMissingError:
        raise NotFound.at(where, "the bytes of the file are gone; upload it again") from None


def _checked(ctx: Context, source: SpecificationSourceInput) -> SpecificationSourceInput:
    """A source, as far as it can be judged without a request."""
    names = source.given()
    if len(names) != 1:
        raise BadRequest.at("source", "must have exactly one of 'url', 'text' and 'upload'")
    if source.url is not None:
        try:
            read_location(source.url)
        except FetchError as error:
            raise BadRequest.at("source.url", str(error)) from error
    elif source.text is not None:
        if not source.text.strip():
            raise BadRequest.at("source.text", "is empty")
        if len(source.text.encode()) > MOST_BYTES:
            raise BadRequest.at("source.text", f"has more than {MOST_BYTES} bytes")
    return source


# ------------------------------------------------------------------ lists

specifications_of_organizations = Listing(
    "specifications_of_organizations",
    Specification,
    Specification.organization_id,
    by_id(Specification),
    about="OpenAPI specifications of organizations, oldest first.",
)
versions_of_specifications = Listing(
    "versions_of_specifications",
    SpecificationVersion,
    SpecificationVersion.specification_id,
    by_id(SpecificationVersion).reversed,
    about="Versions of OpenAPI specifications, newest first; the newest 50 are kept.",
)


# ------------------------------------------------------------------ for everybody


@dataclass(frozen=True, slots=True)
class PublicSpecification:
    """The last good version of a public specification."""

    digest: str
    # Compressed.
    data: bytes

    def text(self) -> bytes:
        """Its JSON."""
        return decompressed(self.data)


@statement
def _public(viewer: Viewer) -> Written:
    return (
        select(SpecificationContent.digest, SpecificationContent.data)
        .join(
            SpecificationVersion,
            and_(
                SpecificationVersion.organization_id == SpecificationContent.organization_id,
                SpecificationVersion.digest == SpecificationContent.digest,
            ),
        )
        .join(Specification, Specification.last_version_id == SpecificationVersion.id)
        .where(
            Specification.id == bindparam("id", type_=KEY),
            Specification.visibility == SpecificationVisibility.PUBLIC,
        )
    )


@operation(open_to_all=True)
async def get_public_specification(ctx: Context, id: str) -> PublicSpecification:
    """The last good version of a specification that is public, for everybody."""
    # The policy is the condition: public ones alone are read.
    policy_was_asked()
    rows = await _public.rows(ctx, id=id)
    if not rows:
        raise NotFound("there is no public specification at this address")
    return PublicSpecification(rows[0].digest, bytes(rows[0].data))
