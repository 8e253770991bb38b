"""Scopes of tokens: what each includes, and the refusal that names one that is missing."""

from functools import lru_cache

from db.enums import TokenScope
from resolvers.core.actors import Actor
from resolvers.core.errors import Forbidden

_OF_INTEGRATIONS = {TokenScope.INTEGRATION_READ, TokenScope.ORGANIZATION_READ}
# Beside what ends in `read`, what a scope brings along: what its objects are part of, and what
# writes answer with.
_INCLUDED = {
    TokenScope.ORGANIZATION_MEMBERS_READ: {TokenScope.ORGANIZATION_READ},
    TokenScope.ORGANIZATION_ASK: {TokenScope.ORGANIZATION_READ},
    TokenScope.ORGANIZATION_SEARCH: {TokenScope.ORGANIZATION_READ},
    TokenScope.SPACE_PERMISSIONS_READ: {TokenScope.SPACE_READ},
    TokenScope.CHANGE_REQUEST_MERGE: {TokenScope.SPACE_READ},
    TokenScope.SITE_WRITE: {TokenScope.SITE_ADAPTIVE_WRITE},
    TokenScope.SITE_ADAPTIVE_WRITE: {TokenScope.SITE_READ},
    TokenScope.SITE_PUBLISH: {TokenScope.SITE_READ},
    TokenScope.SITE_PERMISSIONS_READ: {TokenScope.SITE_READ},
    TokenScope.SITE_AUTH_READ: {TokenScope.SITE_READ},
    TokenScope.SITE_INSIGHTS_READ: {TokenScope.SITE_READ},
    TokenScope.SITE_ASK: {TokenScope.SITE_READ},
    TokenScope.SITE_SEARCH: {TokenScope.SITE_READ},
    # An integration is shown with the organization that publishes it.
    TokenScope.INTEGRATION_READ: {TokenScope.ORGANIZATION_READ},
    TokenScope.INTEGRATION_INSTALLATIONS_READ: _OF_INTEGRATIONS,
    TokenScope.INTEGRATION_PUBLISH: _OF_INTEGRATIONS,
    TokenScope.OPENAPI_READ: {TokenScope.ORGANIZATION_READ},
    TokenScope.WEBHOOK_READ: {TokenScope.ORGANIZATION_READ},
    TokenScope.INTEGRATION_DELETE: _OF_INTEGRATIONS,
}


@lru_cache(maxsize=1024)
def granted_by(values: tuple[str, ...]) -> frozenset[TokenScope]:
    """Everything that the stored scopes of a token allow.

    Scopes that a newer version wrote grant nothing here.
    """
    by_value = {scope.value: scope for scope in TokenScope}
    granted: set[TokenScope] = set()
    for value in values:
        if value in by_value:
            granted |= included_in(by_value[value])
    return frozenset(granted)


def included_in(scope: TokenScope) -> frozenset[TokenScope]:
    """A scope with everything that it includes."""
    if scope is TokenScope.WRITE:
        return frozenset(TokenScope)
    if scope is TokenScope.READ:
        return frozenset(other for other in TokenScope if other.reads)
    subject, _, action = scope.value.rpartition(":")
    own = {scope} | _INCLUDED.get(scope, set())
    if action == "write" and scope is not TokenScope.SITE_ADAPTIVE_WRITE:
        own |= included_in(TokenScope(f"{subject}:read"))
    return frozenset(own)


def must_hold(actor: Actor, scope: TokenScope) -> None:
    """Forbidden where a token lacks a scope. Only accounts have tokens with scopes."""
    if actor.user_id is not None and scope not in actor.scopes:
        raise missing(scope)


def missing(scope: TokenScope) -> Forbidden:
    """The refusal of a token without this scope."""
    error = Forbidden(f"the token has no {scope.value!r} scope")
    error.facts = {"missingScope": scope.value}
    return error
