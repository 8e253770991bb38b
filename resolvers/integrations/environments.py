"""What an integration gets with each event: itself, where it is installed, secrets, tokens."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from db.blobs import BlobMissingError
from db.integration_enums import InstallationStatus, IntegrationScope
from db.models.integrations import (
    DevelopmentMode,
    Installation,
    Integration,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.integration_tokens import LIFETIME, issue
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import Program
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.core.installation import Concerns
from resolvers.core.integration_configurations import opened
from resolvers.core.scalars import write_time
from resolvers.core.sealing import UnsealedError
from resolvers.core.statements import Viewer, Written, statement
from resolvers.integrations.fields import public_endpoint
from resolvers.integrations.manifests import policy_text
from runtime.calls import Call

Json = dict[str, Any]
# Shorter texts are not looked for in traces: they would hide what is none.
SHORTEST_SECRET = 6


@dataclass(frozen=True, slots=True)
class Subject:
    """An integration, and what of it an event is for: an installation and one of its entries."""

    integration: Integration
    installation: Installation | None = None
    space: SpaceInstallation | None = None
    site: SiteInstallation | None = None
    # Where its events go while it is developed; None where its script runs.
    tunnel: str | None = None

    @property
    def is_paused(self) -> bool:
        """Whether the installation or the entry gets nothing now."""
        rows = (self.installation, self.space, self.site)
        return any(row is not None and row.status is InstallationStatus.PAUSED for row in rows)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event that can be run: where, and the texts that no trace may show."""

    subject: Subject
    call: Call
    tunnel: str | None
    secrets: frozenset[str]


@statement
def _by_id(viewer: Viewer) -> Written:
    return select(Integration).where(Integration.id == bindparam("id", type_=KEY))


@statement
def _by_name(viewer: Viewer) -> Written:
    return select(Integration).where(Integration.name == bindparam("name", type_=KEY))


@statement
def _installation(viewer: Viewer) -> Written:
    return select(Installation).where(Installation.id == bindparam("id", type_=KEY))


@statement
def _space_entry(viewer: Viewer) -> Written:
    return select(SpaceInstallation).where(
        SpaceInstallation.installation_id == bindparam("installation_id", type_=KEY),
        SpaceInstallation.space_id == bindparam("place_id", type_=KEY),
    )


@statement
def _site_entry(viewer: Viewer) -> Written:
    return select(SiteInstallation).where(
        SiteInstallation.installation_id == bindparam("installation_id", type_=KEY),
        SiteInstallation.site_id == bindparam("place_id", type_=KEY),
    )


@statement
def _development(viewer: Viewer) -> Written:
    return select(DevelopmentMode).where(
        DevelopmentMode.integration_id == bindparam("id", type_=KEY)
    )


def _first(rows: Any) -> Any:
    return rows[0] if rows else None


async def find_subject(
    ctx: Context,
    *,
    id: str | None = None,
    name: str | None = None,
    installation_id: str | None = None,
    space_id: str | None = None,
    site_id: str | None = None,
) -> Subject | None:
    """What an event is for; None unless all that is named belongs together. For the server itself.

    The integration is named by its id or its name, a space or site with an installation.
    """
    must_be_operator(ctx)
    integration = _first(
        await _by_id.rows(ctx, id=id) if id is not None else await _by_name.rows(ctx, name=name)
    )
    if integration is None:
        return None
    installation = space = site = None
    if installation_id is not None:
        installation = _first(await _installation.rows(ctx, id=installation_id))
        if installation is None or installation.integration_id != integration.id:
            return None
        if space_id is not None:
            space = _first(
                await _space_entry.rows(ctx, installation_id=installation_id, place_id=space_id)
            )
        if site_id is not None:
            site = _first(
                await _site_entry.rows(ctx, installation_id=installation_id, place_id=site_id)
            )
        if (space_id and space is None) or (site_id and site is None):
            return None
    mode = _first(await _development.rows(ctx, id=integration.id))
    tunnel = None
    if mode is not None:
        own = installation is None or installation.organization_id == integration.organization_id
        tunnel = mode.tunnel_url if own or mode.all else None
    return Subject(integration, installation, space, site, tunnel)


@statement
def _of_space(viewer: Viewer) -> Written:
    return select(Space.organization_id).where(Space.id == bindparam("id", type_=KEY))


@statement
def _of_site(viewer: Viewer) -> Written:
    return select(Site.organization_id).where(Site.id == bindparam("id", type_=KEY))


@statement
def _installed(viewer: Viewer) -> Written:
    return select(Installation.id).where(
        Installation.integration_id == bindparam("id", type_=KEY),
        Installation.organization_id == bindparam("organization_id", type_=KEY),
    )


@dataclass(frozen=True, slots=True)
class Authenticator:
    """An integration that signs visitors of a site in, and the key of their tokens, which goes
    nowhere from here."""

    integration_id: str
    key: str


@statement
def _authenticators(viewer: Viewer) -> Written:
    return (
        select(
            SiteInstallation.id, Integration.id.label("integration_id"), Integration.name,
            Integration.scopes, Installation.signing_secret,
        )
        .join(Integration, Integration.id == SiteInstallation.integration_id)
        .join(Installation, Installation.id == SiteInstallation.installation_id)
        .where(
            SiteInstallation.site_id == bindparam("id", type_=KEY),
            SiteInstallation.status == InstallationStatus.ACTIVE,
            Installation.status == InstallationStatus.ACTIVE,
        )
        .order_by(SiteInstallation.created_at, SiteInstallation.id)
    )  # fmt: skip


async def authenticator_of_site(
    ctx: Context, site_id: str, name: str | None
) -> Authenticator | None:
    """The integration with a name that signs the visitors of a site in, or else the first one that
    may; None without one that is active there. For the server itself."""
    rows = [
        row
        for row in await _authenticators.rows(ctx, id=site_id)
        if IntegrationScope.SITE_VISITOR_AUTH.value in row.scopes and name in (None, row.name)
    ]
    if not rows:
        return None
    try:
        secret = ctx.sealer.open(rows[0].signing_secret)
    except UnsealedError:
        return None
    return Authenticator(rows[0].integration_id, entry_secret(secret, rows[0].id))


async def subject_of_place(ctx: Context, id: str, concerns: Concerns) -> Subject | None:
    """An integration as it is installed in an organization, or for a space or a site of it."""
    must_be_operator(ctx)
    organization_id = concerns.organization_id
    if organization_id is None:
        if concerns.space_id is not None:
            organizations = await _of_space.rows(ctx, id=concerns.space_id)
        else:
            organizations = await _of_site.rows(ctx, id=concerns.site_id)
        organization_id = organizations[0].organization_id if organizations else None
    rows = await _installed.rows(ctx, id=id, organization_id=organization_id)
    if not rows:
        return None
    installation_id = rows[0].id
    return await find_subject(
        ctx,
        id=id,
        installation_id=installation_id,
        space_id=concerns.space_id,
        site_id=concerns.site_id,
    ) or await find_subject(ctx, id=id, installation_id=installation_id)


async def prepare(
    ctx: Context,
    subject: Subject,
    event: Mapping[str, Any],
    body: bytes | None = None,
    content_type: str = "",
) -> Prepared:
    """An event with its environment and its script; Unavailable where these cannot be read."""
    must_be_operator(ctx)
    integration, installation = subject.integration, subject.installation
    try:
        environment = _environment(ctx, subject)
        secrets = frozenset(_secrets(ctx, subject, environment))
    except UnsealedError as error:
        raise Unavailable(f"secrets of the integration: {error}") from error
    script = ""
    if subject.tunnel is None:
        chunks = ctx.blobs.read(integration.files_id, integration.script_sha256)
        try:
            script = b"".join([chunk async for chunk in chunks]).decode()
        except BlobMissingError as error:
            raise Unavailable("the script of the integration is not there") from error
    call = Call(
        version=f"{integration.files_id}-{integration.script_sha256}",
        script=script,
        installation=integration.id if installation is None else installation.id,
        event=dict(event),
        environment=environment,
        body=body,
        content_type=content_type,
    )
    return Prepared(subject, call, subject.tunnel, secrets)


def _environment(ctx: Context, subject: Subject) -> Json:
    integration, installation = subject.integration, subject.installation
    key, expires = ctx.signing_key, ctx.now() + LIFETIME
    mark = integration.token_mark
    signing: Json = {"integration": ctx.sealer.open(integration.signing_secret)}
    tokens: Json = {"integration": issue(key, Program.INTEGRATION, integration.id, mark)}
    environment: Json = {
        "integration": _integration_json(ctx, integration),
        "secrets": orjson.loads(ctx.sealer.open(integration.secrets)),
        "signingSecrets": signing,
        "apiEndpoint": ctx.settings.public_url,
        "apiTokens": tokens,
    }
    if installation is not None:
        secret = ctx.sealer.open(installation.signing_secret)
        signing["installation"] = secret
        tokens["installation"] = issue(key, Program.INSTALLATION, installation.id, mark, expires)
        environment["installation"] = _installation_json(ctx, integration, installation)
        for name, entry in (("space", subject.space), ("site", subject.site)):
            if entry is not None:
                signing[f"{name}Installation"] = entry_secret(secret, entry.id)
                environment[f"{name}Installation"] = _entry_json(ctx, integration, name, entry)
    return environment


def entry_secret(secret: str, entry_id: str) -> str:
    """What an entry signs with, which follows from the secret of its installation."""
    return hmac.new(secret.encode(), entry_id.encode(), hashlib.sha256).hexdigest()


def _integration_json(ctx: Context, row: Integration) -> Json:
    base = ctx.settings.public_url
    endpoint = public_endpoint(ctx, row.name)
    return {
        "object": "integration",
        "name": row.name,
        "version": row.version,
        "title": row.title,
        "description": row.description,
        "scopes": row.scopes,
        "categories": row.categories,
        "blocks": row.blocks,
        "contentSources": row.content_sources,
        "externalLinks": row.external_links,
        "configurations": row.configurations,
        "visibility": row.visibility.value,
        "target": row.target.value,
        "contentSecurityPolicy": policy_text(row.content_security_policy),
        "createdAt": write_time(row.created_at),
        "updatedAt": write_time(row.updated_at),
        "urls": {
            "location": f"{base}/v1/integrations/{row.name}",
            "app": f"{base}/integrations/{row.name}",
            "publicEndpoint": endpoint,
            # Scripts take a missing one for an error.
            "publicContentEndpoint": endpoint,
        },
    }


def _installation_json(ctx: Context, integration: Integration, row: Installation) -> Json:
    base, path = ctx.settings.public_url, f"{integration.name}/installations/{row.id}"
    return {
        "object": "integration-installation",
        "id": row.id,
        "integration": integration.name,
        "status": row.status.value,
        "target": {"organization": row.organization_id},
        "configuration": opened(ctx.sealer, row.configuration),
        "space_selection": row.space_selection.value,
        "site_selection": row.site_selection.value,
        "externalIds": row.external_ids,
        "createdAt": write_time(row.created_at),
        "updatedAt": write_time(row.updated_at),
        "urls": {
            "location": f"{base}/v1/integrations/{path}",
            "app": f"{base}/integrations/{path}",
            "publicEndpoint": public_endpoint(ctx, integration.name, "installations", row.id),
        },
    }


def _entry_json(ctx: Context, integration: Integration, name: str, row: Any) -> Json:
    place = getattr(row, f"{name}_id")
    parts = ("installations", row.installation_id, f"{name}s", place)
    base, path = ctx.settings.public_url, "/".join((integration.name, *parts))
    return {
        "object": f"{name}-installation",
        "integration": integration.name,
        "installation": row.installation_id,
        name: place,
        "status": row.status.value,
        "configuration": opened(ctx.sealer, row.configuration),
        "externalIds": row.external_ids,
        "createdAt": write_time(row.created_at),
        "updatedAt": write_time(row.updated_at),
        "urls": {
            "location": f"{base}/v1/integrations/{path}",
            "publicEndpoint": public_endpoint(ctx, integration.name, *parts),
        },
    }


def _secrets(ctx: Context, subject: Subject, environment: Json) -> Iterator[str]:
    """All texts of an environment that are secret."""
    groups = [environment[name] for name in ("secrets", "signingSecrets", "apiTokens")]
    rows = (subject.installation, subject.space, subject.site)
    sealed = [row.configuration for row in rows if row is not None]
    groups += [list(_opened_secrets(ctx, configuration)) for configuration in sealed]
    for group in groups:
        values = group.values() if isinstance(group, dict) else group
        yield from (
            value for value in values if isinstance(value, str) and len(value) >= SHORTEST_SECRET
        )


def _opened_secrets(ctx: Context, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if set(value) == {"$sealed"}:
            yield ctx.sealer.open(value["$sealed"])
        else:
            for member in value.values():
                yield from _opened_secrets(ctx, member)
    elif isinstance(value, list):
        for member in value:
            yield from _opened_secrets(ctx, member)
