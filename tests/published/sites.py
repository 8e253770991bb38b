"""Published sites for tests, and the tokens of their visitors."""

from dataclasses import dataclass
from typing import Any

import jwt
from sqlalchemy import select

from db.enums import SiteVisibility
from db.models.organizations import Organization
from db.models.site_settings import PublishingAuth
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.session import Session
from tests import factories

CLAIMS_SCHEMA = {
    "type": "object",
    "properties": {
        "beta": {"type": "boolean", "description": "Takes part in the beta."},
        "plan": {"type": "string", "enum": ["free", "pro"], "description": "The plan."},
        "unsigned": {
            "type": "object",
            "description": "Unsigned claims of the site visitor.",
            "properties": {"language": {"type": "string", "description": "The language."}},
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}


@dataclass
class Published:
    """A site with sections, each with site spaces, by their paths."""

    site: Site
    sections: dict[str, SiteSection]
    # By `section/space`.
    site_spaces: dict[str, SiteSpace]
    private_key: str

    def token(self, key: str | None = None, algorithm: str = "HS256", **claims: Any) -> str:
        """The token of a visitor, signed with the site's key or another."""
        return jwt.encode(claims, key or self.private_key, algorithm)


async def make_sections(
    session: Session, organization: Organization, layout: dict[str, list[str]], **changes: Any
) -> Published:
    """A published site with these sections and site spaces; the first of each is the default."""
    site = await factories.make_site(session, organization, **{"published": True} | changes)
    sections: dict[str, SiteSection] = {}
    site_spaces: dict[str, SiteSpace] = {}
    for place, (path, inner) in enumerate(layout.items()):
        section = SiteSection(
            site_id=site.id, title=path.title(), path=path, position=place, place=place
        )
        session.add(section)
        await session.flush()
        sections[path] = section
        for position, name in enumerate(inner):
            space = await factories.make_space(session, organization, title=f"{path} {name}")
            site_spaces[f"{path}/{name}"] = await _placed(
                session, site, space, name, position, section
            )
        if inner:
            section.default_site_space_id = site_spaces[f"{path}/{inner[0]}"].id
    site.default_section_id = next(iter(sections.values())).id if sections else None
    await session.flush()
    return Published(site, sections, site_spaces, await private_key(session, site))


async def make_flat(
    session: Session, organization: Organization, *paths: str, **changes: Any
) -> Published:
    """A published site with these site spaces at its root; the first is the default."""
    site = await factories.make_site(session, organization, **{"published": True} | changes)
    site_spaces = {}
    for position, name in enumerate(paths):
        space = await factories.make_space(session, organization, title=name)
        site_spaces[name] = await _placed(session, site, space, name, position)
    site.default_site_space_id = site_spaces[paths[0]].id if paths else None
    await session.flush()
    return Published(site, {}, site_spaces, await private_key(session, site))


async def _placed(
    session: Session,
    site: Site,
    space: Space,
    path: str,
    position: int,
    section: SiteSection | None = None,
) -> SiteSpace:
    placed = SiteSpace(
        site_id=site.id,
        section_id=None if section is None else section.id,
        space_id=space.id,
        path=path,
        position=position,
        place=position,
    )
    session.add(placed)
    await session.flush()
    return placed


async def private_key(session: Session, site: Site) -> str:
    """The key that signs the tokens of a site's visitors."""
    found = select(PublishingAuth.private_key).where(PublishingAuth.site_id == site.id)
    return str((await session.execute(found)).scalar_one())


AUDIENCES = tuple(SiteVisibility)
