"""Roles of integrations on specifications and claims of sites; files of computed pages"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0034_roles_of_integrations"
down_revision = "0033_sealed_revalidation"
branch_labels = None
depends_on = None

_READ, _CREATE = 1, 5
_TABLE = sa.table(
    "integration",
    sa.column("id", sa.String()),
    sa.column("scopes", sa.JSON()),
    sa.column("site_role", sa.Integer()),
    sa.column("specification_role", sa.Integer()),
)


def _roles(scopes: Any, site_role: int) -> dict[str, int]:
    names = set(json.loads(scopes) if isinstance(scopes, str) else scopes)
    of_specifications = _READ if "openapi:read" in names else 0
    return {
        "specification_role": _CREATE if "openapi:write" in names else of_specifications,
        "site_role": max(site_role, _CREATE if "site:adaptive:write" in names else 0),
    }


def upgrade() -> None:
    # Not in a batch: making the table anew would lose its trigger.
    column = sa.Column("specification_role", sa.Integer(), nullable=False, server_default="0")
    op.add_column("integration", column)
    op.add_column("computed_page", sa.Column("files", sa.JSON(none_as_null=True)))
    connection = op.get_bind()
    rows = connection.execute(sa.select(_TABLE.c.id, _TABLE.c.scopes, _TABLE.c.site_role)).all()
    for id, scopes, site_role in rows:
        values = _roles(scopes, site_role)
        connection.execute(sa.update(_TABLE).where(_TABLE.c.id == id).values(values))


def downgrade() -> None:
    op.drop_column("computed_page", "files")
    op.drop_column("integration", "specification_role")
