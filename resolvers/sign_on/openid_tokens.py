"""What OpenID Connect providers say: their settings, their keys, and ID tokens (decision 66)."""

from __future__ import annotations

import asyncio
import base64
import hmac
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

import orjson

from content.late_modules import LateModule, ready
from fetching.client import Fetcher
from fetching.errors import FetchError
from resolvers.core.errors import Forbidden, Unavailable
from resolvers.core.openid_providers import OpenIdProvider
from resolvers.sign_on.identities import Identity, identity_of

if TYPE_CHECKING:
    import jwt
else:
    jwt = LateModule("jwt")

# Signatures by keys that only the provider has.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
SKEW_SECONDS = 180
BYTES, SECONDS = 500_000, 8.0
# How long the settings and keys of a provider are remembered, and how often a key that is not
# among them is looked for anew.
_REMEMBERED, _SOONEST = 3600.0, 30.0


@dataclass(slots=True)
class Discovered:
    """What a provider says of itself."""

    authorization: str
    token: str
    userinfo: str
    keys_address: str
    basic: bool
    at: float
    keys: list[Any] = field(default_factory=list)
    keys_at: float = 0


class OpenIdClient:
    """Asks the providers of one process; remembers what they say of themselves."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._discovered: dict[str, Discovered] = {}

    async def discover(self, provider: OpenIdProvider) -> Discovered:
        """The settings of a provider; Unavailable where it gives none."""
        seen = self._discovered.get(provider.name)
        if seen is not None and time.monotonic() - seen.at < _REMEMBERED:
            return seen
        address = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
        settings = await self._get(address)
        if settings.get("issuer") != provider.issuer:
            raise Unavailable("the provider says that it is another one; tell the operator")
        addresses = [
            settings.get(name, "")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")
        ]
        if not all(isinstance(part, str) and part.startswith("http") for part in addresses):
            raise Unavailable("the settings of the provider are incomplete; tell the operator")
        methods = settings.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        userinfo = settings.get("userinfo_endpoint", "")
        discovered = Discovered(
            addresses[0],
            addresses[1],
            userinfo if isinstance(userinfo, str) else "",
            addresses[2],
            "client_secret_basic" in methods,
            time.monotonic(),
        )
        self._discovered[provider.name] = discovered
        return discovered

    async def exchange(
        self, provider: OpenIdProvider, code: str, redirect: str, verifier: str
    ) -> dict[str, Any]:
        """The tokens for a code; Forbidden where the provider gives none."""
        settings = await self.discover(provider)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if settings.basic:
            pair = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
        try:
            answer = await self._fetcher.ask(
                "POST", settings.token, headers, urlencode(form).encode(),
                max_bytes=BYTES, seconds=SECONDS,
            )  # fmt: skip
        except FetchError as error:
            raise Forbidden("the provider did not confirm the sign-on; begin anew") from error
        return _object(answer.data)

    async def identity(
        self, provider: OpenIdProvider, tokens: dict[str, Any], nonce: str
    ) -> Identity:
        """Who an ID token is about; Forbidden for one that is not genuine, or not for us."""
        claims = await self._claims(provider, tokens.get("id_token"))
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise Forbidden("the ID token of the provider answers another request")
        audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
        if claims.get("azp", provider.client_id) != provider.client_id or (
            len(audiences) > 1 and "azp" not in claims
        ):
            raise Forbidden("the ID token of the provider is for somebody else")
        if "email" not in claims:
            claims = await self._userinfo(provider, tokens, claims)
        email = claims.get("email")
        if not isinstance(email, str) or claims.get("email_verified") is not True:
            raise Forbidden("the provider gives no e-mail address that it has verified")
        return identity_of(email, [name for name in [claims.get("name")] if isinstance(name, str)])

    async def _claims(self, provider: OpenIdProvider, token: object) -> dict[str, Any]:
        if not isinstance(token, str) or len(token) > BYTES:
            raise Forbidden("the provider gives no ID token")
        await ready("jwt")
        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(provider, header)
            claims: dict[str, Any] = await asyncio.to_thread(
                jwt.decode,
                token,
                key,
                ALGORITHMS,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
                audience=provider.client_id,
                issuer=provider.issuer,
                leeway=SKEW_SECONDS,
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Forbidden(f"the ID token of the provider is refused: {error}") from error
        return claims

    async def _key(self, provider: OpenIdProvider, header: dict[str, Any]) -> jwt.PyJWK:
        """The key that a token names; looked for anew when it is not known, for keys change."""
        if header.get("alg") not in ALGORITHMS:
            raise Forbidden(f"the ID token is signed by {str(header.get('alg'))[:20]!r}; use RS256")
        settings = await self.discover(provider)
        for _ in range(2):
            keys = [
                key
                for key in settings.keys
                if header.get("kid") in (None, key.get("kid")) and key.get("use", "sig") == "sig"
            ]
            if len(keys) == 1 and keys[0].get("kty") in ("RSA", "EC"):
                return jwt.PyJWK.from_dict(keys[0], header["alg"])
            if settings.keys and time.monotonic() - settings.keys_at < _SOONEST:
                break
            found_keys = (await self._get(settings.keys_address)).get("keys")
            listed = found_keys if isinstance(found_keys, list) else []
            settings.keys = [key for key in listed if isinstance(key, dict)][:100]
            settings.keys_at = time.monotonic()
        raise Forbidden("the ID token is signed with a key that the provider does not publish")

    async def _userinfo(
        self, provider: OpenIdProvider, tokens: dict[str, Any], claims: dict[str, Any]
    ) -> dict[str, Any]:
        """The claims of the person, where the ID token has no address."""
        settings, token = await self.discover(provider), tokens.get("access_token")
        if not settings.userinfo or not isinstance(token, str) or not token.isascii():
            return claims
        try:
            answer = await self._fetcher.ask(
                "GET", settings.userinfo, {"Authorization": f"Bearer {token}"},
                max_bytes=BYTES, seconds=SECONDS,
            )  # fmt: skip
        except FetchError as error:
            raise Forbidden("the provider does not say who you are; begin anew") from error
        more = _object(answer.data)
        if more.get("sub") != claims["sub"]:
            raise Forbidden("the provider speaks of somebody else")
        return more

    async def _get(self, address: str) -> dict[str, Any]:
        try:
            answer = await self._fetcher.get(address, max_bytes=BYTES, seconds=SECONDS)
        except FetchError as error:
            raise Unavailable("the provider does not answer; try again later") from error
        return _object(answer.data)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Unavailable("the provider does not answer as it should; try again later") from error
    if not isinstance(value, dict):
        raise Unavailable("the provider does not answer as it should; try again later")
    return value
