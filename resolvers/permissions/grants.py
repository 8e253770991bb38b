"""Roles that people and teams were given on spaces and collections themselves.

For those with the role `create` there, who manage them (docs/roles.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, Select

from db.enums import Role, TokenScope
from db.models.spaces import AccessGrant, Collection, Space
from resolvers.access.policy import ranked
from resolvers.access.ranks import CREATE, number
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, Slice, by_id
from resolvers.core.statements import Viewer
from resolvers.lists.batches import DeclaredFunction, for_role, reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class GrantArguments(PageArguments):
    """Which grants are wanted."""

    denials: Annotated[
        bool,
        strawberry.argument(description='Those that say "no access" too; false = those of a role.'),
    ] = True


def _grants(model: Any, target: Any, subject: Any, about: str) -> DeclaredFunction[..., Any]:
    """The grants with an id in the column `subject` on rows of `model`, oldest first."""
    name = f"grants_by_{target.key}_with_{subject.key}"

    def managed(viewer: Viewer) -> Select[Any]:
        statement, rank = ranked(viewer, model)
        conditions: list[ColumnElement[bool]] = [rank >= CREATE, subject.is_not(None)]
        return (
            statement.join(AccessGrant, target == model.id)
            .with_only_columns(AccessGrant, maintain_column_froms=True)
            .where(*conditions)
        )

    listing = Listing(
        name,
        AccessGrant,
        target,
        by_id(AccessGrant),
        about=about,
        filters=(
            Filter(
                "denials",
                lambda arguments: None if arguments.denials else True,
                number(AccessGrant.role) > 0,
            ),
        ),
        rows=managed,
        by_itself=True,
    )

    async def grants(
        ctx: Context,
        rows: Sequence[Any],
        arguments: GrantArguments,
        projection: Projection = ALL,
    ) -> list[Slice[AccessGrant] | ApiError]:
        return await for_role(
            ctx, model, rows, Role.CREATE,
            lambda allowed: listing(ctx, allowed, arguments, projection),
        )  # fmt: skip

    grants.__doc__, grants.__name__ = about, name
    return reads("id", scope=TokenScope.SPACE_PERMISSIONS_READ)(grants)


user_grants_of_spaces = _grants(
    Space, AccessGrant.space_id, AccessGrant.user_id, "Roles of people on spaces, oldest first."
)
team_grants_of_spaces = _grants(
    Space, AccessGrant.space_id, AccessGrant.team_id, "Roles of teams on spaces, oldest first."
)
user_grants_of_collections = _grants(
    Collection,
    AccessGrant.collection_id,
    AccessGrant.user_id,
    "Roles of people on collections, oldest first.",
)
team_grants_of_collections = _grants(
    Collection,
    AccessGrant.collection_id,
    AccessGrant.team_id,
    "Roles of teams on collections, oldest first.",
)
