"""Enumerations of the domain: Python names are GraphQL's, values are those of /v1.

Source: specification "Conventions" and the field tables; values the specification leaves open
follow the published contract (docs/decisions/0008-open-enumerations.md).
"""

from __future__ import annotations

import enum
from typing import Self


class Described(enum.Enum):
    """An enumeration whose values say what they mean, for GraphQL: `NAME = value, description`."""

    _value_: str
    description: str

    def __new__(cls, value: str, description: str = "") -> Self:
        member = object.__new__(cls)
        member._value_, member.description = value, description
        return member

    def __str__(self) -> str:
        """The value: what people read in commands, logs and messages."""
        return self._value_


# What each role allows, whether somebody has it, a list asks for it or it is a default.
_READ = "read", "Read it."
_COMMENT = "comment", "Read it, and write comments."
_EDIT = "edit", "Write comments, and edit content."
_REVIEW = "review", "Edit content, review and merge change requests."
_CREATE = "create", "Review, and make, change and delete spaces, collections and sites."
_ADMIN = "admin", "Everything, also settings and members of the organization."


class Role(Described):
    """What a person may do, from least to most."""

    READ = _READ
    COMMENT = _COMMENT
    EDIT = _EDIT
    REVIEW = _REVIEW
    CREATE = _CREATE
    ADMIN = _ADMIN

    @property
    def rank(self) -> int:
        return _ROLES.index(self) + 1

    @classmethod
    def of_rank(cls, rank: int | None) -> Role | None:
        return _ROLES[rank - 1] if rank else None


_ROLES = list(Role)


class DefaultLevel(Described):
    """The role everybody gets on an object; `inherit` asks the parent."""

    READ = _READ
    COMMENT = _COMMENT
    EDIT = _EDIT
    REVIEW = _REVIEW
    CREATE = _CREATE
    ADMIN = _ADMIN
    INHERIT = "inherit", "The role that the parent gives."

    @property
    def rank(self) -> int:
        return -1 if self is DefaultLevel.INHERIT else Role(self.value).rank

    @classmethod
    def of_rank(cls, rank: int) -> DefaultLevel | None:
        if rank < 0:
            return cls.INHERIT
        role = Role.of_rank(rank)
        return None if role is None else cls(role.value)


class SamlProviderStatus(Described):
    """Whether an identity provider signs people on."""

    ACTIVE = "active", "It does."
    PENDING = "pending", "Its entity ID, its address or its certificate is missing."


class TokenScope(Described):
    """What a token may be used for, within what its account may do (docs/tokens.md)."""

    READ = "read", "Reads everything; no other scope is needed to read."
    WRITE = "write", "Everything, also the account itself and its tokens."
    USER_READ = "user:read", "Reads accounts: the own one, and people one works with."
    ORGANIZATION_READ = "organization:read", "Reads organizations."
    ORGANIZATION_WRITE = "organization:write", "Changes settings of organizations."
    ORGANIZATION_MEMBERS_READ = "organization:members:read", "Reads members and teams."
    ORGANIZATION_MEMBERS_WRITE = "organization:members:write", "Changes members and teams."
    ORGANIZATION_ASK = "organization:ask", "Asks questions about what an organization knows."
    ORGANIZATION_SEARCH = "organization:search", "Searches all spaces of an organization."
    SPACE_READ = "space:read", "Reads spaces, collections, their content and change requests."
    SPACE_WRITE = "space:write", "Changes spaces, collections, content, change requests, comments."
    SPACE_PERMISSIONS_READ = (
        "space:permissions:read", "Reads who has access to spaces and collections.",
    )  # fmt: skip
    SPACE_PERMISSIONS_WRITE = (
        "space:permissions:write", "Changes who has access to spaces and collections.",
    )  # fmt: skip
    CHANGE_REQUEST_MERGE = "change-request:merge", "Merges change requests."
    SITE_READ = "site:read", "Reads sites, their structure and settings."
    SITE_WRITE = "site:write", "Changes sites, their structure and settings."
    SITE_ADAPTIVE_WRITE = "site:adaptive:write", "Changes the claims that sites know of visitors."
    SITE_PUBLISH = "site:publish", "Publishes and unpublishes sites."
    SITE_PERMISSIONS_READ = "site:permissions:read", "Reads who has access to sites."
    SITE_PERMISSIONS_WRITE = "site:permissions:write", "Changes who has access to sites."
    SITE_AUTH_READ = "site:auth:read", "Reads share links, and keys that let visitors in."
    SITE_AUTH_WRITE = "site:auth:write", "Changes share links, and keys that let visitors in."
    SITE_INSIGHTS_READ = "site:insights:read", "Reads what visitors did."
    SITE_ASK = "site:ask", "Asks questions about the content of a site."
    SITE_SEARCH = "site:search", "Searches the content of a site."
    INTEGRATION_READ = "integration:read", "Reads integrations."
    INTEGRATION_INSTALLATIONS_READ = (
        "integration:installations:read", "Reads installations of integrations.",
    )  # fmt: skip
    INTEGRATION_INSTALLATIONS_WRITE = (
        "integration:installations:write", "Changes installations of integrations.",
    )  # fmt: skip
    INTEGRATION_PUBLISH = "integration:publish", "Publishes integrations."
    INTEGRATION_DELETE = "integration:delete", "Deletes integrations."
    WEBHOOK_READ = "webhook:read", "Reads webhooks and what was sent to them."
    WEBHOOK_WRITE = "webhook:write", "Makes, changes and deletes webhooks."
    OPENAPI_READ = "openapi:read", "Reads API specifications."
    OPENAPI_WRITE = "openapi:write", "Changes API specifications."

    @property
    def reads(self) -> bool:
        """Whether it lets a token read only."""
        return self.value.rpartition(":")[2] in ("read", "ask", "search")


# Of tokens that may do whatever their account may.
FULL_ACCESS = frozenset({TokenScope.READ, TokenScope.WRITE})


class SignInMethod(Described):
    """How a person has signed in."""

    EMAIL_LINK = "email-link", "By a link that was sent by e-mail."
    OPERATOR_LINK = "operator-link", "By a link that the operator of the server has made."
    INVITATION = "invitation", "By accepting an invitation that was sent by e-mail."
    SAML = "saml", "Through a SAML provider of an organization."
    OPENID_CONNECT = "openid-connect", "Through an OpenID Connect provider of the server."


class SortOrder(Described):
    """Direction of a sorted list."""

    ASC = "asc", "Smallest or oldest first."
    DESC = "desc", "Largest or newest first."


class OrganizationType(Described):
    """Kind of organization."""

    BUSINESS = "business", "A business."
    COMMUNITY = "community", "A community."


class OrganizationUseCase(Described):
    """What an organization publishes."""

    INTERNAL_DOCS = "internalDocs", "Documentation for its own people."
    DOCS_SITE = "docsSite", "A documentation site."
    AUDIENCE_CONTROLLED_SITE = "audienceControlledSite", "A site for a chosen audience."
    PRODUCT_DOCS = "productDocs", "Documentation of a product."
    TEAM_KNOWLEDGE_BASE = "teamKnowledgeBase", "What a team knows."
    DESIGN_SYSTEM = "designSystem", "A design system."
    OPEN_SOURCE_DOCS = "openSourceDocs", "Documentation of open-source software."
    NOTES = "notes", "Notes."
    OTHER = "other", "Something else."


class CommunityType(Described):
    """Kind of community organization."""

    NON_PROFIT = "nonProfit", "Without profit."
    OPEN_SOURCE = "openSource", "Open-source software."
    EDUCATION = "education", "Schools and universities."


class MemberSort(Described):
    """What a list of members is sorted by."""

    JOINED_AT = "joinedAt", "By when they joined."
    LAST_SEEN_AT = "lastSeenAt", "By when they were last seen, or joined where they never were."


class MemberRoleFilter(Described):
    """A role, or guests, who have none."""

    READ = _READ
    COMMENT = _COMMENT
    EDIT = _EDIT
    REVIEW = _REVIEW
    CREATE = _CREATE
    ADMIN = _ADMIN
    GUEST = "guest", "Guests, who have no role."


class RoleReasonKind(Described):
    """What a role on a space or collection comes from."""

    OPERATOR = "operator", "You are the operator of the server, who may do everything."
    NOT_A_MEMBER = "not_a_member", "The person is no member of the organization: no access."
    DISABLED = "disabled", "The member is disabled: no access."
    ORGANIZATION_ADMIN = "organization_admin", "Administrators have `admin` on everything."
    GRANT = "grant", "The person was given the role, or no access, on the object that is named."
    TEAM_GRANT = "team_grant", "The same for a team that the person is in."
    DEFAULT_LEVEL = "default_level", "The default level of the object that is named."
    ORGANIZATION_ROLE = "organization_role", "The member's role in the organization."
    GUEST = "guest", "Guests have no role in the organization: no access."


class InvitationKind(Described):
    """How an invitation reaches people."""

    EMAIL = "email", "One person, by their address."
    LINK = "link", "Whoever has its address."


class InvitationState(Described):
    """Whether an invitation can be accepted."""

    OPEN = "open", "It can be accepted."
    EXPIRED = "expired", "Its time is over."
    USED = "used", "Somebody has accepted it."
    REVOKED = (
        "revoked",
        "It does not hold now: links are switched off, or who made it may not give it any more.",
    )


class TeamMemberRole(Described):
    """What a person may do in a team."""

    OWNER = "owner", "Manages the members of the team."
    MEMBER = "member", "Has what the team has."


class EditMode(Described):
    """Whether people may edit the primary content of a space directly."""

    LIVE = "live", "The primary content is edited directly, or in change requests."
    LOCKED = "locked", "The primary content is edited in change requests only."


class Visibility(Described):
    """Who can see a space's content."""

    PUBLIC = "public", "Everybody."
    UNLISTED = "unlisted", "Everybody who has the address; search engines are asked not to list it."
    SHARE_LINK = "share-link", "Whoever has a share link."
    VISITOR_AUTH = "visitor-auth", "Visitors who have signed in."
    IN_COLLECTION = "in-collection", "Those who can see the collection that it is in."
    PRIVATE = "private", "Members with access only."


class SiteVisibility(Described):
    """Who can see a published site."""

    PUBLIC = "public", "Everybody."
    UNLISTED = "unlisted", "Everybody who has the address; search engines are asked not to list it."
    SHARE_LINK = "share-link", "Whoever has a share link."
    VISITOR_AUTH = "visitor-auth", "Visitors who have signed in."


class SiteType(enum.Enum):
    """Type of a site; every feature is available for every type."""

    BASIC = "basic"
    PREMIUM = "premium"
    ULTIMATE = "ultimate"
    SPONSORED = "sponsored"
    LEGACY_BASIC = "legacy-basic"
    LEGACY_PREMIUM = "legacy-premium"


class AgentsContext(Described):
    """Whether automated assistants may read a site."""

    EXCLUDED = "excluded", "Assistants are kept out."
    INCLUDED = "included", "Assistants may read it."


class SitePreviews(Described):
    """Who may preview change requests and revisions at the address of a published site."""

    ANYBODY = "anybody", "Whoever has the address of a draft."
    MEMBERS = "members", "Members who make an address for it."
    NOBODY = "nobody", "Nobody."


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
