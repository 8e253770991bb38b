"""Certificates of identity providers: what signs their answers (docs/signing-on.md)."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import re
from typing import TYPE_CHECKING

from content.late_modules import LateModule, ready
from resolvers.core.errors import invalid

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
else:
    x509 = LateModule("cryptography.x509")
    ec = LateModule("cryptography.hazmat.primitives.asymmetric.ec")
    rsa = LateModule("cryptography.hazmat.primitives.asymmetric.rsa")

LENGTH = 10_000
MOST = 4
RSA_BITS, CURVE_BITS = 2048, 256
_ARMOURED = re.compile(r"-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----")
_ALLOWED = (
    "a certificate in PEM, with or without the lines BEGIN CERTIFICATE and END CERTIFICATE; "
    f"several, at most {MOST}, each with these lines"
)


async def can_read() -> None:
    """To be awaited in an event loop before certificates are read: the library is large."""
    await ready(
        "cryptography.x509",
        "cryptography.hazmat.primitives.asymmetric.ec",
        "cryptography.hazmat.primitives.asymmetric.rsa",
    )


def read_certificates(text: str) -> list[x509.Certificate]:
    """The certificates in a text; Invalid when it holds something else, or a weak key.

    A provider that changes its key has two for a while.
    """
    bodies = _ARMOURED.findall(text)
    if not bodies and "-----" not in text:
        bodies = [text]
    if not 1 <= len(bodies) <= MOST or _ARMOURED.sub("", text).strip() not in ("", text.strip()):
        raise invalid("certificate", f"this is not allowed; it must be {_ALLOWED}")
    return [_read(body) for body in bodies]


def _read(body: str) -> x509.Certificate:
    try:
        der = base64.b64decode("".join(body.split()), validate=True)
        certificate = x509.load_der_x509_certificate(der)
        key = certificate.public_key()
    except (ValueError, binascii.Error, x509.InvalidVersion, NotImplementedError) as error:
        raise invalid("certificate", f"cannot be read; it must be {_ALLOWED}") from error
    except Exception as error:
        # Keys of kinds that the library does not know.
        raise invalid("certificate", "has a key of an unknown kind; use RSA or ECDSA") from error
    if isinstance(key, rsa.RSAPublicKey):
        bits, least, kind = key.key_size, RSA_BITS, "RSA"
    elif isinstance(key, ec.EllipticCurvePublicKey):
        bits, least, kind = key.key_size, CURVE_BITS, "ECDSA"
    else:
        raise invalid("certificate", "has a key of an unknown kind; use RSA or ECDSA")
    if bits < least:
        raise invalid("certificate", f"has an {kind} key of {bits} bits; it needs {least} or more")
    return certificate


def certificate_warning(text: str, now: dt.datetime) -> str | None:
    """What whoever stored these certificates should know; None when all is well.

    The key of an expired certificate still verifies answers: providers seldom change theirs in
    time, and whoever has the key could have made another certificate.
    """
    if not text:
        return None
    ends = [certificate.not_valid_after_utc for certificate in read_certificates(text)]
    expired = [end for end in ends if end <= now]
    if not expired:
        return None
    return f"the certificate has expired on {max(expired):%Y-%m-%d}; ask the provider for a new one"
