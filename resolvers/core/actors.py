"""Actors: a person, a visitor of a published site, the operator of the server, or nobody; and where
their requests come from."""

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from db.audit_enums import AuditDoor
from db.enums import SignInMethod, TokenScope


@dataclass(frozen=True, slots=True)
class Visitor:
    """A reader of one published site: what its content token lets it see, as things are now.

    The sets hold what the site's conditions leave for the visitor's `claims`
    (resolvers/published/visitors.py); they are worked out for each request, so that a change of the
    site takes effect at once.
    """

    site_id: str
    organization_id: str
    section_ids: frozenset[str] = frozenset()
    site_space_ids: frozenset[str] = frozenset()
    space_ids: frozenset[str] = frozenset()
    # The draft that the token was made for, beside the primary content.
    change_request_id: str | None = None
    revision_id: str | None = None
    # The spaces whose change requests and revisions anybody may preview, by their ids.
    preview_space_ids: frozenset[str] = frozenset()
    share_key: str | None = None
    # What a preview changes of how the site looks (resolvers/customization/drafts.py).
    customization: str | None = None
    # What conditions and expressions read as `visitor.claims`.
    claims: Mapping[str, Any] = field(default_factory=dict, compare=False)
    # The version of the site that all of this follows from (resolvers/access/versions.py); None
    # where it follows from more, such as a draft.
    site_version: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """How an account has come: by which method, and by SAML through which provider."""

    method: SignInMethod | None = None
    provider_id: str | None = None
    provider_organization_id: str | None = None


class Program(enum.Enum):
    """What an account of the server's own making acts for."""

    # An integration, wherever it is installed.
    INTEGRATION = "integration"
    # One of its installations.
    INSTALLATION = "installation"


# Of tokens that the operator of the server has made.
UNKNOWN_SIGN_IN = SignIn()


@dataclass(frozen=True, slots=True)
class Actor:
    """The caller: an account with a token or a session, a visitor of a published site, the operator
    of the server (command line), or nobody.
    """

    user_id: str | None = None
    # With all that they include (resolvers/core/scopes.py).
    scopes: frozenset[TokenScope] = frozenset()
    operator: bool = False
    visitor: Visitor | None = None
    # Whether the account is a service account of an organization, and no person.
    service: bool = False
    # Of an account that is that of an integration or of an installation: which of both.
    program: Program | None = None
    # Ids of organizations of the account that are closed to it for the way in which it has come.
    closed: frozenset[str] = frozenset()
    # The token or the session of the browser that the account came with; no part of who it is.
    token_id: str | None = field(default=None, compare=False)
    token_expires_at: dt.datetime | None = field(default=None, compare=False)
    session_id: str | None = field(default=None, compare=False)
    # The integration that a program is, or is an installation of.
    integration_id: str | None = field(default=None, compare=False)
    sign_in: SignIn = field(default=UNKNOWN_SIGN_IN, compare=False)

    @property
    def nobody(self) -> bool:
        """Whether the caller is nobody: every rule gives rank 0."""
        return self.user_id is None and not self.operator and self.visitor is None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from: the interface, the address of the client, the request's id."""

    door: AuditDoor
    address: str | None = None
    request_id: str | None = None


# Of what no request has asked for.
OF_THE_SERVER = Origin(AuditDoor.JOB)
# The header of requests that are for one account only.
EXPECTED_USER = "Docstead-User"
NOBODY = Actor()
OPERATOR = Actor(scopes=frozenset(TokenScope), operator=True)
