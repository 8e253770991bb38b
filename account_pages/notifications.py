"""What somebody is notified of: settings, and the address in mail that ends it."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response
from strawberry import ID, Some

from account_pages.account import done_notice, errors_by_field, pager, person_of
from account_pages.html import (
    Choice,
    button,
    choices,
    form,
    heading,
    paragraph,
    selection,
)
from account_pages.visits import Visit
from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined
from db.notification_enums import DigestFrequency, NotificationLevel
from resolvers.core.errors import Invalid, invalid
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.notifications.digests import person_of as person_of_token, unsubscribe
from resolvers.notifications.operations import (
    SetSpaceNotificationLevelInput,
    UpdateNotificationSettingsInput,
    read_own_settings,
    set_space_notification_level,
    update_notification_settings,
)

PAGE = 50
PATH = "/account/notifications"
CHANGED = {"saved": "Your settings are saved."}
LEVELS = {
    NotificationLevel.ALL: "Everything",
    NotificationLevel.PARTICIPATING: "What concerns you",
    NotificationLevel.NONE: "Nothing",
}
DIGESTS = {
    DigestFrequency.OFF: "Never",
    DigestFrequency.IMMEDIATE: "Within minutes",
    DigestFrequency.DAILY: "Once a day",
    DigestFrequency.WEEKLY: "Once a week",
}
# Of a space that has no setting of its own any more.
DEFAULT = "default"


async def settings(visit: Visit) -> Response:
    """The settings."""
    return await _page(visit)


async def save(visit: Visit) -> Response:
    """Change those that hold for all spaces."""
    try:
        levels = {level.value: level for level in LEVELS}
        digests = {digest.value: digest for digest in DIGESTS}
        if (level := levels.get(visit.value("level"))) is None:
            raise invalid("level", "is none of those that are offered")
        if (digest := digests.get(visit.value("digest"))) is None:
            raise invalid("digest", "is none of those that are offered")
        change = UpdateNotificationSettingsInput(level=Some(level), digest=Some(digest))
        async with visit.as_person() as ctx:
            await run(ctx, update_notification_settings, change)
    except Invalid as error:
        return await _page(visit, errors_by_field(error))
    return visit.go_to(f"{PATH}?done=saved")


async def save_space(visit: Visit) -> Response:
    """Change that of one space, or take it away."""
    chosen = visit.value("level")
    levels = {level.value: level for level in LEVELS}
    if chosen != DEFAULT and chosen not in levels:
        raise invalid("level", "is none of those that are offered")
    change = SetSpaceNotificationLevelInput(level=Some(levels.get(chosen)))
    async with visit.as_person() as ctx:
        space_id = ID(visit.request.path_params["space"])
        await run(ctx, set_space_notification_level, space_id, change)
    return visit.go_to(f"{PATH}?done=saved")


async def _page(visit: Visit, errors: Mapping[str, str] | None = None) -> Response:
    errors = errors or {}
    after = visit.request.query_params.get("after")
    async with visit.as_person() as ctx:
        own = await read(ctx, read_own_settings, PageArguments(first=PAGE, after=after))
        sends_mail = ctx.settings.sends_mail
    fields = [
        choices(
            "level",
            "What you are notified of",
            [Choice(level.value, label, level.description, level is own.settings.level)
             for level, label in LEVELS.items()],
            error=errors.get("level", ""),
        ),
        choices(
            "digest",
            f"Mail to {person_of(visit).email}",
            [Choice(digest.value, label, digest.description, digest is own.settings.digest)
             for digest, label in DIGESTS.items()],
            error=errors.get("digest", ""),
            more=EMPTY if sends_mail else paragraph("This server sends no mail.", "hint"),
        ),
        button("Save"),
    ]  # fmt: skip
    rows = [
        element("li", joined(_space(visit, own.titles[row.space_id], row.space_id, row.level)))
        for row in own.spaces.rows
    ]
    spaces = [
        element("h2", escape("Single spaces")),
        element("ul", joined(rows), class_="rows"),
        pager(visit, own.spaces),
    ]
    content = [
        heading("Notifications", "What you hear of spaces that you may read."),
        done_notice(visit, CHANGED),
        element("section", form(visit.frame, PATH, *fields), class_="card"),
        joined(spaces) if rows else EMPTY,
    ]
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    return visit.page("Notifications", joined(content), status=status)


def _space(visit: Visit, title: str, space_id: str, current: NotificationLevel) -> list[Html]:
    name = element("strong", escape(title), dir=direction_of(title))
    offered = [
        Choice(level.value, label, chosen=level is current) for level, label in LEVELS.items()
    ]
    offered.append(Choice(DEFAULT, "As in other spaces"))
    # Each list has a name of its own for its label.
    box = selection(
        "level", f"Notifications of {title}", offered, id=f"level-{space_id}", unseen_label=True
    )
    change = form(
        visit.frame, f"{PATH}/spaces/{space_id}", box,
        button("Save", look="secondary", about=title), class_="inline",
    )  # fmt: skip
    return [element("div", name, class_="what"), change]


# ------------------------------------------------------------------ unsubscribing

QUESTION = "No more mail about notifications?"
DONE_TITLE = "You get no more such mail"


async def ask_to_leave(visit: Visit) -> Response:
    """Ask before anything is changed: programs that look at mail open its addresses."""
    token = visit.request.path_params["token"]
    async with visit.as_nobody() as ctx:
        person_of_token(ctx, token)
    text = paragraph("You will still find what you are notified of in the application.")
    leave = form(visit.frame, visit.request.scope["path"], button("No more mail"))
    return visit.card(QUESTION, text, leave)


async def leave(visit: Visit) -> Response:
    """End it, as the page asks, and programs that read mail do by themselves (RFC 8058)."""
    async with visit.as_nobody() as ctx:
        await run(ctx, unsubscribe, visit.request.path_params["token"])
    return visit.card(DONE_TITLE, paragraph("Your account has settings for it."))
