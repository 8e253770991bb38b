"""Redirects of sites."""

import datetime as dt

import strawberry

from db.models import site_settings, sites
from db.site_enums import SiteRedirectKind, SiteRedirectOutcome
from resolvers.core.scalars import Url
from resolvers.sites import redirect_destinations, redirects as site_redirects
from schema.node import Node
from schema.types.above import Page, Site, SiteSection, SiteSpace
from schema.wiring import batch, column, related, source_rows, visible_related


@strawberry.type(description="Where a redirect leads; which fields there are depends on the kind.")
class SiteRedirectDestination:
    kind: SiteRedirectKind = column("What it is.")
    site_section_id: strawberry.ID | None = column("Id of the section.")
    site_space_id: strawberry.ID | None = column("Id of the site space.")
    page_id: strawberry.ID | None = column("Id of the page in the space of the site space.")
    url: Url | None = column("The address.")
    site_section: SiteSection | None = visible_related(
        sites.SiteSection, "site_section_id", "The section, if you may see it."
    )
    site_space: SiteSpace | None = visible_related(
        sites.SiteSpace, "site_space_id", "The site space, if you may read its space."
    )
    page: Page | None = batch(
        redirect_destinations.pages_of_destinations,
        "The page as readers have it; null when it is gone.",
    )


@strawberry.type(description="A path of a site that leads to another place.")
class SiteRedirect(Node):
    is_type_of = source_rows(site_settings.SiteRedirect)
    source: str = column("The path from the site's root, with `/*` at its end for all below it.")
    destination: SiteRedirectDestination = batch(
        site_redirects.redirect_destinations, "Where it leads."
    )
    capture_wildcard: bool = column(
        "Whether what a request has in place of `*` is put behind the destination."
    )
    permanent: bool = column(
        "Whether it is answered with 308, while the site is published for everybody."
    )
    draft: bool = column("Whether it does not fire yet.")
    broken: bool = batch(
        site_redirects.are_broken,
        "Whether its destination is gone, so that it does not fire.",
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    site: Site = related(sites.Site, "site_id", "The site.")


@strawberry.type(description="The redirect that a path has, and where it leads in the end.")
class SiteRedirectMatch:
    redirect: SiteRedirect = column(
        "The redirect; with the id `automatic` where pages moved or what they are in was renamed, "
        "`content` where the content of a space sets it."
    )
    target: Url = column("The address at the end of the chain of redirects.")
    status: int = column("The status of the answer: 308 for good, or 307.")


@strawberry.type(description="What became of one of many redirects that were written.")
class SiteRedirectResult:
    source: str = column("The source, as it was given.")
    status: SiteRedirectOutcome = column("What became of it.")
    redirect: SiteRedirect | None = column("As it is now; null when it was deleted or with errors.")
    message: str | None = column("What is wrong with it.")


@strawberry.type(description="What became of redirects that were written.")
class SiteRedirectResults:
    results: list[SiteRedirectResult] = column("One for each that was given, in their order.")
