"""Which media type an Accept header asks for."""

from functools import lru_cache

GRAPHQL_RESPONSE = "application/graphql-response+json"
JSON_TYPE = "application/json"
HTML = "text/html"


@lru_cache(maxsize=256)
def preference(accept: str, media_type: str) -> tuple[float, int, int]:
    """The preference of Accept for a media type: its quality, its precision, its place.

    Larger is better; a quality of 0 means it is not accepted. The most exact of the ranges that
    match decides, as HTTP says.
    """
    main = media_type.partition("/")[0]
    exactness = {media_type: 2, f"{main}/*": 1, "*/*": 0}
    best = (-1, 0.0, 0)
    for place, item in enumerate(accept.split(",")):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        exact = exactness.get(name, -1)
        if exact > best[0] and not _other_charset(parameters):
            best = (exact, _quality(parameters), -place)
    exact, quality, place = best
    return (quality, exact, place)


def _other_charset(parameters: list[str]) -> bool:
    return any(
        name.startswith("charset=") and name[8:].strip('"') not in ("utf-8", "utf8", "*")
        for name in parameters
    )


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return min(1.0, max(0.0, float(parameter[2:])))
            except ValueError:
                return 0.0
    return 1.0


def negotiate(accept: str | None) -> str | None:
    """The media type of a GraphQL response, None when neither is acceptable.

    Without a header the current type of the specification is sent. Where a header leaves the
    choice open, as `*/*` does, application/json is what such clients know.
    """
    if accept is None:
        return GRAPHQL_RESPONSE
    current, legacy = preference(accept, GRAPHQL_RESPONSE), preference(accept, JSON_TYPE)
    if current[0] <= 0 and legacy[0] <= 0:
        return None
    return GRAPHQL_RESPONSE if current > legacy else JSON_TYPE


def prefers_html(accept: str | None) -> bool:
    """Whether a page is wanted more than either JSON type, as a browser's address bar does."""
    if accept is None:
        return False
    json = max(preference(accept, GRAPHQL_RESPONSE)[0], preference(accept, JSON_TYPE)[0])
    html, exact, _ = preference(accept, HTML)
    return html > json and exact == 2
