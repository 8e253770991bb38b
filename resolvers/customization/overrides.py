"""Overrides of customization settings for one site space.

Each field has three states: absent stays, null removes the override, anything else sets it.
"""

import strawberry
from strawberry import Maybe

from db.customization_enums import (
    CustomizationBackground,
    CustomizationCorners,
    CustomizationDepth,
    CustomizationHeaderPreset,
    CustomizationIconsStyle,
    CustomizationLinksStyle,
    CustomizationLocale,
    CustomizationSearchStyle,
    CustomizationSidebarBackgroundStyle,
    CustomizationSidebarListStyle,
    CustomizationTheme,
    CustomizationThemeMode,
    SiteExternalLinksTarget,
)
from resolvers.core import inputs
from resolvers.core.scalars import Url
from resolvers.customization.json import Section
from resolvers.customization.values import (
    LINKS,
    CustomizationAnnouncementInput,
    CustomizationFaviconInput,
    CustomizationFooterGroupInput,
    CustomizationHeaderItemInput,
    CustomizationThemedCodeThemeInput,
    CustomizationThemedColorInput,
    CustomizationThemedURLInput,
    CustomizationTintInput,
)


@strawberry.input(description="Overrides of the table of contents; null removes one.")
class CustomizationSidebarOverridesInput(Section):
    background: Maybe[CustomizationSidebarBackgroundStyle | None] = inputs.field(
        "What is behind it."
    )
    list: Maybe[CustomizationSidebarListStyle | None] = inputs.field(
        "How the current page is marked."
    )


@strawberry.input(description="Overrides of colours of code; null removes one.")
class CustomizationCodeThemesOverridesInput(Section):
    default: Maybe[CustomizationThemedCodeThemeInput | None] = inputs.field("Of code in texts.")
    openapi: Maybe[CustomizationThemedCodeThemeInput | None] = inputs.field(
        "Of code of API references."
    )


@strawberry.input(description="Overrides of colours, shapes and fonts; null removes one.")
class CustomizationStylingOverridesInput(Section):
    theme: Maybe[CustomizationTheme | None] = inputs.field("The overall style.")
    primary_color: Maybe[CustomizationThemedColorInput | None] = inputs.field(
        "Colour of links, buttons and what is chosen."
    )
    tint: Maybe[CustomizationTintInput | None] = inputs.field(
        "A colour that everything is tinted with."
    )
    info_color: Maybe[CustomizationThemedColorInput | None] = inputs.field("Colour of information.")
    success_color: Maybe[CustomizationThemedColorInput | None] = inputs.field("Colour of success.")
    warning_color: Maybe[CustomizationThemedColorInput | None] = inputs.field("Colour of warnings.")
    danger_color: Maybe[CustomizationThemedColorInput | None] = inputs.field("Colour of danger.")
    corners: Maybe[CustomizationCorners | None] = inputs.field("How corners are drawn.")
    depth: Maybe[CustomizationDepth | None] = inputs.field("Whether things stand out by shadows.")
    links: Maybe[CustomizationLinksStyle | None] = inputs.field("How links in a text are drawn.")
    background: Maybe[CustomizationBackground | None] = inputs.field(
        "Deprecated: `theme` decides about the background."
    )
    code_theme: Maybe[CustomizationCodeThemesOverridesInput | None] = inputs.field(
        "Colours of code."
    )
    icons: Maybe[CustomizationIconsStyle | None] = inputs.field("How icons are drawn.")
    sidebar: Maybe[CustomizationSidebarOverridesInput | None] = inputs.field(
        "The table of contents."
    )
    search: Maybe[CustomizationSearchStyle | None] = inputs.field("Where the search field stands.")


@strawberry.input(description="Overrides of the language of a site's own words; null removes one.")
class CustomizationInternationalizationOverridesInput(Section):
    locale: Maybe[CustomizationLocale | None] = inputs.field(
        "Deprecated: the language of the spaces decides."
    )


@strawberry.input(description="Overrides of what is above every page; null removes one.")
class CustomizationHeaderOverridesInput(Section):
    preset: Maybe[CustomizationHeaderPreset | None] = inputs.field(
        "Deprecated: `theme` decides about its colours."
    )
    logo: Maybe[CustomizationThemedURLInput | None] = inputs.field("Picture in place of the title.")
    background_color: Maybe[CustomizationThemedColorInput | None] = inputs.field(
        "Deprecated: colour behind it with the preset `custom`."
    )
    link_color: Maybe[CustomizationThemedColorInput | None] = inputs.field(
        "Deprecated: colour of its links with the preset `custom`."
    )
    links: Maybe[list[CustomizationHeaderItemInput] | None] = inputs.items(
        "Its links and menus.", max=LINKS
    )


@strawberry.input(description="Overrides of what is below every page; null removes one.")
class CustomizationFooterOverridesInput(Section):
    logo: Maybe[CustomizationThemedURLInput | None] = inputs.field("Picture in it.")
    groups: Maybe[list[CustomizationFooterGroupInput] | None] = inputs.items(
        "Groups of links.", max=LINKS
    )
    copyright: Maybe[str | None] = inputs.text("What it says of the copyright.", max=300)


@strawberry.input(description="Overrides of light and dark surroundings; null removes one.")
class CustomizationThemesOverridesInput(Section):
    default: Maybe[CustomizationThemeMode | None] = inputs.field("What visitors see first.")
    toggeable: Maybe[bool | None] = inputs.field("Whether visitors may choose; spelt as in /v1.")


@strawberry.input(description="Overrides of something that is on or off; null removes one.")
class CustomizationSwitchOverridesInput(Section):
    enabled: Maybe[bool | None] = inputs.field("Whether it is on.")


@strawberry.input(description="Overrides of an address; null removes one.")
class CustomizationAddressOverridesInput(Section):
    url: Maybe[Url | None] = inputs.field("The address.")


@strawberry.input(description="Overrides of the repository behind the pages; null removes one.")
class CustomizationGitOverridesInput(Section):
    show_edit_link: Maybe[bool | None] = inputs.field("Whether pages have a link to their source.")


@strawberry.input(description="Overrides of links to other sites; null removes one.")
class CustomizationExternalLinksOverridesInput(Section):
    target: Maybe[SiteExternalLinksTarget | None] = inputs.field("Where they are opened.")


@strawberry.input(
    description="Settings of a site space that differ from its site's: absent ones stay as they "
    "are, null removes one."
)
class SiteSpaceCustomizationOverridesInput(Section):
    title: Maybe[str | None] = inputs.text("Name in place of the site's title.", min=2, max=128)
    styling: Maybe[CustomizationStylingOverridesInput | None] = inputs.field(
        "Colours, shapes and fonts."
    )
    internationalization: Maybe[CustomizationInternationalizationOverridesInput | None] = (
        inputs.field("The language of a site's own words.")
    )
    favicon: Maybe[CustomizationFaviconInput | None] = inputs.field("Icon in the tab of a browser.")
    header: Maybe[CustomizationHeaderOverridesInput | None] = inputs.field(
        "What is above every page."
    )
    footer: Maybe[CustomizationFooterOverridesInput | None] = inputs.field(
        "What is below every page."
    )
    announcement: Maybe[CustomizationAnnouncementInput | None] = inputs.field(
        "A message above every page."
    )
    themes: Maybe[CustomizationThemesOverridesInput | None] = inputs.field(
        "Light and dark surroundings."
    )
    pdf: Maybe[CustomizationSwitchOverridesInput | None] = inputs.field(
        "Whether visitors may save pages as PDF."
    )
    feedback: Maybe[CustomizationSwitchOverridesInput | None] = inputs.field(
        "Whether visitors may rate pages."
    )
    git: Maybe[CustomizationGitOverridesInput | None] = inputs.field(
        "The repository behind the pages."
    )
    external_links: Maybe[CustomizationExternalLinksOverridesInput | None] = inputs.field(
        "Links to other sites."
    )
    pagination: Maybe[CustomizationSwitchOverridesInput | None] = inputs.field(
        "Whether pages link to the previous and the next one."
    )
    trademark: Maybe[CustomizationSwitchOverridesInput | None] = inputs.field(
        "Whether pages mention this software."
    )
    privacy_policy: Maybe[CustomizationAddressOverridesInput | None] = inputs.field(
        "The privacy policy."
    )
    social_preview: Maybe[CustomizationAddressOverridesInput | None] = inputs.field(
        "The picture that links to the site have elsewhere."
    )
