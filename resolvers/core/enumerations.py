"""Registers the domain's enumerations with GraphQL: names are GraphQL's, values are /v1's.

Whatever declares inputs or types imports this first: an input class that meets an enumeration
before it is registered would give it a definition of its own.
"""

import enum
import inspect
from collections.abc import Mapping

import strawberry

from db import (
    audit_enums,
    content_enums,
    customization_enums,
    enums,
    event_enums,
    git_enums,
    integration_enums,
    job_enums,
    notification_enums,
    order_enums,
    site_enums,
    specification_enums,
    storage_enums,
    translation_enums,
    webhook_enums,
)

_MODULES = (
    enums,
    audit_enums,
    content_enums,
    customization_enums,
    job_enums,
    event_enums,
    git_enums,
    integration_enums,
    notification_enums,
    order_enums,
    site_enums,
    specification_enums,
    storage_enums,
    translation_enums,
    webhook_enums,
)

# Enumerations whose values are names of things: how one is described, of its value and its name.
PATTERNS: Mapping[str, str] = {
    "Language": "The language with the tag `{value}` (BCP 47).",
    "CustomizationLocale": "The language with the tag `{value}` (BCP 47).",
    "SiteType": "The plan that clients know as `{value}`.",
    "SiteFeatureKey": "{words}.",
    "SiteCustomizationFeature": "{words}.",
    "CustomizationCodeTheme": "The colours of `{value}`.",
    "SiteSocialAccountPlatform": "An account on {words}.",
    "CustomizationDefaultFont": "The font {titled}.",
    "CustomizationDefaultMonospaceFont": "The font {titled}.",
}


def _description(value: enum.Enum) -> str | None:
    if isinstance(value, enums.Described):
        return value.description
    words = value.name.removeprefix("SITES_").replace("_", " ").capitalize()
    pattern = PATTERNS.get(type(value).__name__)
    return pattern and pattern.format(value=value.value, words=words, titled=words.title())


for _kind in [value for module in _MODULES for value in vars(module).values()]:
    # What has no members is what enumerations are made of.
    if inspect.isclass(_kind) and issubclass(_kind, enum.Enum) and len(_kind):
        strawberry.enum(_kind, description=inspect.cleandoc(_kind.__doc__ or ""))
        for _value in _kind.__strawberry_definition__.values:  # type: ignore[attr-defined]
            _value.description = _description(_kind[_value.name])
