"""The scripts of published pages, which are files of `published/static`, and where they are served.

They are the same for every site and every reader, so they are there below each site's address
without a look at who asks. Their addresses hold a digest of all of them, and may be kept for ever.
"""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from starlette.responses import Response

from published.answers import FOR_EVER
from published.html.scripts import integrity_of
from published.html.view import Script
from published.rendered_pages import KeptAnswer, KeptResponse, RequestHeaders

FOLDER: Final = Path(__file__).parent / "static"
BELOW = "~assets"
PLAYERS, DIAGRAMS = "players.js", "diagrams.js"
PAGE_ACTIONS, FEEDBACK = "page-actions.js", "feedback.js"
REQUEST_PANEL = "request-panel.js"
SITE_SCRIPTS, BLOCKS = "site-scripts.js", "blocks.js"
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
_PATH = re.compile(rf"/{BELOW}/([0-9a-f]{{16}})/(.*)", re.DOTALL)
# For the page in the frame: the modules beside it, and the styles that Mermaid measures with.
FRAME_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; "
    "sandbox allow-scripts"
)


@cache
def _files() -> dict[str, Path]:
    return {
        path.relative_to(FOLDER).as_posix(): path
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in _TYPES
    }


@cache
def digest() -> str:
    """Changes with any of the files."""
    total = hashlib.sha256()
    for name, path in _files().items():
        total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def script(root: str, name: str) -> Script:
    """A module, where it is below the address of a site."""
    return Script(f"{root}/{BELOW}/{digest()}/{name}", _integrity(name))


@cache
def _integrity(name: str) -> str:
    return integrity_of(_files()[name].read_bytes())


def asset(path: str, request_headers: RequestHeaders) -> KeptResponse | Response | None:
    """The answer for the path of a request; None where it is not that of a file.

    Another digest is that of an older or newer release: nobody has its files.
    """
    if f"/{BELOW}/" not in path:
        return None
    match = _PATH.search(path)
    if match is None:
        # Pages may have such a path.
        return None
    if match[1] != digest() or match[2] not in _files():
        return Response("There is no such file.", 404, media_type="text/plain")
    return _answer(match[2]).answer(request_headers)


@cache
def _answer(name: str) -> KeptAnswer:
    """The answer with a file, kept with its codings: some 5 MB if all were ever asked for."""
    path = _files()[name]
    body = path.read_bytes()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {
        "ETag": tag,
        "Cache-Control": FOR_EVER,
        # The frame of diagrams has no origin, and modules are only read across origins then.
        "Access-Control-Allow-Origin": "*",
        "Content-Security-Policy": FRAME_POLICY if path.suffix == ".html" else "default-src 'none'",
        "Content-Type": _TYPES[path.suffix],
    }
    response = Response(body, 200, headers)
    return KeptAnswer(200, response.raw_headers, body, tag.encode(), {})
