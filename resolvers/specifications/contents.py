"""Contents of specifications: bytes that sources and versions of an organization share.

Whoever adds or removes some holds the row of the organization: nobody refers to bytes that somebody
else is removing.
"""

import asyncio
import hashlib
from collections.abc import Collection

from sqlalchemy import delete, exists, select

from content.openapi.compression import compressed
from db.inserts import insert_missing
from db.models.organizations import Organization
from db.models.specifications import Specification, SpecificationContent, SpecificationVersion
from resolvers.core.context import Context


def digest_of(data: bytes) -> str:
    """The name of bytes: their SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


async def store(ctx: Context, organization_id: str, digest: str, data: bytes) -> None:
    """Keep bytes under their digest."""
    await store_compressed(ctx, organization_id, digest, await asyncio.to_thread(compressed, data))


async def store_compressed(ctx: Context, organization_id: str, digest: str, data: bytes) -> None:
    """Keep bytes that are compressed already."""
    await _hold(ctx, organization_id)
    row = {
        "organization_id": organization_id, "digest": digest, "data": data,
        "created_at": ctx.now(),
    }  # fmt: skip
    await insert_missing(ctx.session, SpecificationContent, [row])


async def drop_unused(ctx: Context, organization_id: str, digests: Collection[str]) -> None:
    """Remove those of the contents that neither a source nor a version has."""
    await _hold(ctx, organization_id)
    version = exists().where(
        SpecificationVersion.organization_id == organization_id,
        SpecificationVersion.digest == SpecificationContent.digest,
    )
    source = exists().where(
        Specification.organization_id == organization_id,
        Specification.source_digest == SpecificationContent.digest,
    )
    await ctx.session.flush()
    await ctx.session.change(
        delete(SpecificationContent).where(
            SpecificationContent.organization_id == organization_id,
            SpecificationContent.digest.in_(list(digests)),
            ~version,
            ~source,
        )
    )


async def _hold(ctx: Context, organization_id: str) -> None:
    row = select(Organization.id).where(Organization.id == organization_id)
    await ctx.session.execute(row.with_for_update(key_share=True))
