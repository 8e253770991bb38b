"""Which events follow from changes of integrations and installations."""

from db.event_enums import EventType as Type
from db.integration_enums import InstallationStatus
from resolvers.core.row_changes import Drafts, RowChange, draft_of


def integration_rule(change: RowChange) -> Drafts:
    """Of an integration: each version, and its end."""
    row = change.row
    if change.removed:
        yield draft_of(Type.INTEGRATION_UNPUBLISHED, row, row.id)
    elif change.added or "version" in change.changed:
        yield draft_of(Type.INTEGRATION_PUBLISHED, row, row.id)


def installation_rule(change: RowChange) -> Drafts:
    """Of an installation."""
    row = change.row
    if change.added:
        yield draft_of(Type.INSTALLATION_CREATED, row, row.id)
        return
    if change.removed:
        yield draft_of(Type.INSTALLATION_DELETED, row, row.id)
        return
    attributes = ["configuration", "space_selection", "site_selection", "external_ids"]
    if "status" in change.changed and row.status is InstallationStatus.PAUSED:
        yield draft_of(Type.INSTALLATION_PAUSED, row, row.id)
    else:
        attributes.append("status")
    if changed := change.names(*attributes):
        yield draft_of(Type.INSTALLATION_UPDATED, row, row.id, changed=changed)
