"""Enumerations of how docs sites look: Python names are GraphQL's, values are those of /v1."""

import enum


class CustomizationTheme(enum.Enum):
    """The overall style of a site."""

    CLEAN = "clean"
    MUTED = "muted"
    BOLD = "bold"
    GRADIENT = "gradient"


class CustomizationCorners(enum.Enum):
    """How corners are drawn."""

    STRAIGHT = "straight"
    ROUNDED = "rounded"
    CIRCULAR = "circular"


class CustomizationDepth(enum.Enum):
    """Whether things stand out by shadows."""

    SUBTLE = "subtle"
    FLAT = "flat"


class CustomizationLinksStyle(enum.Enum):
    """How links in a text are drawn."""

    DEFAULT = "default"
    ACCENT = "accent"


class CustomizationDefaultFont(enum.Enum):
    """Fonts for text that are known by name."""

    ABC_FAVORIT = "ABCFavorit"
    INTER = "Inter"
    ROBOTO = "Roboto"
    ROBOTO_SLAB = "RobotoSlab"
    OPEN_SANS = "OpenSans"
    SOURCE_SANS_PRO = "SourceSansPro"
    LATO = "Lato"
    UBUNTU = "Ubuntu"
    RALEWAY = "Raleway"
    MERRIWEATHER = "Merriweather"
    OVERPASS = "Overpass"
    NOTO_SANS = "NotoSans"
    IBM_PLEX_SERIF = "IBMPlexSerif"
    POPPINS = "Poppins"
    FIRA_SANS = "FiraSans"


class CustomizationDefaultMonospaceFont(enum.Enum):
    """Fonts for code that are known by name."""

    FIRA_CODE = "FiraCode"
    IBM_PLEX_MONO = "IBMPlexMono"
    JETBRAINS_MONO = "JetBrainsMono"
    SOURCE_CODE_PRO = "SourceCodePro"
    ROBOTO_MONO = "RobotoMono"
    SPACE_MONO = "SpaceMono"
    DM_MONO = "DMMono"
    INCONSOLATA = "Inconsolata"


class FontFormat(enum.Enum):
    """The format of a font's file."""

    WOFF2 = "woff2"
    WOFF = "woff"


class CustomizationBackground(enum.Enum):
    """The background; deprecated in favour of the theme."""

    PLAIN = "plain"
    MATCH = "match"


class CustomizationIconsStyle(enum.Enum):
    """How icons are drawn."""

    REGULAR = "regular"
    SOLID = "solid"
    DUOTONE = "duotone"
    LIGHT = "light"
    THIN = "thin"


class CustomizationSidebarBackgroundStyle(enum.Enum):
    """What is behind the table of contents."""

    DEFAULT = "default"
    FILLED = "filled"


class CustomizationSidebarListStyle(enum.Enum):
    """How the current page is marked in the table of contents."""

    DEFAULT = "default"
    PILL = "pill"
    LINE = "line"


class CustomizationSearchStyle(enum.Enum):
    """Where the search field stands."""

    PROMINENT = "prominent"
    SUBTLE = "subtle"


class CustomizationLocale(enum.Enum):
    """The language of a site's own words; deprecated in favour of the spaces' language."""

    EN = "en"
    FR = "fr"
    ES = "es"
    ZH = "zh"
    JA = "ja"
    DE = "de"
    NL = "nl"
    NO = "no"
    PT_BR = "pt-br"
    RU = "ru"


class CustomizationHeaderPreset(enum.Enum):
    """The colours of the header; deprecated in favour of the theme."""

    DEFAULT = "default"
    BOLD = "bold"
    CONTRAST = "contrast"
    CUSTOM = "custom"
    NONE = "none"


class CustomizationHeaderItemStyle(enum.Enum):
    """How a link in the header is drawn."""

    LINK = "link"
    BUTTON_PRIMARY = "button-primary"
    BUTTON_SECONDARY = "button-secondary"


class CustomizationAnnouncementStyle(enum.Enum):
    """What an announcement says by its colour."""

    INFO = "info"
    WARNING = "warning"
    DANGER = "danger"
    SUCCESS = "success"


class CustomizationThemeMode(enum.Enum):
    """Dark text on light, or the other way round."""

    LIGHT = "light"
    DARK = "dark"


class CustomizationAIMode(enum.Enum):
    """What assistants do on a site."""

    NONE = "none"
    SEARCH = "search"
    ASSISTANT = "assistant"


class SiteExternalLinksTarget(enum.Enum):
    """Where links to other sites are opened."""

    SELF = "self"
    BLANK = "blank"
