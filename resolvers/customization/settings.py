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
from resolvers.core import inputs
from resolvers.core.scalars import Url
from resolvers.customization.json import Section
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


@strawberry.input(description="The table of contents; absent = default.")
class CustomizationSidebarInput(Section):
    background: CustomizationSidebarBackgroundStyle | None = inputs.field("What is behind it.")
    list: CustomizationSidebarListStyle | None = inputs.field("How the current page is marked.")


@strawberry.input(description="Colours of code; absent = default.")
class CustomizationCodeThemesInput(Section):
    default: CustomizationThemedCodeThemeInput | None = inputs.field("Of code in texts.")
    openapi: CustomizationThemedCodeThemeInput | None = inputs.field("Of code of API references.")


@strawberry.input(description="Colours, shapes and fonts; absent = default.")
class CustomizationStylingInput(Section):
    theme: CustomizationTheme | None = inputs.field("The overall style.")
    primary_color: CustomizationThemedColorInput | None = inputs.field(
        "Colour of links, buttons and what is chosen."
    )
    tint: CustomizationTintInput | None = inputs.field("A colour that everything is tinted with.")
    info_color: CustomizationThemedColorInput | None = inputs.field("Colour of information.")
    success_color: CustomizationThemedColorInput | None = inputs.field("Colour of success.")
    warning_color: CustomizationThemedColorInput | None = inputs.field("Colour of warnings.")
    danger_color: CustomizationThemedColorInput | None = inputs.field("Colour of danger.")
    corners: CustomizationCorners | None = inputs.field("How corners are drawn.")
    depth: CustomizationDepth | None = inputs.field("Whether things stand out by shadows.")
    links: CustomizationLinksStyle | None = inputs.field("How links in a text are drawn.")
    font: CustomizationFontInput | None = inputs.field("Font of texts.")
    monospace_font: CustomizationMonospaceFontInput | None = inputs.field("Font of code.")
    background: CustomizationBackground | None = inputs.field(
        "Deprecated: `theme` decides about the background."
    )
    code_theme: CustomizationCodeThemesInput | None = inputs.field("Colours of code.")
    icons: CustomizationIconsStyle | None = inputs.field("How icons are drawn.")
    sidebar: CustomizationSidebarInput | None = inputs.field("The table of contents.")
    search: CustomizationSearchStyle | None = inputs.field("Where the search field stands.")


@strawberry.input(description="The language of a site's own words; absent = default.")
class CustomizationInternationalizationInput(Section):
    locale: CustomizationLocale | None = inputs.field(
        "Deprecated: the language of the spaces decides."
    )


@strawberry.input(description="What is above every page; absent = default.")
class CustomizationHeaderInput(Section):
    preset: CustomizationHeaderPreset | None = inputs.field(
        "Deprecated: `theme` decides about its colours."
    )
    logo: CustomizationThemedURLInput | None = inputs.field("Picture in place of the title.")
    background_color: CustomizationThemedColorInput | None = inputs.field(
        "Deprecated: colour behind it with the preset `custom`."
    )
    link_color: CustomizationThemedColorInput | None = inputs.field(
        "Deprecated: colour of its links with the preset `custom`."
    )
    links: list[CustomizationHeaderItemInput] | None = inputs.items(
        "Its links and menus.", max=LINKS
    )


@strawberry.input(description="What is below every page; absent = default.")
class CustomizationFooterInput(Section):
    logo: CustomizationThemedURLInput | None = inputs.field("Picture in it.")
    groups: list[CustomizationFooterGroupInput] | None = inputs.items("Groups of links.", max=LINKS)
    copyright: str | None = inputs.text("What it says of the copyright.", max=300)


@strawberry.input(description="Light and dark surroundings; absent = default.")
class CustomizationThemesInput(Section):
    default: CustomizationThemeMode | None = inputs.field("What visitors see first.")
    toggeable: bool | None = inputs.field("Whether visitors may choose; spelt as in /v1.")


@strawberry.input(description="Something that is on or off; absent = default.")
class CustomizationSwitchInput(Section):
    enabled: bool | None = inputs.field("Whether it is on.")


@strawberry.input(description="An address; absent = default.")
class CustomizationAddressInput(Section):
    url: Url | None = inputs.field("The address.")


@strawberry.input(description="Assistants; absent = default.")
class CustomizationAIInput(Section):
    mode: CustomizationAIMode | None = inputs.field("What they do on the site.")


@strawberry.input(description="The repository behind the pages; absent = default.")
class CustomizationGitInput(Section):
    show_edit_link: bool | None = inputs.field("Whether pages have a link to their source.")


@strawberry.input(description="What visitors can do with a page; absent = default.")
class CustomizationPageActionsInput(Section):
    external_ai: bool | None = inputs.field(
        "Whether it can be opened in an assistant elsewhere.", name="externalAI"
    )
    markdown: bool | None = inputs.field("Whether it can be copied as Markdown.")
    mcp: bool | None = inputs.field("Whether the site answers by MCP.")
    items: list[CustomizationPageActionType] | None = inputs.items(
        "All that visitors can do, in order; other fields say the same of each. Whichever of the "
        "two differs from what holds is the change.",
        max=6,
    )


@strawberry.input(description="Links to other sites; absent = default.")
class CustomizationExternalLinksInput(Section):
    target: SiteExternalLinksTarget | None = inputs.field("Where they are opened.")


@strawberry.input(description="What is learnt of visitors; absent = default.")
class CustomizationInsightsInput(Section):
    tracking_cookie: bool | None = inputs.field("Whether a cookie tells visitors apart.")


@strawberry.input(description="How a site looks; everything that is absent returns to its default.")
class SiteCustomizationSettingsInput(Section):
    title: str | None = inputs.text("Name in place of the site's title.", min=2, max=128)
    styling: CustomizationStylingInput | None = inputs.field("Colours, shapes and fonts.")
    internationalization: CustomizationInternationalizationInput | None = inputs.field(
        "The language of a site's own words."
    )
    favicon: CustomizationFaviconInput | None = inputs.field("Icon in the tab of a browser.")
    header: CustomizationHeaderInput | None = inputs.field("What is above every page.")
    footer: CustomizationFooterInput | None = inputs.field("What is below every page.")
    announcement: CustomizationAnnouncementInput | None = inputs.field(
        "A message above every page."
    )
    themes: CustomizationThemesInput | None = inputs.field("Light and dark surroundings.")
    pdf: CustomizationSwitchInput | None = inputs.field("Whether visitors may save pages as PDF.")
    feedback: CustomizationSwitchInput | None = inputs.field("Whether visitors may rate pages.")
    ai: CustomizationAIInput | None = inputs.field("Assistants.")
    advanced_customization: CustomizationSwitchInput | None = inputs.field(
        "Whether integrations may change the look."
    )
    git: CustomizationGitInput | None = inputs.field("The repository behind the pages.")
    page_actions: CustomizationPageActionsInput | None = inputs.field(
        "What visitors can do with a page."
    )
    external_links: CustomizationExternalLinksInput | None = inputs.field("Links to other sites.")
    pagination: CustomizationSwitchInput | None = inputs.field(
        "Whether pages link to the previous and the next one."
    )
    trademark: CustomizationSwitchInput | None = inputs.field(
        "Whether pages mention this software."
    )
    privacy_policy: CustomizationAddressInput | None = inputs.field("The privacy policy.")
    social_preview: CustomizationAddressInput | None = inputs.field(
        "The picture that links to the site have elsewhere."
    )
    social_accounts: list[SiteSocialAccountInput] | None = inputs.items(
        "Accounts of the site's owner elsewhere.", max=10
    )
    insights: CustomizationInsightsInput | None = inputs.field("What is learnt of visitors.")
