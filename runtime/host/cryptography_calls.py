"""The part of Web Cryptography that scripts use: digests, HMAC, AES, RSA, ECDSA and Ed25519.

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
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.padding import PKCS7

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
# Bits of a key that is derived from another.
MOST_DERIVED = 65_536


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


def _aes_cbc(arguments: Arguments) -> str:
    key, iv, data = (_bytes(arguments[name]) for name in ("key", "iv", "data"))
    cipher, block = Cipher(algorithms.AES(key), modes.CBC(iv)), PKCS7(128)
    if arguments["encrypt"]:
        padder, encryptor = block.padder(), cipher.encryptor()
        padded = padder.update(data) + padder.finalize()
        return _text(encryptor.update(padded) + encryptor.finalize())
    decryptor, unpadder = cipher.decryptor(), block.unpadder()
    plain = decryptor.update(data) + decryptor.finalize()
    return _text(unpadder.update(plain) + unpadder.finalize())


def _derive(arguments: Arguments) -> str:
    hash, length = _hash_name(arguments["hash"]), arguments["length"]
    if not isinstance(length, int) or length <= 0 or length % 8 or length > MOST_DERIVED:
        raise ValueError(f"the length must be a multiple of 8 bits, {MOST_DERIVED} at most")
    key, salt = _bytes(arguments["key"]), _bytes(arguments["salt"])
    if arguments["name"] == "HKDF":
        hkdf = HKDF(_HASHES[hash](), length // 8, salt, _bytes(arguments["info"]))
        return _text(hkdf.derive(key))
    name, iterations = hash.replace("-", "").lower(), int(arguments["iterations"])
    return _text(hashlib.pbkdf2_hmac(name, key, salt, iterations, length // 8))


PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey


def _generated_key(arguments: Arguments) -> Arguments:
    key: PrivateKey
    if arguments["name"] == "Ed25519":
        key = ed25519.Ed25519PrivateKey.generate()
    else:
        key = ec.generate_private_key(_CURVES[str(arguments["curve"])]())
    return {"private": _private_text(key), "public": _public_text(key.public_key())}


def _private_text(key: Any) -> str:
    plain = serialization.NoEncryption()
    return _text(key.private_bytes(_DER, serialization.PrivateFormat.PKCS8, plain))


def _private_key(arguments: Arguments) -> PrivateKey:
    key = serialization.load_der_private_key(
        _bytes(arguments["key"]), None, unsafe_skip_rsa_key_validation=True
    )
    if not isinstance(key, PrivateKey):
        raise ValueError("the key is none of RSA, of ECDSA or Ed25519")
    return key


def _public_key(arguments: Arguments) -> PublicKey:
    key = serialization.load_der_public_key(_bytes(arguments["key"]))
    if not isinstance(key, PublicKey):
        raise ValueError("the key is none of RSA, of ECDSA or Ed25519")
    return key


def _padding(arguments: Arguments, hash: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    if arguments["name"] == "RSA-PSS":
        return padding.PSS(padding.MGF1(hash), int(arguments["saltLength"]))
    return padding.PKCS1v15()


def _sign(arguments: Arguments) -> str:
    key, data = _private_key(arguments), _bytes(arguments["data"])
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return _text(key.sign(data))
    algorithm = _HASHES[_hash_name(arguments["hash"])]()
    if isinstance(key, rsa.RSAPrivateKey):
        return _text(key.sign(data, _padding(arguments, algorithm), algorithm))
    size = (key.curve.key_size + 7) // 8
    r, s = utils.decode_dss_signature(key.sign(data, ec.ECDSA(algorithm)))
    return _text(r.to_bytes(size, "big") + s.to_bytes(size, "big"))


def _verify(arguments: Arguments) -> bool:
    key = _public_key(arguments)
    data, signature = _bytes(arguments["data"]), _bytes(arguments["signature"])
    with suppress(InvalidSignature):
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, data)
            return True
        algorithm = _HASHES[_hash_name(arguments["hash"])]()
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, _padding(arguments, algorithm), algorithm)
            return True
        size = (key.curve.key_size + 7) // 8
        if len(signature) != 2 * size:
            return False
        r, s = (int.from_bytes(half, "big") for half in (signature[:size], signature[size:]))
        key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(algorithm))
        return True
    return False


def _rsa_oaep(arguments: Arguments) -> str:
    data, hash = _bytes(arguments["data"]), _HASHES[_hash_name(arguments["hash"])]()
    way = padding.OAEP(padding.MGF1(hash), hash, _bytes(arguments["label"]) or None)
    if arguments["encrypt"]:
        public = _public_key(arguments)
        assert isinstance(public, rsa.RSAPublicKey)
        return _text(public.encrypt(data, way))
    private = _private_key(arguments)
    assert isinstance(private, rsa.RSAPrivateKey)
    return _text(private.decrypt(data, way))


def _unpadded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _number(jwk: Arguments, name: str) -> int:
    return int.from_bytes(_unpadded(str(jwk[name])), "big")


def _key_of_jwk(arguments: Arguments) -> Arguments:
    """The bytes of a JSON Web Key, and whether it is secret, private or public."""
    jwk = arguments["jwk"]
    kind = jwk.get("kty")
    if kind == "oct":
        return {"type": "secret", "key": _text(_unpadded(str(jwk["k"])))}
    key: Any
    if kind == "RSA":
        public = rsa.RSAPublicNumbers(_number(jwk, "e"), _number(jwk, "n"))
        if "d" not in jwk:
            return _described("public", public.public_key())
        p, q, d = (_number(jwk, name) for name in ("p", "q", "d"))
        dmp1, dmq1, iqmp = (_number(jwk, name) for name in ("dp", "dq", "qi"))
        key = rsa.RSAPrivateNumbers(p, q, d, dmp1, dmq1, iqmp, public).private_key(
            unsafe_skip_rsa_key_validation=True
        )
    elif kind == "EC":
        curve = _CURVES[str(jwk["crv"])]()
        point = ec.EllipticCurvePublicNumbers(_number(jwk, "x"), _number(jwk, "y"), curve)
        if "d" not in jwk:
            return _described("public", point.public_key())
        key = ec.EllipticCurvePrivateNumbers(_number(jwk, "d"), point).private_key()
    elif kind == "OKP" and jwk.get("crv") == "Ed25519":
        if "d" not in jwk:
            shown = ed25519.Ed25519PublicKey.from_public_bytes(_unpadded(str(jwk["x"])))
            return _described("public", shown)
        key = ed25519.Ed25519PrivateKey.from_private_bytes(_unpadded(str(jwk["d"])))
    else:
        raise ValueError("kty must be oct, RSA, EC or OKP with Ed25519")
    return _described("private", key)


def _described(type: str, key: Any) -> Arguments:
    """The bytes of a key, and which algorithms it is for."""
    text = _private_text(key) if type == "private" else _public_text(key)
    public = key.public_key() if type == "private" else key
    if isinstance(public, rsa.RSAPublicKey):
        exponent = public.public_numbers().e
        facts = {
            "family": "RSA", "modulusLength": public.key_size,
            "publicExponent": list(exponent.to_bytes((exponent.bit_length() + 7) // 8, "big")),
        }  # fmt: skip
    elif isinstance(public, ec.EllipticCurvePublicKey):
        curves = [name for name, curve in _CURVES.items() if isinstance(public.curve, curve)]
        facts = {"family": "EC", "namedCurve": curves[0] if curves else public.curve.name}
    else:
        facts = {"family": "Ed25519"}
    return {"type": type, "key": text, **facts}


def _public_text(key: Any) -> str:
    return _text(key.public_bytes(_DER, serialization.PublicFormat.SubjectPublicKeyInfo))


def _checked_key(arguments: Arguments) -> Arguments:
    """A key from its bytes; ValueError where they are none of the kind."""
    type = arguments["type"]
    return _described(type, (_private_key if type == "private" else _public_key)(arguments))


def _key_of_raw(arguments: Arguments) -> Arguments:
    """A public key from its point."""
    data = _bytes(arguments["key"])
    if arguments["name"] == "Ed25519":
        return _described("public", ed25519.Ed25519PublicKey.from_public_bytes(data))
    curve = _CURVES[str(arguments["curve"])]()
    return _described("public", ec.EllipticCurvePublicKey.from_encoded_point(curve, data))


def _raw_of_key(arguments: Arguments) -> str:
    """The point of a public key."""
    key = _public_key(arguments)
    if isinstance(key, rsa.RSAPublicKey):
        raise ValueError("keys of RSA have no raw form")
    raw = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    if isinstance(key, ed25519.Ed25519PublicKey):
        raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    return _text(key.public_bytes(*raw))


def _jwk_of_key(arguments: Arguments) -> Arguments:
    """The members of a JSON Web Key that say which one it is."""
    private = _private_key(arguments) if arguments["type"] == "private" else None
    public = _public_key(arguments) if private is None else private.public_key()
    if isinstance(public, ed25519.Ed25519PublicKey):
        jwk = {"kty": "OKP", "crv": "Ed25519", "x": _url(public.public_bytes_raw())}
        if isinstance(private, ed25519.Ed25519PrivateKey):
            jwk["d"] = _url(private.private_bytes_raw())
        return jwk
    if isinstance(public, ec.EllipticCurvePublicKey):
        size, point = (public.curve.key_size + 7) // 8, public.public_numbers()
        numbers = {"x": point.x, "y": point.y}
        if isinstance(private, ec.EllipticCurvePrivateKey):
            numbers["d"] = private.private_numbers().private_value
        curve = _described("public", public)["namedCurve"]
        coded = {name: _url(number.to_bytes(size, "big")) for name, number in numbers.items()}
        return {"kty": "EC", "crv": curve, **coded}
    shown = public.public_numbers()
    numbers = {"n": shown.n, "e": shown.e}
    if isinstance(private, rsa.RSAPrivateKey):
        hidden = private.private_numbers()
        numbers |= {"d": hidden.d, "p": hidden.p, "q": hidden.q, "dp": hidden.dmp1,
                    "dq": hidden.dmq1, "qi": hidden.iqmp}  # fmt: skip
    return {"kty": "RSA"} | {
        name: _url(number.to_bytes((number.bit_length() + 7) // 8, "big"))
        for name, number in numbers.items()
    }


def _url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


CALLS: dict[str, Callable[[Arguments], Any]] = {
    "digest": _digest,
    "hmac": _hmac,
    "equal": _equal,
    "aesGcm": _aes_gcm,
    "aesCbc": _aes_cbc,
    "derive": _derive,
    "generatedKey": _generated_key,
    "sign": _sign,
    "verify": _verify,
    "rsaOaep": _rsa_oaep,
    "keyOfJwk": _key_of_jwk,
    "keyOfRaw": _key_of_raw,
    "rawOfKey": _raw_of_key,
    "jwkOfKey": _jwk_of_key,
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
    _aes_cbc({**sealed, "encrypt": False, "data": _aes_cbc(sealed)})
    for name in ("PBKDF2", "HKDF"):
        _derive({"name": name, "key": data, "salt": data, "info": "", "hash": "SHA-256",
                 "iterations": 1, "length": 128})  # fmt: skip
    point = ec.generate_private_key(ec.SECP256R1())
    details = {"name": "ECDSA", "data": data, "hash": "SHA-256"}
    signed = _sign({**details, "key": _private_text(point)})
    key = _public_text(point.public_key())
    assert _verify({**details, "key": key, "signature": signed})
    modulus = _public_text(rsa.RSAPublicNumbers(65_537, (1 << 2047) + 1).public_key())
    for name in ("RSASSA-PKCS1-v1_5", "RSA-PSS"):
        _verify({**details, "name": name, "key": modulus, "signature": data, "saltLength": 32})
    _rsa_oaep({**details, "key": modulus, "label": "", "encrypt": True})
    pair = _generated_key({"name": "Ed25519"})
    _verify(
        {**details, "key": pair["public"], "signature": _sign({**details, "key": pair["private"]})}
    )
