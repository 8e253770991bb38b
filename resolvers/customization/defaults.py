"""Defaults of customization (docs/sites.md, "Look")."""

from typing import Any

from resolvers.customization.json import Sections, merged
from resolvers.customization.page_actions import with_items
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.customization.table import Json, rows_of


def _defaults(section: Any) -> Json:
    defaults = {}
    for row in rows_of(section):
        if row.default is not None:
            defaults[row.name] = row.default
        elif row.is_section:
            defaults[row.name] = _defaults(row.type)
    return defaults


def _sections(section: Any) -> Sections:
    """The sections below a section, by their names."""
    return {row.name: _sections(row.type) for row in rows_of(section) if row.is_section}


DEFAULTS = _defaults(SiteCustomizationSettingsInput)
SECTIONS = _sections(SiteCustomizationSettingsInput)


def effective(*layers: Json | None) -> Json:
    """The settings that hold: the defaults with each layer on top of those before it."""
    settings = DEFAULTS
    for layer in layers:
        if layer:
            settings = merged(settings, layer, SECTIONS)
    return with_items(settings)
