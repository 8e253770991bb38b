"""Answers of SAML providers: whether one is genuine and meant for this server, and who it is about.

Nothing is read of what is not signed: the signature is verified first, and what it covers is parsed
anew from the canonical bytes that were verified. An answer holds one assertion, in its place, and
signatures only where they sign what they stand in, so that none can be wrapped into another.
"""

import base64
import binascii
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Any

from cryptography import x509
from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.verifier import SignatureConfiguration, XMLVerifier

from resolvers.core.errors import Forbidden
from resolvers.sign_on.identities import identity_of
from resolvers.sign_on.saml_answers import Expected, SamlAnswer
from resolvers.sign_on.saml_requests import EMAIL_ADDRESS

# Characters of an answer in base64.
ANSWER_LENGTH = 300_000
# By how much the clocks of a provider and of this server may differ.
SKEW = dt.timedelta(minutes=3)

_P = "{urn:oasis:names:tc:SAML:2.0:protocol}"
_A = "{urn:oasis:names:tc:SAML:2.0:assertion}"
_D = "{http://www.w3.org/2000/09/xmldsig#}"
_SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
_BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
_UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
_EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
_TRANSFORMS = {
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    _EXCLUSIVE,
    f"{_EXCLUSIVE}WithComments",
}
_METHODS = frozenset(
    getattr(SignatureMethod, f"{kind}_SHA{bits}")
    for kind in ("RSA", "ECDSA")
    for bits in (256, 384, 512)
)
_DIGESTS = frozenset({DigestAlgorithm.SHA256, DigestAlgorithm.SHA384, DigestAlgorithm.SHA512})
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,199}")
# Names of attributes that common providers use.
_FIRST_NAMES = (
    "first_name",
    "givenName",
    "urn:oid:2.5.4.42",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname",
)
_LAST_NAMES = (
    "last_name",
    "sn",
    "urn:oid:2.5.4.4",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname",
)


def verify_answer(text: str, expected: Expected, now: dt.datetime) -> SamlAnswer:
    """The person whom an answer in base64 is about; Forbidden says what is wrong with it."""
    response = _parse(text)
    if response.tag != f"{_P}Response" or response.get("Version") != "2.0":
        raise _refused("it is no SAML 2.0 response")
    if any(True for _ in response.iter(f"{_A}EncryptedAssertion", f"{_A}EncryptedID")):
        raise _refused("it is encrypted; the provider has to send assertions that are not")
    assertions = list(response.iter(f"{_A}Assertion"))
    _check_status(response)
    if len(assertions) != 1 or assertions[0].getparent() is not response:
        raise _refused(f"it has {len(assertions)} assertions; it must have one, in its place")
    _check_places_of_signatures(response, assertions[0])
    signed = [part for part in (response, assertions[0]) if part.find(f"{_D}Signature") is not None]
    if not signed:
        raise _refused("it is not signed")
    verified = [_verified(part, expected.certificates) for part in signed]
    # The outer one covers the inner one; either holds the assertion as it was signed.
    assertion = verified[-1]
    if assertion.tag != f"{_A}Assertion":
        assertion = _one(assertion, "Assertion")
    _check_response(response, expected, now)
    return _read_assertion(assertion, response.get("InResponseTo", ""), expected, now)


def _refused(problem: str) -> Forbidden:
    return Forbidden(f"the answer of the provider is refused: {problem}")


def _parse(text: str) -> Any:
    if len(text) > ANSWER_LENGTH:
        raise _refused(f"it has more than {ANSWER_LENGTH} characters")
    try:
        xml = base64.b64decode("".join(text.split()), validate=True)
    except (ValueError, binascii.Error) as error:
        raise _refused("it is no base64") from error
    # The parser below gets it as UTF-8, so nothing can hide in another encoding.
    if b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        raise _refused("it has a document type, which is not allowed")
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _refused("it is no XML") from error


def _check_status(response: Any) -> None:
    code = response.find(f"{_P}Status/{_P}StatusCode")
    if code is not None and code.get("Value") == _SUCCESS:
        return
    inner = None if code is None else code.find(f"{_P}StatusCode")
    status = (code if inner is None else inner) if code is not None else None
    name = "none" if status is None else status.get("Value", "none").rpartition(":")[2][:60]
    raise _refused(f"the provider did not sign you on (status {name!r})")


def _check_places_of_signatures(response: Any, assertion: Any) -> None:
    """Each signature stands directly in what it signs, and signs nothing else."""
    ids = [part.get("ID") for part in response.iter() if isinstance(part.tag, str)]
    present_ids = [id for id in ids if id is not None]
    if len(present_ids) != len(set(present_ids)):
        raise _refused("two of its parts have the same ID")
    parents = set()
    for signature in response.iter(f"{_D}Signature"):
        parent = signature.getparent()
        if parent not in (response, assertion) or parent in parents:
            raise _refused("a signature does not stand in what it signs")
        parents.add(parent)
        references = list(signature.iter(f"{_D}Reference"))
        if len(references) != 1 or references[0].get("URI") != f"#{parent.get('ID')}":
            raise _refused("a signature does not sign what it stands in")
        if not _ID.fullmatch(parent.get("ID", "")):
            raise _refused("a signed part has no ID")
        _check_algorithms(signature)


def _check_algorithms(signature: Any) -> None:
    methods = {method.value for method in _METHODS}
    digests = {digest.value for digest in _DIGESTS}
    for tag, allowed in (
        ("SignatureMethod", methods),
        ("DigestMethod", digests),
        ("CanonicalizationMethod", _TRANSFORMS),
        ("Transform", _TRANSFORMS),
    ):
        for part in signature.iter(f"{_D}{tag}"):
            if (algorithm := part.get("Algorithm", "")) not in allowed:
                name = algorithm.rpartition("#")[2][:60] or "none"
                raise _refused(
                    f"its signature uses {name!r}; RSA-SHA256 or better is needed, with exclusive "
                    "canonicalization"
                )


def _verified(part: Any, certificates: Sequence[x509.Certificate]) -> Any:
    """A part as it was signed with one of the certificates, read from the verified bytes."""
    for certificate in certificates:
        settings = SignatureConfiguration(
            location="./",
            signature_methods=_METHODS,
            digest_algorithms=_DIGESTS,
            # A certificate only carries the key here; administrators hear when it expires.
            verification_time=certificate.not_valid_before_utc,
            ignore_ambiguous_key_info=True,
        )
        try:
            result: Any = XMLVerifier().verify(
                part, x509_cert=certificate, expect_config=settings, id_attribute="ID"
            )
        except Exception:  # noqa: S112
            # Whatever the library makes of hostile input: it has verified nothing.
            continue
        signed = result.signed_xml
        if signed is not None and signed.tag == part.tag and signed.get("ID") == part.get("ID"):
            return signed
    raise _refused("its signature is not that of the provider's certificate")


def _check_response(response: Any, expected: Expected, now: dt.datetime) -> None:
    """What stands around the assertion: it may be unsigned, so it can only refuse."""
    issuer = response.find(f"{_A}Issuer")
    if issuer is not None and _text(issuer) != expected.issuer:
        raise _refused("it comes from another provider")
    if response.get("Destination", expected.recipient) != expected.recipient:
        raise _refused("it was sent to another address")
    _not_later(response.get("IssueInstant"), now, "it is of the future")


def _read_assertion(
    assertion: Any, request_id: str, expected: Expected, now: dt.datetime
) -> SamlAnswer:
    if assertion.get("Version") != "2.0" or not _ID.fullmatch(assertion.get("ID", "")):
        raise _refused("its assertion is none of SAML 2.0")
    if _text(_one(assertion, "Issuer")) != expected.issuer:
        raise _refused("it comes from another provider")
    _not_later(assertion.get("IssueInstant"), now, "its assertion is of the future")
    subject = _one(assertion, "Subject")
    name = _one(subject, "NameID")
    if name.get("Format", _UNSPECIFIED) not in (EMAIL_ADDRESS, _UNSPECIFIED):
        raise _refused("the NameID must have the format emailAddress")
    _check_confirmation(subject, request_id, expected, now)
    _check_conditions(_one(assertion, "Conditions"), expected, now)
    statements = assertion.findall(f"{_A}AuthnStatement")
    if not statements:
        raise _refused("it does not say that somebody has signed on")
    for statement in statements:
        _not_ended(statement.get("SessionNotOnOrAfter"), now, "the person's session has ended")
    values = dict(_attributes(assertion))
    names = (
        next((values[key] for key in keys if key in values), None)
        for keys in (_FIRST_NAMES, _LAST_NAMES)
    )
    return SamlAnswer(assertion.get("ID"), request_id, identity_of(_text(name), names))


def _check_confirmation(
    subject: Any, request_id: str, expected: Expected, now: dt.datetime
) -> None:
    """That whoever brings the assertion is meant: at least one confirmation has to fit."""
    if not _ID.fullmatch(request_id):
        raise _refused("it answers no request; begin at the page where people sign in")
    problem = "it has no confirmation for bearers"
    for confirmation in subject.findall(f"{_A}SubjectConfirmation"):
        if confirmation.get("Method") != _BEARER:
            continue
        data = confirmation.find(f"{_A}SubjectConfirmationData")
        if data is None or data.get("Recipient") != expected.recipient:
            problem = "it is for another recipient"
        elif data.get("InResponseTo") != request_id:
            problem = "it answers another request"
        elif data.get("NotBefore") is not None or data.get("NotOnOrAfter") is None:
            problem = "its confirmation has no end"
        else:
            _not_ended(data.get("NotOnOrAfter"), now, "it has expired")
            return
    raise _refused(problem)


def _check_conditions(conditions: Any, expected: Expected, now: dt.datetime) -> None:
    _not_later(conditions.get("NotBefore"), now, "it is not valid yet")
    _not_ended(conditions.get("NotOnOrAfter"), now, "it has expired")
    restrictions = conditions.findall(f"{_A}AudienceRestriction")
    audiences = [
        {_text(audience) for audience in restriction.findall(f"{_A}Audience")}
        for restriction in restrictions
    ]
    if not audiences or not all(expected.audience in among for among in audiences):
        raise _refused("it is for another audience")


def _attributes(assertion: Any) -> Iterator[tuple[str, str]]:
    """The first value of each attribute, by both of its names."""
    for attribute in assertion.iterfind(f"{_A}AttributeStatement/{_A}Attribute"):
        value = attribute.find(f"{_A}AttributeValue")
        if value is None or len(value):
            continue
        for key in (attribute.get("FriendlyName"), attribute.get("Name")):
            if key:
                yield key, value.text or ""


def _one(parent: Any, tag: str) -> Any:
    parts = parent.findall(f"{_A}{tag}")
    if len(parts) != 1:
        raise _refused(f"it has {len(parts)} elements {tag}; it must have one")
    return parts[0]


def _text(element: Any) -> str:
    """The text of an element that holds nothing else: no comment may cut it into two."""
    if len(element):
        raise _refused("a name in it is not plain text")
    return (element.text or "").strip()


def _time(value: str) -> dt.datetime:
    try:
        moment = dt.datetime.fromisoformat(value.strip())
        return moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment.astimezone(dt.UTC)
    except (ValueError, OverflowError) as error:
        raise _refused(f"{value[:40]!r} is no time") from error


def _not_later(value: str | None, now: dt.datetime, problem: str) -> None:
    if value is not None and _time(value) - now > SKEW:
        raise _refused(problem)


def _not_ended(value: str | None, now: dt.datetime, problem: str) -> None:
    if value is not None and now - _time(value) >= SKEW:
        raise _refused(problem)
