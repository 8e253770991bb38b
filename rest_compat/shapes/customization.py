"""How docs sites and site spaces look in /v1: all that the types of GraphQL have."""

from functools import cache
from typing import Any

from strawberry.types import has_object_definition
from strawberry.types.base import StrawberryContainer, StrawberryOptional

from resolvers.core.naming import camel
from resolvers.customization import values
from rest_compat.shape import Member, Shape, named_shape, nested, shape
from rest_compat.shapes.sites.sites import THEMED_URL
from schema.types import customization
from schema.types.sites.sites import ThemedUrl
from schema.wiring import source_of

# A font is its name, or the object that defines it.
UNTAGGED = [
    customization.type_of(font)
    for font in (values.CustomizationFontInput, values.CustomizationMonospaceFontInput)
]
# Members of the styling that stand behind the others.
LAST = ("font", "monospaceFont", "sidebar")


def _shape(name: str, type_: Any) -> Shape:
    """The plain values of a type, then its objects."""
    plain: list[str] = []
    objects: dict[str, Member] = {}
    for field in type_.__strawberry_definition__.fields:
        if source_of(field).batch is not None:
            # Only GraphQL shows references with their types.
            continue
        member, inner = field.graphql_name or camel(field.python_name), field.type
        optional = isinstance(inner, StrawberryOptional)
        while isinstance(inner, StrawberryContainer):
            inner = inner.of_type
        if has_object_definition(inner):
            untagged = inner in UNTAGGED
            objects[member] = nested(_shape_of(inner), optional=optional, untagged=untagged)
        else:
            plain.append(f"{member}?" if optional else member)
    for member in LAST:
        if member in objects:
            objects[member] = objects.pop(member)
    return named_shape(name, type_, " ".join(plain), **objects)


@cache
def _shape_of(type_: Any) -> Shape:
    return WRITTEN_OUT.get(type_) or _shape(type_.__name__, type_)


# Those with members of another name, or that are there when they are null.
WRITTEN_OUT = {
    ThemedUrl: THEMED_URL,
    customization.CustomizationFontDefinition: shape(
        customization.CustomizationFontDefinition,
        "id:fontId custom fontFamily",
        fontFaces=lambda: _shape_of(customization.FontFace),
    ),
    customization.CustomizationHeaderItem: shape(
        customization.CustomizationHeaderItem,
        "title style? to condition?",
        links=lambda: _shape_of(customization.CustomizationContentLink),
    ),
}
SITE_CUSTOMIZATION = _shape("SiteCustomizationSettings", customization.SiteCustomization)
SITE_SPACE_CUSTOMIZATION = _shape(
    "SiteSpaceCustomizationSettings", customization.SiteSpaceCustomization
)
