"""What holds in the rows of a site after every write (docs/sites.md)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.slugs import slug_key
from db.models.site_settings import SitePathRedirect
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from db.session import Session


@dataclass
class StoredSite:
    """The rows of a site; `alive` has the ids of spaces that are not in the bin."""

    site: Site
    sections: list[SiteSection]
    groups: list[SiteSectionGroup]
    spaces: list[SiteSpace]
    redirects: list[SitePathRedirect]
    alive: set[str]

    def shown(self) -> list[SiteSpace]:
        """The site spaces that are not in the bin."""
        return [one for one in self.spaces if one.space_id in self.alive]

    def check_order(self) -> None:
        """Positions and places are dense, each space stands there once, forms do not mix."""
        assert len({one.space_id for one in self.spaces}) == len(self.spaces)
        kinds: list[list[Any]] = [self.sections, self.groups, self.spaces]
        for kind in kinds:
            assert sorted(one.place for one in kind) == list(range(len(kind)))
        levels: dict[Any, list[int]] = {}
        for section in self.sections:
            levels.setdefault(("headed", section.group_id), []).append(section.position)
        for group in self.groups:
            levels.setdefault(("headed", group.parent_id), []).append(group.position)
        for space in self.spaces:
            levels.setdefault(("spaces", space.section_id), []).append(space.position)
        for positions in levels.values():
            assert sorted(positions) == list(range(len(positions)))
        assert all((one.section_id is None) is (not self.sections) for one in self.spaces)
        assert self.sections or not self.groups

    def check_defaults(self, shown: dict[str | None, str]) -> None:
        """Where there is something, one of it is the default; `shown` are those by section."""
        assert (self.site.default_section_id is None) is (not self.sections)
        owners: list[tuple[Site | SiteSection, str | None]] = [(self.site, None)]
        for owner, key in [*owners, *((one, one.id) for one in self.sections)]:
            under = {one.id: one for one in self.spaces if one.section_id == key}
            chosen = under.get(owner.default_site_space_id or "")
            assert (owner.default_site_space_id is None) is (not under)
            assert (chosen is None) is (not under)
            if chosen is not None and chosen.space_id in self.alive:
                assert shown[key] == chosen.id

    def check_redirects(self) -> None:
        """No redirect from where something stands, and each leads to something."""
        located: list[SiteSection | SiteSpace] = [*self.sections, *self.spaces]
        paths = {one.id: slug_key(one.path) for one in located}
        live = {paths[one.id] for one in self.sections}
        for one in self.spaces:
            if one.section_id is None or one.section_id == self.site.default_section_id:
                live.add(paths[one.id])
            if one.section_id is not None:
                live.add(f"{paths[one.section_id]}/{paths[one.id]}")
        for redirect in self.redirects:
            assert redirect.key not in live
            assert (redirect.section_id or redirect.site_space_id) in paths


async def stored_site(session: Session, id: str) -> StoredSite:
    """The rows of a site."""

    async def rows(model: Any) -> list[Any]:
        return list((await session.execute(select(model).where(model.site_id == id))).scalars())

    site = await session.get(Site, id)
    assert site is not None
    kept = select(Space.id).where(Space.deleted_at.is_(None))
    alive = set((await session.execute(kept)).scalars())
    return StoredSite(
        site, await rows(SiteSection), await rows(SiteSectionGroup), await rows(SiteSpace),
        await rows(SitePathRedirect), alive,
    )  # fmt: skip
