"""Secrets of webhooks, and the headers that deliveries are signed with (docs/webhooks.md).

Secrets are stored sealed. Those that a version before this one has stored are as they were shown,
which their prefix tells, until the sweep has sealed them.
"""

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress

from db.models.webhooks import SECRET_PREFIX, Webhook
from resolvers.core.sealing import Sealer, UnsealedError

BYTES = 32
# The first is the one of the published contract.
CONTRACT_HEADERS = ("X-GitBook-Signature", "X-Webhook-Signature")
STANDARD_HEADER = "webhook-signature"


def new_secret() -> str:
    """A secret as Standard Webhooks writes it: a prefix and 32 random bytes in Base64."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def sealed(sealer: Sealer, secret: str) -> str:
    """A secret as it is stored; the same text where it is sealed."""
    return sealer.seal(secret) if secret.startswith(SECRET_PREFIX) else secret


def valid_secrets(sealer: Sealer, webhook: Webhook, now: dt.datetime) -> list[str]:
    """The secrets that deliveries are signed with, newest first.

    UnsealedError when the newest cannot be opened. Without the one before it receivers lose
    nothing that they were promised: it is left out.
    """
    secrets = [_opened(sealer, webhook.secret)]
    until = webhook.old_secret_until
    if webhook.old_secret is not None and until is not None and until > now:
        with suppress(UnsealedError):
            secrets.append(_opened(sealer, webhook.old_secret))
    return secrets


def _opened(sealer: Sealer, stored: str) -> str:
    return stored if stored.startswith(SECRET_PREFIX) else sealer.open(stored)


def signatures(keys: Sequence[str], message_id: str, seconds: int, body: bytes) -> dict[str, str]:
    """The headers that sign a body, with each of the secrets that are valid: newest first.

    Those of the contract take the secret as it is written, those of Standard Webhooks its bytes.
    """
    own = ",".join(f"v1={_contract(key, seconds, body)}" for key in keys)
    standard = " ".join(f"v1,{_standard(key, message_id, seconds, body)}" for key in keys)
    return {
        **dict.fromkeys(CONTRACT_HEADERS, f"t={seconds},{own}"),
        STANDARD_HEADER: standard,
    }


def _contract(key: str, seconds: int, body: bytes) -> str:
    return hmac.new(key.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()


def _standard(key: str, message_id: str, seconds: int, body: bytes) -> str:
    raw = base64.b64decode(key.removeprefix(SECRET_PREFIX))
    text = f"{message_id}.{seconds}.".encode() + body
    return base64.b64encode(hmac.new(raw, text, hashlib.sha256).digest()).decode()
