"""Makes and publishes the demo's sites, through the operations that everybody uses."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import select
from strawberry import ID, Some

from db.customization_enums import CustomizationAnnouncementStyle, CustomizationHeaderItemStyle
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from db.site_enums import SiteRedirectKind
from docstead.demo.story import Published
from jobs.import_docs import Prepared
from resolvers.core.scalars import JsonObject
from resolvers.customization.operations import replace_site_customization
from resolvers.customization.settings import (
    CustomizationFooterInput,
    CustomizationHeaderInput,
    CustomizationStylingInput,
    SiteCustomizationSettingsInput,
)
from resolvers.customization.values import (
    CustomizationAnnouncementInput,
    CustomizationContentLinkInput,
    CustomizationFooterGroupInput,
    CustomizationHeaderItemInput,
    CustomizationThemedColorInput,
)
from resolvers.sites.operations import CreateSiteInput, UpdateSiteInput, create_site, update_site
from resolvers.sites.publishing import publish_site
from resolvers.sites.redirect_destinations import SiteRedirectDestinationInput
from resolvers.sites.redirects import CreateSiteRedirectInput, create_site_redirect
from resolvers.sites.sections import (
    AddSiteSectionInput,
    UpdateSiteSectionInput,
    add_site_section,
    update_site_section,
)
from resolvers.sites.share_links import CreateShareLinkInput, create_share_link

# Runs an operation as one who may make sites.
Act = Callable[..., Awaitable[Any]]


class SiteFilling:
    """Sites of spaces that are there: both by the names of their folders."""

    def __init__(
        self,
        session: Session,
        act: Act,
        spaces: Mapping[str, Space],
        examples: Mapping[str, Prepared],
    ) -> None:
        self._session = session
        self._act = act
        self._spaces = spaces
        self._examples = examples

    async def fill(self, organization_id: str, plan: Published) -> None:
        """Make a site with everything that the story tells of it, and publish it."""
        site = await self._structure(organization_id, plan)
        for name in plan.links:
            await self._act(create_share_link, ID(site.id), CreateShareLinkInput(name=name))
        await self._redirects(site, plan)
        await self._act(replace_site_customization, ID(site.id), self._look(plan))
        changes = UpdateSiteInput(previews=Some(plan.previews))
        await self._act(update_site, ID(site.id), changes)
        await self._act(publish_site, ID(site.id))

    async def _structure(self, organization_id: str, plan: Published) -> Site:
        first, *others = [ID(self._spaces[folder].id) for folder in plan.folders]
        input = CreateSiteInput(
            title=Some(plan.title), visibility=Some(plan.visibility), spaces=Some([first])
        )
        site: Site = await self._act(create_site, ID(organization_id), input)
        for space, title in zip(others, plan.sections[1:], strict=True):
            adding = AddSiteSectionInput(space_id=space, title=Some(title))
            await self._act(add_site_section, ID(site.id), adding)
        if plan.sections:
            # The section that the site's first space got has the title of the site.
            changes = UpdateSiteSectionInput(title=Some(plan.sections[0]))
            await self._act(update_site_section, ID(site.default_section_id or ""), changes)
        return site

    async def _redirects(self, site: Site, plan: Published) -> None:
        statement = select(SiteSpace.space_id, SiteSpace.id).where(SiteSpace.site_id == site.id)
        placed = {space: id for space, id in await self._session.execute(statement)}
        for source, folder, file in plan.redirects:
            target = SiteRedirectDestinationInput(
                kind=SiteRedirectKind.SITE_PAGE,
                site_space_id=ID(placed[self._spaces[folder].id]),
                page_id=ID(self._page(folder, file)),
            )
            input = CreateSiteRedirectInput(source=source, destination=target)
            await self._act(create_site_redirect, ID(site.id), input)

    # ------------------------------------------------------------------ how it looks

    def _look(self, plan: Published) -> SiteCustomizationSettingsInput:
        styling = announcement = None
        if plan.colour is not None:
            light, dark = plan.colour
            colour = CustomizationThemedColorInput(light=light, dark=dark)
            styling = CustomizationStylingInput(primary_color=colour)
        if plan.announcement is not None:
            announcement = CustomizationAnnouncementInput(
                enabled=True,
                message=plan.announcement,
                style=CustomizationAnnouncementStyle.INFO,
            )
        footer = [
            CustomizationFooterGroupInput(title=title, links=[self._link(*link) for link in links])
            for title, links in plan.footer
        ]
        return SiteCustomizationSettingsInput(
            styling=styling,
            announcement=announcement,
            header=CustomizationHeaderInput(links=self._header(plan)),
            footer=CustomizationFooterInput(groups=footer, copyright=plan.copyright),
        )

    def _header(self, plan: Published) -> list[CustomizationHeaderItemInput]:
        """The links of the header; the last one is a button."""
        last = len(plan.header) - 1
        return [
            CustomizationHeaderItemInput(
                title=title,
                to=self._reference(address),
                style=CustomizationHeaderItemStyle.BUTTON_PRIMARY if number == last else None,
            )
            for number, (title, address) in enumerate(plan.header)
        ]

    def _link(self, title: str, address: str) -> CustomizationContentLinkInput:
        return CustomizationContentLinkInput(title=title, to=self._reference(address))

    def _reference(self, address: str) -> JsonObject:
        """A reference to an address, or to the page of a file below a folder."""
        if "://" in address:
            return JsonObject({"kind": "url", "url": address})
        folder, _, file = address.partition("/")
        space = self._spaces[folder].id
        return JsonObject({"kind": "page", "space": space, "page": self._page(folder, file)})

    def _page(self, folder: str, file: str) -> str:
        for id, page in self._examples[folder].changes.pages.items():
            if page is not None and page.git is not None and page.git["path"] == file:
                return str(id)
        raise LookupError(f"{folder}: there is no page of {file}")
