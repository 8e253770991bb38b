"""Reads the names of what notifications and entries of feeds are about, by ids."""

from sqlalchemy import select

from db.models.change_requests import ChangeRequest
from db.models.organizations import User
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.statements import Viewer, Written, statement


@statement
def names_of_people(viewer: Viewer) -> Written:
    """Of whoever did something that may be seen, and that is part of it."""
    return select(User.id, User.display_name).where(among(User.id, "ids"))


@statement
def subjects_of_requests(viewer: Viewer) -> Written:
    """Numbers and subjects of the change requests that may be seen."""
    return (
        visible(viewer, ChangeRequest)
        .with_only_columns(ChangeRequest.id, ChangeRequest.number, ChangeRequest.subject)
        .where(among(ChangeRequest.id, "ids"))
    )


@statement
def titles_of_spaces(viewer: Viewer) -> Written:
    """Titles of the spaces that may be seen."""
    return (
        visible(viewer, Space)
        .with_only_columns(Space.id, Space.title)
        .where(among(Space.id, "ids"))
    )
