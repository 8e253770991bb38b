"""What is expected of an answer of a SAML provider, and what a genuine one says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from resolvers.sign_on.identities import Identity

if TYPE_CHECKING:
    from cryptography import x509


@dataclass(frozen=True, slots=True)
class Expected:
    """Whom an answer has to come from and be for."""

    issuer: str
    certificates: Sequence[x509.Certificate]
    audience: str
    recipient: str


@dataclass(frozen=True, slots=True)
class SamlAnswer:
    """A genuine answer: the assertion's id, the request that it answers, and the person."""

    assertion_id: str
    request_id: str
    identity: Identity
