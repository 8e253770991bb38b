"""URLs of requests, taken apart and checked."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from fetching.addresses import host_name
from fetching.errors import FetchError

MAX_URL_LENGTH = 2048
_PORTS = {"http": 80, "https": 443}
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff]")
# What may stand in a path or query as it is; everything else is percent-encoded.
_KEPT = "/?#[]@!$&'()*+,;=:-._~%"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a request goes: `host` as it is resolved, `target` is the path with the query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The URL in its one form, without a fragment."""
        return f"{self.scheme}://{self.authority}{self.target}"

    def follow(self, address: str) -> "Location":
        """Where a redirect leads; FetchError where it must not."""
        target = read_location(urljoin(self.url, address))
        if self.scheme == "https" and target.scheme == "http":
            raise FetchError(f"{self.url}: redirects from https to http, which is not followed")
        return target


def read_location(url: str) -> Location:
    """The location of an http or https URL without credentials; FetchError says what is wrong."""
    shown = repr(url[:200])
    if len(url) > MAX_URL_LENGTH:
        raise FetchError(f"{shown}: has more than {MAX_URL_LENGTH} characters")
    if _CONTROL.search(url) or "\\" in url:
        raise FetchError(f"{shown}: has blanks, backslashes or control characters")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise FetchError(f"{shown}: is not a URL: {error}") from error
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not parts.hostname:
        raise FetchError(f"{shown}: is not an http or https URL")
    if "@" in parts.netloc:
        raise FetchError(f"{parts.scheme}://…@{parts.hostname}: must not hold credentials")
    if port == 0:
        raise FetchError(f"{shown}: port 0 cannot be connected to")
    return Location(scheme, host_name(parts.hostname), port or _PORTS[scheme], _target(parts))


def _target(parts: SplitResult) -> str:
    path = parts.path or "/"
    return quote(f"{path}?{parts.query}" if parts.query else path, safe=_KEPT)
