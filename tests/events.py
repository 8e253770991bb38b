"""Events of visitors as they are sent to /v1."""

from typing import Any

CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Safari/537.36"
)
# The members that events of a type need, with values that are allowed.
MEMBERS: dict[str, dict[str, Any]] = {
    "page_view": {},
    "search_open": {},
    "search_type_query": {"query": "install"},
    "search_open_result": {"query": "install", "result": {"spaceId": "s1", "pageId": "p1"}},
    "page_post_feedback": {"feedback": {"rating": "good"}},
    "page_post_feedback_comment": {"feedback": {"rating": "bad", "comment": "Too short"}},
    "ask_question": {"query": "How?"},
    "ask_view": {},
    "ask_rate_response": {"query": "How?", "rating": -1, "responseId": "r1"},
    "link_click": {
        "link": {
            "target": {"kind": "url", "url": "https://Other.example/a"},
            "position": "header",
        }
    },
    "api_client_open": {"operation": {"path": "/pets", "method": "GET"}},
    "api_client_request": {"operation": {"path": "/pets/{id}", "method": "delete"}},
    "ad_click": {"ad": {"domain": "Ad.example", "zoneId": "z", "placement": "aside"}},
    "ad_display": {"ad": {"domain": "ad.example", "zoneId": "z", "placement": "aside"}},
    "trademark_click": {"placement": "footer"},
}


def event(type: str = "page_view", **changes: Any) -> dict[str, Any]:
    """An event that is allowed; members of `session` and `location` are replaced one by one."""
    session = {
        "visitorId": "visitor",
        "sessionId": "session",
        "cookies": {"theme": "dark"},
        "userAgent": CHROME,
        "language": None,
        "referrer": None,
        **changes.pop("session", {}),
    }
    location = {
        "url": "https://docs.example.com/guide",
        "siteSection": None,
        "siteSpace": None,
        "siteShareKey": None,
        "space": None,
        "revision": None,
        "page": None,
        **changes.pop("location", {}),
    }
    return {"type": type, "session": session, "location": location} | MEMBERS[type] | changes
