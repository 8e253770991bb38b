"""Players of known services: what an address of theirs is played in.

The markup is made here of the few parts of an address that are allowed; nothing that a service
sends becomes part of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from urllib.parse import SplitResult, parse_qs, quote, urlsplit

Address = Callable[[SplitResult], str | None]
SANDBOX = "allow-scripts allow-same-origin allow-presentation allow-popups"


@dataclass(frozen=True, slots=True)
class _Service:
    """A service: its name and hosts, how its player is addressed, and how high that is."""

    name: str
    hosts: tuple[str, ...]
    address: Address
    height: int = 400


@dataclass(frozen=True, slots=True)
class Player:
    """What an address is played in."""

    # The service as people know it, and the address of the frame.
    service: str
    src: str
    # In pixels.
    height: int

    @property
    def origin(self) -> str:
        """The scheme and host that the frame is loaded from."""
        parts = urlsplit(self.src)
        return f"{parts.scheme}://{parts.netloc}"


def _path(pattern: str, target: str) -> Address:
    """The player of a path that matches as a whole; `target` takes its groups."""
    compiled = re.compile(pattern)

    def address(url: SplitResult) -> str | None:
        match = compiled.fullmatch(url.path)
        return None if match is None else target.format(*match.groups())

    return address


_VIDEO = re.compile(r"[A-Za-z0-9_-]{6,20}")
_YOUTUBE = "https://www.youtube-nocookie.com/embed/{}"


def _youtube(url: SplitResult) -> str | None:
    short = re.fullmatch(r"/(?:embed|shorts|live)/([A-Za-z0-9_-]{6,20})", url.path)
    if short is not None:
        return _YOUTUBE.format(short.group(1))
    if url.path != "/watch":
        return None
    try:
        (video,) = parse_qs(url.query, max_num_fields=50).get("v", [""])
    except ValueError:
        return None
    return _YOUTUBE.format(video) if _VIDEO.fullmatch(video) else None


def _figma(url: SplitResult) -> str | None:
    if re.fullmatch(r"/(?:file|design|proto|board)/[A-Za-z0-9]{1,64}(?:/[^?#]{0,500})?", url.path):
        return f"https://www.figma.com/embed?embed_host=docs&url={quote(url.geturl(), safe='')}"
    return None


_SERVICES = (
    _Service("YouTube", ("youtube.com", "m.youtube.com"), _youtube),
    _Service("YouTube", ("youtu.be",), _path(r"/([A-Za-z0-9_-]{6,20})", _YOUTUBE)),
    _Service(
        "Vimeo", ("vimeo.com",), _path(r"/([0-9]{1,12})", "https://player.vimeo.com/video/{}")
    ),
    _Service(
        "Loom",
        ("loom.com",),
        _path(r"/share/([A-Za-z0-9]{1,64})", "https://www.loom.com/embed/{}"),
    ),
    _Service(
        "CodePen",
        ("codepen.io",),
        _path(
            r"/([A-Za-z0-9_-]{1,64})/(?:pen|full|details)/([A-Za-z0-9]{1,64})/?",
            "https://codepen.io/{}/embed/{}",
        ),
    ),
    _Service("Figma", ("figma.com",), _figma, 450),
    _Service(
        "Spotify",
        ("open.spotify.com",),
        _path(
            r"/(track|album|playlist|episode|show)/([A-Za-z0-9]{1,64})",
            "https://open.spotify.com/embed/{}/{}",
        ),
        152,
    ),
)
_BY_HOST = {host: service for service in _SERVICES for host in service.hosts}


def player_of(url: str) -> Player | None:
    """The player for an address; None where there is none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return None
    service = _BY_HOST.get(host)
    address = None if service is None or parts.scheme != "https" else service.address(parts)
    if service is None or address is None:
        return None
    return Player(service.name, address, service.height)


def player(url: str, title: str) -> str | None:
    """The markup of the player for an address; None where there is none."""
    described = player_of(url)
    if described is None:
        return None
    return (
        f'<iframe src="{escape(described.src)}" title="{escape(title)}" width="100%" '
        f'height="{described.height}" sandbox="{SANDBOX}" loading="lazy" '
        'referrerpolicy="strict-origin-when-cross-origin" allowfullscreen></iframe>'
    )
