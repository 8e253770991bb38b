"""Overrides of customization settings for one site space, derived from the table of settings.

Each field has three states: absent stays, null removes the override, anything else sets it.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import strawberry
from strawberry import Maybe

from resolvers.core import inputs
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.customization.table import SITE_ONLY, Section, rows_of, with_fields, words_of

T = TypeVar("T")
# To the type checker a function, for its types are known at run time only.
_MAYBE: Any = Maybe


def _overriding(section: Any, description: str) -> Callable[[type[T]], type[T]]:
    """Gives a class the fields of a section that can be overridden."""

    def decorate(cls: type[T]) -> type[T]:
        fields = {}
        for row in rows_of(section):
            if not row.field.metadata[SITE_ONLY]:
                type_ = overrides_of(row.type) if row.is_section else row.type
                field = inputs.field(row.field.description, metadata=row.field.metadata)
                fields[row.attribute] = (_MAYBE[row.hint(type_) | None], field)
        return strawberry.input(with_fields(cls, fields), description=description)

    return decorate


@cache
def overrides_of(section: Any) -> Any:
    """The input with the overrides of a section."""
    name, words = section.__name__.removesuffix("Input"), words_of(section)
    description = f"Overrides of {words[0].lower()}{words[1:]}; null removes one."
    return _overriding(section, description)(type(f"{name}OverridesInput", (Section,), {}))


@_overriding(
    SiteCustomizationSettingsInput,
    "Settings of a site space that differ from its site's: absent ones stay as they are, null "
    "removes one.",
)
class SiteSpaceCustomizationOverridesInput(Section):
    """What a site space has of its own."""
