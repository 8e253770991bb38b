"""Who reads translations, glossaries and fonts; administrators of the organization change them."""

from typing import Any

from sqlalchemy import ColumnElement, Select, select

from db.models.spaces import Space
from db.models.storage import CustomFont
from db.models.translations import GlossaryEntry, Translation
from resolvers.access.ranks import READ, Rank, organization_rank, space_rank
from resolvers.core.actors import Actor


def translations(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Whoever may read the source and the result; the rank is the role in the organization."""
    statement, rank = organization_rank(statement, actor, Translation.organization_id)
    if actor.operator:
        return statement, rank
    return statement.where(
        _readable(Translation.source_space_id, actor), _readable(Translation.result_space_id, actor)
    ), rank


def _readable(space_id: Any, actor: Actor) -> ColumnElement[bool]:
    spaces, rank = space_rank(select(Space.id), actor)
    readable = spaces.where(Space.id == space_id, Space.deleted_at.is_(None), rank >= READ)
    return readable.correlate(Translation).exists()


def glossary_entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """The members of the organization that have a role: guests see what they were given."""
    statement, rank = organization_rank(statement, actor, GlossaryEntry.organization_id)
    return statement.where(rank >= READ), rank


def custom_fonts(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """The same; sites show their fonts to whoever reads them."""
    statement, rank = organization_rank(statement, actor, CustomFont.organization_id)
    return statement.where(rank >= READ), rank
