"""Values of customization settings: colours, pictures, fonts, links, announcements.

Settings and overrides are made of them; each is replaced as a whole. The input classes are also
what a read gives: both interfaces show their attributes.
"""

from typing import Any

import strawberry

from content.emoji import ALLOWED, EMOJI, LENGTH as EMOJI_LENGTH
from db.customization_enums import (
    CustomizationAnnouncementStyle,
    CustomizationCodeTheme,
    CustomizationDefaultFont,
    CustomizationDefaultMonospaceFont,
    CustomizationHeaderItemStyle,
    FontFormat,
    SiteSocialAccountPlatform,
)
from resolvers.core import inputs
from resolvers.core.json_schemas import REFERENCE_SCHEMA
from resolvers.core.scalars import JsonObject, Url

COLOR = "#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
CONDITION_LENGTH = 1024
# Links of a header, of one of its menus or of a group; groups of a footer.
LINKS = 100
FONT_FACES, FONT_SOURCES = 100, 20


def _color(description: str) -> Any:
    allowed = "#RGB, #RRGGBB or #RRGGBBAA in hexadecimal digits"
    return inputs.text(description, pattern=COLOR, allowed=allowed, required=True)


def _reference() -> Any:
    return inputs.field(
        "Content reference: `kind` (`url`, `page`, `space` ...) and what it names. "
        f"{REFERENCE_SCHEMA}",
        required=True,
    )


@strawberry.input(description="A colour for light and for dark surroundings.")
class CustomizationThemedColorInput:
    light: str = _color("The colour on a light background: `#RGB`, `#RRGGBB` or `#RRGGBBAA`.")
    dark: str = _color("The colour on a dark background.")


@strawberry.input(description="A picture for light and for dark surroundings.")
class CustomizationThemedURLInput:
    light: Url = inputs.field("Address of the picture on a light background.", required=True)
    dark: Url = inputs.field("Address of the picture on a dark background.", required=True)


@strawberry.input(description="A colour that the whole site is tinted with.")
class CustomizationTintInput:
    color: CustomizationThemedColorInput = inputs.field("The colour.", required=True)


@strawberry.input(description="A file of a font.")
class FontSourceInput:
    url: Url = inputs.field("Its address.", required=True)
    format: FontFormat | None = inputs.field("Its format.")


@strawberry.input(description="One weight of a font.")
class FontFaceInput:
    weight: int = inputs.number("Weight.", min=1, max=1000, required=True)
    sources: list[FontSourceInput] = inputs.items(
        "Its files; the first that a browser can read is used.",
        min=1,
        max=FONT_SOURCES,
        required=True,
    )


@strawberry.input(description="A font of one's own.")
class CustomizationFontDefinitionInput:
    id: str = inputs.text("Id of the font.", min=1, max=100, required=True)
    custom: bool = inputs.field("Whether it was uploaded.", required=True)
    font_family: str = inputs.text("Name of the family.", min=1, max=50, required=True)
    font_faces: list[FontFaceInput] = inputs.items(
        "Its weights.", min=1, max=FONT_FACES, required=True
    )


@strawberry.input(description="A font: one that is known by name, or one of your own.", one_of=True)
class CustomizationFontInput(inputs.Untagged):
    name: CustomizationDefaultFont | None = inputs.field("A font by name.", one_of=True)
    definition: CustomizationFontDefinitionInput | None = inputs.field(
        "A font of your own.", one_of=True
    )


@strawberry.input(
    description="A font for code: one that is known by name, or one of your own.", one_of=True
)
class CustomizationMonospaceFontInput(inputs.Untagged):
    name: CustomizationDefaultMonospaceFont | None = inputs.field("A font by name.", one_of=True)
    definition: CustomizationFontDefinitionInput | None = inputs.field(
        "A font of your own.", one_of=True
    )


@strawberry.input(description="The icon in the tab of a browser: a picture, an emoji, or neither.")
class CustomizationFaviconInput:
    icon: CustomizationThemedURLInput | None = inputs.field("A picture; not beside an emoji.")
    emoji: str | None = inputs.text(
        "An emoji: the character, or its code points in hexadecimal.",
        max=EMOJI_LENGTH,
        pattern=EMOJI,
        allowed=ALLOWED,
    )


@strawberry.input(description="A link of a menu, a footer or an announcement.")
class CustomizationContentLinkInput:
    title: str = inputs.text("Its text.", max=64, required=True)
    to: JsonObject = _reference()


@strawberry.input(description="A link in the header, or a menu of links.")
class CustomizationHeaderItemInput:
    title: str = inputs.text("Its text.", max=256, required=True)
    style: CustomizationHeaderItemStyle | None = inputs.field("How it is drawn; a link if absent.")
    to: JsonObject | None = inputs.field(
        "Content reference: `kind` (`url`, `page`, `space` ...) and what it names; null for what "
        f"only opens a menu. {REFERENCE_SCHEMA}"
    )
    links: list[CustomizationContentLinkInput] | None = inputs.items(
        "The links of its menu; none when absent.", max=LINKS
    )
    condition: str | None = inputs.text(
        "Expression that decides whether a visitor sees it.", max=CONDITION_LENGTH
    )


@strawberry.input(description="Links in the footer under a title.")
class CustomizationFooterGroupInput:
    title: str = inputs.text("The title.", max=256, required=True)
    links: list[CustomizationContentLinkInput] = inputs.items(
        "The links.", max=LINKS, required=True
    )


@strawberry.input(description="A message above every page.")
class CustomizationAnnouncementInput:
    enabled: bool = inputs.field("Whether it is shown.", required=True)
    message: str = inputs.text("What it says.", min=2, max=128, required=True)
    link: CustomizationContentLinkInput | None = inputs.field("Where to read more.")
    style: CustomizationAnnouncementStyle = inputs.field("Its colour.", required=True)


@strawberry.input(description="Colours of code for light and for dark surroundings.")
class CustomizationThemedCodeThemeInput:
    light: CustomizationCodeTheme = inputs.field("Those on a light background.", required=True)
    dark: CustomizationCodeTheme = inputs.field("Those on a dark background.", required=True)


@strawberry.input(description="Where an account is shown.")
class SiteSocialAccountDisplayInput:
    footer: bool = inputs.field("In the footer.", required=True)
    header: bool = inputs.field("In the header.", required=True)


@strawberry.input(description="An account of the site's owner elsewhere.")
class SiteSocialAccountInput:
    platform: SiteSocialAccountPlatform = inputs.field("Where it is.", required=True)
    handle: str = inputs.text(
        "Its name there, without a prefix such as @.", min=1, max=128, required=True
    )
    display: SiteSocialAccountDisplayInput = inputs.field("Where it is shown.", required=True)
