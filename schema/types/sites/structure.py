"""Sections of sites, their groups, and the structure of a site."""

import datetime as dt
from typing import Annotated, Union

import strawberry

from db.models import sites
from resolvers.addresses import sites as site_urls
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import Url
from resolvers.sites import sections as site_sections, spaces as sites_spaces
from schema.node import Node
from schema.types.sites.sites import Site, SiteSpace
from schema.wiring import (
    Connection,
    batch,
    column,
    instances_of,
    related,
    source_rows,
    visible_related,
)


@strawberry.type(description="Addresses of a section.")
class SiteSectionUrls:
    published: Url | None = column("The section for readers; only while the site is published.")


@strawberry.type(description="A part of a site with a path of its own, which holds spaces.")
class SiteSection(Node):
    is_type_of = source_rows(sites.SiteSection)
    title: str = column("Title, 2 to 128 characters.")
    description: str | None = column("What it is about, at most 256 characters.")
    default: bool = batch(
        site_sections.are_default_sections, "Whether the site serves it at its root."
    )
    path: str = column("Path on the site, 1 to 100 characters.")
    condition: str | None = column("Expression that decides whether a visitor sees it.")
    icon: str | None = column("Name of its icon.")
    created_at: dt.datetime = column("When it was made.")
    section_group_id: strawberry.ID | None = column(
        "Id of the group that holds it; null at the top of the site.", attribute="group_id"
    )
    section_group: "SiteSectionGroup | None" = related(
        sites.SiteSectionGroup, "group_id", "The group that holds it."
    )
    site_spaces: Connection[SiteSpace] = batch(
        sites_spaces.site_spaces_of_sections,
        "Its spaces that you may read, in their order.",
        arguments=PageArguments,
    )
    default_site_space: SiteSpace | None = visible_related(
        sites.SiteSpace, "default_site_space_id", "The site space chosen for its root."
    )
    urls: SiteSectionUrls = batch(site_urls.section_urls, "Its addresses.")
    site: Site = related(sites.Site, "site_id", "The site.")


@strawberry.type(description="A title above sections of a site; it has no path.")
class SiteSectionGroup(Node):
    is_type_of = source_rows(sites.SiteSectionGroup)
    title: str = column("Title, 1 to 100 characters.")
    icon: str | None = column("Name of its icon.")
    created_at: dt.datetime = column("When it was made.")
    section_group_id: strawberry.ID | None = column(
        "Id of the group that holds it; null at the top of the site.", attribute="parent_id"
    )
    section_group: "SiteSectionGroup | None" = related(
        sites.SiteSectionGroup, "parent_id", "The group that holds it."
    )
    children: list["SiteSectionOrGroup"] = batch(
        site_sections.children_of_groups,
        "Sections and groups in it that you may see, in their order.",
    )
    sections: list[SiteSection] = batch(
        site_sections.sections_of_groups,
        "Sections directly in it that you may see, in their order.",
        deprecated="Use `children`, which has the groups as well.",
    )
    site: Site = related(sites.Site, "site_id", "The site.")


SiteSectionOrGroup = Annotated[
    Union[SiteSection, SiteSectionGroup],  # noqa: UP007 (Strawberry names the union)
    strawberry.union("SiteSectionOrGroup", description="What stands on one level of a site."),
]
SiteStructureItem = Annotated[
    Union[SiteSpace, SiteSection, SiteSectionGroup],  # noqa: UP007 (as above)
    strawberry.union("SiteStructureItem", description="Anything that stands on a site."),
]


@strawberry.interface(description="What stands on a site.")
class SiteStructure:
    type: str = column("`sections`, or `siteSpaces` for a site without sections.")


@strawberry.type(description="A site with sections.")
class SiteSectionStructure(SiteStructure):
    is_type_of = instances_of(site_sections.SectionStructure)
    structure: list[SiteSectionOrGroup] = column(
        "Sections and groups at its top level that you may see, in their order.",
        attribute="items",
        passes=True,
    )


@strawberry.type(description="A site without sections.")
class SiteSpaceStructure(SiteStructure):
    is_type_of = instances_of(site_sections.SpaceStructure)
    structure: list[SiteSpace] = column(
        "Its spaces that you may read, in their order.", attribute="items", passes=True
    )


STRUCTURES = (SiteSectionStructure, SiteSpaceStructure)
