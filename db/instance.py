"""Secrets of the installation, made at migration and shared by all its processes."""

from sqlalchemy import select

from db.models.instance import InstanceSecret
from db.session import Session


async def instance_secrets(session: Session, *names: str) -> list[str]:
    """The secrets of these names; LookupError when the database was not migrated."""
    statement = select(InstanceSecret.name, InstanceSecret.value)
    rows = await session.execute(statement.where(InstanceSecret.name.in_(names)))
    secrets = {row.name: row.value for row in rows}
    for name in names:
        if name not in secrets:
            raise LookupError(f"the database has no secret {name!r}; run `docstead migrate`")
    return [secrets[name] for name in names]
