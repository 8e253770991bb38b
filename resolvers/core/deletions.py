"""Payloads of deletes and withdrawals: the id of the row, and that of its parent."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from db.base import Base
from resolvers.core.errors import NotFound, NothingToDelete


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """Something that was deleted; of the ids of what it belonged to, those that it had."""

    deleted_id: str
    organization_id: str | None = None
    # The collection.
    parent_id: str | None = None
    collection_id: str | None = None
    team_id: str | None = None
    site_id: str | None = None
    site_space_id: str | None = None
    group_id: str | None = None
    space_id: str | None = None
    change_request_id: str | None = None
    comment_id: str | None = None
    # The row, for the audit log, where a statement has deleted it and not the session.
    audited: Base | None = None


@contextmanager
def finding_what_to_delete() -> Iterator[None]:
    """Raise NotFound as NothingToDelete, around the look-up of the row that is deleted."""
    try:
        yield
    except NotFound as error:
        raise NothingToDelete(error.message) from error
