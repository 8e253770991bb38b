"""How docs sites and site spaces look."""

import strawberry

from db.customization_enums import (
    CustomizationAIMode,
    CustomizationAnnouncementStyle,
    CustomizationBackground,
    CustomizationCodeTheme,
    CustomizationCorners,
    CustomizationDefaultFont,
    CustomizationDefaultMonospaceFont,
    CustomizationDepth,
    CustomizationHeaderItemStyle,
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
    FontFormat,
    SiteExternalLinksTarget,
    SiteSocialAccountPlatform,
)
from resolvers import typed_fields
from resolvers.core.scalars import JsonObject, Url
from schema.types.references import ContentReference
from schema.types.sites.sites import ThemedUrl
from schema.wiring import batch, column


@strawberry.type(description="A colour for light and for dark surroundings.")
class CustomizationThemedColor:
    light: str = column("The colour on a light background.")
    dark: str = column("The colour on a dark background.")


@strawberry.type(description="Colours of code for light and for dark surroundings.")
class CustomizationThemedCodeTheme:
    light: CustomizationCodeTheme = column("Those on a light background.")
    dark: CustomizationCodeTheme = column("Those on a dark background.")


@strawberry.type(description="Colours of code.")
class CustomizationCodeThemes:
    default: CustomizationThemedCodeTheme = column("Of code in texts.")
    openapi: CustomizationThemedCodeTheme = column("Of code of API references.")


@strawberry.type(description="Where an account is shown.")
class SiteSocialAccountDisplay:
    footer: bool = column("In the footer.")
    header: bool = column("In the header.")


@strawberry.type(description="An account of the site's owner elsewhere.")
class SiteSocialAccount:
    platform: SiteSocialAccountPlatform = column("Where it is.")
    handle: str = column("Its name there, without a prefix such as @.")
    display: SiteSocialAccountDisplay = column("Where it is shown.")


@strawberry.type(description="A colour that the whole site is tinted with.")
class CustomizationTint:
    color: CustomizationThemedColor = column("The colour.")


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


@strawberry.type(description="A font: one that is known by name, or one of your own.")
class CustomizationFont:
    name: CustomizationDefaultFont | None = column("A font by name.")
    definition: CustomizationFontDefinition | None = column("A font of your own.")


@strawberry.type(description="A font for code: one that is known by name, or one of your own.")
class CustomizationMonospaceFont:
    name: CustomizationDefaultMonospaceFont | None = column("A font by name.")
    definition: CustomizationFontDefinition | None = column("A font of your own.")


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


@strawberry.type(description="Links in the footer under a title.")
class CustomizationFooterGroup:
    title: str = column("The title.")
    links: list[CustomizationContentLink] = column("The links.")


@strawberry.type(description="A message above every page.")
class CustomizationAnnouncement:
    enabled: bool = column("Whether it is shown.")
    message: str = column("What it says.")
    link: CustomizationContentLink | None = column("Where to read more.")
    style: CustomizationAnnouncementStyle = column("Its colour.")


@strawberry.type(description="The table of contents.")
class CustomizationSidebar:
    background: CustomizationSidebarBackgroundStyle = column("What is behind it.")
    list: CustomizationSidebarListStyle = column("How the current page is marked.")


@strawberry.type(description="Colours, shapes and fonts.")
class CustomizationStyling:
    theme: CustomizationTheme = column("The overall style.")
    primary_color: CustomizationThemedColor = column("Colour of links, buttons and what is chosen.")
    tint: CustomizationTint | None = column("A colour that everything is tinted with.")
    info_color: CustomizationThemedColor = column("Colour of information.")
    success_color: CustomizationThemedColor = column("Colour of success.")
    warning_color: CustomizationThemedColor = column("Colour of warnings.")
    danger_color: CustomizationThemedColor = column("Colour of danger.")
    corners: CustomizationCorners = column("How corners are drawn.")
    depth: CustomizationDepth = column("Whether things stand out by shadows.")
    links: CustomizationLinksStyle = column("How links in a text are drawn.")
    font: CustomizationFont = column("Font of texts.")
    monospace_font: CustomizationMonospaceFont = column("Font of code.")
    background: CustomizationBackground = column(
        "Deprecated: `theme` decides about the background."
    )
    code_theme: CustomizationCodeThemes = column("Colours of code.")
    icons: CustomizationIconsStyle = column("How icons are drawn.")
    sidebar: CustomizationSidebar = column("The table of contents.")
    search: CustomizationSearchStyle = column("Where the search field stands.")


@strawberry.type(description="The language of a site's own words.")
class CustomizationInternationalization:
    locale: CustomizationLocale = column("Deprecated: the language of the spaces decides.")


@strawberry.type(description="What is above every page.")
class CustomizationHeader:
    preset: CustomizationHeaderPreset = column("Deprecated: `theme` decides about its colours.")
    logo: ThemedUrl | None = column("Picture in place of the title.")
    background_color: CustomizationThemedColor | None = column(
        "Deprecated: colour behind it with the preset `custom`."
    )
    link_color: CustomizationThemedColor | None = column(
        "Deprecated: colour of its links with the preset `custom`."
    )
    links: list[CustomizationHeaderItem] = column("Its links and menus.")


@strawberry.type(description="What is below every page.")
class CustomizationFooter:
    logo: ThemedUrl | None = column("Picture in it.")
    groups: list[CustomizationFooterGroup] = column("Groups of links.")
    copyright: str | None = column("What it says of the copyright.")


@strawberry.type(description="Light and dark surroundings.")
class CustomizationThemes:
    default: CustomizationThemeMode = column("What visitors see first.")
    toggeable: bool = column("Whether visitors may choose; spelt as in /v1.")


@strawberry.type(description="Something that is on or off.")
class CustomizationSwitch:
    enabled: bool = column("Whether it is on.")


@strawberry.type(description="An address.")
class CustomizationAddress:
    url: Url | None = column("The address.")


@strawberry.type(description="Assistants.")
class CustomizationAI:
    mode: CustomizationAIMode = column("What they do on the site.")


@strawberry.type(description="The repository behind the pages.")
class CustomizationGit:
    show_edit_link: bool = column("Whether pages have a link to their source.")


@strawberry.type(description="What visitors can do with a page.")
class CustomizationPageActions:
    external_ai: bool = strawberry.field(
        name="externalAI", description="Whether it can be opened in an assistant elsewhere."
    )
    markdown: bool = column("Whether it can be copied as Markdown.")
    mcp: bool = column("Whether the site answers by MCP.")
    items: list[CustomizationPageActionType] = column("All that visitors can do, in their order.")


@strawberry.type(description="Links to other sites.")
class CustomizationExternalLinks:
    target: SiteExternalLinksTarget = column("Where they are opened.")


@strawberry.type(description="What is learnt of visitors.")
class CustomizationInsights:
    tracking_cookie: bool = column("Whether a cookie tells visitors apart.")


@strawberry.type(description="How a site looks, with the defaults of what was not set.")
class SiteCustomization:
    title: str | None = column("Name in place of the site's title.")
    styling: CustomizationStyling = column("Colours, shapes and fonts.")
    internationalization: CustomizationInternationalization = column(
        "The language of a site's own words."
    )
    favicon: CustomizationFavicon = column("Icon in the tab of a browser.")
    header: CustomizationHeader = column("What is above every page.")
    footer: CustomizationFooter = column("What is below every page.")
    announcement: CustomizationAnnouncement | None = column("A message above every page.")
    themes: CustomizationThemes = column("Light and dark surroundings.")
    pdf: CustomizationSwitch = column("Whether visitors may save pages as PDF.")
    feedback: CustomizationSwitch = column("Whether visitors may rate pages.")
    ai: CustomizationAI = column("Assistants.")
    advanced_customization: CustomizationSwitch = column(
        "Whether integrations may change the look."
    )
    git: CustomizationGit = column("The repository behind the pages.")
    page_actions: CustomizationPageActions = column("What visitors can do with a page.")
    external_links: CustomizationExternalLinks = column("Links to other sites.")
    pagination: CustomizationSwitch = column("Whether pages link to the previous and the next one.")
    trademark: CustomizationSwitch = column("Whether pages mention this software.")
    privacy_policy: CustomizationAddress = column("The privacy policy.")
    social_preview: CustomizationAddress = column(
        "The picture that links to the site have elsewhere."
    )
    social_accounts: list[SiteSocialAccount] = column("Accounts of the site's owner elsewhere.")
    insights: CustomizationInsights = column("What is learnt of visitors.")


@strawberry.type(
    description="How a site space looks: the settings of its site with its own on top of them."
)
class SiteSpaceCustomization(SiteCustomization):
    has_overrides: bool = column("Whether it has settings of its own.")
