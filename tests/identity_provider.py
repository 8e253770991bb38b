"""A SAML identity provider for tests; it signs with libxmlsec, which the server does not use."""

import base64
import datetime as dt
from dataclasses import dataclass, field, replace
from typing import Any
from xml.sax.saxutils import escape

import xmlsec
from cryptography.hazmat.primitives import serialization
from lxml import etree

from tests.saml_certificates import certificate_of, rsa_key

EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
XMLNS = (
    'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" '
    'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
)
EXCLUSIVE = xmlsec.constants.TransformExclC14N


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True)
class Said:
    """What a response says; tests change one thing at a time."""

    acs: str
    audience: str
    request: str
    email: str = "ada@example.com"
    issuer: str = "https://idp.example/metadata"
    response_issuer: str | None = None
    destination: str | None = None
    recipient: str | None = None
    confirmed: str | None = None
    method: str = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
    name_format: str = EMAIL
    status: str = SUCCESS
    # Minutes from now.
    begins: float = -1
    ends: float = 5
    issued: float = 0
    assertion_id: str = "_assertion1"
    response_id: str = "_response1"
    version: str = "2.0"
    attributes: dict[str, str] = field(
        default_factory=lambda: {"first_name": "Ada", "last_name": "Lovelace"}
    )
    # What stands behind the subject.
    statement: str = '<saml:AuthnStatement AuthnInstant="{now}"/>'
    raw_name: str | None = None
    restriction: bool = True

    def but(self, **changes: Any) -> "Said":
        return replace(self, **changes)


def at(minutes: float) -> str:
    return f"{now() + dt.timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%S.%fZ}"


def assertion_of(said: Said) -> str:
    name = escape(said.email) if said.raw_name is None else said.raw_name
    restriction = (
        "<saml:AudienceRestriction>"
        f"<saml:Audience>{escape(said.audience)}</saml:Audience></saml:AudienceRestriction>"
    )
    attributes = "".join(
        f'<saml:Attribute Name="{key}"><saml:AttributeValue>{escape(value)}</saml:AttributeValue>'
        "</saml:Attribute>"
        for key, value in said.attributes.items()
    )
    return (
        f'<saml:Assertion {XMLNS} ID="{said.assertion_id}" Version="{said.version}" '
        f'IssueInstant="{at(said.issued)}"><saml:Issuer>{escape(said.issuer)}</saml:Issuer>'
        f'<saml:Subject><saml:NameID Format="{said.name_format}">{name}</saml:NameID>'
        f'<saml:SubjectConfirmation Method="{said.method}"><saml:SubjectConfirmationData '
        f'InResponseTo="{said.confirmed or said.request}" NotOnOrAfter="{at(said.ends)}" '
        f'Recipient="{escape(said.recipient or said.acs)}"/></saml:SubjectConfirmation>'
        f'</saml:Subject><saml:Conditions NotBefore="{at(said.begins)}" '
        f'NotOnOrAfter="{at(said.ends)}">{restriction if said.restriction else ""}'
        f"</saml:Conditions>{said.statement.format(now=at(0))}"
        f"<saml:AttributeStatement>{attributes}</saml:AttributeStatement></saml:Assertion>"
    )


def response_of(said: Said, *assertions: str) -> str:
    issuer = said.issuer if said.response_issuer is None else said.response_issuer
    return (
        f'<samlp:Response {XMLNS} ID="{said.response_id}" Version="2.0" '
        f'IssueInstant="{at(said.issued)}" InResponseTo="{said.request}" '
        f'Destination="{escape(said.destination or said.acs)}">'
        f"<saml:Issuer>{escape(issuer)}</saml:Issuer><samlp:Status>"
        f'<samlp:StatusCode Value="{said.status}"/></samlp:Status>'
        f"{''.join(assertions)}</samlp:Response>"
    )


@dataclass
class IdentityProvider:
    """One with a key of its own."""

    number: int = 0
    method: Any = xmlsec.constants.TransformRsaSha256
    digest: Any = xmlsec.constants.TransformSha256
    c14n: Any = EXCLUSIVE

    @property
    def certificate(self) -> str:
        return certificate_of(rsa_key(number=self.number))

    def sign(self, xml: str, tag: str) -> str:
        """The document with a signature in its first element of this name."""
        tree = etree.fromstring(xml.encode())
        element = next(tree.iter(f"{{*}}{tag}"))
        signature = xmlsec.template.create(tree, EXCLUSIVE, self.method, ns="ds")
        element.insert(1, signature)
        reference = xmlsec.template.add_reference(
            signature, self.digest, uri=f"#{element.get('ID')}"
        )
        xmlsec.template.add_transform(reference, xmlsec.constants.TransformEnveloped)
        xmlsec.template.add_transform(reference, self.c14n)
        xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(signature))
        pem = rsa_key(number=self.number).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        context = xmlsec.SignatureContext()
        context.key = xmlsec.Key.from_memory(pem, xmlsec.constants.KeyDataFormatPem)
        context.key.load_cert_from_memory(
            self.certificate.encode(), xmlsec.constants.KeyDataFormatPem
        )
        for part in tree.iter("{*}Assertion", "{*}Response"):
            context.register_id(part, "ID")
        context.sign(signature)
        text: bytes = etree.tostring(tree)
        return text.decode()

    def signed_assertion(self, said: Said) -> str:
        return self.sign(assertion_of(said), "Assertion")

    def answer(self, said: Said, *, assertion: bool = True, response: bool = False) -> str:
        """A response with the assertion, the response or both signed, in base64."""
        inner = self.signed_assertion(said) if assertion else assertion_of(said)
        xml = response_of(said, inner)
        return encoded(self.sign(xml, "Response") if response else xml)


def encoded(xml: str) -> str:
    return base64.b64encode(xml.encode()).decode()
