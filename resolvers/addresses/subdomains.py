"""Labels of organizations below the public host, as objects of their own."""

from dataclasses import dataclass
from typing import Annotated

from sqlalchemy import bindparam

from db.models.organizations import Organization
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.addresses.sites import takes_labels
from resolvers.core import inputs
from resolvers.core.context import Context

LENGTH = 32
_NAMED = Organization.hostname == bindparam("label", type_=KEY)
SubdomainName = Annotated[str, inputs.argument("The label, such as `acme` in acme.example.com.")]


@dataclass(frozen=True, slots=True)
class Subdomain:
    """A label below the public host, and whose it is."""

    subdomain: str
    organization_id: str
    is_active: bool


async def get_subdomain(ctx: Context, subdomain: SubdomainName) -> Subdomain:
    """The label of an organization that you are a member of."""
    label = subdomain.lower()[: LENGTH + 1]
    organization = await must(ctx, Organization, None, where=_NAMED, label=label)
    return Subdomain(label, organization.id, takes_labels(ctx.settings.public_url))
