"""An OpenID Connect provider on a port of loopback for tests; joserfc signs its tokens."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.listeners import open_listener

CLIENT, SECRET = "docstead", "a secret of the client"


def new_key(kid: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": kid, "use": "sig"})


@dataclass
class OpenIdServer:
    """One provider; tests change what it says."""

    issuer: str
    keys: list[RSAKey] = field(default_factory=lambda: [new_key("one")])
    signs_with: Any = None
    algorithm: str = "RS256"
    # What differs from a good answer: claims of the ID token, of userinfo; None leaves one out.
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    # Code -> the request that it answers.
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    id_token: str | None = None
    exchanges: int = 0

    async def discovery(self, request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/keys",
            }
            | self.settings
        )

    async def jwks(self, request: Request) -> Response:
        return JSONResponse({"keys": [key.as_dict(private=False) for key in self.keys]})

    async def authorize(self, request: Request) -> Response:
        """Everybody who comes is signed on at once."""
        query = dict(request.query_params)
        assert (query["client_id"], query["response_type"]) == (CLIENT, "code")
        code = f"code{len(self.codes)}"
        self.codes[code] = query
        answer = urlencode({"code": code, "state": query["state"], "iss": self.issuer})
        return RedirectResponse(f"{query['redirect_uri']}?{answer}", 303)

    async def token(self, request: Request) -> Response:
        self.exchanges += 1
        form = dict(parse_qsl((await request.body()).decode()))
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+')}".encode()).decode()
        asked = self.codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or request.headers.get("authorization") != f"Basic {basic}"
            or asked["redirect_uri"] != form["redirect_uri"]
            or asked["code_challenge"] != challenge
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        self.id_token = self.id_token or self.signed(asked["nonce"])
        return JSONResponse({"id_token": self.id_token, "access_token": "secret-of-the-person"})

    async def about(self, request: Request) -> Response:
        assert request.headers["authorization"] == "Bearer secret-of-the-person"
        return JSONResponse(self.userinfo)

    def signed(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": "person-1", "iat": now, "exp": now + 300,
            "nonce": nonce, "email": "reader@example.com", "email_verified": True, "name": "Reader",
        } | self.claims  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        key = self.signs_with or self.keys[-1]
        if self.algorithm == "none":
            parts = ({"alg": "none"}, claims)
            return ".".join(map(_segment, parts)) + "."
        if self.algorithm == "public key as secret":
            text = ".".join(map(_segment, ({"alg": "HS256", "kid": "one"}, claims)))
            digest = hmac.digest(self.keys[0].as_pem(private=False), text.encode(), "sha256")
            return f"{text}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
        header = {"alg": self.algorithm, "kid": getattr(key, "kid", None) or "one"}
        return jwt.encode(header, claims, key, algorithms=[self.algorithm])


def _segment(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@asynccontextmanager
async def openid_server() -> AsyncIterator[OpenIdServer]:
    """A provider that listens."""
    listener = open_listener()
    provider = OpenIdServer(f"http://127.0.0.1:{listener.getsockname()[1]}")
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", provider.discovery),
            Route("/keys", provider.jwks),
            Route("/authorize", provider.authorize),
            Route("/token", provider.token, methods=["POST"]),
            Route("/userinfo", provider.about),
        ]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield provider
    finally:
        server.should_exit = True
        await task
