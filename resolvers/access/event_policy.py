"""Who may read events: those who may read what they are about, as it is now (docs/events.md).

What is gone, or has gone to another organization, is for the administrators of the organization
that the event is of. An audience that is not listed here is for them alone: it fails closed.
"""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, literal, or_, select
from sqlalchemy.orm import aliased

from db.event_enums import EventAudience as Audience
from db.models.events import Event
from db.models.organizations import TeamMember
from db.models.spaces import AccessGrant, Collection, Space
from resolvers.access.ranks import (
    ADMIN,
    CREATE,
    READ,
    Rank,
    grants_on,
    inherited_grants,
    membership,
    number,
    rank_on_collection,
    rank_on_space,
)
from resolvers.access.site_policy import sites_with_readable_spaces
from resolvers.core.actors import Actor


def events(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Join what decides about events, once for all of them."""
    if actor.operator:
        return statement, literal(ADMIN)
    member, active = membership(actor, Event.organization_id)
    role = number(member.role)
    # What has gone to another organization counts as gone.
    here = Event.organization_id
    inherited, above = inherited_grants(actor), inherited_grants(actor)
    own = grants_on(AccessGrant.space_id, actor)
    parent = aliased(Collection)
    statement = (
        statement.outerjoin(member, active)
        .outerjoin(Space, and_(Space.id == Event.space_id, Space.organization_id == here))
        .outerjoin(own, own.c.id == Space.id)
        .outerjoin(parent, parent.id == Space.parent_id)
        .outerjoin(inherited, inherited.c.id == Space.parent_id)
        .outerjoin(
            Collection,
            and_(Collection.id == Event.collection_id, Collection.organization_id == here),
        )
        .outerjoin(above, above.c.id == Collection.id)
    )
    # Without a membership there is no rank.
    is_member = member.user_id.is_not(None)
    on_space = and_(Space.id.is_not(None), is_member)
    space_rank = rank_on_space(Space, member, own.c.rank, parent, inherited)
    collection_rank = rank_on_collection(Collection, member, above)
    on_collection = and_(Collection.id.is_not(None), is_member)
    alive = Space.deleted_at.is_(None)
    teams = select(TeamMember.team_id).where(TeamMember.user_id == actor.user_id)

    def of(audience: Audience, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        return and_(Event.audience == audience, *conditions)

    seen = or_(
        of(Audience.ACCOUNT, Event.organization_id.is_(None), Event.stream_id == actor.user_id),
        and_(is_member, role == ADMIN),
        of(
            Audience.SPACE,
            on_space,
            or_(and_(alive, space_rank >= READ), space_rank >= CREATE),
        ),
        of(Audience.COLLECTION, on_collection, collection_rank >= READ),
        of(
            Audience.MANAGERS,
            or_(
                and_(on_space, alive, space_rank >= CREATE),
                and_(Event.space_id.is_(None), on_collection, collection_rank >= CREATE),
            ),
        ),
        of(
            Audience.SITE,
            is_member,
            or_(role >= READ, Event.site_id.in_(sites_with_readable_spaces(actor))),
        ),
        of(Audience.MEMBERS, is_member, or_(role >= READ, Event.user_id == actor.user_id)),
        of(Audience.TEAM, is_member, or_(role >= READ, Event.team_id.in_(teams))),
    )
    return statement.where(seen), case((role == ADMIN, ADMIN), else_=READ)
