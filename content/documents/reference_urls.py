"""Content references as URLs, where Markdown needs one and no path of a file is known.

A url reference is its URL. Any other becomes `docstead:KIND?field=value&...` with all of its
text fields, so that nothing is lost on the way to Markdown and back.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from content.json_types import JsonObject

SCHEME = "docstead:"
KINDS = (
    "file",
    "page",
    "anchor",
    "user",
    "collection",
    "space",
    "reusable-content",
    "openapi",
    "tag",
)


def reference_url(reference: JsonObject) -> str:
    """The URL that stands for a content reference; empty for one without a kind."""
    kind = reference.get("kind")
    if kind == "url":
        return str(reference.get("url", ""))
    if not isinstance(kind, str):
        return ""
    fields = {
        name: value
        for name, value in sorted(reference.items())
        if name != "kind" and isinstance(value, str)
    }
    return f"{SCHEME}{kind}?{urlencode(fields)}"


def read_reference(url: str) -> JsonObject | None:
    """The content reference that such a URL stands for; None for every other URL."""
    if not url.startswith(SCHEME):
        return None
    kind, _, query = url.removeprefix(SCHEME).partition("?")
    if kind not in KINDS:
        return None
    # NUL cannot be stored; it becomes what bytes become that are no text.
    query = query.replace("%00", "%EF%BF%BD")
    fields = parse_qsl(query, keep_blank_values=True, max_num_fields=None)
    return {"kind": kind, **{name: value for name, value in fields if name != "kind"}}
