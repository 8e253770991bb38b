"""Secrets of the installation, made at migration and shared by all its processes."""

from sqlalchemy import select

from db.models.instance import InstanceSecret
from db.session import Session


async def instance_secret(session: Session, name: str) -> str:
    """The secret of this name; LookupError when the database was not migrated."""
    statement = select(InstanceSecret.value).where(InstanceSecret.name == name)
    value: str | None = (await session.execute(statement)).scalar()
    if value is None:
        raise LookupError(f"the database has no secret {name!r}; run `docstead migrate`")
    return value
