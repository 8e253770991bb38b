"""Push webhooks of forges: who has sent one, whether it is signed, what it says."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs

import orjson

from db.git_enums import GitForge
from resolvers.core.errors import BadRequest

FORM = "application/x-www-form-urlencoded"
# The header with the event, and the one with the signature or token. Gitea and Forgejo send those
# of GitHub as well, so they come first.
_HEADERS = (
    (GitForge.GITEA, "x-forgejo-event", "x-forgejo-signature"),
    (GitForge.GITEA, "x-gitea-event", "x-gitea-signature"),
    (GitForge.GITLAB, "x-gitlab-event", "x-gitlab-token"),
    (GitForge.GITHUB, "x-github-event", "x-hub-signature-256"),
)
_PUSHES = ("push", "push hook")


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook as it has come; nothing of it is checked yet."""

    forge: GitForge
    event: str
    signature: str
    content_type: str
    body: bytes

    def is_signed(self, secret: str) -> bool:
        """Whether whoever has sent it knows the secret. It takes the same time for any secret and
        signature of the same lengths."""
        sent = self.signature.encode("utf-8", "surrogateescape")
        if self.forge is GitForge.GITLAB:
            return hmac.compare_digest(sent, secret.encode())
        digest = hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest()
        prefix = "sha256=" if self.forge is GitForge.GITHUB else ""
        return hmac.compare_digest(sent, f"{prefix}{digest}".encode())

    @property
    def is_push(self) -> bool:
        """Whether it says that a branch has moved."""
        return self.event.lower() in _PUSHES


@dataclass(frozen=True, slots=True)
class Push:
    """What a push says: the full name of the ref, and the commit; None where it was deleted."""

    ref: str
    commit: str | None


def read_hook(headers: Mapping[str, str], body: bytes) -> Hook:
    """The webhook of a request; BadRequest for one of an unknown forge."""
    for forge, event, signature in _HEADERS:
        if event in headers:
            content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
            return Hook(forge, headers[event], headers.get(signature, ""), content_type, body)
    raise BadRequest("no webhook of GitHub, GitLab, Gitea or Forgejo: their headers are missing")


def read_push(hook: Hook) -> Push:
    """What a signed push says; BadRequest for a body that is none."""
    body = hook.body
    try:
        if hook.content_type == FORM:
            # As GitHub sends it by default.
            body = parse_qs(body.decode(), max_num_fields=10)["payload"][0].encode()
        value = orjson.loads(body)
    except (ValueError, KeyError) as error:
        raise BadRequest("the body is not the JSON of a push") from error
    ref = value.get("ref") if isinstance(value, dict) else None
    if not isinstance(ref, str):
        raise BadRequest("the body names no `ref`")
    after = value.get("after")
    moved = isinstance(after, str) and after.strip("0") != ""
    return Push(ref, after if moved else None)
