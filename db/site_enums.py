"""Enumerations of docs sites: how visitors are authenticated, host names, structure, insights."""

import enum

from db.enums import Described


class PublishingAuthBackend(Described):
    """Who signs the tokens of a site's visitors."""

    CUSTOM = "custom", "The owner's own server, with the key of the site."
    INTEGRATION = "integration", "An integration."


class CustomHostnameStatus(Described):
    """Whether a custom host name leads to this server."""

    DNS_PASSED = "dns_passed", "DNS leads here; the certificate is not there yet."
    DNS_WRONG_CNAME = "dns_wrong_cname", "Its CNAME record leads elsewhere."
    DNS_NO_CNAME = "dns_no_cname", "It has no CNAME record."
    DNS_CLOUDFLARE_PROXIED = (
        "dns_cloudflare_proxied",
        "A proxy in front of it hides where it leads.",
    )
    DNS_WRONG_CAA = "dns_wrong_caa", "Its CAA records forbid a certificate."
    LIVE = "live", "The site is served under it."
    SSL_UNKNOWN = "ssl_unknown", "Nothing is known of its certificate."
    SSL_PENDING = "ssl_pending", "Its certificate is being made."
    SSL_FAILED = "ssl_failed", "Its certificate could not be made."
    SSL_RETRY_EXPIRED = "ssl_retry_expired", "Its certificate was tried for too often."
    INVALID_DOMAIN = "invalid_domain", "It is no name that can be used."
    INTERNAL_ERROR = "internal_error", "The check has failed."


class InsightsEventType(Described):
    """What a visitor of a published site did."""

    PAGE_VIEW = "page_view", "Saw a page."
    SEARCH_OPEN = "search_open", "Opened the search."
    SEARCH_TYPE_QUERY = "search_type_query", "Searched for something."
    SEARCH_OPEN_RESULT = "search_open_result", "Opened a result of a search."
    PAGE_POST_FEEDBACK = "page_post_feedback", "Rated a page."
    PAGE_POST_FEEDBACK_COMMENT = "page_post_feedback_comment", "Said something of a page."
    ASK_QUESTION = "ask_question", "Asked the assistant."
    ASK_VIEW = "ask_view", "Saw an answer of the assistant."
    ASK_RATE_RESPONSE = "ask_rate_response", "Rated an answer of the assistant."
    LINK_CLICK = "link_click", "Followed a link."
    API_CLIENT_OPEN = "api_client_open", "Opened an API operation to try it."
    API_CLIENT_REQUEST = "api_client_request", "Tried an API operation."
    AD_CLICK = "ad_click", "Followed an advertisement."
    AD_DISPLAY = "ad_display", "Saw an advertisement."
    TRADEMARK_CLICK = "trademark_click", "Followed the name of the software."


class PermissionOrigin(Described):
    """What a role on a site comes from."""

    ORGANIZATION = "organization", "The organization."
    SPACE = "space", "A space on the site."


class InsightsDisplayContext(Described):
    """Where a published site was shown."""

    SITE = "site", "By itself."
    EMBED = "embed", "Inside another page."


class InsightsLinkPosition(Described):
    """Where on a page a link stood that somebody followed."""

    ANNOUNCEMENT = "announcement", "In the announcement."
    HEADER = "header", "In the header."
    FOOTER = "footer", "In the footer."
    SIDEBAR = "sidebar", "In the table of contents."
    CONTENT = "content", "In the body of the page."


class InsightsTrademarkPlacement(Described):
    """Where the name of the software stood that somebody followed."""

    SIDEBAR = "sidebar", "Below the table of contents."
    AD = "ad", "Beside an advertisement."
    FOOTER = "footer", "In the footer."
    PDF = "pdf", "In a PDF."


class InsightsAdPlacement(Described):
    """Where an advertisement stood."""

    ASIDE = "aside", "Beside the body of the page."


class PageFeedbackRating(Described):
    """What a visitor thinks of a page."""

    BAD = "bad", "It does not help."
    OK = "ok", "It helps a little."
    GOOD = "good", "It helps."


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


class InsightsInterval(Described):
    """The length of the periods that times are counted in; weeks begin on Monday."""

    HOUR = "hour", "Hours."
    DAY = "day", "Days."
    WEEK = "week", "Weeks, from Monday on."
    MONTH = "month", "Months."


class InsightsOperator(Described):
    """How a filter of insights compares."""

    IN = "in", "Is one of the values."
    NOT_IN = "notIn", "Is none of the values."
    GREATER_THAN = "greaterThan", "Is greater."
    GREATER_THAN_OR_EQUAL = "greaterThanOrEqual", "Is greater or equal."
    LESS_THAN = "lessThan", "Is less."
    LESS_THAN_OR_EQUAL = "lessThanOrEqual", "Is less or equal."


class InsightsRangePreset(Described):
    """A time that ends now: 365, 90, 30 or 7 days, or 24 hours long."""

    LAST_YEAR = "lastYear", "The last 365 days."
    LAST_3_MONTHS = "last3Months", "The last 90 days."
    LAST_30_DAYS = "last30Days", "The last 30 days."
    LAST_7_DAYS = "last7Days", "The last 7 days."
    LAST_24_HOURS = "last24Hours", "The last 24 hours."


class InsightsDirection(Described):
    """Smallest or largest first."""

    ASC = "asc", "Smallest or oldest first."
    DESC = "desc", "Largest or newest first."


class InsightsColumn(Described):
    """What can be asked about the events of a site."""

    DATETIME = "datetime", "When it happened."
    URL = "url", "The address of the page."
    EVENT_TYPE = "eventType", "What was done."
    EVENTS_COUNT = "eventsCount", "The number of events."
    SESSIONS_COUNT = "sessionsCount", "The number of visits."
    VISITORS_COUNT = "visitorsCount", "The number of visitors."
    SITE_SECTION = "siteSection", "Id of the section."
    SITE_SPACE = "siteSpace", "Id of the site space."
    SITE_SHARE_KEY = "siteShareKey", "Key of the share link that let the visitor in."
    DISPLAY_CONTEXT = "displayContext", "Whether the site was shown by itself or embedded."
    PAGE = "page", "Id of the page."
    VISITOR_GEO_COUNTRY = "visitorGeoCountry", "Country of the visitor."
    VISITOR_GEO_POINT = "visitorGeoPoint", "Place of the visitor."
    VISITOR_DEVICE = "visitorDevice", "Device of the visitor."
    VISITOR_BROWSER = "visitorBrowser", "Browser of the visitor."
    VISITOR_OS = "visitorOS", "Operating system of the visitor."
    VISITOR_BOT = "visitorBot", "Name of the bot; null for people."
    VISITOR_LANGUAGE = "visitorLanguage", "Language of the visitor's browser."
    VISITOR_CLAIM = "visitorClaim", "All claims of the visitor."
    VISITOR_CLAIM_PROPERTY = "visitorClaimProperty", "One claim of the visitor."
    EVENT_LINK_TARGET_VALUE = "eventLinkTargetValue", "What a link that was followed leads to."
    EVENT_LINK_TARGET_KIND = "eventLinkTargetKind", "The kind of what it leads to."
    EVENT_LINK_TARGET_DOMAIN = "eventLinkTargetDomain", "The host name that it leads to."
    EVENT_LINK_POSITION = "eventLinkPosition", "Where on the page it stood."
    EVENT_API_OPERATION_PATH = (
        "eventAPIOperationPath",
        "Path of an API operation that was opened or tried.",
    )
    EVENT_API_OPERATION_METHOD = "eventAPIOperationMethod", "Method of that operation."
    EVENT_SEARCH_QUERY = "eventSearchQuery", "What was searched for."
    EVENT_PAGE_FEEDBACK_RATING = "eventPageFeedbackRating", "How a page was rated."
    EVENT_PAGE_FEEDBACK_COMMENT = "eventPageFeedbackComment", "What was said of a page."
    EVENT_ASK_RESPONSE_RATING = (
        "eventAskResponseRating",
        "How an answer of the assistant was rated.",
    )
    EVENT_AD_DOMAIN = "eventAdDomain", "The host name that an advertisement leads to."
    EVENT_AD_PLACEMENT = "eventAdPlacement", "Where an advertisement stood."
    EVENT_TRADEMARK_PLACEMENT = "eventTrademarkPlacement", "Where the name of the software stood."
    PAGE_FEEDBACK_RATING = "pageFeedbackRating", "The mean rating of pages."
    ASK_RESPONSE_RATING = "askResponseRating", "The mean rating of answers of the assistant."
    REFERRER = "referrer", "The address that the visitor came from."
    REFERRER_DOMAIN = "referrerDomain", "The host name that the visitor came from."
    UTM_SOURCE = "utmSource", "The parameter `utm_source` of the address."
    UTM_MEDIUM = "utmMedium", "The parameter `utm_medium` of the address."
    UTM_CAMPAIGN = "utmCampaign", "The parameter `utm_campaign` of the address."
    UTM_TERM = "utmTerm", "The parameter `utm_term` of the address."
    UTM_CONTENT = "utmContent", "The parameter `utm_content` of the address."


class PublishedTarget(Described):
    """What an address that a visitor is sent to belongs to."""

    APPLICATION = "application", "The application of those who write."
    CONTENT = "content", "The published content."
    EXTERNAL = "external", "Somebody else's server."


class SiteSearchMode(Described):
    """Which spaces of a site a search looks into."""

    DEFAULT = "default", "The default of each section, and what is named beside it."
    SPECIFIC = "specific", "Those that are named."
    ALL = "all", "All of them."


class SiteSearchOldMode(enum.Enum):
    """Which spaces of a site a search looks into, in the deprecated form."""

    SPECIFIC = "specific"
    CURRENT = "current"
    ALL = "all"


class SiteRedirectKind(Described):
    """What a redirect of a site leads to."""

    SITE_SECTION = "site-section", "A section."
    SITE_SPACE = "site-space", "A site space."
    SITE_PAGE = "site-page", "A page of a site space."
    URL = "url", "A URL."


class SiteRedirectIntent(Described):
    """What becomes of a redirect that is written: it fires, it waits, or a waiting one fires."""

    LIVE = "live", "It fires at once."
    DRAFT = "draft", "It waits to be published."
    PUBLISH = "publish", "What waits fires from now on."


class SiteRedirectOutcome(Described):
    """What became of one of several redirects that were written."""

    CREATED = "created", "It was made."
    UPDATED = "updated", "It was changed."
    DELETED = "deleted", "It was deleted."
    PUBLISHED = "published", "It fires from now on."
    ERROR = "error", "It was refused."


class EmbedType(Described):
    """What an embedded address is shown as."""

    LINK = "link", "A plain link."
    RICH = "rich", "Its own content, in a frame."


class ConditionPlace(Described):
    """What a condition stands on."""

    SECTION = "section", "A section."
    SITE_SPACE = "site-space", "A site space."
    PAGE = "page", "A page."
