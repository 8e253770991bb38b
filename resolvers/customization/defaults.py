"""How sites look as long as nothing else is set (docs/sites.md, "Look")."""

from resolvers.customization.json import Json, merged, sections_of
from resolvers.customization.page_actions import with_items
from resolvers.customization.settings import SiteCustomizationSettingsInput


def _both(color: str) -> Json:
    """A colour that is the same in light and in dark surroundings."""
    return {"light": color, "dark": color}


_CODE = {"light": "default-light", "dark": "default-dark"}
DEFAULTS: Json = {
    "styling": {
        "theme": "clean",
        "primaryColor": {"light": "#346DDB", "dark": "#6CA0F6"},
        "infoColor": _both("#787878"),
        "successColor": _both("#008847"),
        "warningColor": _both("#CC7D00"),
        "dangerColor": _both("#D3312B"),
        "corners": "rounded",
        "depth": "subtle",
        "links": "default",
        "font": "Inter",
        "monospaceFont": "IBMPlexMono",
        "codeTheme": {"default": _CODE, "openapi": _CODE},
        "background": "plain",
        "icons": "regular",
        "sidebar": {"background": "default", "list": "default"},
        "search": "prominent",
    },
    "internationalization": {"locale": "en"},
    "favicon": {},
    "header": {"preset": "default", "links": []},
    "footer": {"groups": []},
    "themes": {"default": "light", "toggeable": True},
    "pdf": {"enabled": True},
    "feedback": {"enabled": False},
    "ai": {"mode": "none"},
    "advancedCustomization": {"enabled": False},
    "git": {"showEditLink": False},
    "pageActions": {
        "externalAI": False,
        "markdown": True,
        "mcp": True,
        "items": ["markdown", "mcp", "pdf"],
    },
    "externalLinks": {"target": "self"},
    "pagination": {"enabled": True},
    "trademark": {"enabled": False},
    "privacyPolicy": {},
    "socialPreview": {},
    "socialAccounts": [],
    "insights": {"trackingCookie": True},
}
SECTIONS = sections_of(SiteCustomizationSettingsInput)


def effective(*layers: Json | None) -> Json:
    """The settings that hold: the defaults with each layer on top of those before it."""
    settings = DEFAULTS
    for layer in layers:
        if layer:
            settings = merged(settings, layer, SECTIONS)
    return with_items(settings)
