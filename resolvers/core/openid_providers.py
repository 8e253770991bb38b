"""OpenID Connect providers of the server, as its operator describes them in a file."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PROVIDERS = 10
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?")
_MEMBERS = {"name", "label", "issuer", "clientId", "clientSecret"}


@dataclass(frozen=True, slots=True)
class OpenIdProvider:
    """One provider: its name in addresses and for people, and what it knows this server by."""

    name: str
    label: str
    issuer: str
    client_id: str
    client_secret: str


def read_openid_providers(path: str) -> tuple[OpenIdProvider, ...]:
    """The providers in a file of JSON, none for an empty path; ValueError says what is wrong."""
    if not path:
        return ()
    try:
        listed = json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"the file cannot be read as JSON: {error}") from error
    if not isinstance(listed, list) or len(listed) > PROVIDERS:
        raise ValueError(f"the file must hold a list of at most {PROVIDERS} providers")
    providers = tuple(map(_read, listed))
    if len({provider.name for provider in providers}) < len(providers):
        raise ValueError("two providers have the same name")
    return providers


def _read(entry: Any) -> OpenIdProvider:
    if not isinstance(entry, dict) or entry.keys() != _MEMBERS:
        raise ValueError(f"each provider has exactly {', '.join(sorted(_MEMBERS))}")
    if not all(isinstance(value, str) and 1 <= len(value) <= 1000 for value in entry.values()):
        raise ValueError("each member is text of 1 to 1,000 characters")
    if not _NAME.fullmatch(entry["name"]):
        name = entry["name"][:40]
        raise ValueError(f"name {name!r} must be 1 to 30 of a-z, 0-9 and inner hyphens")
    issuer = urlsplit(entry["issuer"])
    if issuer.scheme not in ("http", "https") or not issuer.hostname or issuer.query:
        raise ValueError(f"issuer {entry['issuer'][:100]!r} must be like https://login.example.com")
    return OpenIdProvider(
        entry["name"],
        entry["label"],
        entry["issuer"],
        entry["clientId"],
        entry["clientSecret"],
    )
