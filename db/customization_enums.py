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


class CustomizationCodeTheme(enum.Enum):
    """The colours of code."""

    DEFAULT_LIGHT = "default-light"
    DEFAULT_DARK = "default-dark"
    MONOCHROME_LIGHT = "monochrome-light"
    MONOCHROME_DARK = "monochrome-dark"
    ANDROMEEDA = "andromeeda"
    AURORA_X = "aurora-x"
    AYU_DARK = "ayu-dark"
    CATPPUCCIN_FRAPPE = "catppuccin-frappe"
    CATPPUCCIN_LATTE = "catppuccin-latte"
    CATPPUCCIN_MACCHIATO = "catppuccin-macchiato"
    CATPPUCCIN_MOCHA = "catppuccin-mocha"
    DARK_PLUS = "dark-plus"
    DRACULA = "dracula"
    DRACULA_SOFT = "dracula-soft"
    EVERFOREST_DARK = "everforest-dark"
    EVERFOREST_LIGHT = "everforest-light"
    GITHUB_DARK = "github-dark"
    GITHUB_DARK_DEFAULT = "github-dark-default"
    GITHUB_DARK_DIMMED = "github-dark-dimmed"
    GITHUB_DARK_HIGH_CONTRAST = "github-dark-high-contrast"
    GITHUB_LIGHT = "github-light"
    GITHUB_LIGHT_DEFAULT = "github-light-default"
    GITHUB_LIGHT_HIGH_CONTRAST = "github-light-high-contrast"
    GRUVBOX_DARK_HARD = "gruvbox-dark-hard"
    GRUVBOX_DARK_MEDIUM = "gruvbox-dark-medium"
    GRUVBOX_DARK_SOFT = "gruvbox-dark-soft"
    GRUVBOX_LIGHT_HARD = "gruvbox-light-hard"
    GRUVBOX_LIGHT_MEDIUM = "gruvbox-light-medium"
    GRUVBOX_LIGHT_SOFT = "gruvbox-light-soft"
    HOUSTON = "houston"
    KANAGAWA_DRAGON = "kanagawa-dragon"
    KANAGAWA_LOTUS = "kanagawa-lotus"
    KANAGAWA_WAVE = "kanagawa-wave"
    LASERWAVE = "laserwave"
    LIGHT_PLUS = "light-plus"
    MATERIAL_THEME = "material-theme"
    MATERIAL_THEME_DARKER = "material-theme-darker"
    MATERIAL_THEME_LIGHTER = "material-theme-lighter"
    MATERIAL_THEME_OCEAN = "material-theme-ocean"
    MATERIAL_THEME_PALENIGHT = "material-theme-palenight"
    MIN_DARK = "min-dark"
    MIN_LIGHT = "min-light"
    MONOKAI = "monokai"
    NIGHT_OWL = "night-owl"
    NORD = "nord"
    ONE_DARK_PRO = "one-dark-pro"
    ONE_LIGHT = "one-light"
    PLASTIC = "plastic"
    POIMANDRES = "poimandres"
    RED = "red"
    ROSE_PINE = "rose-pine"
    ROSE_PINE_DAWN = "rose-pine-dawn"
    ROSE_PINE_MOON = "rose-pine-moon"
    SLACK_DARK = "slack-dark"
    SLACK_OCHIN = "slack-ochin"
    SNAZZY_LIGHT = "snazzy-light"
    SOLARIZED_DARK = "solarized-dark"
    SOLARIZED_LIGHT = "solarized-light"
    SYNTHWAVE_84 = "synthwave-84"
    TOKYO_NIGHT = "tokyo-night"
    VESPER = "vesper"
    VITESSE_BLACK = "vitesse-black"
    VITESSE_DARK = "vitesse-dark"
    VITESSE_LIGHT = "vitesse-light"


class CustomizationPageActionType(enum.Enum):
    """What visitors can do with a page."""

    ASSISTANT = "assistant"
    EXTERNAL_AI = "external-ai"
    MARKDOWN = "markdown"
    MCP = "mcp"
    GIT = "git"
    PDF = "pdf"


class SiteSocialAccountPlatform(enum.Enum):
    """Where an account is."""

    TWITTER = "twitter"
    INSTAGRAM = "instagram"
    FACEBOOK = "facebook"
    LINKEDIN = "linkedin"
    GITHUB = "github"
    DISCORD = "discord"
    SLACK = "slack"
    YOUTUBE = "youtube"
    TIKTOK = "tiktok"
    REDDIT = "reddit"
    BLUESKY = "bluesky"
    MASTODON = "mastodon"
    THREADS = "threads"
    MEDIUM = "medium"
