"""Addresses of people: which are accepted, which can be sent to, and which are the same.

Accepted is what every mail server takes without extensions and quotes, within the lengths of SMTP.
So an address is ASCII, and whether two are the same does not depend on how a database, or Python,
makes small letters of others. Accounts of before may have addresses that are accepted no more:
they stay as they are, and are found as before (docs/decisions/0072-addresses-of-people.md).
"""

import re
import string

# A path of SMTP has 256 octets with its brackets.
ADDRESS_LIMIT = 254
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(
    rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*"
)
# What accounts could be made of before.
_EARLIER = re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}")
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
# Accounts of integrations have their addresses there, where nobody has one (RFC 2606): none is sent
# to, signs in, or is found by it.
INTEGRATION_DOMAIN = "@integration.invalid"
# Those of service accounts are there.
SERVICE_DOMAIN = "@service.invalid"
WANTED = "as name@example.com, at most 64 and 254 characters of ASCII"


def is_address(text: str) -> bool:
    """Whether a new account, or an invitation, may have it."""
    if folded(text).endswith(INTEGRATION_DOMAIN):
        return False
    return len(text) <= ADDRESS_LIMIT and _ADDRESS.fullmatch(text) is not None


def is_of_program(text: str) -> bool:
    """Whether it is that of a service account or an integration, which no person has."""
    return folded(text).endswith((INTEGRATION_DOMAIN, SERVICE_DOMAIN))


def was_address(text: str) -> bool:
    """Whether an account may have it that was made before there was one rule."""
    return _EARLIER.fullmatch(text) is not None and text.isprintable()


def can_be_sent_to(text: str) -> bool:
    """Whether mail can be sent to it: also to hosts that are not ASCII, of accounts of before."""
    return len(text) <= ADDRESS_LIMIT and is_address(in_ascii(text))


def in_ascii(text: str) -> str:
    """An address with its host as mail servers want it; the same where there is no such form."""
    local, at, host = text.rpartition("@")
    try:
        return f"{local}{at}{host.encode('idna').decode()}"
    except UnicodeError:
        return text


def folded(text: str) -> str:
    """An address with small letters, as invitations hold it and as addresses are compared.

    Letters that are not ASCII stay as they are: some have an ASCII letter as their small one, and
    would be the address of somebody else.
    """
    return text.translate(_SMALL)


def forms_of(text: str) -> set[str]:
    """The forms, in small letters, of accounts that an address names.

    One; for what is not ASCII, also that with other small letters, as some databases make them.
    """
    lower = text.lower()
    return {folded(text)} | (set() if lower.isascii() else {lower})
