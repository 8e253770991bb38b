"""Which answers of SAML providers are believed. They are signed by libxmlsec."""

import base64
import re
from collections.abc import Callable

import pytest
import xmlsec

from resolvers.core.errors import Forbidden
from resolvers.sign_on.certificates import read_certificates
from resolvers.sign_on.saml_answers import Expected
from resolvers.sign_on.saml_responses import ANSWER_LENGTH, verify_answer
from tests.identity_provider import (
    IdentityProvider,
    Said,
    assertion_of,
    encoded,
    now,
    response_of,
)

SAID = Said(
    acs="https://docs.test/saml/p/acs", audience="https://docs.test/saml/p/metadata",
    request="_request1",
)  # fmt: skip
IDP = IdentityProvider()
OTHER = IdentityProvider(number=1)
EVIL = SAID.but(email="admin@example.com", assertion_id="_evil")


def expected(*certificates: str) -> Expected:
    pem = "".join(certificates or (IDP.certificate,))
    return Expected(SAID.issuer, read_certificates(pem), SAID.audience, SAID.acs)


@pytest.mark.parametrize(("assertion", "response"), [(True, False), (False, True), (True, True)])
def test_signed_answers_are_believed(assertion: bool, response: bool) -> None:
    text = IDP.answer(SAID.but(email="Ada@Example.COM"), assertion=assertion, response=response)
    answer = verify_answer(text, expected(), now())
    assert (answer.identity.email, answer.identity.display_name) == (
        "ada@example.com",
        "Ada Lovelace",
    )
    assert (answer.assertion_id, answer.request_id) == ("_assertion1", "_request1")


def test_other_good_answers() -> None:
    """Two certificates while a key is changed, stronger hashes, no names, line breaks in base64,
    clocks that differ by less than three minutes."""
    both = expected(OTHER.certificate, IDP.certificate)
    strong = IdentityProvider(
        method=xmlsec.constants.TransformRsaSha512, digest=xmlsec.constants.TransformSha512
    )
    nameless = IDP.answer(SAID.but(attributes={}))
    broken = re.sub(r"(.{76})", r"\1\r\n", nameless)
    comments = IdentityProvider(c14n=xmlsec.constants.TransformExclC14NWithComments)
    for text in (
        IDP.answer(SAID),
        strong.answer(SAID),
        broken,
        comments.answer(SAID),
        IDP.answer(SAID.but(ends=-2.5)),
        IDP.answer(SAID.but(begins=2.5, issued=2.5)),
    ):
        assert verify_answer(text, both, now()).identity.email == "ada@example.com"
    assert verify_answer(nameless, both, now()).identity.display_name == "ada"


SAYS: dict[str, tuple[Said, str]] = {
    "expired": (SAID.but(ends=-3.1), "expired"),
    "not yet": (SAID.but(begins=3.2), "not valid yet"),
    "of the future": (SAID.but(issued=4), "future"),
    "audience": (SAID.but(audience="https://elsewhere.test"), "another audience"),
    "no audience": (SAID.but(restriction=False), "another audience"),
    "recipient": (SAID.but(recipient="https://docs.test/saml/q/acs"), "another recipient"),
    "destination": (SAID.but(destination="https://docs.test/saml/q/acs"), "another address"),
    "issuer": (SAID.but(issuer="https://evil.test"), "another provider"),
    "outer issuer": (SAID.but(response_issuer="https://evil.test"), "another provider"),
    "request": (SAID.but(confirmed="_request2"), "another request"),
    "unsolicited": (SAID.but(request=""), "no request"),
    "no bearer": (SAID.but(method="urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"), "bearers"),
    "transient": (
        SAID.but(name_format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
        "emailAddress",
    ),
    "no address": (SAID.but(email="ada"), "no e-mail address"),
    "two addresses": (SAID.but(email="a@b@c"), "no e-mail address"),
    "element": (SAID.but(raw_name="<b>ada@example.com</b>"), "plain text"),
    "not signed on": (SAID.but(statement=""), "signed on"),
    "failed": (SAID.but(status="urn:oasis:names:tc:SAML:2.0:status:Responder"), "Responder"),
    "version": (SAID.but(version="1.1"), "SAML 2.0"),
}


@pytest.mark.parametrize("what", SAYS)
def test_what_is_not_for_this_sign_on_is_refused(what: str) -> None:
    said, problem = SAYS[what]
    with pytest.raises(Forbidden, match=problem):
        verify_answer(IDP.answer(said), expected(), now())


def test_a_comment_cuts_no_name_off() -> None:
    """What is signed is the name without the comment: that of another person."""
    said = SAID.but(raw_name="ada@example.com<!-- -->.evil.test")
    identity = verify_answer(IDP.answer(said), expected(), now()).identity
    assert identity.email == "ada@example.com.evil.test"
    comments = IdentityProvider(c14n=xmlsec.constants.TransformExclC14NWithComments)
    with pytest.raises(Forbidden, match=r"plain text|certificate"):
        verify_answer(comments.answer(said), expected(), now())


def weak(method: str, digest: str) -> str:
    constants = xmlsec.constants
    provider = IdentityProvider(
        method=getattr(constants, method), digest=getattr(constants, digest)
    )
    return provider.answer(SAID)


def changed(change: Callable[[str], str], *, response: bool = False) -> str:
    """A good answer that somebody has changed on the way."""
    text = IDP.answer(SAID, assertion=not response, response=response)
    xml = base64.b64decode(text).decode()
    result = change(xml)
    assert result != xml
    return encoded(result)


def wrapped_in_front(xml: str) -> str:
    """The signed assertion, behind one of the attacker's."""
    return xml.replace("<saml:Assertion", assertion_of(EVIL) + "<saml:Assertion", 1)


def wrapped_inside(xml: str) -> str:
    """The signed assertion hides in the attacker's, which has its signature."""
    signed = xml[xml.index("<saml:Assertion") : xml.index("</samlp:Response>")]
    evil = assertion_of(EVIL).replace("</saml:Assertion>", f"{signed}</saml:Assertion>")
    return response_of(SAID, evil)


def wrapped_in_signature(xml: str) -> str:
    """The attacker's assertion has the signature, in which the signed one hides as an object."""
    signed = xml[xml.index("<saml:Assertion") : xml.index("</samlp:Response>")]
    (signature,) = re.findall(r"<ds:Signature .*</ds:Signature>", signed, re.S)
    plain = signed.replace(signature, "")
    holding = signature.replace("</ds:Signature>", f"<ds:Object>{plain}</ds:Object></ds:Signature>")
    evil = assertion_of(EVIL).replace("</saml:Issuer>", f"</saml:Issuer>{holding}", 1)
    return response_of(SAID, evil)


def wrapped_response(xml: str) -> str:
    """The signed response hides in the attacker's."""
    evil = response_of(SAID.but(response_id="_evil2"), assertion_of(EVIL))
    extensions = f"<samlp:Extensions>{xml}</samlp:Extensions><samlp:Status>"
    return evil.replace("<samlp:Status>", extensions, 1)


def same_ids(xml: str) -> str:
    evil = assertion_of(EVIL.but(assertion_id=SAID.assertion_id))
    return xml.replace("<samlp:Status>", f"<samlp:Extensions>{evil}</samlp:Extensions>"
                       "<samlp:Status>", 1)  # fmt: skip


def moved_signature(xml: str) -> str:
    (signature,) = re.findall(r"<ds:Signature .*</ds:Signature>", xml, re.S)
    return xml.replace(signature, "").replace("<samlp:Status>", f"{signature}<samlp:Status>", 1)


def entity(xml: str) -> str:
    return '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + xml


ATTACKS: dict[str, tuple[Callable[[], str], str]] = {
    "not signed": (lambda: IDP.answer(SAID, assertion=False), "not signed"),
    "foreign key": (lambda: OTHER.answer(SAID), "not that of the provider's certificate"),
    "sha-1": (lambda: weak("TransformRsaSha1", "TransformSha256"), "rsa-sha1"),
    "sha-1 digest": (lambda: weak("TransformRsaSha256", "TransformSha1"), "sha1"),
    "changed": (lambda: changed(lambda xml: xml.replace("ada@", "admin@")), "certificate"),
    "changed response": (
        lambda: changed(lambda xml: xml.replace("ada@", "admin@"), response=True),
        "certificate",
    ),
    "in front": (lambda: changed(wrapped_in_front), "2 assertions"),
    "inside": (lambda: changed(wrapped_inside), "assertions"),
    "in the signature": (lambda: changed(wrapped_in_signature), "assertions"),
    "response": (lambda: changed(wrapped_response, response=True), "assertions"),
    "same ids": (lambda: changed(same_ids), "assertions"),
    "moved signature": (lambda: changed(moved_signature), "does not sign what it stands in"),
    "two assertions": (
        lambda: encoded(
            response_of(
                SAID, IDP.signed_assertion(SAID), IDP.signed_assertion(EVIL)
            )
        ),
        "2 assertions",
    ),
    "no signature value": (
        lambda: changed(lambda xml: re.sub(r"(<ds:SignatureValue>)[^<]*", r"\1", xml)),
        "certificate",
    ),
    "whole document": (
        lambda: changed(lambda xml: xml.replace('URI="#_assertion1"', 'URI=""')),
        "does not sign",
    ),
    "another transform": (
        lambda: changed(
            lambda xml: xml.replace(
                "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
                "http://www.w3.org/TR/1999/REC-xslt-19991116",
            )
        ),
        "xslt|none",
    ),
    "encrypted": (
        lambda: changed(lambda xml: xml.replace("saml:Assertion", "saml:EncryptedAssertion")),
        "encrypted",
    ),
    "document type": (lambda: changed(entity), "document type"),
    "other encoding": (
        lambda: base64.b64encode(entity(response_of(SAID)).encode("utf-16")).decode(),
        "no XML",
    ),
    "no xml": (lambda: encoded("<a"), "no XML"),
    "deep": (lambda: encoded("<a>" * 10_000 + "</a>" * 10_000), "no XML"),
    "another document": (lambda: encoded("<a/>"), "no SAML"),
    "no base64": (lambda: "ä", "base64"),
    "empty": (lambda: "", "no XML"),
    "long": (lambda: "A" * (ANSWER_LENGTH + 1), "characters"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused(attack: str) -> None:
    make, problem = ATTACKS[attack]
    with pytest.raises(Forbidden, match=problem):
        verify_answer(make(), expected(), now())
