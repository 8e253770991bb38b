"""Headers that scripts name, checked before they are sent anywhere."""

import re
from collections.abc import Iterable, Iterator, Sequence

from runtime.limits import HEADER_CHARACTERS, HEADERS

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# Of one connection (RFC 9110, 7.6.1), or given by whoever sends the message.
OF_CONNECTIONS = frozenset(
    {
        "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
# What a script cannot say of its requests.
_OF_REQUESTS = OF_CONNECTIONS | {"host", "accept-encoding", "expect"}
_CREDENTIALS = frozenset({"authorization", "cookie"})


def checked_headers(pairs: object) -> list[tuple[str, str]]:
    """Headers from JSON, names in lower case; ValueError names what is wrong with them."""
    if not isinstance(pairs, list) or len(pairs) > HEADERS:
        raise ValueError(f"there are more than {HEADERS} headers")
    checked = list(_pairs(pairs))
    if sum(len(name) + len(value) for name, value in checked) > HEADER_CHARACTERS:
        raise ValueError(f"the headers have more than {HEADER_CHARACTERS} characters")
    return checked


def _pairs(pairs: list[object]) -> Iterator[tuple[str, str]]:
    for pair in pairs:
        match pair:
            case [str(name), str(value)] if _NAME.fullmatch(name) and _VALUE.fullmatch(value):
                yield name.lower(), value
            case _:
                raise ValueError("a header has characters that are not allowed")


def without(pairs: Iterable[tuple[str, str]], names: frozenset[str]) -> list[tuple[str, str]]:
    """The headers that are not of these names."""
    return [(name, value) for name, value in pairs if name not in names]


def of_request(pairs: Sequence[tuple[str, str]], *, same_origin: bool) -> list[tuple[str, str]]:
    """The headers of a script's request as they are sent; credentials only to where it sent it."""
    return without(pairs, _OF_REQUESTS if same_origin else _OF_REQUESTS | _CREDENTIALS)
