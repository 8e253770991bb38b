"""Enumerations of the domain: Python names are GraphQL's, values are those of /v1.

Source: specification "Conventions" and the field tables; values the specification leaves open
follow the published contract (docs/decisions/0008-open-enumerations.md).
"""

from __future__ import annotations

import enum


class Role(enum.Enum):
    """What a person may do, from least to most."""

    READ = "read"
    COMMENT = "comment"
    EDIT = "edit"
    REVIEW = "review"
    CREATE = "create"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        return _ROLES.index(self) + 1

    @classmethod
    def of_rank(cls, rank: int | None) -> Role | None:
        return _ROLES[rank - 1] if rank else None


_ROLES = list(Role)


class DefaultLevel(enum.Enum):
    """The role everybody gets on an object; `inherit` asks the parent."""

    READ = "read"
    COMMENT = "comment"
    EDIT = "edit"
    REVIEW = "review"
    CREATE = "create"
    ADMIN = "admin"
    INHERIT = "inherit"

    @property
    def rank(self) -> int:
        return -1 if self is DefaultLevel.INHERIT else Role(self.value).rank

    @classmethod
    def of_rank(cls, rank: int) -> DefaultLevel | None:
        if rank < 0:
            return cls.INHERIT
        role = Role.of_rank(rank)
        return None if role is None else cls(role.value)


class TokenScope(enum.Enum):
    """What a token may be used for; `write` includes `read`."""

    READ = "read"
    WRITE = "write"


class SortOrder(enum.Enum):
    """Direction of a sorted list."""

    ASC = "asc"
    DESC = "desc"


class OrganizationType(enum.Enum):
    """Kind of organization."""

    BUSINESS = "business"
    COMMUNITY = "community"


class OrganizationUseCase(enum.Enum):
    """What an organization publishes."""

    INTERNAL_DOCS = "internalDocs"
    DOCS_SITE = "docsSite"
    AUDIENCE_CONTROLLED_SITE = "audienceControlledSite"
    PRODUCT_DOCS = "productDocs"
    TEAM_KNOWLEDGE_BASE = "teamKnowledgeBase"
    DESIGN_SYSTEM = "designSystem"
    OPEN_SOURCE_DOCS = "openSourceDocs"
    NOTES = "notes"
    OTHER = "other"


class CommunityType(enum.Enum):
    """Kind of community organization."""

    NON_PROFIT = "nonProfit"
    OPEN_SOURCE = "openSource"
    EDUCATION = "education"


class MemberSort(enum.Enum):
    """What a list of members is sorted by."""

    JOINED_AT = "joinedAt"
    LAST_SEEN_AT = "lastSeenAt"


class MemberRoleFilter(enum.Enum):
    """A role, or guests, who have none."""

    READ = "read"
    COMMENT = "comment"
    EDIT = "edit"
    REVIEW = "review"
    CREATE = "create"
    ADMIN = "admin"
    GUEST = "guest"


class EditMode(enum.Enum):
    """Whether people may edit the primary content of a space directly."""

    LIVE = "live"
    LOCKED = "locked"


class Visibility(enum.Enum):
    """Who can see a space's content."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    SHARE_LINK = "share-link"
    VISITOR_AUTH = "visitor-auth"
    IN_COLLECTION = "in-collection"
    PRIVATE = "private"


class SiteVisibility(enum.Enum):
    """Who can see a published site."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    SHARE_LINK = "share-link"
    VISITOR_AUTH = "visitor-auth"


class SiteType(enum.Enum):
    """Type of a site; every feature is available for every type."""

    BASIC = "basic"
    PREMIUM = "premium"
    ULTIMATE = "ultimate"
    SPONSORED = "sponsored"
    LEGACY_BASIC = "legacy-basic"
    LEGACY_PREMIUM = "legacy-premium"


class AgentsContext(enum.Enum):
    """Whether automated assistants may read a site."""

    EXCLUDED = "excluded"
    INCLUDED = "included"


class SitePreviews(enum.Enum):
    """Who may preview change requests and revisions at the address of a published site."""

    ANYBODY = "anybody"
    MEMBERS = "members"
    NOBODY = "nobody"


class SiteFeatureKey(enum.Enum):
    """A feature of sites."""

    SITES_ADAPTIVE_CONTENT = "sites-adaptive-content"
    SITES_ADVANCED_CUSTOMIZATION = "sites-advanced-customization"
    SITES_ADVANCED_INSIGHTS = "sites-advanced-insights"
    SITES_ADS = "sites-ads"
    SITES_AI_SEARCH = "sites-ai-search"
    SITES_AI_ASSISTANT = "sites-ai-assistant"
    SITES_EMBED = "sites-embed"
    SITES_API_PLAYGROUND = "sites-api-playground"
    SITES_BASIC_CUSTOMIZATION = "sites-basic-customization"
    SITES_CUSTOM_DOMAIN = "sites-custom-domain"
    SITES_CUSTOM_FONTS = "sites-custom-fonts"
    SITES_CUSTOM_SUBDIRECTORY = "sites-custom-subdirectory"
    SITES_FULL_TEXT_SEARCH = "sites-full-text-search"
    SITES_MULTIVARIANT_SITE = "sites-multivariant-site"
    SITES_NO_CUSTOM_DOMAIN = "sites-no-custom-domain"
    SITES_PAGE_FEEDBACK = "sites-page-feedback"
    SITES_PAGE_TRAFFIC_INSIGHTS = "sites-page-traffic-insights"
    SITES_PDF_EXPORT = "sites-pdf-export"
    SITES_PREVIEW_DEPLOYMENTS = "sites-preview-deployments"
    SITES_PUBLIC_VISIBILITY = "sites-public-visibility"
    SITES_REDIRECTS = "sites-redirects"
    SITES_SEARCH_INSIGHTS = "sites-search-insights"
    SITES_SECTIONS = "sites-sections"
    SITES_SEO = "sites-seo"
    SITES_SHARE_LINKS = "sites-share-links"
    SITES_UNLISTED_VISIBILITY = "sites-unlisted-visibility"
    SITES_USER_CONTRIBUTION = "sites-user-contribution"
    SITES_VISITOR_AUTHENTICATION = "sites-visitor-authentication"
    SITES_VISITORS = "sites-visitors"


class SiteCustomizationFeature(enum.Enum):
    """A part of a site's look that can be changed."""

    HEADER_LOGO = "header-logo"
    THEME_PRESET = "theme-preset"
    PREMIUM_FONTS = "premium-fonts"
    CUSTOM_ICONS = "custom-icons"
    FOOTER_LOGO = "footer-logo"
    FOOTER_LINKS = "footer-links"
    FOOTER_COPYRIGHT = "footer-copyright"
    SEMANTIC_COLORS = "semantic-colors"


class Language(enum.Enum):
    """Language of a space's content."""

    EN = "en"
    FR = "fr"
    DE = "de"
    ES = "es"
    IT = "it"
    PT = "pt"
    PT_BR = "pt-br"
    RU = "ru"
    JA = "ja"
    ZH = "zh"
    YUE = "yue"
    KO = "ko"
    AR = "ar"
    HI = "hi"
    NL = "nl"
    PL = "pl"
    TR = "tr"
    SV = "sv"
    NO = "no"
    DA = "da"
    FI = "fi"
    EL = "el"
    CS = "cs"
    HU = "hu"
    RO = "ro"
    TH = "th"
    VI = "vi"
    ID = "id"
    MS = "ms"
    HE = "he"
    UK = "uk"
    SK = "sk"
    BG = "bg"
    HR = "hr"
    LT = "lt"
    LV = "lv"
    ET = "et"
    SL = "sl"
    ZH_TW = "zh-tw"
