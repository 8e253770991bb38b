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


class PublishedTarget(enum.Enum):
    """What an address that a visitor is sent to belongs to."""

    APPLICATION = "application"
    CONTENT = "content"
    EXTERNAL = "external"


class ConditionPlace(enum.Enum):
    """What a condition stands on."""

    SECTION = "section"
    SITE_SPACE = "site-space"
    PAGE = "page"
