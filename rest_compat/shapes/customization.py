"""How docs sites and site spaces look in /v1."""

from typing import Any

from rest_compat.shape import Nested, Shape, nested, shape
from rest_compat.shapes.sites.sites import THEMED_URL
from schema.types import customization

THEMED_COLOR = shape(
    "CustomizationThemedColor", customization.CustomizationThemedColor, "light dark"
)
THEMED_CODE = shape(
    "CustomizationThemedCodeTheme", customization.CustomizationThemedCodeTheme, "light dark"
)
SOCIAL_ACCOUNT = shape(
    "SiteSocialAccount",
    customization.SiteSocialAccount,
    "platform handle",
    display=nested(
        shape("SiteSocialAccountDisplay", customization.SiteSocialAccountDisplay, "footer header")
    ),
)
FONT_DEFINITION = shape(
    "CustomizationFontDefinition",
    customization.CustomizationFontDefinition,
    "id:fontId custom fontFamily",
    fontFaces=nested(
        shape(
            "FontFace",
            customization.FontFace,
            "weight",
            sources=nested(shape("FontSource", customization.FontSource, "url format?")),
        )
    ),
)
CONTENT_LINK = shape("CustomizationContentLink", customization.CustomizationContentLink, "title to")
HEADER_ITEM = shape(
    "CustomizationHeaderItem",
    customization.CustomizationHeaderItem,
    "title style? to condition?",
    links=nested(CONTENT_LINK),
)
FOOTER_GROUP = shape(
    "CustomizationFooterGroup",
    customization.CustomizationFooterGroup,
    "title",
    links=nested(CONTENT_LINK),
)
SWITCH = shape("CustomizationSwitch", customization.CustomizationSwitch, "enabled")
ADDRESS = shape("CustomizationAddress", customization.CustomizationAddress, "url?")


def _font(name: str, type_: Any) -> Nested:
    """A font: its name, or the object that defines it."""
    form = shape(name, type_, "name?", definition=nested(FONT_DEFINITION, optional=True))
    return nested(form, untagged=True)


STYLING = shape(
    "CustomizationStyling",
    customization.CustomizationStyling,
    "theme corners depth links background icons search",
    primaryColor=nested(THEMED_COLOR),
    tint=nested(
        shape("CustomizationTint", customization.CustomizationTint, "", color=nested(THEMED_COLOR)),
        optional=True,
    ),
    infoColor=nested(THEMED_COLOR),
    successColor=nested(THEMED_COLOR),
    warningColor=nested(THEMED_COLOR),
    dangerColor=nested(THEMED_COLOR),
    codeTheme=nested(
        shape(
            "CustomizationCodeThemes",
            customization.CustomizationCodeThemes,
            "",
            default=nested(THEMED_CODE),
            openapi=nested(THEMED_CODE),
        )
    ),
    font=_font("CustomizationFont", customization.CustomizationFont),
    monospaceFont=_font("CustomizationMonospaceFont", customization.CustomizationMonospaceFont),
    sidebar=nested(
        shape("CustomizationSidebar", customization.CustomizationSidebar, "background list")
    ),
)
HEADER = shape(
    "CustomizationHeader",
    customization.CustomizationHeader,
    "preset",
    logo=nested(THEMED_URL, optional=True),
    backgroundColor=nested(THEMED_COLOR, optional=True),
    linkColor=nested(THEMED_COLOR, optional=True),
    links=nested(HEADER_ITEM),
)
FOOTER = shape(
    "CustomizationFooter",
    customization.CustomizationFooter,
    "copyright?",
    logo=nested(THEMED_URL, optional=True),
    groups=nested(FOOTER_GROUP),
)
ANNOUNCEMENT = shape(
    "CustomizationAnnouncement",
    customization.CustomizationAnnouncement,
    "enabled message style",
    link=nested(CONTENT_LINK, optional=True),
)
FAVICON = shape(
    "CustomizationFavicon",
    customization.CustomizationFavicon,
    "emoji?",
    icon=nested(THEMED_URL, optional=True),
)


def _plain(name: str, type_: Any, fields: str) -> Nested:
    return nested(shape(name, type_, fields))


def _settings(name: str, type_: Any, own: str = "") -> Shape:
    return shape(
        name,
        type_,
        f"title? {own}",
        styling=nested(STYLING),
        internationalization=_plain(
            "CustomizationInternationalization",
            customization.CustomizationInternationalization,
            "locale",
        ),
        favicon=nested(FAVICON),
        header=nested(HEADER),
        footer=nested(FOOTER),
        announcement=nested(ANNOUNCEMENT, optional=True),
        themes=_plain(
            "CustomizationThemes", customization.CustomizationThemes, "default toggeable"
        ),
        pdf=nested(SWITCH),
        feedback=nested(SWITCH),
        ai=_plain("CustomizationAI", customization.CustomizationAI, "mode"),
        advancedCustomization=nested(SWITCH),
        git=_plain("CustomizationGit", customization.CustomizationGit, "showEditLink"),
        pageActions=_plain(
            "CustomizationPageActions",
            customization.CustomizationPageActions,
            "externalAI markdown mcp items",
        ),
        externalLinks=_plain(
            "CustomizationExternalLinks", customization.CustomizationExternalLinks, "target"
        ),
        pagination=nested(SWITCH),
        trademark=nested(SWITCH),
        privacyPolicy=nested(ADDRESS),
        socialPreview=nested(ADDRESS),
        socialAccounts=nested(SOCIAL_ACCOUNT),
        insights=_plain(
            "CustomizationInsights", customization.CustomizationInsights, "trackingCookie"
        ),
    )


SITE_CUSTOMIZATION = _settings("SiteCustomizationSettings", customization.SiteCustomization)
SITE_SPACE_CUSTOMIZATION = _settings(
    "SiteSpaceCustomizationSettings", customization.SiteSpaceCustomization, "hasOverrides"
)
