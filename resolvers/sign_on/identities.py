"""Who a provider says that somebody is."""

from collections.abc import Iterable
from dataclasses import dataclass

from resolvers.core.email_addresses import folded, was_address
from resolvers.core.errors import Forbidden

NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Identity:
    """A person by their address, in lower case, with the name that the provider gives them."""

    email: str
    display_name: str


def identity_of(email: str, names: Iterable[str | None]) -> Identity:
    """The person with this address; of the names those that can be shown. Forbidden for what is
    no address."""
    address = folded(email.strip())
    if not was_address(address):
        raise Forbidden("the provider gives no e-mail address of the person")
    words = " ".join(name for name in names if name)
    shown = " ".join("".join(char for char in words if char.isprintable()).split())
    return Identity(address, shown[:NAME_LENGTH].strip() or address.partition("@")[0])
