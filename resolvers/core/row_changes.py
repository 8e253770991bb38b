"""What became of a row in a write, and the usual rules that make events of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from db.audit_enums import AuditChangeKind as Kind
from db.event_enums import EventType as Type
from resolvers.core.event_drafts import Draft
from resolvers.core.naming import camel

Drafts = Iterator[Draft]


@dataclass(slots=True)
class RowChange:
    """What a write has made of a row, from its first change to its last one."""

    kind: Kind
    row: Any
    # Names of its attributes that have changed.
    changed: dict[str, None] = field(default_factory=dict)
    # Of the values that the audit log shows: before and after.
    values: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def added(self) -> bool:
        return self.kind is Kind.ADDED

    @property
    def removed(self) -> bool:
        return self.kind is Kind.REMOVED

    def before(self, name: str) -> Any:
        """The value that an attribute had, of those that the audit log shows."""
        return self.values[name][0]

    def names(self, *attributes: str) -> tuple[str, ...]:
        """Those of the attributes that have changed, as callers know them."""
        return tuple(_public(name) for name in attributes if name in self.changed)


def _public(attribute: str) -> str:
    return camel(attribute.removesuffix("_id"))


Rule = Callable[[RowChange], Drafts]


def draft_of(type: Type, row: Any, id: str | None, **facts: Any) -> Draft:
    """A draft about an object, with what its row says of where it belongs."""
    for name in ("organization_id", "space_id", "change_request_id", "site_id"):
        facts.setdefault(name, getattr(row, name, None))
    return Draft(type=type, object_id=id, **facts)


def object_rule(
    created: Type, updated: Type, deleted: Type, attributes: str, facts: Callable[[Any], Any] = dict
) -> Rule:
    """A row that is an object, and is made, changed and deleted."""
    names = attributes.split()

    def rule(change: RowChange) -> Drafts:
        row = change.row
        own = facts(row) if facts is not dict else {}
        if change.added:
            yield draft_of(created, row, row.id, **own)
        elif change.removed:
            yield draft_of(deleted, row, row.id, **own)
        elif changed := change.names(*names):
            yield draft_of(updated, row, row.id, changed=changed, **own)

    return rule


def part_rule(type: Type, of: str, attributes: str | None = None, **links: str) -> Rule:
    """A row that is a part of an object: whatever happens to it, the object is changed.

    `attributes` are those that count and are named, all where it is None; `links` are facts, by
    the attributes that hold them.
    """
    names = None if attributes is None else attributes.split()

    def rule(change: RowChange) -> Drafts:
        row = change.row
        changed: tuple[str, ...] = ()
        if names is not None:
            changed = change.names(*names)
            if change.kind is Kind.CHANGED and not changed:
                return
            if change.kind is not Kind.CHANGED:
                changed = tuple(_public(name) for name in names if getattr(row, name) is not None)
        facts: dict[str, Any] = {name: getattr(row, link) for name, link in links.items()}
        if "site_space_id" in facts:
            facts["data"] = {"siteSpaceId": facts["site_space_id"]}
        yield draft_of(type, row, getattr(row, of), changed=changed, **facts)

    return rule
