"""How docs sites and site spaces look.

A type has the fields of the input with the same name (resolvers/customization/table.py): what holds
is not null where there is a default. Written out are those whose words or fields differ.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import strawberry
from strawberry.types import has_object_definition

from db.customization_enums import (
    CustomizationHeaderItemStyle,
    CustomizationPageActionType,
    FontFormat,
)
from resolvers import typed_fields
from resolvers.core.scalars import JsonObject, Url
from resolvers.customization import settings, values
from resolvers.customization.table import rows_of, with_fields, words_of
from schema.types.references import ContentReference
from schema.types.sites.sites import ThemedUrl
from schema.wiring import batch, column

T = TypeVar("T")


def _with_fields_of(input_class: Any, description: str) -> Callable[[type[T]], type[T]]:
    """Gives a class the fields of an input."""

    def decorate(cls: type[T]) -> type[T]:
        fields = {}
        for row in rows_of(input_class):
            hint = row.hint(type_of(row.type))
            if not row.listed and row.optional and row.default is None and not row.is_section:
                hint = hint | None
            fields[row.attribute] = (hint, column(row.field.description))
        return strawberry.type(with_fields(cls, fields), description=description)

    return decorate


@cache
def type_of(input_type: Any) -> Any:
    """The type that shows what an input of a type has set; scalars show themselves."""
    if input_type in _WRITTEN_OUT:
        return _WRITTEN_OUT[input_type]
    if not has_object_definition(input_type):
        return input_type
    name = input_type.__name__.removesuffix("Input")
    return _with_fields_of(input_type, f"{words_of(input_type)}.")(type(name, (), {}))


@strawberry.type(description="A colour for light and for dark surroundings.")
class CustomizationThemedColor:
    light: str = column("The colour on a light background.")
    dark: str = column("The colour on a dark background.")


@strawberry.type(description="A file of a font.")
class FontSource:
    url: Url = column("Its address.")
    format: FontFormat | None = column("Its format.")


@strawberry.type(description="One weight of a font.")
class FontFace:
    weight: int = column("Weight.")
    sources: list[FontSource] = column("Its files; the first that a browser can read is used.")


@strawberry.type(description="A font of one's own.")
class CustomizationFontDefinition:
    font_id: str = column("Id of the font.", attribute="id")
    custom: bool = column("Whether it was uploaded.")
    font_family: str = column("Name of the family.")
    font_faces: list[FontFace] = column("Its weights.")


@strawberry.type(description="The icon in the tab of a browser: a picture, an emoji, or neither.")
class CustomizationFavicon:
    icon: ThemedUrl | None = column("A picture.")
    emoji: str | None = column("An emoji: the character, or its code points in hexadecimal.")


@strawberry.type(description="A link of a menu, a footer or an announcement.")
class CustomizationContentLink:
    title: str = column("Its text.")
    to: JsonObject = column("Content reference: `kind` and what it names.")
    typed_to: ContentReference = batch(
        typed_fields.link_ends, "The content reference with its type."
    )


@strawberry.type(description="A link in the header, or a menu of links.")
class CustomizationHeaderItem:
    title: str = column("Its text.")
    style: CustomizationHeaderItemStyle | None = column("How it is drawn; a link if null.")
    to: JsonObject | None = column(
        "Content reference: `kind` and what it names. Null for what only opens a menu."
    )
    typed_to: ContentReference | None = batch(
        typed_fields.link_ends,
        "The content reference with its type. Null for what only opens a menu.",
    )
    links: list[CustomizationContentLink] = column("The links of its menu.")
    condition: str | None = column("Expression that decides whether a visitor sees it.")


@strawberry.type(description="What visitors can do with a page.")
class CustomizationPageActions:
    external_ai: bool = strawberry.field(
        name="externalAI", description="Whether it can be opened in an assistant elsewhere."
    )
    markdown: bool = column("Whether it can be copied as Markdown.")
    mcp: bool = column("Whether the site answers by MCP.")
    items: list[CustomizationPageActionType] = column("All that visitors can do, in their order.")


_WRITTEN_OUT: dict[Any, Any] = {
    values.CustomizationThemedColorInput: CustomizationThemedColor,
    values.CustomizationThemedURLInput: ThemedUrl,
    values.CustomizationFontDefinitionInput: CustomizationFontDefinition,
    values.CustomizationFaviconInput: CustomizationFavicon,
    values.CustomizationContentLinkInput: CustomizationContentLink,
    values.CustomizationHeaderItemInput: CustomizationHeaderItem,
    settings.CustomizationPageActionsInput: CustomizationPageActions,
}


@_with_fields_of(
    settings.SiteCustomizationSettingsInput,
    "How a site looks, with the defaults of what was not set.",
)
class SiteCustomization:
    """The settings of a site."""


@strawberry.type(
    description="How a site space looks: the settings of its site with its own on top of them."
)
class SiteSpaceCustomization(SiteCustomization):
    has_overrides: bool = column("Whether it has settings of its own.")
