"""Every address beside /v1 with whatever somebody puts in its place: never an error of ours."""

import re
from collections.abc import Iterator
from itertools import product

from starlette.routing import Route

from tests.conftest import Api

VALUES = (
    "%00", "a%00b", "%ed%a0%80", "%F0%9F%98%80", "..%2f..%2fetc", "%0d%0aX-A:%201", "9" * 4_000,
)  # fmt: skip
PLACE = re.compile(r"\{(\w+)(?::\w+)?\}")


def routes(api: Api) -> Iterator[tuple[str, str]]:
    """Methods and paths with a place for a value."""
    for route in api.app.routes:
        if isinstance(route, Route) and PLACE.search(route.path) and "/v1/" not in route.path:
            for method in sorted((route.methods or {"GET", "POST"}) - {"HEAD", "OPTIONS"}):
                yield method, route.path


def filled(path: str, place: str, value: str) -> str:
    """A path with a value in one place, and a plain one in the others."""
    return PLACE.sub("x", re.sub(rf"\{{{place}(:\w+)?\}}", lambda _: value, path))


async def test_whatever_stands_in_an_address_is_answered(api: Api) -> None:
    reached = 0
    for method, path in routes(api):
        for place, value in product([match[1] for match in PLACE.finditer(path)], VALUES):
            query = f"?signature={value}&token={value}&expires={value}"
            url = filled(path, place, value) + query
            answer = await api.client.request(method, url, content=b"{}")
            assert answer.status_code < 500, (method, url[:200], answer.text[:300])
            reached += 1
    assert reached > 100
