"""Addresses of objects: `location` in /v1, `app` for people, `published` for readers."""

import re
from typing import NamedTuple

from db.rows import with_row_layout

PATH_LENGTH = 1_000
# Two slashes, or a backslash, which browsers read as one, would lead to another host.
_OWN_PATH = re.compile(rf"/(?![/\\])[!-\[\]-~]{{0,{PATH_LENGTH}}}")


@with_row_layout
class Urls(NamedTuple):
    """The addresses of one object; None where it has none."""

    location: str | None = None
    app: str | None = None
    published: str | None = None
    public: str | None = None
    icon: str | None = None
    logo: str | None = None


def app_path(space_id: str, change_request: int | None) -> str:
    """The path in the app of a space, or of one of its change requests, by the number of that."""
    path = f"/s/{space_id}"
    return path if change_request is None else f"{path}/~/changes/{change_request}"


def own_path(text: str) -> str | None:
    """An address on this very host, to go to after signing in; None for every other one."""
    return text if _OWN_PATH.fullmatch(text) else None
