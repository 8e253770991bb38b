"""Enumerations of how docs sites look: Python names are GraphQL's, values are those of /v1."""

import enum

from db.enums import Described


class CustomizationTheme(Described):
    """The overall style of a site."""

    CLEAN = "clean", "Quiet colours on a plain ground."
    MUTED = "muted", "A tinted ground."
    BOLD = "bold", "A header in the primary colour."
    GRADIENT = "gradient", "A ground with a gradient."


class CustomizationCorners(Described):
    """How corners are drawn."""

    STRAIGHT = "straight", "Square."
    ROUNDED = "rounded", "A little round."
    CIRCULAR = "circular", "As round as can be."


class CustomizationDepth(Described):
    """Whether things stand out by shadows."""

    SUBTLE = "subtle", "Faint shadows."
    FLAT = "flat", "No shadows."


class CustomizationLinksStyle(Described):
    """How links in a text are drawn."""

    DEFAULT = "default", "In the primary colour."
    ACCENT = "accent", "Underlined in the primary colour."


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


class FontFormat(Described):
    """The format of a font's file."""

    WOFF2 = "woff2", "WOFF 2."
    WOFF = "woff", "WOFF 1."


class CustomizationBackground(Described):
    """The background; deprecated in favour of the theme."""

    PLAIN = "plain", "White or black."
    MATCH = "match", "In the primary colour."


class CustomizationIconsStyle(Described):
    """How icons are drawn."""

    REGULAR = "regular", "Lines of usual strength."
    SOLID = "solid", "Filled."
    DUOTONE = "duotone", "Filled in two tones."
    LIGHT = "light", "Light lines."
    THIN = "thin", "Thin lines."


class CustomizationSidebarBackgroundStyle(Described):
    """What is behind the table of contents."""

    DEFAULT = "default", "The ground of the page."
    FILLED = "filled", "A ground of its own."


class CustomizationSidebarListStyle(Described):
    """How the current page is marked in the table of contents."""

    DEFAULT = "default", "By its colour."
    PILL = "pill", "By a rounded ground."
    LINE = "line", "By a line beside it."


class CustomizationSearchStyle(Described):
    """Where the search field stands."""

    PROMINENT = "prominent", "In the middle of the header."
    SUBTLE = "subtle", "At the end of the header."


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


class CustomizationHeaderPreset(Described):
    """The colours of the header; deprecated in favour of the theme."""

    DEFAULT = "default", "As the page."
    BOLD = "bold", "On the primary colour."
    CONTRAST = "contrast", "Dark on light pages, light on dark ones."
    CUSTOM = "custom", "In colours of its own."
    NONE = "none", "No header."


class CustomizationHeaderItemStyle(Described):
    """How a link in the header is drawn."""

    LINK = "link", "As a link."
    BUTTON_PRIMARY = "button-primary", "As a filled button."
    BUTTON_SECONDARY = "button-secondary", "As a button with an outline."


class CustomizationAnnouncementStyle(Described):
    """What an announcement says by its colour."""

    INFO = "info", "Something to know."
    WARNING = "warning", "Something to look out for."
    DANGER = "danger", "Something that can do harm."
    SUCCESS = "success", "Something good."


class CustomizationThemeMode(Described):
    """Dark text on light, or the other way round."""

    LIGHT = "light", "Dark text on a light ground."
    DARK = "dark", "Light text on a dark ground."


class CustomizationAIMode(Described):
    """What assistants do on a site."""

    NONE = "none", "Nothing."
    SEARCH = "search", "Answers beside the results of a search."
    ASSISTANT = "assistant", "Answers in a conversation."


class SiteExternalLinksTarget(Described):
    """Where links to other sites are opened."""

    SELF = "self", "In the same window."
    BLANK = "blank", "In a new window."


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


class CustomizationPageActionType(Described):
    """What visitors can do with a page."""

    ASSISTANT = "assistant", "Asks the assistant of the site about the page."
    EXTERNAL_AI = "external-ai", "Opens the page in an assistant elsewhere."
    MARKDOWN = "markdown", "Shows or copies the page as Markdown."
    MCP = "mcp", "Connects to the MCP server of the site."
    GIT = "git", "Opens the page in its Git repository."
    PDF = "pdf", "Fetches the page as a PDF."


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
