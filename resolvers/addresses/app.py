"""Addresses of this application in texts: `https://docs.example.com/s/SPACE/path`, or `/s/...`."""

from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import parse_qsl

from content.documents.content_references import KINDS
from content.errors import PublishedUrlError
from content.json_types import JsonObject
from content.links.meaning import Meaning
from content.links.published_urls import read_published_url
from content.links.relative import read_anchor
from content.slugs import slug_key
from resolvers.addresses.hosts import Base
from resolvers.core.context import Context

SPACE = "/s/"
# In addresses, before what content is looked at: `~/changes/7/guide`.
MARK = "~"
# Behind the mark: what has no address of its own, by its kind and the members of its reference.
REFERENCES = "references"
# What an address has in it that names a thing by its id.
_NAMING = (f"/{MARK}/{REFERENCES}/", "/files/", "/c/", "/v1/users/")


class AppPlace(NamedTuple):
    """A place in the primary content of a space.

    `path` is a page's as it is compared, empty for the space itself.
    """

    space_id: str
    path: str
    anchor: str


@dataclass(frozen=True, slots=True)
class AppAddresses:
    """Reads addresses of this application; it looks nothing up."""

    base: Base
    url: str

    @classmethod
    def of(cls, ctx: Context) -> Self:
        """The addresses of this server."""
        return cls(Base.of(ctx), ctx.settings.public_url.rstrip("/"))

    def place(self, url: str) -> AppPlace | None:
        """The place that an address may lead to; None for one that leads elsewhere.

        Change requests and revisions (`/s/SPACE/~/...`) are no places that last, and settings are
        none to read. A query means nothing.
        """
        if SPACE not in url:
            return None
        location, _, fragment = url.strip().partition("#")
        try:
            own = self.base.own_path(
                read_published_url(self.url + location if location.startswith("/") else location)
            )
        except PublishedUrlError:
            return None
        match own:
            case ("s", id, *rest) | ("o", _, "s", id, *rest) if rest[:1] != [MARK]:
                return AppPlace(id, slug_key("/".join(rest)), read_anchor(fragment))
        return None

    def reference(self, url: str, space_id: str) -> JsonObject | None:
        """The content reference that an address in a text stands for by itself: of a person, a
        collection, a file by its id, or below `/s/SPACE/~/references`; None for any other.

        `space_id` is the space of the text.
        """
        if not any(part in url for part in _NAMING):
            return None
        try:
            address = read_published_url(url.strip().partition("#")[0])
        except PublishedUrlError:
            return None
        fields = dict(parse_qsl(address.query.replace("%00", "%EF%BF%BD")))
        match self.base.own_path(address):
            case ("s", space, "~", "references", kind) if kind in KINDS:
                fields.pop("kind", None)
                reference: JsonObject = {"kind": kind, **fields}
            case ("files", space, _, _) if fields.get("file"):
                reference = {"kind": "file", "file": fields["file"]}
            case ("c", id) | ("o", _, "c", id):
                return {"kind": "collection", "collection": id}
            case ("v1", "users", id):
                return {"kind": "user", "user": id}
            case _:
                return None
        return reference if space == space_id else {**reference, "space": space}

    def absolute(self, url: str) -> str | None:
        """Such an address with the server in front; None for any other."""
        if self.place(url) is None:
            return None
        url = url.strip()
        return f"{self.url}{url}" if url.startswith("/") else url


def space_reference(place: AppPlace) -> JsonObject | None:
    """The content reference to a space itself, which has no headings."""
    return None if place.anchor else {"kind": "space", "space": place.space_id}


def meaning_in_space(place: AppPlace, meaning: Meaning | None = None) -> Meaning:
    """The meaning of a place with a path in its own space; other meanings of the URL come first."""
    if meaning is None:
        return Meaning((), (place.path,), place.anchor)
    return Meaning(meaning.files, (*meaning.addresses, place.path), meaning.anchor)
