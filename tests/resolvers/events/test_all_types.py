"""Every type of event is left by some write, and by the writes that its row names."""

from sqlalchemy import select

from db.event_enums import EventType
from db.models.events import Event
from db.session import Database, Session
from resolvers.core.event_types import EVENT_KINDS
from tests import factories
from tests.conftest import Api, World
from tests.event_coverage import emitted

# Types that need two writes, one after the other; each write with what it leaves.
ORGANIZATION = "/orgs/{organization}"
SPACE = "/spaces/{space}"
REQUEST = f"{SPACE}/change-requests/{{request}}"
COMMENT = f"{SPACE}/comments/{{comment}}"
OWNER = f"{ORGANIZATION}/teams/{{team}}/members/{{member}}"
GRANT = f"{SPACE}/permissions/users/{{member}}"
STEPS = (
    ("PATCH", REQUEST, {"status": "archived"}, EventType.CHANGE_REQUEST_ARCHIVED),
    ("PATCH", REQUEST, {"status": "open"}, EventType.CHANGE_REQUEST_OPENED),
    ("PUT", COMMENT, {"body": {"markdown": "Other"}}, EventType.COMMENT_UPDATED),
    ("PUT", COMMENT, {"resolved": True}, EventType.COMMENT_RESOLVED),
    ("PUT", COMMENT, {"resolved": False}, EventType.COMMENT_REOPENED),
    ("PUT", OWNER, {"role": "member"}, EventType.TEAM_MEMBER_ADDED),
    ("PUT", OWNER, {"role": "owner"}, EventType.TEAM_MEMBER_UPDATED),
    ("PATCH", GRANT, {"role": "read"}, EventType.PERMISSION_ADDED),
    ("PATCH", GRANT, {"role": "comment"}, EventType.PERMISSION_UPDATED),
)
# What other tests show: they need a conflict, a mailbox, a host, a visitor, a command, a job, an
# integration.
ELSEWHERE = frozenset(
    {
        EventType.CHANGE_REQUEST_CONFLICTED,
        EventType.CUSTOM_HOSTNAME_CREATED,
        EventType.CUSTOM_HOSTNAME_UPDATED,
        EventType.INSTALLATION_PAUSED,
        EventType.INVITATION_ACCEPTED,
        EventType.NOTIFICATION_CREATED,
        EventType.OPENAPI_SPEC_PROCESSED,
        EventType.ORGANIZATION_CREATED,
        EventType.PAGE_FEEDBACK,
        EventType.SITE_VIEW,
        EventType.SPACE_GITSYNC_COMPLETED,
        EventType.SPACE_GITSYNC_STARTED,
        EventType.SPACE_PURGED,
        EventType.TRANSLATION_COMPLETED,
        EventType.TRANSLATION_STARTED,
        EventType.WEBHOOK_DISABLED,
    }
)


def test_no_type_is_left_by_nothing() -> None:
    known = emitted() | {type_ for *_, type_ in STEPS} | ELSEWHERE
    assert set(EVENT_KINDS) == known


async def new_events(database: Database, seen: set[str]) -> list[EventType]:
    """The types of the events that nobody has seen yet."""
    async with database.session() as session:
        events = (await session.execute(select(Event.id, Event.type))).all()
    types = [event.type for event in events if event.id not in seen]
    seen.update(event.id for event in events)
    return types


async def test_second_writes_leave_their_events(
    api: Api, database: Database, world: World, session: Session
) -> None:
    space = await factories.make_space(session, world.organization)
    request = await factories.make_change_request(session, space, world.admin)
    team = await factories.make_team(session, world.organization)
    comment = await factories.make_comment(session, space, world.admin)
    await session.commit()
    names = {
        "organization": world.organization.id, "space": space.id, "request": request.id,
        "comment": comment.id, "team": team.id, "member": world.reader.id,
    }  # fmt: skip
    seen: set[str] = set()
    await api.token_of(world.admin)
    await new_events(database, seen)
    for method, path, body, type_ in STEPS:
        answer = await api.rest(method, path.format(**names), world.admin, body)
        assert answer.status_code < 300, answer.text
        assert await new_events(database, seen) == [type_], (path, answer.text)
