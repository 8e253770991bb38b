"""How requests of an operation are signed, in the words of its specification."""

from __future__ import annotations

from typing import Any

from content.html.inlines import anchor
from content.html.markup import EMPTY, Html, element, escape, escape_breakable, joined, safe_address
from content.html.openapi_schemas import JsonObject, Reference, members, objects, text
from content.html.rendering import Target

# Scopes of one flow, and ways to sign a request.
MOST_SCOPES, MOST_WAYS = 200, 20
_ADDRESSES = ("authorizationUrl", "tokenUrl", "refreshUrl", "openIdConnectUrl")


def authentication(
    reference: Reference, extract: JsonObject, schemes: list[tuple[str, Any]]
) -> Html:
    """The schemes that an operation names: each with what a request has of it; which of them are
    used together, where there is a choice."""
    items = [
        _item(reference, name, scheme, _needed(extract, name))
        for name, scheme in schemes
        if isinstance(scheme, dict)
    ]
    if not items:
        return EMPTY
    listed = element("ul", joined(items), class_="openapi-fields")
    return joined([_ways(reference, extract), listed])


def _ways(reference: Reference, extract: JsonObject) -> Html:
    """Which schemes are used together; an empty one means that none is needed."""
    ways = objects(extract.get("security"))[:MOST_WAYS]
    if len(ways) < 2:
        return EMPTY
    parts = [
        Html(" + ".join(element("code", escape(name)) for name in way)) if way
        else escape(reference.words.optional)
        for way in ways
    ]  # fmt: skip
    label = escape(f"{reference.words.one_of}: ")
    return element("p", joined([label, Html(", ".join(parts))]), class_="openapi-bounds")


def _needed(extract: JsonObject, name: str) -> list[str]:
    """The scopes that an operation needs of a scheme."""
    scopes: dict[str, None] = {}
    for way in objects(extract.get("security")):
        listed = way.get(name)
        if isinstance(listed, list):
            scopes |= dict.fromkeys(scope for scope in listed if isinstance(scope, str))
    return list(scopes)[:MOST_SCOPES]


def _item(reference: Reference, name: str, scheme: JsonObject, needed: list[str]) -> Html:
    head = [
        element("code", escape(name), class_="openapi-name"),
        element("span", escape(_kind(scheme)), class_="openapi-type"),
    ]
    parts = [element("p", Html(" ".join(head)), class_="openapi-field")]
    if signed := signed_with(scheme):
        parts.append(element("p", element("code", escape_breakable(signed))))
    parts.append(reference.markdown(text(scheme, "description")))
    if needed:
        codes = Html(" ".join(element("code", escape(scope)) for scope in needed))
        label = escape(f"{reference.words.scopes}: ")
        parts.append(element("p", joined([label, codes]), class_="openapi-bounds"))
    parts += [_addresses(scheme)]
    parts += [
        joined([_flow(flow_name), _addresses(flow), _scopes(reference, flow)])
        for flow_name, flow in members(scheme.get("flows"))
        if isinstance(flow, dict)
    ]
    return element("li", joined(parts))


def _flow(name: str) -> Html:
    return element("p", element("code", escape(name)))


def _addresses(holder: JsonObject) -> Html:
    """Where tokens come from."""
    shown = []
    for name in _ADDRESSES:
        address = safe_address(text(holder, name))
        if address is not None:
            link = anchor(Target(href=address), escape_breakable(address))
            shown.append(joined([escape(f"{name}: "), link]))
    return joined(element("p", line, class_="openapi-bounds") for line in shown)


def _scopes(reference: Reference, flow: JsonObject) -> Html:
    rows = [
        joined([element("dt", element("code", escape(name))), element("dd", escape(str(meaning)))])
        for name, meaning in members(flow.get("scopes"))[:MOST_SCOPES]
    ]
    if not rows:
        return EMPTY
    summary = element("summary", escape(reference.words.scopes))
    listed = element("dl", joined(rows), class_="openapi-enum")
    return element("details", joined([summary, listed]), class_="openapi-nested",
                   open=reference.rendering.options.paper)  # fmt: skip


def signed_with(scheme: JsonObject) -> str:
    """What a request has of a scheme, as it is written into a header or an address; "" for what is
    not known."""
    kind, token = text(scheme, "type"), text(scheme, "x-gitbook-token-placeholder")
    prefix = text(scheme, "x-gitbook-prefix")
    if kind == "apiKey":
        value = f"{prefix} {token or 'YOUR_API_KEY'}".strip()
        name, place = text(scheme, "name"), text(scheme, "in")
        if place == "query":
            return f"?{name}={value}"
        return f"Cookie: {name}={value}" if place == "cookie" else f"{name}: {value}"
    if kind == "http" and text(scheme, "scheme").lower() == "basic":
        return f"Authorization: {prefix or 'Basic'} {token or 'CREDENTIALS'}"
    if kind in ("http", "oauth2", "openIdConnect"):
        return f"Authorization: {prefix or 'Bearer'} {token or 'YOUR_TOKEN'}"
    return ""


def _kind(scheme: JsonObject) -> str:
    kind = text(scheme, "type")
    if kind == "apiKey":
        return f"{text(scheme, 'name')} ({text(scheme, 'in')})"
    if kind == "http":
        return " ".join(filter(None, (text(scheme, "scheme"), text(scheme, "bearerFormat"))))
    if kind == "oauth2":
        flows = ", ".join(name for name, _ in members(scheme.get("flows")))
        return f"OAuth 2.0 ({flows})" if flows else "OAuth 2.0"
    return "OpenID Connect" if kind == "openIdConnect" else kind
