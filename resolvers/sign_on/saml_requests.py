"""What this server sends to a SAML provider: requests to sign somebody on, and its metadata."""

import base64
import datetime as dt
import zlib
from html import escape
from urllib.parse import urlencode

from resolvers.sign_on.providers import SamlService

EMAIL_ADDRESS = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
_PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
_ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
_METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
_POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"


def sign_on_address(sso_url: str, service: SamlService, request_id: str, now: dt.datetime) -> str:
    """Where a browser is sent to sign on: the provider's address with a request (HTTP-Redirect)."""
    request = (
        f'<samlp:AuthnRequest xmlns:samlp="{_PROTOCOL}" xmlns:saml="{_ASSERTION}"'
        f' ID="{request_id}" Version="2.0" IssueInstant="{now:%Y-%m-%dT%H:%M:%SZ}"'
        f' Destination="{escape(sso_url)}" ProtocolBinding="{_POST}"'
        f' AssertionConsumerServiceURL="{escape(service.acs_url)}">'
        f"<saml:Issuer>{escape(service.entity_id)}</saml:Issuer>"
        f'<samlp:NameIDPolicy Format="{EMAIL_ADDRESS}" AllowCreate="true"/>'
        "</samlp:AuthnRequest>"
    )
    # The binding wants raw deflate.
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(request.encode()) + packer.flush()
    query = urlencode({"SAMLRequest": base64.b64encode(packed).decode()})
    return f"{sso_url}{'&' if '?' in sso_url else '?'}{query}"


def metadata(service: SamlService) -> str:
    """What a provider reads to know this server."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<EntityDescriptor xmlns="{_METADATA}" entityID="{escape(service.entity_id)}">\n'
        '  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true"'
        f' protocolSupportEnumeration="{_PROTOCOL}">\n'
        f"    <NameIDFormat>{EMAIL_ADDRESS}</NameIDFormat>\n"
        f'    <AssertionConsumerService Binding="{_POST}" index="0" isDefault="true"'
        f' Location="{escape(service.acs_url)}"/>\n'
        "  </SPSSODescriptor>\n"
        "</EntityDescriptor>\n"
    )
