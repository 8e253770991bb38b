"""What comes from a browser: forms and scripts of our own pages, and addresses to go to then."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from account_pages.cookies import session_secret
from resolvers.core.errors import BadRequest, Forbidden

BYTES, FIELDS = 16_384, 100
FORM = "application/x-www-form-urlencoded"
# No form and no link sends this header, and a script of another origin has to ask for it first.
SCRIPT_HEADER = "X-Requested-With"
SESSION_ENDED = "the session has ended; sign in again"


def must_be_own(request: Request, public_url: str) -> None:
    """Forbidden unless a page of this service has sent the request, as the browser says.

    Scripts of no other site can write these headers. Without any of them nobody knows.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        own = site == "same-origin"
    else:
        own = origin is not None and _is_own(origin, request, public_url)
    if not own:
        raise Forbidden("the request was not sent by a page of this server; open the page again")


def _is_own(origin: str, request: Request, public_url: str) -> bool:
    """Whether an origin is the public one of the service, or the host that was asked."""
    public = urlsplit(public_url)
    hosts = {public.netloc.lower(), request.headers.get("host", "").lower()}
    return origin.lower() in {f"{public.scheme}://{host}" for host in hosts}


def secret_of_script(request: Request, public_url: str) -> str | None:
    """The text of the session's cookie, for a request that a script of our own pages has sent.

    None without the cookie, and where the request lacks the header that only scripts send.
    Forbidden when it comes from elsewhere.
    """
    if not request.headers.get(SCRIPT_HEADER):
        return None
    secret = session_secret(request.scope, public_url)
    if secret is not None:
        must_be_own(request, public_url)
    return secret


async def read_form(request: Request, most: int = BYTES) -> Mapping[str, list[str]]:
    """The fields of a form with all their values; BadRequest for what no form of ours sends."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != FORM:
        raise BadRequest(f"the body is no form: its media type must be {FORM}")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise BadRequest(f"the form is too large: at most {most} bytes are allowed")
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS
        )
    except ValueError:
        raise BadRequest("the form cannot be read: it is not UTF-8, or has too many fields") from (
            None
        )
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields
