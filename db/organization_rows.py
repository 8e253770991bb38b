"""Which rows of a database belong to one organization, and which of those it may take elsewhere.

Each table is in one of two lists: what is exported, with the column by which its rows are found, or
what is left out, with the reason. A row is one object of JSON, a member for each column.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import JSON, ColumnElement, Table, or_, select, union

from db.base import LevelRank, RoleRank
from db.enums import DefaultLevel, Role
from db.models.all import metadata
from db.row_copies import Row

Json = dict[str, Any]
_ORGANIZATION, _PEOPLE = "organization", "user_account"

# The columns that name what a row belongs to; with several the row belongs to the one that it has.
EXPORTED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        # Its own row, and everybody whom a row of it names.
        _ORGANIZATION: ("id",),
        _PEOPLE: ("id",),
        "access_grant": ("space_id", "collection_id"),
        "agent_instructions": ("organization_id",),
        "change_request": ("space_id",),
        "change_request_conflict": ("space_id",),
        "change_request_contributor": ("space_id",),
        "change_request_review": ("space_id",),
        "change_request_reviewer": ("space_id",),
        "collection": ("organization_id",),
        "collection_ancestor": ("collection_id",),
        "comment": ("space_id",),
        "computed_page": ("space_id",),
        "content_homonym": ("space_id",),
        "content_node": ("space_id",),
        "content_owner": ("space_id",),
        "content_redirect": ("space_id",),
        "custom_font": ("organization_id",),
        "custom_hostname": ("site_id",),
        "document": ("space_id",),
        "git_configuration": ("space_id",),
        "git_sync": ("space_id",),
        "glossary_entry": ("organization_id",),
        "installation": ("organization_id",),
        "installation_external_id": ("installation_id",),
        "integration": ("organization_id",),
        "member": ("organization_id",),
        "page_redirect": ("space_id",),
        "reaction": ("comment_id",),
        "revision": ("space_id",),
        "saml_provider": ("organization_id",),
        "service_account": ("organization_id",),
        "site": ("organization_id",),
        "site_adaptive_schema": ("site_id",),
        "site_customization": ("site_id",),
        "site_installation": ("installation_id",),
        "site_mcp_server": ("site_id",),
        "site_path_redirect": ("site_id",),
        "site_publishing_auth": ("site_id",),
        "site_redirect": ("site_id",),
        "site_revalidation": ("site_id",),
        "site_section": ("site_id",),
        "site_section_group": ("site_id",),
        "site_share_link": ("site_id",),
        "site_space": ("site_id",),
        "site_space_customization": ("site_space_id",),
        "space": ("organization_id",),
        "space_installation": ("installation_id",),
        "specification": ("organization_id",),
        "specification_content": ("organization_id",),
        "specification_version": ("specification_id",),
        "storage_upload": ("organization_id",),
        "team": ("organization_id",),
        "team_member": ("team_id",),
        "translated_texts": ("translation_id",),
        "translation": ("organization_id",),
        "webhook": ("organization_id",),
    }
)

_INDEX = "made again of the content by the installation that reads the export"
_GIVEN_OUT = "a secret of this installation; another one gives out its own"
_PAST = "what has happened on this installation, not what the organization holds"
_OWN = "a person's own, for their account on this installation"
_RUNNING = "work that this installation has to do"
LEFT_OUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "account_link": _GIVEN_OUT,
        "api_token": _GIVEN_OUT,
        "audit_entry": f"{_PAST}; the audit log has an export of its own",
        "audit_mention": "goes with the audit log",
        "audit_retention": "goes with the audit log",
        "content_index": _INDEX,
        "content_link": _INDEX,
        "content_link_use": _INDEX,
        "event": _PAST,
        "event_counter": _PAST,
        "feed_token": _GIVEN_OUT,
        "file_upload": "bytes that were sent and are in no content yet",
        "former_home": "what addresses of this installation have led to",
        "git_credential": _GIVEN_OUT,
        "git_entry": "goes with its job",
        "indexed_page": _INDEX,
        "indexed_section": _INDEX,
        "insights_event": "what visitors did here; it names them by what this installation knows",
        "instance_secret": _GIVEN_OUT,
        "integration_block": "drawn again by the integrations of the installation that reads it",
        "integration_development": _RUNNING,
        "integration_event": _PAST,
        "integration_task": _RUNNING,
        "invitation": "leads to this installation; who has not accepted is invited again",
        "job": _RUNNING,
        "notification": _OWN,
        "notification_cursor": _RUNNING,
        "notification_settings": _OWN,
        "outgoing_mail": _RUNNING,
        "remembered_answer": _PAST,
        "shown_file": _INDEX,
        "shown_file_use": _INDEX,
        "sign_in_link": _GIVEN_OUT,
        "sign_on_answer": _GIVEN_OUT,
        "site_version": "counted by each database for itself",
        "space_notification_level": _OWN,
        "spelling": _INDEX,
        "user_session": _GIVEN_OUT,
        "webhook_delivery": _PAST,
    }
)

_NEW = "secret: made anew where the export is read"
_STATE = "how far this installation is"
# Columns that are in no export, with the reason.
LEFT_OUT_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        _ORGANIZATION: {"sso": "nobody could sign in before an operator trusts a provider"},
        _PEOPLE: {"email_verified_at": "whoever signs in there shows it there"},
        "custom_hostname": {
            "status": "DNS leads here still",
            "checked_at": _STATE,
            "checking_since": _STATE,
        },
        "git_configuration": {
            "credentials": "secret: given again there",
            "enabled": "synchronises when its credentials are given again",
            "hook_id": _NEW,
            "hook_secret": _NEW,
            "next_at": _STATE,
        },
        "installation": {
            "signing_secret": _NEW,
            "failures": _STATE,
            "position": _STATE,
            "next_attempt_at": _STATE,
        },
        "integration": {
            "secrets": "secret: published again there",
            "signing_secret": _NEW,
            "token_mark": _NEW,
            "verified": "said by the operator of an installation",
        },
        "saml_provider": {"trusted": "said by the operator of an installation"},
        "site": {"hostname": "DNS leads here still"},
        "site_mcp_server": {"headers": "secret: given again there"},
        "site_publishing_auth": {"private_key": _NEW},
        "site_revalidation": {
            "secret": _NEW,
            "last_attempt_at": _STATE,
            "last_success_at": _STATE,
            "last_status": _STATE,
            "last_error": _STATE,
            "failures": _STATE,
        },
        "site_share_link": {"secret": _NEW},
        "webhook": {
            "enabled": "receivers have to know the new secret first",
            "secret": _NEW,
            "old_secret": _NEW,
            "old_secret_until": _NEW,
            "position": _STATE,
            "failing_since": _STATE,
            "next_attempt_at": _STATE,
        },
    }
)
# Ids that are no foreign keys of the database, and the table that has them.
NAMED: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("change_request", "revision_id"): "revision",
        ("change_request", "revision_initial_id"): "revision",
        ("change_request", "revision_merged_ancestor_id"): "revision",
        ("change_request", "revision_merged_id"): "revision",
        ("change_request_review", "comment_id"): "comment",
        ("change_request_review", "revision_id"): "revision",
        ("change_request_reviewer", "revision_id"): "revision",
        ("comment", "review_id"): "change_request_review",
        ("comment", "revision_id"): "revision",
        ("git_configuration", "owner_id"): _PEOPLE,
        ("git_configuration", "tried_revision_id"): "revision",
        ("git_sync", "last_revision_id"): "revision",
        ("integration", "organization_id"): _ORGANIZATION,
        ("organization", "default_site_id"): "site",
        ("revision", "expands_id"): "revision",
        ("revision", "merged_from_id"): "change_request",
        ("service_account", "created_by_id"): _PEOPLE,
        ("site", "default_section_id"): "site_section",
        ("site", "default_site_space_id"): "site_space",
        ("site_installation", "integration_id"): "integration",
        ("site_installation", "organization_id"): _ORGANIZATION,
        ("site_section", "default_site_space_id"): "site_space",
        ("site_space", "section_id"): "site_section",
        ("space", "revision_id"): "revision",
        ("space", "written_id"): "revision",
        ("space_installation", "integration_id"): "integration",
        ("space_installation", "organization_id"): _ORGANIZATION,
        ("specification", "last_version_id"): "specification_version",
        ("specification_version", "organization_id"): _ORGANIZATION,
        ("installation_external_id", "integration_id"): "integration",
        ("translation", "source_revision_id"): "revision",
        ("translation", "tried_revision_id"): "revision",
        ("webhook", "owner_id"): _PEOPLE,
    }
)  # fmt: skip


def exported_tables() -> list[Table]:
    """The tables whose rows are exported, each behind those that it refers to."""
    return [table for table in metadata.sorted_tables if table.name in EXPORTED]


def target_of(table: Table, name: str) -> str | None:
    """The table whose id a column names; None for other columns."""
    named = NAMED.get((table.name, name))
    if named is not None:
        return named
    for key in table.columns[name].foreign_keys:
        above = key.column.table
        # Of a key of several columns each names what it names there.
        return above.name if key_of(above) else target_of(above, key.column.name)
    return None


def key_of(table: Table) -> str | None:
    """The column that other rows name the rows of a table by; None where there are several."""
    keys = [key.name for key in table.primary_key.columns]
    return keys[0] if len(keys) == 1 else None


def rows_of(organization_id: str, table: Table) -> ColumnElement[bool]:
    """The condition of the rows of a table that belong to an organization."""
    if table.name == _ORGANIZATION:
        return table.columns.id == organization_id
    if table.name == _PEOPLE:
        return table.columns.id.in_(_people(organization_id))
    conditions = [_owned(organization_id, table, name) for name in EXPORTED[table.name]]
    condition = or_(*conditions)
    if table.name == "storage_upload":
        # Others were announced, or were used up.
        condition &= table.columns.lasting & table.columns.sha256.is_not(None)
    return condition


def _owned(organization_id: str, table: Table, name: str) -> ColumnElement[bool]:
    owner = target_of(table, name) or _ORGANIZATION
    if owner == _ORGANIZATION:
        return table.columns[name] == organization_id
    above = metadata.tables[owner]
    return table.columns[name].in_(select(above.columns.id).where(rows_of(organization_id, above)))


def _people(organization_id: str) -> Any:
    """Everybody whom a row of the organization names."""
    named = [
        select(named_by.label("id")).where(rows_of(organization_id, table), named_by.is_not(None))
        for table in exported_tables()
        if table.name != _PEOPLE
        for named_by in table.columns
        if target_of(table, named_by.name) == _PEOPLE
    ]
    return select(union(*named).subquery().columns.id)


def columns_of(table: Table) -> list[str]:
    """The columns of a table that are exported."""
    left_out = LEFT_OUT_COLUMNS.get(table.name, {})
    return [column.name for column in table.columns if column.name not in left_out]


# ------------------------------------------------------------------ rows as objects


def row_as_object(table: Table, row: Row) -> Json:
    """A row that was read as an object. A column of JSON without a value has no member."""
    left_out = LEFT_OUT_COLUMNS.get(table.name, {})
    members: Json = {}
    for column, value in zip(table.columns, row, strict=True):
        if column.name in left_out:
            continue
        match column.type:
            case JSON():
                if value is not None:
                    members[column.name] = json.loads(str(value))
            case RoleRank():
                role = Role.of_rank(int(value or 0))
                members[column.name] = None if role is None else role.value
            case LevelRank():
                level = DefaultLevel.of_rank(int(value or 0))
                members[column.name] = None if level is None else level.value
            case _:
                members[column.name] = value
    return members
