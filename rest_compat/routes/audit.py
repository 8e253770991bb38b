"""The audit log."""

from resolvers.audit import entries
from resolvers.audit.entries import AuditArguments
from resolvers.organizations import operations as organizations, users
from rest_compat.shapes.audit import AUDIT_ENTRY
from rest_compat.table import page

TAG = "audit-log"

ROUTES = (
    page("/orgs/{organizationId}/audit-log", "listAuditLog", TAG, organizations.get_organization,
         entries.audit_log_of_organizations, AuditArguments, AUDIT_ENTRY,
         streams=True),
    page("/user/audit-log", "listAuditLogOfAuthenticatedUser", TAG, users.get_viewer,
         entries.audit_log_of_accounts, AuditArguments, AUDIT_ENTRY, streams=True),
)  # fmt: skip
