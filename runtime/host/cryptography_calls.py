"""The part of Web Cryptography that scripts use: digests, HMAC, AES-GCM, RSA and ECDSA signatures.

Keys stay with the script, as bytes: raw, PKCS #8 or SubjectPublicKeyInfo.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Arguments = dict[str, Any]
_HASHES: dict[str, type[hashes.HashAlgorithm]] = {
    "SHA-1": hashes.SHA1,
    "SHA-256": hashes.SHA256,
    "SHA-384": hashes.SHA384,
    "SHA-512": hashes.SHA512,
}
_CURVES: dict[str, type[ec.EllipticCurve]] = {
    "P-256": ec.SECP256R1,
    "P-384": ec.SECP384R1,
    "P-521": ec.SECP521R1,
}
_DER = serialization.Encoding.DER


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _hash_name(name: str) -> str:
    if name not in _HASHES:
        raise ValueError(f"the hash {name!r} is not supported; use {', '.join(_HASHES)}")
    return name


def _digest(arguments: Arguments) -> str:
    name = _hash_name(arguments["hash"]).replace("-", "").lower()
    return _text(hashlib.new(name, _bytes(arguments["data"]), usedforsecurity=False).digest())


def _hmac(arguments: Arguments) -> str:
    name = _hash_name(arguments["hash"]).replace("-", "").lower()
    return _text(hmac.new(_bytes(arguments["key"]), _bytes(arguments["data"]), name).digest())


def _equal(arguments: Arguments) -> bool:
    return hmac.compare_digest(_bytes(arguments["a"]), _bytes(arguments["b"]))


def _aes_gcm(arguments: Arguments) -> str:
    cipher = AESGCM(_bytes(arguments["key"]))
    iv, data, more = (_bytes(arguments[name]) for name in ("iv", "data", "additionalData"))
    if arguments["encrypt"]:
        return _text(cipher.encrypt(iv, data, more))
    try:
        return _text(cipher.decrypt(iv, data, more))
    except InvalidTag:
        raise ValueError("the data cannot be decrypted") from None


def _private_key(arguments: Arguments) -> rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey:
    key = serialization.load_der_private_key(
        _bytes(arguments["key"]), None, unsafe_skip_rsa_key_validation=True
    )
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise ValueError("only RSA and ECDSA keys sign")
    return key


def _sign(arguments: Arguments) -> str:
    key, data = _private_key(arguments), _bytes(arguments["data"])
    algorithm = _HASHES[_hash_name(arguments["hash"])]()
    if isinstance(key, rsa.RSAPrivateKey):
        return _text(key.sign(data, padding.PKCS1v15(), algorithm))
    size = (key.curve.key_size + 7) // 8
    r, s = utils.decode_dss_signature(key.sign(data, ec.ECDSA(algorithm)))
    return _text(r.to_bytes(size, "big") + s.to_bytes(size, "big"))


def _verify(arguments: Arguments) -> bool:
    key = serialization.load_der_public_key(_bytes(arguments["key"]))
    data, signature = _bytes(arguments["data"]), _bytes(arguments["signature"])
    algorithm = _HASHES[_hash_name(arguments["hash"])]()
    with suppress(InvalidSignature):
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, padding.PKCS1v15(), algorithm)
            return True
        if isinstance(key, ec.EllipticCurvePublicKey):
            size = (key.curve.key_size + 7) // 8
            if len(signature) != 2 * size:
                return False
            r, s = (int.from_bytes(half, "big") for half in (signature[:size], signature[size:]))
            key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(algorithm))
            return True
    return False


def _number(jwk: Arguments, name: str) -> int:
    text = str(jwk[name])
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")


def _key_of_jwk(arguments: Arguments) -> Arguments:
    """The bytes of a JSON Web Key, and whether it is secret, private or public."""
    jwk = arguments["jwk"]
    kind = jwk.get("kty")
    if kind == "oct":
        text = str(jwk["k"])
        return {
            "type": "secret",
            "key": _text(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))),
        }
    key: Any
    if kind == "RSA":
        public = rsa.RSAPublicNumbers(_number(jwk, "e"), _number(jwk, "n"))
        if "d" not in jwk:
            return _public(public.public_key())
        p, q, d = (_number(jwk, name) for name in ("p", "q", "d"))
        dmp1, dmq1, iqmp = (_number(jwk, name) for name in ("dp", "dq", "qi"))
        key = rsa.RSAPrivateNumbers(p, q, d, dmp1, dmq1, iqmp, public).private_key(
            unsafe_skip_rsa_key_validation=True
        )
    elif kind == "EC":
        curve = _CURVES[str(jwk["crv"])]()
        point = ec.EllipticCurvePublicNumbers(_number(jwk, "x"), _number(jwk, "y"), curve)
        if "d" not in jwk:
            return _public(point.public_key())
        key = ec.EllipticCurvePrivateNumbers(_number(jwk, "d"), point).private_key()
    else:
        raise ValueError("kty must be oct, RSA or EC")
    return {
        "type": "private",
        "key": _text(
            key.private_bytes(_DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        ),
    }


def _public(key: Any) -> Arguments:
    return {
        "type": "public",
        "key": _text(key.public_bytes(_DER, serialization.PublicFormat.SubjectPublicKeyInfo)),
    }


def _checked_key(arguments: Arguments) -> bool:
    """Whether bytes are a key of the kind; ValueError where they are none."""
    if arguments["type"] == "private":
        _private_key(arguments)
    else:
        serialization.load_der_public_key(_bytes(arguments["key"]))
    return True


CALLS: dict[str, Callable[[Arguments], Any]] = {
    "digest": _digest,
    "hmac": _hmac,
    "equal": _equal,
    "aesGcm": _aes_gcm,
    "sign": _sign,
    "verify": _verify,
    "keyOfJwk": _key_of_jwk,
    "checkedKey": _checked_key,
}


def warm_up() -> None:
    """Have OpenSSL load what it loads on first use."""
    data = _text(b"\0" * 16)
    for name in _HASHES:
        _digest({"hash": name, "data": data})
        _hmac({"hash": name, "key": data, "data": data})
    sealed = {"key": data, "iv": data, "data": data, "additionalData": "", "encrypt": True}
    _aes_gcm({**sealed, "encrypt": False, "data": _aes_gcm(sealed)})
    point = ec.generate_private_key(ec.SECP256R1())
    private = point.private_bytes(
        _DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    signed = _sign({"key": _text(private), "data": data, "hash": "SHA-256"})
    key = _public(point.public_key())["key"]
    assert _verify({"key": key, "data": data, "signature": signed, "hash": "SHA-256"})
    modulus = rsa.RSAPublicNumbers(65_537, (1 << 2047) + 1).public_key()
    _verify({"key": _public(modulus)["key"], "data": data, "signature": data, "hash": "SHA-256"})
