"""Specifications that everybody may read who has their address."""

from dataclasses import dataclass

from sqlalchemy import and_, bindparam, select

from content.openapi.compression import decompressed
from db.models.specifications import Specification, SpecificationContent, SpecificationVersion
from db.prepared import KEY
from db.specification_enums import SpecificationVisibility
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NotFound
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.statements import Viewer, Written, statement


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
