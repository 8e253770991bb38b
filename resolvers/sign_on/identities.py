"""Who a provider says that somebody is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from resolvers.core.errors import Forbidden

EMAIL = re.compile(r"[^@\s\x00-\x20\x7f]{1,64}@[^@\s\x00-\x20\x7f]{1,255}")
NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Identity:
    """A person by their address, in lower case, with the name that the provider gives them."""

    email: str
    display_name: str


def identity_of(email: str, names: Iterable[str | None]) -> Identity:
    """The person with this address; of the names those that can be shown. Forbidden for what is
    no address."""
    address = email.strip().lower()
    if not EMAIL.fullmatch(address) or not address.isprintable():
        raise Forbidden("the provider gives no e-mail address of the person")
    words = " ".join(name for name in names if name)
    shown = " ".join("".join(char for char in words if char.isprintable()).split())
    return Identity(address, shown[:NAME_LENGTH].strip() or address.partition("@")[0])
