"""Commands for SAML providers of organizations."""

from typing import Annotated

import typer
from strawberry import ID

from db.models.sign_on import SamlProvider
from docstead.commands.shared import DatabaseUrl, DataDir, all_rows, as_operator, settings_of
from docstead.commands.terminal import AsJson, printable, show
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.organizations.operations import get_organization
from resolvers.sign_on import providers, saml

saml_app = typer.Typer(help="SAML providers of organizations.", no_args_is_help=True)


async def _providers(ctx: Context, organization_id: str) -> list[SamlProvider]:
    organization = await get_organization(ctx, ID(organization_id))
    listing = providers.listed_providers
    return await all_rows(ctx, listing, organization, PageArguments)


def _json(provider: SamlProvider) -> dict[str, object]:
    return {
        "id": provider.id,
        "label": provider.label,
        "active": providers.is_active(provider),
        "trusted": provider.trusted,
    }


def _line(provider: SamlProvider) -> str:
    state = "active " if providers.is_active(provider) else "pending"
    trust = "trusted" if provider.trusted else "       "
    return f"{provider.id}  {state}  {trust}  {printable(provider.label)}"


@saml_app.command(
    "list", epilog="Example: docstead saml list --organization 0WZ3Yq8sT1aBcD2eF3gH --json"
)
def list_providers(
    organization: Annotated[str, typer.Option(help="Id of the organization.")],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List the SAML providers of an organization."""
    rows = as_operator(settings_of(data_dir, database_url), read, _providers, organization)
    show([_json(row) for row in rows], json, "\n".join(map(_line, rows)))


@saml_app.command("trust", epilog="Example: docstead saml trust 0WZ3Yq8sT1aBcD2eF3gH")
def trust(
    provider: Annotated[str, typer.Argument(help="Id of the provider.")],
    trusted: Annotated[
        bool, typer.Option("--trusted/--not-trusted", help="Whether it is trusted.")
    ] = True,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Let a provider sign on people who belong to other organizations as well.

    Whoever runs the provider can then open those organizations.
    """
    row = as_operator(
        settings_of(data_dir, database_url), run, saml.trust_provider, provider, trusted
    )
    show(_json(row), json, _line(row))
