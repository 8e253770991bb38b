"""Tokens of integrations and of installations (docs/tokens.md).

They are signed, and stored nowhere. What they may do is worked out when they are used: of the
integration as it is published and the installation as it stands. So they end at once when it is
unpublished or uninstalled. Those of installations end after an hour, too.
"""

import datetime as dt
from typing import Any

from sqlalchemy import literal, select

from content.json_web_tokens import BadToken, signed, unverified, verified
from db.enums import Role, TokenScope
from db.integration_enums import IntegrationScope as Scope
from db.models.integrations import Installation, Integration
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.core.actors import Actor, Program
from resolvers.core.errors import Unauthenticated
from resolvers.core.scopes import granted_by
from resolvers.core.statements import Viewer, Written, statement

LIFETIME = dt.timedelta(hours=1)
_KINDS = {kind.value: kind for kind in Program}
# What every integration may do with itself.
OWN_SCOPES = (
    TokenScope.INTEGRATION_READ,
    TokenScope.INTEGRATION_INSTALLATIONS_READ,
    TokenScope.INTEGRATION_INSTALLATIONS_WRITE,
)
# What scopes of a manifest give: of a token, and as roles on spaces and sites. Those that are not
# here only say which events an integration gets.
_SPACES: dict[Scope, tuple[TokenScope, Role]] = {
    Scope.SPACE_CONTENT_READ: (TokenScope.SPACE_READ, Role.READ),
    Scope.SPACE_METADATA_READ: (TokenScope.SPACE_READ, Role.READ),
    Scope.SPACE_CONTENT_WRITE: (TokenScope.SPACE_WRITE, Role.EDIT),
    Scope.SPACE_METADATA_WRITE: (TokenScope.SPACE_WRITE, Role.CREATE),
    Scope.SPACE_GIT_SYNC: (TokenScope.SPACE_WRITE, Role.CREATE),
}
_SITES: dict[Scope, tuple[TokenScope, Role]] = {
    Scope.SITE_METADATA_READ: (TokenScope.SITE_READ, Role.READ),
    Scope.SITE_ADAPTIVE_READ: (TokenScope.SITE_READ, Role.READ),
    Scope.SITE_ADAPTIVE_WRITE: (TokenScope.SITE_ADAPTIVE_WRITE, Role.CREATE),
    Scope.SITE_VISITOR_AUTH: (TokenScope.SITE_AUTH_READ, Role.CREATE),
}
_SPECIFICATIONS: dict[Scope, tuple[TokenScope, Role]] = {
    Scope.OPENAPI_READ: (TokenScope.OPENAPI_READ, Role.READ),
    Scope.OPENAPI_WRITE: (TokenScope.OPENAPI_WRITE, Role.CREATE),
}


def space_role(scopes: list[str]) -> Role | None:
    """The role on spaces that scopes of a manifest give."""
    return _highest(scopes, _SPACES)


def site_role(scopes: list[str]) -> Role | None:
    """The role on sites that scopes of a manifest give."""
    return _highest(scopes, _SITES)


def specification_role(scopes: list[str]) -> Role | None:
    """The role on specifications of the organization that scopes of a manifest give."""
    return _highest(scopes, _SPECIFICATIONS)


def _highest(scopes: list[str], roles: dict[Scope, tuple[TokenScope, Role]]) -> Role | None:
    roles_given = [role for scope, (_, role) in roles.items() if scope.value in scopes]
    return max(roles_given, key=lambda role: role.rank, default=None)


def token_scopes(scopes: list[str]) -> frozenset[TokenScope]:
    """What a token of an integration with these scopes may be used for."""
    values = {scope.value for scope in OWN_SCOPES}
    for scope, (token_scope, _) in (_SPACES | _SITES | _SPECIFICATIONS).items():
        if scope.value in scopes:
            values.add(token_scope.value)
    return granted_by(tuple(sorted(values)))


def issue(
    key: bytes, program: Program, id: str, mark: str, expires: dt.datetime | None = None
) -> str:
    """The text of a token of an integration or an installation, by its id."""
    payload: dict[str, Any] = {"kind": program.value, "sub": id, "jti": mark}
    if expires is not None:
        payload["exp"] = int(expires.timestamp())
    return signed(payload, key)


def kind_of(text: str) -> Program | None:
    """Of what a token says that it is, before anything of it is verified; None for other tokens."""
    try:
        kind = unverified(text).get("kind")
    except BadToken:
        return None
    return _KINDS.get(kind) if isinstance(kind, str) else None


@statement
def _integration(viewer: Viewer) -> Written:
    return select(
        Integration.id, Integration.account_id, Integration.token_mark, Integration.scopes,
        Integration.id.label(SHARED_KEY), literal(None).label("organization_id"),
    ).where(among(Integration.id, KEYS))  # fmt: skip


@statement
def _installation(viewer: Viewer) -> Written:
    return (
        select(
            Integration.id, Installation.account_id, Integration.token_mark, Integration.scopes,
            Installation.id.label(SHARED_KEY), Installation.organization_id,
        )
        .join(Integration, Integration.id == Installation.integration_id)
        .where(among(Installation.id, KEYS))
    )  # fmt: skip


async def authenticate(points: PointReads, key: bytes, text: str, now: dt.datetime) -> Actor:
    """The program behind a token, as things are now; Unauthenticated says what is wrong with it."""
    try:
        payload = verified(text, key)
        program = _KINDS[payload["kind"]]
        id, mark, end = str(payload["sub"]), payload["jti"], payload.get("exp")
        expires = None if end is None else dt.datetime.fromtimestamp(int(end), dt.UTC)
    except (ValueError, OverflowError, TypeError, KeyError) as error:
        raise Unauthenticated("the token is not valid") from error
    if expires is not None and expires <= now:
        raise Unauthenticated("the token has expired")
    rows_of = _integration if program is Program.INTEGRATION else _installation
    row = await rows_of.read(points, id)
    if row is None or row.token_mark != mark:
        raise Unauthenticated("the integration was unpublished or uninstalled")
    return Actor(
        row.account_id,
        token_scopes(list(row.scopes)),
        service=True,
        program=program,
        token_expires_at=expires,
        integration_id=row.id,
    )
