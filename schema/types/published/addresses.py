"""What the address of a published site leads to."""

from typing import Annotated, Any, Union

import strawberry

from db.models import change_requests, content, sites, spaces
from db.site_enums import PublishedTarget
from resolvers.core.scalars import Url
from resolvers.lists.batches import visible_by_key
from resolvers.published import (
    operations as published_lookup,
    sites as published_sites,
    urls as published_urls,
)
from schema.types.change_requests import ChangeRequest
from schema.types.content.pages import Revision
from schema.types.customization import SiteCustomization
from schema.types.integrations import SiteIntegrationScript
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSection, SiteStructure
from schema.types.spaces import Space
from schema.wiring import batch, column, instances_of, itself


def _seen(model: Any, key: str, description: str) -> Any:
    """A relation that is read as the visitor reads it."""
    return batch(
        visible_by_key(model, key), description, enters=published_lookup.reading_as_visitor
    )


@strawberry.type(
    description="Published content of one site space. What is below `site` and the other objects "
    "is what the visitor sees, whoever asks."
)
class PublishedSiteContent:
    is_type_of = instances_of(published_urls.PublishedContent)
    organization_id: strawberry.ID = column(
        "Id of the organization that owns the site.", attribute="organization"
    )
    site_id: strawberry.ID = column("Id of the site.", attribute="site")
    site_section_id: strawberry.ID | None = column(
        "Id of the section; null on a site without sections.", attribute="site_section"
    )
    site_space_id: strawberry.ID = column("Id of the site space.", attribute="site_space")
    space_id: strawberry.ID = column("Id of the space.", attribute="space")
    change_request_id: strawberry.ID | None = column(
        "Id of the change request that the address previews.", attribute="change_request"
    )
    revision_id: strawberry.ID | None = column(
        "Id of the revision that the address previews.", attribute="revision"
    )
    pathname: str = column("The rest of the path, which names a page; empty = the landing page.")
    base_path: str = column("The path of the space: it begins and ends with a slash.")
    site_base_path: str = column("The path of the site: it begins and ends with a slash.")
    api_token: str = column(
        "Bearer token that reads what the visitor sees. It lasts until shortly after midnight UTC, "
        "and at most an hour where anything is known of the visitor."
    )
    share_key: str | None = column("The key of the share link in the address.")
    complete: bool = column(
        "Whether an address with more segments would only name another page of this content."
    )
    context_id: str | None = column(
        "The same for visitors with the same claims; null when nothing is known of the visitor."
    )
    canonical_url: Url = column("The one address of this page.")
    site: Site | None = _seen(sites.Site, "site", "The site.")
    site_section: SiteSection | None = _seen(sites.SiteSection, "site_section", "The section.")
    site_space: SiteSpace | None = _seen(sites.SiteSpace, "site_space", "The site space.")
    space: Space | None = _seen(spaces.Space, "space", "The space.")
    change_request: ChangeRequest | None = _seen(
        change_requests.ChangeRequest, "change_request", "The change request that is previewed."
    )
    revision: Revision | None = _seen(
        content.Revision, "revision", "The revision that is previewed."
    )


@strawberry.type(description="Another address, where the visitor has to go.")
class PublishedSiteRedirect:
    is_type_of = instances_of(published_urls.PublishedRedirect)
    target: PublishedTarget = column("What is there.")
    redirect: Url = column("The address.")


PublishedSiteLookup = Annotated[
    Union[PublishedSiteContent, PublishedSiteRedirect],  # noqa: UP007 (Strawberry names the union)
    strawberry.union(
        "PublishedSiteLookup", description="What the address of a published site leads to."
    ),
]


@strawberry.type(description="How a site and its site spaces look.")
class PublishedCustomizations:
    site: SiteCustomization = batch(published_sites.published_customizations, "How the site looks.")
    site_spaces: list[SiteSpace] = batch(
        published_sites.published_site_spaces,
        "Site spaces that you may read, in their order; each has its look.",
    )


@strawberry.type(description="A published site as a renderer wants it.")
class PublishedContentSite:
    site: Site = column("The site.")
    structure: SiteStructure = batch(
        published_sites.published_structures,
        "What stands on it and has anything to show you.",
        enters=published_sites.seeing_it,
    )
    customizations: PublishedCustomizations = itself("How it looks.")
    scripts: list[SiteIntegrationScript] = batch(
        published_sites.published_scripts, "Scripts that integrations add to its pages."
    )
