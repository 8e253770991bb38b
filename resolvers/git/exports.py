"""Exports of content in the Git layout: archives behind signed addresses, made when fetched."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

import strawberry

from content.slugs import slug_from_title
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.signed_addresses import holder_of, signature, valid_until
from resolvers.revisions.read_targets import find_revision

OfChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Id or number of the change request whose content it is."),
]
OfRevision = Annotated[
    strawberry.ID | None,
    inputs.argument("Id of an older revision; cannot stand beside a change request."),
]


@dataclass(frozen=True, slots=True)
class ContentExport:
    """The address of an archive, and the revision that is in it."""

    url: str
    revision_id: str


async def get_content_export(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: OfChangeRequest = None,
    revision_id: OfRevision = None,
) -> ContentExport:
    """The address of a zip archive with content in the Git layout: of a space, of a change
    request, or of a revision.

    It has the Markdown of all pages, their files and reusable contents, `SUMMARY.md`,
    `.gitbook.yaml` and variables; pages with conditions and hidden ones as well, so it is for
    members and guests, not for visitors of sites.
    """
    if ctx.actor.visitor is not None:
        raise Forbidden("content is exported for members and guests, not for visitors of a site")
    space = await must(ctx, Space, space_id)
    revision = await find_revision(ctx, space_id, change_request_id, revision_id, computed=False)
    name = f"{slug_from_title(space.title)}.zip"
    holder, expires = holder_of(ctx.actor), valid_until(ctx.now())
    signed = export_signature(ctx.file_access.key, space.id, revision.id, name, holder, expires)
    query = urlencode({"by": holder, "expires": expires, "signature": signed})
    path = f"/exports/{space.id}/{revision.id}/{quote(name, safe='')}?{query}"
    return ContentExport(ctx.settings.public_url + path, revision.id)


async def check_content_export(ctx: Context, space_id: str, revision_id: str) -> None:
    """NotFound unless the caller may read what an archive holds still."""
    await find_revision(ctx, space_id, revision_id=revision_id, computed=False)


def export_signature(
    key: bytes, space_id: str, revision_id: str, name: str, holder: str, expires: int
) -> str:
    """The signature of an address that this server gave out; `expires` in seconds since 1970."""
    return signature(key, "export", space_id, revision_id, name, holder, expires)
