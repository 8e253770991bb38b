"""The events of a write, of all that it has changed."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import inspect

from db.audit_enums import AuditChangeKind as Kind, AuditObjectType as Object
from db.base import Base
from db.event_enums import EventType as Type
from resolvers.core.audit_notes import Change, ContentChange
from resolvers.core.event_drafts import Draft
from resolvers.core.event_rules import RULES
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.row_changes import Drafts, RowChange


def drafts_of(
    changes: Iterable[Change], contents: Iterable[ContentChange], facts: Iterable[Draft]
) -> list[Draft]:
    """The events of a write, each once, objects before what belongs to them."""
    drafts: list[Draft] = []
    for change in _row_changes(changes):
        drafts += RULES[type(change.row)](change)
    for content in contents:
        drafts += _of_content(content)
    return _without_what_follows([*drafts, *facts])


def _row_changes(changes: Iterable[Change]) -> list[RowChange]:
    """What became of each row; those that came and went in the same write are left out."""
    by_key: dict[tuple[type[Base], Any], RowChange] = {}
    for change in changes:
        model = type(change.row)
        if model not in RULES:
            continue
        key = model, tuple(inspect(model).primary_key_from_instance(change.row))
        row_change = by_key.get(key)
        if row_change is None:
            row_change = by_key[key] = RowChange(change.kind, change.row)
        elif row_change.added and change.kind is Kind.REMOVED:
            del by_key[key]
            continue
        elif change.kind is Kind.REMOVED:
            row_change.kind = Kind.REMOVED
        elif row_change.removed and change.kind is Kind.ADDED:
            row_change.kind = Kind.CHANGED
        row_change.row = change.row
        row_change.changed |= dict.fromkeys(change.changed)
        for name, (before, after) in change.values.items():
            earlier = row_change.values.get(name)
            row_change.values[name] = (before if earlier is None else earlier[0], after)
    return list(by_key.values())


# What happens to a site as a whole, beside its parts.
_WHOLE = (Type.SITE_CREATED, Type.SITE_DELETED, Type.SITE_PUBLISHED, Type.SITE_UNPUBLISHED)
_PAGES = {
    Kind.ADDED: Type.PAGE_CREATED,
    Kind.CHANGED: Type.PAGE_UPDATED,
    Kind.REMOVED: Type.PAGE_DELETED,
}


def _of_content(content: ContentChange) -> Drafts:
    if content.type is not Object.PAGE:
        return
    facts: dict[str, Any] = {
        "object_id": content.id,
        "page_id": content.id,
        "space_id": content.space_id,
        "change_request_id": content.change_request_id,
        "revision_id": content.revision_id,
    }
    if content.kind is not Kind.CHANGED:
        yield Draft(type=_PAGES[content.kind], **facts)
        return
    if content.moved:
        yield Draft(type=Type.PAGE_MOVED, **facts)
    if content.edited:
        yield Draft(type=Type.PAGE_UPDATED, **facts)


def _without_what_follows(drafts: list[Draft]) -> list[Draft]:
    """Each event once, and none that says less than another one of the same write."""
    whole = {
        draft.object_id for draft in drafts if draft.type in (Type.SITE_CREATED, Type.SITE_DELETED)
    }
    reviewers = {draft.user_id for draft in drafts if draft.type is Type.REVIEW_SUBMITTED}
    merged: dict[Any, Draft] = {}
    for draft in drafts:
        if draft.type not in _WHOLE and draft.site_id in whole:
            continue
        if draft.type is Type.REVIEW_REQUEST_WITHDRAWN and draft.user_id in reviewers:
            continue
        key: tuple[Any, ...] = draft.type, draft.object_id, draft.change_request_id
        fields = EVENT_KINDS[draft.type].fields
        if "userId" in fields or "teamId" in fields:
            key += (draft.user_id, draft.team_id)
        if "newOrganizationId" in fields:
            # One for each of the two organizations.
            key += (draft.organization_id,)
        earlier = merged.get(key)
        if earlier is not None:
            draft = replace(
                earlier,
                organization_id=earlier.organization_id or draft.organization_id,
                changed=tuple(dict.fromkeys((*earlier.changed, *draft.changed))),
            )
        merged[key] = draft
    return list(merged.values())
