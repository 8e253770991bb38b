"""Integrations: publishing and removing them, development mode, tasks."""

import datetime as dt
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import strawberry
from sqlalchemy import bindparam, func, or_, select, update
from strawberry import Maybe

from db.base import Base
from db.enums import Role
from db.ids import new_id, random_text
from db.integration_enums import (
    InstallationStatus as Status,
    IntegrationRuntime,
    IntegrationTarget,
    IntegrationVisibility,
)
from db.models.integrations import (
    MARK_LENGTH,
    NAME_LENGTH,
    TUNNEL_LENGTH,
    DevelopmentMode,
    Installation,
    Integration,
    IntegrationTask,
)
from db.models.organizations import Organization, User
from db.prepared import KEY
from fetching.errors import FetchError
from fetching.locations import read_location
from resolvers.access.integration_tokens import site_role, space_role, specification_role
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.actors import Program
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.email_addresses import INTEGRATION_DOMAIN
from resolvers.core.errors import (
    Forbidden,
    PreconditionFailed,
    invalid,
    invalid_at,
)
from resolvers.core.integration_configurations import status_of
from resolvers.core.integration_records import (
    PLACES,
    TARGETS,
    Entry,
    event_row,
    record_events,
    remove_entries,
    setup_members,
)
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject
from resolvers.integrations.deliveries import job_of_task
from resolvers.integrations.manifests import (
    NAME,
    IntegrationName,
    PublishIntegrationInput,
    blocks_of,
    configurations_of,
    content_sources_of,
    pictures_of,
    policy_of,
    secrets_of,
)
from resolvers.jobs.queue import enqueue_of_server

MOST_INTEGRATIONS, MOST_TASK_BYTES, MOST_TASKS, LONGEST = 100, 100_000, 1_000, 86_400
_NAMED = Integration.name == bindparam("name", type_=KEY)


@strawberry.input(description="Where events of an integration go while it is developed.")
class DevelopmentModeInput:
    tunnel_url: str = inputs.text(
        "An http or https URL that takes the events.", min=1, max=TUNNEL_LENGTH, required=True
    )
    all: Maybe[bool] = inputs.field(
        "Whether events of all organizations go there, and not only those of the owner; only the "
        "operator of the server may say so. False when absent."
    )


@strawberry.input(description="A task that an integration queues for itself.")
class IntegrationTaskInput:
    task: JsonObject = inputs.field("What the integration gets.", required=True)
    schedule: Maybe[float] = inputs.field(
        "After how many seconds, 0 to 86400; at once when absent."
    )


@dataclass(frozen=True, slots=True)
class ProgramToken:
    """The text of a token of an integration or of an installation."""

    token: str
    # What the audit log names.
    audited: Base


@operation(one_statement=True)
async def get_integration(
    ctx: Context, name: IntegrationName, *, projection: Projection = ALL
) -> Integration:
    """An integration: one that is private, for members of the organization that publishes it."""
    return await must(
        ctx, Integration, None, where=_NAMED, projection=projection, name=name[: NAME_LENGTH + 1]
    )


async def must_own(ctx: Context, name: str, *, lock: bool = False) -> Integration:
    """An integration that the caller's organization publishes; needs its role `admin`."""
    return await must(
        ctx, Integration, None, Role.ADMIN, where=_NAMED, lock=lock, name=name[: NAME_LENGTH + 1]
    )


def must_be_integration(ctx: Context, integration: Integration) -> None:
    """Forbidden for everybody but the integration itself, with its own token."""
    actor = ctx.actor
    if actor.program is not Program.INTEGRATION or actor.integration_id != integration.id:
        raise Forbidden("this needs the token of the integration")


# ------------------------------------------------------------------ publishing


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a version, stored under an id."""

    id: str
    script_sha256: str
    script_size: int
    icon: dict[str, str] | None
    previews: Sequence[dict[str, str]]


@operation(transactions=Transactions.IN_STEPS)
async def publish_integration(
    ctx: Context, name: IntegrationName, input: PublishIntegrationInput
) -> Integration:
    """Publish an integration, or a new version of it; needs the role `admin` in the organization.

    The first one who publishes under a name owns it; others get FORBIDDEN (403). Installations and
    their entries become `pending` where the new version requires what they have not configured.
    """
    for problem in NAME.problems(name):
        raise invalid("name", problem)
    pictures = pictures_of(input)
    values = {
        "blocks": blocks_of(input),
        "content_sources": content_sources_of(input),
        "configurations": configurations_of(input),
        "content_security_policy": policy_of(input),
        "external_links": [
            {"url": link.url, "label": link.label}
            for link in inputs.given(input.external_links, [])
        ],
    }
    secrets_of(input)
    organization = await read(ctx, _publisher, input.organization)
    script = input.script.encode()
    files_id, store = new_id(), ctx.blobs.put
    files = _Files(
        files_id,
        await store(files_id, script),
        len(script),
        None
        if pictures.icon is None
        else {"sha256": await store(files_id, pictures.icon.data), "type": pictures.icon.type},
        [
            {"sha256": await store(files_id, picture.data), "type": picture.type}
            for picture in pictures.previews
        ],
    )
    try:
        integration, old = await run(ctx, _publish, name, organization.id, input, values, files)
    except BaseException:
        await ctx.blobs.delete_space(files_id)
        raise
    if old is not None:
        await ctx.blobs.delete_space(old)
    return integration


async def _publisher(ctx: Context, organization: str) -> Organization:
    """The organization with an id or a host label; needs its role `admin`."""
    return await must(
        ctx, Organization, None, Role.ADMIN, where=_ORGANIZATION, organization=organization
    )


_NAME_OF_IT = bindparam("organization", type_=KEY)
_ORGANIZATION = or_(Organization.id == _NAME_OF_IT, Organization.hostname == _NAME_OF_IT)


async def _publish(
    ctx: Context,
    name: str,
    organization_id: str,
    input: PublishIntegrationInput,
    values: dict[str, Any],
    files: _Files,
) -> tuple[Integration, str | None]:
    """The integration, and the id of the files of the version before."""
    await must(ctx, Organization, organization_id, Role.ADMIN, lock=True)
    row: Integration | None = await ctx.session.scalar(
        select(Integration).where(Integration.name == name).with_for_update(),
        execution_options={"populate_existing": True},
    )
    if row is not None and row.organization_id != organization_id:
        raise Forbidden(f"the name {name!r} belongs to another organization")
    old = None if row is None else row.files_id
    before = {} if row is None else row.configurations
    if row is None:
        row = await _new(ctx, name, organization_id)
    else:
        row.version += 1
        row.updated_at = ctx.now()
    scopes = sorted({scope.value for scope in input.scopes})
    row.title, row.description = input.title, input.description
    row.summary = inputs.given(input.summary, None)
    row.runtime = inputs.given(input.runtime, IntegrationRuntime.V1)
    row.visibility = inputs.given(input.visibility, IntegrationVisibility.PRIVATE)
    row.target = inputs.given(input.target, IntegrationTarget.ALL)
    row.scopes, row.specification_role = scopes, specification_role(scopes)
    row.space_role, row.site_role = space_role(scopes), site_role(scopes)
    row.categories = sorted({category.value for category in inputs.given(input.categories, [])})
    for column, value in values.items():
        setattr(row, column, value)
    row.block_domains = _domains(row.blocks)
    row.files_id, row.script_sha256, row.script_size = (
        files.id, files.script_sha256, files.script_size,
    )  # fmt: skip
    row.icon, row.previews = files.icon, list(files.previews)
    row.secrets = ctx.sealer.seal(orjson.dumps(secrets_of(input)).decode())
    ctx.session.add(row)
    await ctx.session.flush()
    if old is not None:
        await _follow_version(ctx, row, before)
    return row, old


async def _new(ctx: Context, name: str, organization_id: str) -> Integration:
    count = select(func.count()).where(Integration.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() >= MOST_INTEGRATIONS:
        raise PreconditionFailed(f"an organization has {MOST_INTEGRATIONS} integrations at most")
    id = new_id()
    account = await new_account(ctx, name)
    return Integration(
        id=id, name=name, organization_id=organization_id, account_id=account.id, version=1,
        verified=False, signing_secret=ctx.sealer.seal(new_signing_secret()),
        token_mark=random_text(MARK_LENGTH), created_at=ctx.now(), updated_at=ctx.now(),
    )  # fmt: skip


async def new_account(ctx: Context, title: str) -> User:
    """The account that a program acts for."""
    id = new_id()
    account = User(id=id, email=f"{id}{INTEGRATION_DOMAIN}", display_name=title[:64])
    ctx.session.add(account)
    await ctx.session.flush()
    return account


def new_signing_secret() -> str:
    """32 random bytes as text."""
    return secrets.token_urlsafe(32)


def _domains(blocks: Sequence[dict[str, Any]]) -> str:
    """What `blockDomain` looks for."""
    urls = [url.lower() for block in blocks for url in block.get("urlUnfurl", ())]
    return "".join(f"\n{url}" for url in urls)


async def _follow_version(ctx: Context, row: Integration, before: dict[str, Any]) -> None:
    """What a new version changes for those who have installed the one before."""
    accounts = select(Installation.account_id).where(Installation.integration_id == row.id)
    titled = update(User).where(or_(User.id == row.account_id, User.id.in_(accounts)))
    await ctx.session.execute(titled.values(display_name=row.title))
    for kind in PLACES:
        if row.target not in TARGETS[kind]:
            await remove_entries(ctx, kind, kind.integration_id == row.id)
    changed = [
        place
        for place in ("account", "space", "site")
        if before.get(place) != row.configurations.get(place)
    ]
    if "account" in changed:
        installations = await ctx.session.scalars(
            select(Installation).where(Installation.integration_id == row.id).with_for_update()
        )
        events = [
            event
            for installation in installations.all()
            if (event := set_status(ctx, installation, row, "account")) is not None
        ]
        await record_events(ctx, events)
    for kind, place in PLACES.items():
        if place in changed:
            await _follow_entries(ctx, row, kind, place)


async def _follow_entries(ctx: Context, row: Integration, kind: Entry, place: str) -> None:
    last = ""
    while True:
        some = await ctx.session.scalars(
            select(kind)
            .where(kind.integration_id == row.id, kind.id > last)
            .order_by(kind.id)
            .limit(500)
        )
        entries: Sequence[Any] = some.all()
        if not entries:
            return
        events = [
            event for entry in entries if (event := set_status(ctx, entry, row, place)) is not None
        ]
        last = entries[-1].id
        await ctx.session.flush()
        await record_events(ctx, events)


def set_status(
    ctx: Context, row: Any, integration: Integration, place: str, before: Any = None
) -> dict[str, Any] | None:
    """Give an installation or an entry the status that its configuration has now; the event of it,
    None where nothing has changed.

    `before` is the configuration before, where that was changed. What is paused stays so.
    """
    status, old = row.status, row.status
    if status is not Status.PAUSED:
        status = status_of(integration.configurations.get(place), row.configuration)
    if status is old and before is None:
        return None
    row.status, row.updated_at = status, ctx.now()
    previous = row.configuration if before is None else before
    return setup_event(ctx, row, place, old, previous)


def setup_event(
    ctx: Context, row: Any, place: str, old: Status | None, before: Any = None
) -> dict[str, Any]:
    """The setup event of an installation or an entry, as a row."""
    members = setup_members(row.status, old, before)
    if place == "account":
        return event_row(ctx, row, "installation_setup", **members)
    of = _Installed(row.installation_id, row.integration_id, row.organization_id)
    id = {f"{place}Id": getattr(row, f"{place}_id")}
    return event_row(ctx, of, f"{place}_installation_setup", **id, **members)


@dataclass(frozen=True, slots=True)
class _Installed:
    id: str
    integration_id: str
    organization_id: str


@operation(transactions=Transactions.IN_STEPS)
async def unpublish_integration(ctx: Context, name: IntegrationName) -> Deletion:
    """Remove an integration and uninstall it everywhere; needs the role `admin` in the organization
    that publishes it. Its tokens end."""
    deletion, files_id = await run(ctx, _unpublish, name)
    await ctx.blobs.delete_space(files_id)
    return deletion


async def _unpublish(ctx: Context, name: str) -> tuple[Deletion, str]:
    with finding_what_to_delete():
        row = await must_own(ctx, name, lock=True)
    await ctx.session.delete(row)
    await ctx.session.flush()
    deletion = Deletion(deleted_id=row.id, organization_id=row.organization_id, audited=row)
    return deletion, row.files_id


# ------------------------------------------------------------------ development, tasks, tokens


async def set_development_mode(
    ctx: Context, name: IntegrationName, input: DevelopmentModeInput
) -> Integration:
    """Send events of an integration to a tunnel; needs the role `admin` in the organization that
    publishes it. It ends by itself after a day without traffic."""
    row = await must_own(ctx, name, lock=True)
    all = inputs.given(input.all, False)
    if all and not ctx.actor.operator:
        raise Forbidden("all: only the operator of the server may send events of all organizations")
    url = checked_tunnel(ctx, input.tunnel_url)
    mode = await ctx.session.get(DevelopmentMode, row.id, with_for_update=True)
    if mode is None:
        mode = DevelopmentMode(
            integration_id=row.id, organization_id=row.organization_id, created_at=ctx.now()
        )
        ctx.session.add(mode)
    mode.tunnel_url, mode.all, mode.last_traffic_at = url, all, ctx.now()
    await ctx.session.flush()
    return row


def checked_tunnel(ctx: Context, url: str) -> str:
    """An address that events may be sent to, as far as that is seen without a look-up."""
    with invalid_at("tunnelUrl", FetchError):
        read_location(url)
    if ctx.import_access.fetcher.refuses(url):
        raise invalid(
            "tunnelUrl",
            "is not on the public internet; the operator of the server may allow it with "
            "DOCSTEAD_FETCH_ALLOW",
        )
    return url


async def disable_development_mode(ctx: Context, name: IntegrationName) -> Integration:
    """End the development mode of an integration, if it has one; needs the role `admin` in the
    organization that publishes it."""
    with finding_what_to_delete():
        row = await must_own(ctx, name, lock=True)
    mode = await ctx.session.get(DevelopmentMode, row.id, with_for_update=True)
    if mode is not None:
        await ctx.session.delete(mode)
    return row


async def queue_integration_task(
    ctx: Context, name: IntegrationName, input: IntegrationTaskInput
) -> Integration:
    """Queue a task that the integration gets at or after its time; needs its own token."""
    row = await get_integration(ctx, name)
    must_be_integration(ctx, row)
    seconds = inputs.given(input.schedule, 0.0)
    if not 0 <= seconds <= LONGEST:
        raise invalid("schedule", f"{seconds:g} is not allowed; it must be 0 to {LONGEST} seconds")
    if len(orjson.dumps(input.task)) > MOST_TASK_BYTES:
        raise invalid("task", f"has more than {MOST_TASK_BYTES} bytes as JSON")
    count = select(func.count()).where(IntegrationTask.integration_id == row.id)
    if (await ctx.session.execute(count)).scalar_one() >= MOST_TASKS:
        raise PreconditionFailed(f"{MOST_TASKS} tasks of this integration wait already")
    now = ctx.now()
    task = IntegrationTask(
        id=new_id(), integration_id=row.id, task=dict(input.task), attempt_count=0, created_at=now,
        due_at=now + dt.timedelta(seconds=seconds),
    )  # fmt: skip
    ctx.session.add(task)
    await enqueue_of_server(ctx, [job_of_task(task.id, task.due_at)])
    return row
