"""How sites and site spaces look: defaults, the site's settings, a site space's overrides.

Settings are stored sparse, each layer with what differs from those below it (docs/sites.md).
`site_customizations` and `site_space_customizations` give what holds in the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import select

from content.documents.evaluation import variables_context
from content.expressions.evaluation import holds
from db.enums import Role
from db.models.site_settings import SiteCustomization, SiteSpaceCustomization
from db.models.sites import Site, SiteSpace
from db.prepared import among
from resolvers.access.policy import must
from resolvers.core.arguments import InOrganization, InSite, SiteId, SiteSpaceId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import NothingToDelete
from resolvers.core.statements import Viewer, Written, rows_in, statement
from resolvers.customization.checks import check_settings
from resolvers.customization.defaults import DEFAULTS, SECTIONS, effective
from resolvers.customization.drafts import (
    forget,
    packed_changes,
    put_aside,
    taken_up,
    with_packed,
)
from resolvers.customization.json import difference, from_json, merged, overridden, to_json
from resolvers.customization.overrides import SiteSpaceCustomizationOverridesInput
from resolvers.customization.page_actions import refuse_assistant, switched
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.customization.table import Json
from resolvers.lists.batches import reads
from resolvers.sites.operations import get_site, must_site
from resolvers.sites.spaces import get_site_space


@dataclass
class SiteSpaceSettings(SiteCustomizationSettingsInput):
    """The settings that hold for a site space, and whether it has some of its own."""

    has_overrides: bool = False
    # All of them as JSON, with its members in order.
    canonical: bytes = b""


# Sites whose settings are kept as they were read: each page of a site is shown with the same.
LOOKS = 100


@lru_cache(maxsize=LOOKS)
def _read(canonical: bytes) -> SiteSpaceSettings:
    settings: SiteSpaceSettings = from_json(SiteSpaceSettings, orjson.loads(canonical))
    return settings


@lru_cache(maxsize=LOOKS)
def _json(canonical: bytes) -> Json:
    data: Json = to_json(_read(canonical))
    return data


def settings_as_json(settings: SiteSpaceSettings) -> Json:
    """The settings with the names of /v1, without what is null; not to be changed."""
    return _json(settings.canonical)


ID = only("id")
Stored = SiteCustomization | SiteSpaceCustomization


_of_sites = rows_in(
    SiteCustomization.site_id, "sites", SiteCustomization.site_id, SiteCustomization.settings
)


@statement
def _of_site_spaces(viewer: Viewer) -> Written:
    return (
        select(
            SiteSpace.id.label("site_space"),
            SiteCustomization.settings.label("below"),
            SiteSpaceCustomization.settings.label("above"),
        )
        .outerjoin(SiteCustomization, SiteCustomization.site_id == SiteSpace.site_id)
        .outerjoin(SiteSpaceCustomization, SiteSpaceCustomization.site_space_id == SiteSpace.id)
        .where(among(SiteSpace.id, "site_spaces"))
    )


@reads("id")
async def site_customizations(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteCustomizationSettingsInput]:
    """The settings that hold for each site: its own on top of the defaults, in one statement."""
    read = await _of_sites.rows(ctx, sites={row.id for row in rows})
    settings_by_site = {row.site_id: row.settings for row in read}
    return [_settings(ctx, await _previewed(ctx, settings_by_site.get(row.id))) for row in rows]


@reads("id")
async def site_space_customizations(
    ctx: Context, rows: Sequence[SiteSpace], arguments: Any
) -> list[SiteSpaceSettings]:
    """The settings that hold for each site space: its own on top of its site's; one statement."""
    layers = {
        row.site_space: (await _previewed(ctx, row.below), row.above)
        for row in await _of_site_spaces.rows(ctx, site_spaces={row.id for row in rows})
    }
    return [_site_space_settings(ctx, *layers.get(row.id, (None, None))) for row in rows]


def _settings(ctx: Context, own: Json | None) -> SiteCustomizationSettingsInput:
    data = _shown(ctx, effective(own))
    settings: SiteCustomizationSettingsInput = from_json(SiteCustomizationSettingsInput, data)
    return settings


def _site_space_settings(ctx: Context, below: Json | None, above: Json | None) -> SiteSpaceSettings:
    canonical = orjson.dumps(_shown(ctx, effective(below, above)), option=orjson.OPT_SORT_KEYS)
    return replace(_read(canonical), has_overrides=bool(above), canonical=canonical)


async def _previewed(ctx: Context, stored: Json | None) -> Json | None:
    """Settings of a site as its visitor sees them: in a preview of changes with these."""
    visitor = ctx.actor.visitor
    if visitor is None or visitor.customization is None:
        return stored
    return await with_packed(stored, visitor.customization)


def _shown(ctx: Context, settings: Json) -> Json:
    """For visitors, links of the header whose condition is not met are not there."""
    visitor = ctx.actor.visitor
    if visitor is None:
        return settings
    variables = variables_context({}, None, dict(visitor.claims))
    header = settings["header"]
    links = [link for link in header["links"] if holds(link.get("condition"), variables)]
    return {**settings, "header": {**header, "links": links}}


async def get_site_customization(
    ctx: Context, site_id: SiteId, organization_id: InOrganization = None
) -> SiteCustomizationSettingsInput:
    """How a site looks: its settings, with the defaults of what was not set."""
    site = await get_site(ctx, site_id, organization_id, projection=ID)
    (settings,) = await site_customizations(ctx, [site], None)
    return settings


async def get_site_space_customization(
    ctx: Context,
    site_space_id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpaceSettings:
    """How a site space looks: the settings of its site with its own on top of them."""
    row = await get_site_space(ctx, site_space_id, site_id, organization_id, projection=ID)
    (settings,) = await site_space_customizations(ctx, [row], None)
    return settings


async def replace_site_customization(
    ctx: Context,
    site_id: SiteId,
    input: SiteCustomizationSettingsInput,
    organization_id: InOrganization = None,
) -> SiteCustomizationSettingsInput:
    """Replace all settings of how a site looks; needs the organization role `create`.

    What is absent or null returns to its default. Overrides of site spaces stay.
    """
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    stored = await ctx.session.get(SiteCustomization, site.id)
    before = None if stored is None else dict(stored.settings)
    own = _replacement(input, before)
    if own != before:
        await _store(ctx, stored, SiteCustomization(site_id=site.id), own)
    return _settings(ctx, own)


def _replacement(input: SiteCustomizationSettingsInput, before: Json | None) -> Json:
    """What a site stores of new settings; Invalid for what they cannot be."""
    replacement = to_json(input)
    refuse_assistant(replacement)
    settings = switched(replacement, effective(before))
    check_settings(settings)
    return difference(merged(DEFAULTS, settings, SECTIONS), DEFAULTS, SECTIONS)


async def unsaved_changes(ctx: Context, site: Site, input: SiteCustomizationSettingsInput) -> str:
    """What these settings would change of how a site looks, for addresses of a preview."""
    rows = await _of_sites.rows(ctx, sites={site.id})
    before = rows[0].settings if rows else None
    packed = packed_changes(before or {}, _replacement(input, before))
    return await put_aside(ctx.blobs, site.id, packed)


async def carried_changes(ctx: Context, site_id: str, carried: str) -> str:
    """The changes behind what an address of a preview carries; Forbidden after its end."""
    return await taken_up(ctx.blobs, site_id, carried)


async def forget_changes(ctx: Context) -> None:
    """Remove changes that no preview shows any more."""
    await forget(ctx.blobs)


async def override_site_space_customization(
    ctx: Context,
    site_space_id: SiteSpaceId,
    input: SiteSpaceCustomizationOverridesInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpaceSettings:
    """Set settings of a site space that differ from its site's; needs the role `create`.

    Absent overrides stay as they are, and so do values that hold already; null removes one: the
    site space then follows its site.
    """
    row = await _writable(ctx, site_space_id, site_id, organization_id)
    stored = await ctx.session.get(SiteSpaceCustomization, row.id)
    above = {} if stored is None else dict(stored.settings)
    of_site = await ctx.session.get(SiteCustomization, row.site_id)
    below = None if of_site is None else dict(of_site.settings)
    own = overridden(above, input, effective(below, above))
    check_settings(own)
    if own != above:
        await _store(ctx, stored, SiteSpaceCustomization(site_space_id=row.id), own)
    return _site_space_settings(ctx, below, own)


async def delete_site_space_customization(
    ctx: Context,
    site_space_id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Remove all settings of a site space's own; needs the organization role `create`."""
    with finding_what_to_delete():
        row = await _writable(ctx, site_space_id, site_id, organization_id)
    stored = await ctx.session.get(SiteSpaceCustomization, row.id)
    if stored is None:
        raise NothingToDelete(f"site space {row.id!r} has no settings of its own")
    await ctx.session.delete(stored)
    return Deletion(deleted_id=row.id, site_space_id=row.id)


async def _writable(
    ctx: Context, id: SiteSpaceId, site_id: InSite, organization_id: InOrganization
) -> SiteSpace:
    """A site space whose settings the caller may change; its site is locked."""
    row = await get_site_space(ctx, id, site_id, organization_id)
    await must(ctx, Site, row.site_id, Role.CREATE, lock=True)
    return row


async def _store(ctx: Context, stored: Stored | None, empty: Stored, own: Json) -> None:
    """Store a layer of settings; an empty one has no row. Its site is locked."""
    if own:
        row = empty if stored is None else stored
        row.settings, row.updated_at = own, ctx.now()
        ctx.session.add(row)
    elif stored is not None:
        await ctx.session.delete(stored)
