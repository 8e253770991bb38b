"""Who may do what on spaces and collections, and why."""

import datetime as dt

import strawberry

from db.enums import Role, RoleReasonKind
from db.models import organizations, spaces
from schema.types.above import Collection, Space
from schema.types.organizations import Team, User
from schema.wiring import column, related, visible_related

SPACE = "The space that it is on; null where it is on a collection."
COLLECTION = "The collection that it is on; null where it is on a space, or if you may not see it."


@strawberry.type(description="Somebody who may read a space or a collection.")
class ContentPerson:
    role: Role = column("The effective role there, by whatever right.")
    user: User = related(organizations.User, "user_id", "The person.")


@strawberry.type(description="What a person was given on a space or a collection itself.")
class UserGrant:
    role: Role | None = column("The role; null = no access, whatever is inherited.")
    user: User = related(organizations.User, "user_id", "The person.")
    created_at: dt.datetime = column("When it was first given.")
    space: Space | None = visible_related(spaces.Space, "space_id", SPACE)
    collection: Collection | None = visible_related(spaces.Collection, "collection_id", COLLECTION)


@strawberry.type(description="What a team was given on a space or a collection itself.")
class TeamGrant:
    role: Role | None = column("The role; null = no access, whatever is inherited.")
    team: Team = related(organizations.Team, "team_id", "The team.")
    created_at: dt.datetime = column("When it was first given.")
    space: Space | None = visible_related(spaces.Space, "space_id", SPACE)
    collection: Collection | None = visible_related(spaces.Collection, "collection_id", COLLECTION)


@strawberry.type(description="One thing that speaks for a role, or for no access.")
class RoleReason:
    kind: RoleReasonKind = column("What it is.")
    role: Role | None = column("The role that it gives; null = no access.")
    decides: bool = column("Whether the role comes from it: of the first one only.")
    space: Space | None = visible_related(
        spaces.Space, "space_id", "The space that was granted, or whose level it is."
    )
    collection: Collection | None = visible_related(
        spaces.Collection,
        "collection_id",
        "The collection that was granted, or whose level it is; null if you may not see it.",
    )
    team: Team | None = visible_related(
        organizations.Team,
        "team_id",
        "The team that was granted; null for others, or if you may not see it.",
    )


@strawberry.type(description="What a person may do on a space or a collection, and why.")
class EffectiveRole:
    role: Role | None = column("The role; null = no access.")
    reasons: list[RoleReason] = column(
        "All that speaks for a role, by precedence: the nearest first, and the first one decides."
    )
