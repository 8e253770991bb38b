"""SAML providers of organizations: who keeps them, what is taken, in both doors."""

import datetime as dt
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import select, update
from strawberry import ID, Some

from db.enums import Role
from db.models.sign_on import SamlProvider
from db.session import Session
from resolvers.core.errors import Conflict, Forbidden, Invalid, NotFound, NothingToDelete
from resolvers.core.runners import read, run
from resolvers.core.scalars import Url
from resolvers.organizations import teams
from resolvers.sign_on import providers
from resolvers.sign_on.providers import CreateSamlProviderInput, UpdateSamlProviderInput
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.saml_certificates import CERTIFICATE, certificate_of, rsa_key

pytestmark = pytest.mark.usefixtures("late_ones_are_ready")

LABEL_ONLY = CreateSamlProviderInput(label="Okta")


async def all_providers(session: Session) -> list[tuple[Any, ...]]:
    columns = SamlProvider.__table__.columns
    rows = await session.execute(select(*columns).order_by(SamlProvider.id))
    return [tuple(row) for row in rows.all()]


async def test_administrators_keep_providers(session: Session, world: World) -> None:
    team = await factories.make_team(session, world.organization)
    await settle(session)
    ctx, organization = context(session, world.admin), ID(world.organization.id)
    provider = await run(ctx, providers.create_saml_provider, organization, LABEL_ONLY)
    assert not providers.is_active(provider)
    assert (await read(ctx, providers.get_sign_on_options, organization)).items == []
    complete = UpdateSamlProviderInput(
        entity_id=Some("https://idp.example"),
        sso_url=Some(Url("https://idp.example/sso?tenant=a")),
        certificate=Some(CERTIFICATE),
        default_team=Some(ID(team.id)),
        default_role=Some(Role.EDIT),
    )
    provider = await run(ctx, providers.update_saml_provider, ID(provider.id), complete)
    assert providers.is_active(provider)
    nobody = context(session, None)
    options = await read(nobody, providers.get_sign_on_options, organization)
    (option,) = options.items
    assert (option.id, option.label) == (provider.id, "Okta")
    assert option.start_url.endswith(f"/saml/{provider.id}/start")
    assert (await read(nobody, providers.get_sign_on_options, ID("nothing"))).items == []

    # The team goes: the provider stays without one.
    await run(ctx, teams.delete_team, ID(team.id))
    assert (await session.execute(select(SamlProvider.default_team_id))).scalar_one() is None
    pending = UpdateSamlProviderInput(certificate=Some(""), default_role=Some(None))
    provider = await run(ctx, providers.update_saml_provider, ID(provider.id), pending)
    assert (providers.is_active(provider), provider.default_role) == (False, None)
    assert (await read(nobody, providers.get_sign_on_options, organization)).items == []
    deletion = await run(ctx, providers.delete_saml_provider, ID(provider.id), organization)
    assert deletion.deleted_id == provider.id
    assert await all_providers(session) == []


async def test_nobody_below_sees_or_changes_them(session: Session, world: World) -> None:
    provider = await factories.make_saml_provider(session, world.organization)
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.ADMIN, world.admin)
    await factories.make_member(session, other, Role.ADMIN, world.outsider)
    foreign_team = await factories.make_team(session, other)
    await settle(session)
    before = await all_providers(session)
    organization, id = ID(world.organization.id), ID(provider.id)
    change = UpdateSamlProviderInput(label=Some("Mine"))
    for person in (world.creator, world.reader, world.guest, world.outsider):
        ctx = context(session, person)
        refused = NotFound if person is world.outsider else Forbidden
        with pytest.raises(refused):
            await run(ctx, providers.create_saml_provider, organization, LABEL_ONLY)
        with pytest.raises(NotFound):
            await read(ctx, providers.get_saml_provider, id)
        with pytest.raises(NotFound):
            await run(ctx, providers.update_saml_provider, id, change)
        with pytest.raises(NothingToDelete):
            await run(ctx, providers.delete_saml_provider, id)
    ctx = context(session, world.admin)
    with pytest.raises(NotFound):
        await run(ctx, providers.update_saml_provider, id, change, ID(other.id))
    with pytest.raises(NotFound, match="team"):
        await run(
            ctx,
            providers.update_saml_provider,
            id,
            UpdateSamlProviderInput(default_team=Some(ID(foreign_team.id)), label=Some("Mine")),
        )
    assert await all_providers(session) == before


def bad_certificates() -> list[tuple[str, str]]:
    weak = certificate_of(rsa_key(1024))
    small = certificate_of(ec.generate_private_key(ec.SECP192R1()))
    key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    return [
        ("certificate", "no certificate"),
        ("certificate", "AAAA"),
        ("certificate", key),
        ("certificate", CERTIFICATE + key),
        ("certificate", "before " + CERTIFICATE),
        ("certificate", CERTIFICATE * 5),
        ("certificate", weak),
        ("certificate", small),
    ]


async def test_what_is_wrong_is_named(session: Session, world: World, api: Api) -> None:
    await settle(session)
    path = f"/orgs/{world.organization.id}/saml"
    for field, value in (
        *bad_certificates(),
        ("label", ""),
        ("label", "a" * 31),
        ("label", " a"),
        ("label", "a\nb"),
        ("label", None),
        ("entityID", "a" * 1025),
        ("ssoURL", "ftp://idp.example/"),
        ("ssoURL", "javascript:alert(1)"),
        ("ssoURL", "https://idp.example/#part"),
        ("ssoURL", "https://me:secret@idp.example/"),
        ("ssoURL", "https://idp.example:99999/"),
        ("ssoURL", ""),
        ("defaultRole", "owner"),
        ("defaultRole", 7),
        ("certificate", "a" * 10_001),
    ):
        body = {"label": "Okta"} | {field: value}
        response = await api.rest("POST", path, world.admin, body)
        assert response.status_code == 422, (field, value, response.text)
        assert field in response.text
    assert await all_providers(session) == []


async def test_both_doors(session: Session, world: World, api: Api) -> None:
    """Armour may be missing, several certificates stand for a change of keys, and an expired one
    is stored with a warning."""
    await settle(session)
    path = f"/orgs/{world.organization.id}/saml"
    bare = "".join(CERTIFICATE.splitlines()[1:-1])
    expired = certificate_of(rsa_key(), end=dt.datetime(2025, 3, 1))
    for certificate, warned in ((bare, False), (CERTIFICATE * 2, False), (expired, True)):
        body = {"label": "Okta", "certificate": certificate, "entityID": "urn:idp"}
        body["ssoURL"] = "https://idp.example/sso"
        response = await api.rest("POST", path, world.admin, body)
        assert response.status_code == 201, response.text
        made = response.json()
        assert response.headers["location"] == made["urls"]["location"]
        assert (made["certificate"], made["status"]) == (certificate, "active")
        assert ("warning" in response.headers) is warned
        again = await api.rest("PATCH", f"{path}/{made['id']}", world.admin, {"label": "Entra"})
        assert ("warning" in again.headers) is warned
    assert "expired on 2025-03-01" in response.headers["warning"]
    query = """query ($id: ID!, $provider: ID!) {
      organization(id: $id) { samlProviders { totalCount nodes { id label status } } }
      samlProvider(id: $provider) { service { acsURL startURL entityID } trusted }
      node(id: $provider) { id }
      signOnOptions(organizationId: $id) { items { id: providerId label startURL } }
    }"""
    variables = {"id": world.organization.id, "provider": made["id"]}
    data = (await api.graphql(query, world.admin, **variables))["data"]
    assert data["organization"]["samlProviders"]["totalCount"] == 3
    assert data["samlProvider"] == {"service": made["service"], "trusted": False}
    assert [item["label"] for item in data["signOnOptions"]["items"]] == ["Entra"] * 3
    data = (await api.graphql(query, world.reader, **variables))["data"]
    assert data["organization"] == {"samlProviders": None}
    assert (data["samlProvider"], data["node"]) == (None, None)
    nobody = await api.rest("GET", f"/orgs/{world.organization.id}/sso", None)
    assert nobody.json() == {"items": data["signOnOptions"]["items"]}


async def test_there_are_at_most_twenty(session: Session, world: World) -> None:
    for _ in range(providers.PROVIDERS):
        await factories.make_saml_provider(session, world.organization)
    await settle(session)
    with pytest.raises(Conflict, match="at most 20"):
        await run(
            context(session, world.admin),
            providers.create_saml_provider,
            ID(world.organization.id),
            LABEL_ONLY,
        )
    assert len(await all_providers(session)) == providers.PROVIDERS


async def test_certificates_are_read_before_anything_is_stored(
    session: Session, world: World
) -> None:
    provider = await factories.make_saml_provider(session, world.organization)
    await settle(session)
    before = await all_providers(session)
    change = UpdateSamlProviderInput(label=Some("New"), certificate=Some("junk"))
    with pytest.raises(Invalid, match="certificate"):
        await run(
            context(session, world.admin), providers.update_saml_provider, ID(provider.id), change
        )
    assert await all_providers(session) == before


async def test_whoever_takes_the_place_of_a_trusted_provider_is_not_trusted(
    session: Session, world: World, api: Api
) -> None:
    provider = await factories.make_saml_provider(session, world.organization, trusted=True)
    await settle(session)
    path = f"/orgs/{world.organization.id}/saml/{provider.id}"
    same = {"label": "Entra", "defaultRole": "read", "certificate": provider.certificate}
    for change, trusted in (
        (same | {"entityID": provider.entity_id, "ssoURL": provider.sso_url}, True),
        ({"certificate": certificate_of(rsa_key())}, False),
        ({"ssoURL": "https://evil.example/sso"}, False),
        ({"entityID": "urn:evil"}, False),
    ):
        await session.execute(update(SamlProvider).values(trusted=True))
        await session.commit()
        assert (await api.rest("PATCH", path, world.admin, change)).status_code == 200
        stored = await session.scalar(select(SamlProvider.trusted))
        assert stored is trusted, change
        await session.rollback()
