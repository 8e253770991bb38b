"""Customization settings of a site: the parts whose fields are merged one by one."""

import strawberry

from db.customization_enums import (
    CustomizationAIMode,
    CustomizationBackground,
    CustomizationCorners,
    CustomizationDepth,
    CustomizationHeaderPreset,
    CustomizationIconsStyle,
    CustomizationLinksStyle,
    CustomizationLocale,
    CustomizationPageActionType,
    CustomizationSearchStyle,
    CustomizationSidebarBackgroundStyle,
    CustomizationSidebarListStyle,
    CustomizationTheme,
    CustomizationThemeMode,
    SiteExternalLinksTarget,
)
from resolvers.core.inputs import Bounds
from resolvers.core.scalars import Url
from resolvers.customization.table import Json, Section, section, setting
from resolvers.customization.values import (
    LINKS,
    CustomizationAnnouncementInput,
    CustomizationFaviconInput,
    CustomizationFontInput,
    CustomizationFooterGroupInput,
    CustomizationHeaderItemInput,
    CustomizationMonospaceFontInput,
    CustomizationThemedCodeThemeInput,
    CustomizationThemedColorInput,
    CustomizationThemedURLInput,
    CustomizationTintInput,
    SiteSocialAccountInput,
)


def _both(color: str) -> Json:
    """A colour that is the same in light and in dark surroundings."""
    return {"light": color, "dark": color}


_CODE = {"light": "default-light", "dark": "default-dark"}
_ON = {"enabled": True}
_MANY = Bounds(maximum=LINKS)


@section("The table of contents")
class CustomizationSidebarInput(Section):
    background: CustomizationSidebarBackgroundStyle | None = setting(
        "What is behind it.", "default"
    )
    list: CustomizationSidebarListStyle | None = setting(
        "How the current page is marked.", "default"
    )


@section("Colours of code")
class CustomizationCodeThemesInput(Section):
    default: CustomizationThemedCodeThemeInput | None = setting("Of code in texts.", _CODE)
    openapi: CustomizationThemedCodeThemeInput | None = setting("Of code of API references.", _CODE)


@section("Colours, shapes and fonts")
class CustomizationStylingInput(Section):
    theme: CustomizationTheme | None = setting("The overall style.", "clean")
    primary_color: CustomizationThemedColorInput | None = setting(
        "Colour of links, buttons and what is chosen.", {"light": "#346DDB", "dark": "#6CA0F6"}
    )
    tint: CustomizationTintInput | None = setting("A colour that everything is tinted with.")
    info_color: CustomizationThemedColorInput | None = setting(
        "Colour of information.", _both("#787878")
    )
    success_color: CustomizationThemedColorInput | None = setting(
        "Colour of success.", _both("#008847")
    )
    warning_color: CustomizationThemedColorInput | None = setting(
        "Colour of warnings.", _both("#CC7D00")
    )
    danger_color: CustomizationThemedColorInput | None = setting(
        "Colour of danger.", _both("#D3312B")
    )
    corners: CustomizationCorners | None = setting("How corners are drawn.", "rounded")
    depth: CustomizationDepth | None = setting("Whether things stand out by shadows.", "subtle")
    links: CustomizationLinksStyle | None = setting("How links in a text are drawn.", "default")
    font: CustomizationFontInput | None = setting("Font of texts.", "Inter", site_only=True)
    monospace_font: CustomizationMonospaceFontInput | None = setting(
        "Font of code.", "IBMPlexMono", site_only=True
    )
    background: CustomizationBackground | None = setting(
        "Deprecated: `theme` decides about the background.", "plain"
    )
    code_theme: CustomizationCodeThemesInput | None = setting("Colours of code.")
    icons: CustomizationIconsStyle | None = setting("How icons are drawn.", "regular")
    sidebar: CustomizationSidebarInput | None = setting("The table of contents.")
    search: CustomizationSearchStyle | None = setting("Where the search field stands.", "prominent")


@section("The language of a site's own words")
class CustomizationInternationalizationInput(Section):
    locale: CustomizationLocale | None = setting(
        "Deprecated: the language of the spaces decides.", "en"
    )


@section("What is above every page")
class CustomizationHeaderInput(Section):
    preset: CustomizationHeaderPreset | None = setting(
        "Deprecated: `theme` decides about its colours.", "default"
    )
    logo: CustomizationThemedURLInput | None = setting("Picture in place of the title.")
    background_color: CustomizationThemedColorInput | None = setting(
        "Deprecated: colour behind it with the preset `custom`."
    )
    link_color: CustomizationThemedColorInput | None = setting(
        "Deprecated: colour of its links with the preset `custom`."
    )
    links: list[CustomizationHeaderItemInput] | None = setting(
        "Its links and menus.", [], bounds=_MANY
    )


@section("What is below every page")
class CustomizationFooterInput(Section):
    logo: CustomizationThemedURLInput | None = setting("Picture in it.")
    groups: list[CustomizationFooterGroupInput] | None = setting(
        "Groups of links.", [], bounds=_MANY
    )
    copyright: str | None = setting("What it says of the copyright.", bounds=Bounds(maximum=300))


@section("Light and dark surroundings")
class CustomizationThemesInput(Section):
    default: CustomizationThemeMode | None = setting("What visitors see first.", "light")
    toggeable: bool | None = setting("Whether visitors may choose; spelt as in /v1.", True)


@section("Something that is on or off")
class CustomizationSwitchInput(Section):
    enabled: bool | None = setting("Whether it is on.", False)


@section("An address")
class CustomizationAddressInput(Section):
    url: Url | None = setting("The address.")


@section("Assistants")
class CustomizationAIInput(Section):
    mode: CustomizationAIMode | None = setting("What they do on the site.", "none")


@section("The repository behind the pages")
class CustomizationGitInput(Section):
    show_edit_link: bool | None = setting("Whether pages have a link to their source.", False)


@section("What visitors can do with a page")
class CustomizationPageActionsInput(Section):
    external_ai: bool | None = setting(
        "Whether it can be opened in an assistant elsewhere.", False, name="externalAI"
    )
    markdown: bool | None = setting("Whether it can be copied as Markdown.", True)
    mcp: bool | None = setting("Whether the site answers by MCP.", True)
    items: list[CustomizationPageActionType] | None = setting(
        "All that visitors can do, in order; other fields say the same of each. Whichever of the "
        "two differs from what holds is the change.",
        ["markdown", "mcp", "pdf"],
        bounds=Bounds(maximum=6),
    )


@section("Links to other sites")
class CustomizationExternalLinksInput(Section):
    target: SiteExternalLinksTarget | None = setting("Where they are opened.", "self")


@section("What is learnt of visitors")
class CustomizationInsightsInput(Section):
    tracking_cookie: bool | None = setting("Whether a cookie tells visitors apart.", True)


@strawberry.input(description="How a site looks; everything that is absent returns to its default.")
class SiteCustomizationSettingsInput(Section):
    title: str | None = setting("Name in place of the site's title.", bounds=Bounds(2, 128))
    styling: CustomizationStylingInput | None = setting("Colours, shapes and fonts.")
    internationalization: CustomizationInternationalizationInput | None = setting(
        "The language of a site's own words."
    )
    favicon: CustomizationFaviconInput | None = setting("Icon in the tab of a browser.", {})
    header: CustomizationHeaderInput | None = setting("What is above every page.")
    footer: CustomizationFooterInput | None = setting("What is below every page.")
    announcement: CustomizationAnnouncementInput | None = setting("A message above every page.")
    themes: CustomizationThemesInput | None = setting("Light and dark surroundings.")
    pdf: CustomizationSwitchInput | None = setting("Whether visitors may save pages as PDF.", _ON)
    feedback: CustomizationSwitchInput | None = setting("Whether visitors may rate pages.")
    ai: CustomizationAIInput | None = setting("Assistants.", site_only=True)
    advanced_customization: CustomizationSwitchInput | None = setting(
        "Whether integrations may change the look.", site_only=True
    )
    git: CustomizationGitInput | None = setting("The repository behind the pages.")
    page_actions: CustomizationPageActionsInput | None = setting(
        "What visitors can do with a page.", site_only=True
    )
    external_links: CustomizationExternalLinksInput | None = setting("Links to other sites.")
    pagination: CustomizationSwitchInput | None = setting(
        "Whether pages link to the previous and the next one.", _ON
    )
    trademark: CustomizationSwitchInput | None = setting("Whether pages mention this software.")
    privacy_policy: CustomizationAddressInput | None = setting("The privacy policy.")
    social_preview: CustomizationAddressInput | None = setting(
        "The picture that links to the site have elsewhere."
    )
    social_accounts: list[SiteSocialAccountInput] | None = setting(
        "Accounts of the site's owner elsewhere.", [], bounds=Bounds(maximum=10), site_only=True
    )
    insights: CustomizationInsightsInput | None = setting(
        "What is learnt of visitors.", site_only=True
    )
