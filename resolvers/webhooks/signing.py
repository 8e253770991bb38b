"""Secrets of webhooks, and the headers that deliveries are signed with (docs/webhooks.md)."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX, BYTES = "whsec_", 32
# The first is the one of the published contract.
CONTRACT_HEADERS = ("X-GitBook-Signature", "X-Webhook-Signature")
STANDARD_HEADER = "webhook-signature"


def new_secret() -> str:
    """A secret as Standard Webhooks writes it: a prefix and 32 random bytes in Base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


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
    raw = base64.b64decode(key.removeprefix(PREFIX))
    text = f"{message_id}.{seconds}.".encode() + body
    return base64.b64encode(hmac.new(raw, text, hashlib.sha256).digest()).decode()
