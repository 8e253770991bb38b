"""Certificates of identity providers that tests invent."""

import datetime as dt
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

# One that is always the same, for stored answers; its key is lost.
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBGjCBwaADAgECAgEHMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC2lkcC5leGFt
cGxlMCAXDTI2MDEwMTAwMDAwMFoYDzIwOTkwMTAxMDAwMDAwWjAWMRQwEgYDVQQD
DAtpZHAuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDNEn3glRgk2
Jdo3JaeuGsGeoLt62SJyhHzBoIaNKPPRdysTgT4gtZ0lwHAbo6FV7uEkEqvTi3JQ
vPBca1niCOEwCgYIKoZIzj0EAwIDSAAwRQIgUGK/YJdskvKGi8uiCdhsWUpcXLYG
OyQBPXf479XQVQICIQD1eHitt3RkemXQnsRrEqW1bB1Ok0F4FtIQ0zlBP7ZVpg==
-----END CERTIFICATE-----
"""


@cache
def rsa_key(bits: int = 2048, number: int = 0) -> rsa.RSAPrivateKey:
    """A key; each `number` has its own."""
    return rsa.generate_private_key(65537, bits)


def certificate_of(
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey,
    *,
    end: dt.datetime = dt.datetime(2099, 1, 1),
) -> str:
    """A certificate of this key in PEM."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.example")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 7)
        .not_valid_before(dt.datetime(2020, 1, 1))
        .not_valid_after(end)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode()
