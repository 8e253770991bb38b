"""Enumerations of docs sites: how visitors are authenticated, host names, structure, insights."""

import enum


class PublishingAuthBackend(enum.Enum):
    """Who signs the tokens of a site's visitors."""

    CUSTOM = "custom"
    INTEGRATION = "integration"


class CustomHostnameStatus(enum.Enum):
    """Whether a custom host name leads to this server."""

    DNS_PASSED = "dns_passed"
    DNS_WRONG_CNAME = "dns_wrong_cname"
    DNS_NO_CNAME = "dns_no_cname"
    DNS_CLOUDFLARE_PROXIED = "dns_cloudflare_proxied"
    DNS_WRONG_CAA = "dns_wrong_caa"
    LIVE = "live"
    SSL_UNKNOWN = "ssl_unknown"
    SSL_PENDING = "ssl_pending"
    SSL_FAILED = "ssl_failed"
    SSL_RETRY_EXPIRED = "ssl_retry_expired"
    INVALID_DOMAIN = "invalid_domain"
    INTERNAL_ERROR = "internal_error"


class InsightsEventType(enum.Enum):
    """What a visitor of a published site did."""

    PAGE_VIEW = "page_view"
    SEARCH_OPEN = "search_open"
    SEARCH_TYPE_QUERY = "search_type_query"
    SEARCH_OPEN_RESULT = "search_open_result"
    PAGE_POST_FEEDBACK = "page_post_feedback"
    PAGE_POST_FEEDBACK_COMMENT = "page_post_feedback_comment"
    ASK_QUESTION = "ask_question"
    ASK_VIEW = "ask_view"
    ASK_RATE_RESPONSE = "ask_rate_response"
    LINK_CLICK = "link_click"
    API_CLIENT_OPEN = "api_client_open"
    API_CLIENT_REQUEST = "api_client_request"
    AD_CLICK = "ad_click"
    AD_DISPLAY = "ad_display"
    TRADEMARK_CLICK = "trademark_click"


class PermissionOrigin(enum.Enum):
    """What a role on a site comes from."""

    ORGANIZATION = "organization"
    SPACE = "space"


class InsightsDisplayContext(enum.Enum):
    """Where a published site was shown."""

    SITE = "site"
    EMBED = "embed"


class InsightsLinkPosition(enum.Enum):
    """Where on a page a link stood that somebody followed."""

    ANNOUNCEMENT = "announcement"
    HEADER = "header"
    FOOTER = "footer"
    SIDEBAR = "sidebar"
    CONTENT = "content"


class InsightsTrademarkPlacement(enum.Enum):
    """Where the name of the software stood that somebody followed."""

    SIDEBAR = "sidebar"
    AD = "ad"
    FOOTER = "footer"
    PDF = "pdf"


class InsightsAdPlacement(enum.Enum):
    """Where an advertisement stood."""

    ASIDE = "aside"


class PageFeedbackRating(enum.Enum):
    """What a visitor thinks of a page."""

    BAD = "bad"
    OK = "ok"
    GOOD = "good"


class InsightsVisitorDevice(enum.Enum):
    """What kind of machine a visitor uses."""

    DESKTOP = "desktop"
    TABLET = "tablet"
    MOBILE = "mobile"
    UNKNOWN = "unknown"


class InsightsVisitorBrowser(enum.Enum):
    """The browser of a visitor."""

    CHROME = "chrome"
    FIREFOX = "firefox"
    SAFARI = "safari"
    EDGE = "edge"
    IE = "ie"
    OPERA = "opera"
    UNKNOWN = "unknown"


class InsightsVisitorSystem(enum.Enum):
    """The operating system of a visitor."""

    WINDOWS = "windows"
    MACOS = "macos"
    LINUX = "linux"
    ANDROID = "android"
    IOS = "ios"
    UNKNOWN = "unknown"


class InsightsVisitorBot(enum.Enum):
    """The program that visited; people have none."""

    UNKNOWN = "unknown"
    GOOGLEBOT = "googlebot"
    BINGBOT = "bingbot"
    DUCKDUCKBOT = "duckduckbot"
    FACEBOOKBOT = "facebookbot"
    APPLEBOT = "applebot"
    CHATGPT = "chatgpt"
    ANTHROPIC = "anthropic"


class InsightsLinkKind(enum.Enum):
    """What a link leads to."""

    URL = "url"
    PAGE = "page"
    FILE = "file"
    ANCHOR = "anchor"
    SPACE = "space"
    COLLECTION = "collection"
    USER = "user"
    REUSABLE_CONTENT = "reusable-content"
    OPENAPI = "openapi"
    TAG = "tag"


class InsightsInterval(enum.Enum):
    """The length of the periods that times are counted in; weeks begin on Monday."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class InsightsOperator(enum.Enum):
    """How a filter of insights compares."""

    IN = "in"
    NOT_IN = "notIn"
    GREATER_THAN = "greaterThan"
    GREATER_THAN_OR_EQUAL = "greaterThanOrEqual"
    LESS_THAN = "lessThan"
    LESS_THAN_OR_EQUAL = "lessThanOrEqual"


class InsightsRangePreset(enum.Enum):
    """A time that ends now: 365, 90, 30 or 7 days, or 24 hours long."""

    LAST_YEAR = "lastYear"
    LAST_3_MONTHS = "last3Months"
    LAST_30_DAYS = "last30Days"
    LAST_7_DAYS = "last7Days"
    LAST_24_HOURS = "last24Hours"


class InsightsDirection(enum.Enum):
    """Smallest or largest first."""

    ASC = "asc"
    DESC = "desc"


class InsightsColumn(enum.Enum):
    """What can be asked about the events of a site."""

    DATETIME = "datetime"
    URL = "url"
    EVENT_TYPE = "eventType"
    EVENTS_COUNT = "eventsCount"
    SESSIONS_COUNT = "sessionsCount"
    VISITORS_COUNT = "visitorsCount"
    SITE_SECTION = "siteSection"
    SITE_SPACE = "siteSpace"
    SITE_SHARE_KEY = "siteShareKey"
    DISPLAY_CONTEXT = "displayContext"
    PAGE = "page"
    VISITOR_GEO_COUNTRY = "visitorGeoCountry"
    VISITOR_GEO_POINT = "visitorGeoPoint"
    VISITOR_DEVICE = "visitorDevice"
    VISITOR_BROWSER = "visitorBrowser"
    VISITOR_OS = "visitorOS"
    VISITOR_BOT = "visitorBot"
    VISITOR_LANGUAGE = "visitorLanguage"
    VISITOR_CLAIM = "visitorClaim"
    VISITOR_CLAIM_PROPERTY = "visitorClaimProperty"
    EVENT_LINK_TARGET_VALUE = "eventLinkTargetValue"
    EVENT_LINK_TARGET_KIND = "eventLinkTargetKind"
    EVENT_LINK_TARGET_DOMAIN = "eventLinkTargetDomain"
    EVENT_LINK_POSITION = "eventLinkPosition"
    EVENT_API_OPERATION_PATH = "eventAPIOperationPath"
    EVENT_API_OPERATION_METHOD = "eventAPIOperationMethod"
    EVENT_SEARCH_QUERY = "eventSearchQuery"
    EVENT_PAGE_FEEDBACK_RATING = "eventPageFeedbackRating"
    EVENT_PAGE_FEEDBACK_COMMENT = "eventPageFeedbackComment"
    EVENT_ASK_RESPONSE_RATING = "eventAskResponseRating"
    EVENT_AD_DOMAIN = "eventAdDomain"
    EVENT_AD_PLACEMENT = "eventAdPlacement"
    EVENT_TRADEMARK_PLACEMENT = "eventTrademarkPlacement"
    PAGE_FEEDBACK_RATING = "pageFeedbackRating"
    ASK_RESPONSE_RATING = "askResponseRating"
    REFERRER = "referrer"
    REFERRER_DOMAIN = "referrerDomain"
    UTM_SOURCE = "utmSource"
    UTM_MEDIUM = "utmMedium"
    UTM_CAMPAIGN = "utmCampaign"
    UTM_TERM = "utmTerm"
    UTM_CONTENT = "utmContent"


class PublishedTarget(enum.Enum):
    """What an address that a visitor is sent to belongs to."""

    APPLICATION = "application"
    CONTENT = "content"
    EXTERNAL = "external"


class SiteSearchMode(enum.Enum):
    """Which spaces of a site a search looks into."""

    DEFAULT = "default"
    SPECIFIC = "specific"
    ALL = "all"


class SiteSearchOldMode(enum.Enum):
    """Which spaces of a site a search looks into, in the deprecated form."""

    SPECIFIC = "specific"
    CURRENT = "current"
    ALL = "all"


class SiteRedirectKind(enum.Enum):
    """What a redirect of a site leads to."""

    SITE_SECTION = "site-section"
    SITE_SPACE = "site-space"
    SITE_PAGE = "site-page"
    URL = "url"


class SiteRedirectIntent(enum.Enum):
    """What becomes of a redirect that is written: it fires, it waits, or a waiting one fires."""

    LIVE = "live"
    DRAFT = "draft"
    PUBLISH = "publish"


class SiteRedirectOutcome(enum.Enum):
    """What became of one of several redirects that were written."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"
    PUBLISHED = "published"
    ERROR = "error"


class EmbedType(enum.Enum):
    """What an embedded address is shown as."""

    LINK = "link"
    RICH = "rich"


class ConditionPlace(enum.Enum):
    """What a condition stands on."""

    SECTION = "section"
    SITE_SPACE = "site-space"
    PAGE = "page"
