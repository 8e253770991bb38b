"""Sealing again, with the key of today, what was sealed with a former one.

`TABLES` names every column that holds sealed texts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Table, bindparam, func, inspect, select, update

from db.base import Base
from db.models.git import GitConfiguration, GitCredential
from db.models.integrations import Installation, Integration, SiteInstallation, SpaceInstallation
from db.models.site_settings import SiteRevalidation
from db.models.webhooks import SECRET_PREFIX, Webhook
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.integration_configurations import resealed
from resolvers.core.sealing import Sealer, UnsealedError, renewed_mark

PORTION = 500
Renew = Callable[[Sealer, Any], Any]


def _text(sealer: Sealer, value: str | None) -> str | None:
    return None if value is None else sealer.renew(value)


def _webhook_secret(sealer: Sealer, value: str | None) -> str | None:
    # A version before this one has stored them as they are.
    if value is not None and value.startswith(SECRET_PREFIX):
        return sealer.seal(value)
    return _text(sealer, value)


# The columns with sealed texts, and how their values are sealed again.
TABLES: dict[type[Base], dict[str, Renew]] = {
    GitCredential: {"sealed": _text},
    GitConfiguration: {"credentials": _text, "hook_secret": _text},
    Integration: {"secrets": _text, "signing_secret": _text},
    Installation: {"configuration": resealed, "signing_secret": _text},
    SpaceInstallation: {"configuration": resealed},
    SiteInstallation: {"configuration": resealed},
    SiteRevalidation: {"secret": renewed_mark},
    Webhook: {"secret": _webhook_secret, "old_secret": _webhook_secret},
}


@dataclass(frozen=True, slots=True)
class Resealed:
    """A portion of the rows of a table."""

    # The id of the last row; None when there are no more.
    last: str | None
    rows: int
    # Rows that were sealed with a former key.
    renewed: int
    # Ids of rows that none of the keys opens; they stay as they are.
    unreadable: tuple[str, ...]


async def count_rows(ctx: Context, kind: type[Base]) -> int:
    """How many rows of a table may hold sealed texts."""
    must_be_operator(ctx)
    count: int = (await ctx.session.execute(select(func.count()).select_from(kind))).scalar_one()
    return count


@operation(audited=False)
async def reseal(ctx: Context, kind: type[Base], after: str) -> Resealed:
    """Seal a portion of the rows of a table with the key of today, from the first id behind
    `after`."""
    must_be_operator(ctx)
    (key,) = inspect(kind).primary_key
    columns, table = TABLES[kind], cast("Table", kind.__table__)
    statement = (
        select(key, *(table.c[name] for name in columns))
        .where(key > after)
        .order_by(key)
        .limit(PORTION)
        .with_for_update()
    )
    rows = (await ctx.session.execute(statement)).all()
    changed, unreadable = [], []
    for id, *values in rows:
        try:
            new = [
                renew(ctx.sealer, value)
                for renew, value in zip(columns.values(), values, strict=True)
            ]
        except UnsealedError:
            unreadable.append(id)
            continue
        if new != values:
            changed.append({"key_": id, **dict(zip(columns, new, strict=True))})
    if changed:
        resealing = update(table).where(key == bindparam("key_"))
        connection = await ctx.session.connection()
        await connection.execute(
            resealing.values({name: bindparam(name) for name in columns}), changed
        )
    last = rows[-1][0] if len(rows) == PORTION else None
    return Resealed(last, len(rows), len(changed), tuple(unreadable))
