"""Addresses of objects: `location` in /v1, `app` for people, `published` for readers."""

from typing import NamedTuple

from db.rows import with_row_layout


@with_row_layout
class Urls(NamedTuple):
    """The addresses of one object; None where it has none."""

    location: str | None = None
    app: str | None = None
    published: str | None = None
    public: str | None = None
    icon: str | None = None
    logo: str | None = None
