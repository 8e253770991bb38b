"""Whether entries of the audit log name each row that has changed between two states."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import inspect, select

from db.base import Base
from db.job_enums import JobKind
from db.models.all import metadata
from db.models.audit import AuditEntry
from db.models.jobs import Job
from db.models.notifications import FeedToken
from db.models.organizations import Member, TeamMember, Token
from db.models.reviews import RequestedReviewer
from db.models.spaces import AccessGrant
from db.session import Database
from resolvers.core.audit_objects import OBJECTS, object_of

# Tables without a line in `OBJECTS`: what is said of their rows by what they belong to.
UNNAMED = {
    "audit_entry": "the log itself",
    "audit_mention": "the log itself",
    "audit_retention": "the log itself",
    "change_request_contributor": "follows from the writes of content",
    "integration_block": "what scripts have drawn, which follows from content",
    "computed_page": "follows from content and from what its sources are made of",
    "collection_ancestor": "follows from the parents of collections",
    "content_homonym": "follows from content",
    "content_index": "the search index",
    "content_link": "follows from content",
    "content_link_use": "follows from content",
    "content_node": "the stored form of content, which is named itself",
    "content_owner": "follows from content",
    "content_redirect": "follows from content",
    "document": "the stored form of content, which is named itself",
    "event": "says the same for whoever follows it",
    "event_counter": "the number of the last event",
    "former_home": "where an object was before, so that its old address leads to it",
    "indexed_page": "the search index",
    "spelling": "the search index",
    "indexed_section": "the search index",
    "insights_event": "what visitors did",
    "installation_external_id": "in the rows of installations and entries, too",
    "integration_event": "what integrations get of the write",
    "instance_secret": "made by the server for itself",
    "notification": "follows from what others do, and whether it was read",
    "notification_cursor": "how far people were notified",
    "outgoing_mail": "mail that tells of the write",
    "page_redirect": "follows from content",
    "remembered_answer": "answers of requests that may be repeated",
    "revision": "the stored form of content, which is named itself",
    "shown_file": "follows from content",
    "shown_file_use": "follows from content",
    "sign_on_answer": "answers of providers that nobody may use again",
    "specification_content": "bytes that specifications and their versions name",
    "site_path_redirect": "follows from the paths of a site",
    "site_version": "counts the changes of a site, for caches",
}
# Columns that follow from others, or say when something was changed.
DERIVED = {
    "collection": {"depth", "level_depth", "level_rank", "position", "updated_at"},
    "comment": {"updated_at"},
    "change_request": {"updated_at"},
    "member": {"name_key", "last_seen_at"},
    "organization": {"default_site_id", "updated_at"},
    "change_request_review": {"superseded", "updated_at"},
    "site": {"updated_at"},
    "site_section": {"place", "position"},
    "site_section_group": {"place", "position"},
    "site_space": {"place", "position"},
    "space": {"last_change_request", "position", "updated_at", "written_id"},
    "storage_upload": {"created_at", "lasting", "used_at"},
    "team": {"updated_at"},
    "team_member": {"name_key"},
    "api_token": {"last_used_at"},
}
# Their rows are rights of people: it is not enough that what they belong to is named.
RIGHTS = (AccessGrant, FeedToken, Member, RequestedReviewer, TeamMember, Token)
Key = tuple[Any, ...]
State = dict[type[Base], dict[Key, Mapping[str, Any]]]

# Kinds of jobs that are nobody's.
FOLLOWING = (
    JobKind.SPECIFICATION, JobKind.COMPUTED_PAGES, JobKind.WEBHOOK, JobKind.TRANSLATION,
    JobKind.INTEGRATION_TASK,
)  # fmt: skip


async def state_of(database: Database, tables: Collection[str] | None = None) -> State:
    """The rows of all tables that entries have to name, by model and primary key; or of some."""
    state: State = {}
    async with database.connection() as connection:
        for mapper in Base.registry.mappers:
            table = mapper.local_table
            if table.name in UNNAMED or (tables is not None and table.name not in tables):
                continue
            names = [attribute.key for attribute in mapper.column_attrs]
            columns = [getattr(mapper.class_, name) for name in names]
            keys = [mapper.get_property_by_column(column).key for column in mapper.primary_key]
            rows = [dict(zip(names, row, strict=True))
                    for row in await connection.execute(select(*columns))]  # fmt: skip
            state[mapper.class_] = {tuple(row[key] for key in keys): row for row in rows}
    return state


def unnamed_changes(before: State, after: State, entries: Sequence[AuditEntry]) -> list[str]:
    """Rows that differ, and that no entry names."""
    assert all(entry.affected_count == len(entry.affected) for entry in entries)
    named, people = set[Any](), set[Any]()
    for entry in entries:
        named |= {(entry.object_type.value, entry.object_id)}
        named |= {(item["type"], item["objectId"]) for item in entry.affected}
        people |= {entry.person_id, *(item["personId"] for item in entry.affected)}
    changes = _Changes(before, after, named, people)
    return sorted(set(changes.unnamed()))


class _Changes:
    def __init__(self, before: State, after: State, named: set[Any], people: set[Any]) -> None:
        self._before, self._after, self._named, self._people = before, after, named, people

    def unnamed(self) -> Iterator[str]:
        for model, rows in self._before.items():
            other = self._after[model]
            for key in rows.keys() | other.keys():
                old, new = rows.get(key), other.get(key)
                if old is not None and new is not None:
                    derived = DERIVED.get(model.__tablename__, set())
                    if all(old[name] == new[name] for name in old if name not in derived):
                        continue
                if not self._is_named(model, old, new):
                    what = "added" if old is None else "removed" if new is None else "changed"
                    yield f"{model.__tablename__} {what}"

    def _is_named(self, model: type[Base], old: Any, new: Any) -> bool:
        row = new or old
        if model is Job and row["kind"] in FOLLOWING:
            return True  # nobody's job: it follows from what is to be fetched, sent or translated
        kind = OBJECTS.get(model)
        if kind is not None:
            named = object_of(model(**row))
            if (named.type.value, named.id) in self._named and (
                model not in RIGHTS or named.person_id in (None, *self._people)
            ):
                return True
        if (old is None) is (new is None) or model in RIGHTS:
            return False
        # It comes or goes with what it belongs to.
        state = self._before if new is None else self._after
        others = self._after if new is None else self._before
        for foreign_key in inspect(model).local_table.foreign_keys:
            owner = _model_of(foreign_key.column.table.name)
            owner_id = row[inspect(model).get_property_by_column(foreign_key.parent).key]
            its_rows, its_others = state.get(owner, {}), others.get(owner, {})
            key = (owner_id,)
            if key in its_rows and key not in its_others:
                both = (its_rows[key], None) if new is None else (None, its_rows[key])
                if self._is_named(owner, *both):
                    return True
        return False


def _model_of(table: str) -> type[Base]:
    return next(
        mapper.class_ for mapper in Base.registry.mappers if mapper.local_table.name == table
    )


def unknown_tables() -> set[str]:
    """Tables that the exceptions name and the database does not have."""
    return (UNNAMED.keys() | DERIVED.keys()) - metadata.tables.keys()
