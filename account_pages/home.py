"""The page at the root of the service: what runs here, and where to go on."""

from starlette.responses import Response

from account_pages.html import PRODUCT, paragraph
from account_pages.visits import Visit
from content.html.markup import Html, element, escape, joined

LEADS = (
    ("/graphql", "GraphiQL", "queries and mutations of the GraphQL interface, and its schema"),
    ("/v1/openapi.json", "OpenAPI document", "the operations of the REST interface below /v1"),
)


async def home(visit: Visit) -> Response:
    """The page for people who come by the address alone."""
    own = (
        ("/sign-in", "Sign in", "to your account and your organizations")
        if visit.person is None
        else ("/account", "Your account", "profile, sessions and tokens")
    )
    return visit.card(
        PRODUCT,
        paragraph("This server keeps a team's documentation and publishes it."),
        element("ul", joined([_lead(visit, *lead) for lead in (own, *LEADS)]), class_="leads"),
    )


def _lead(visit: Visit, path: str, label: str, about: str) -> Html:
    link = element("a", escape(label), href=visit.prefix + path)
    return element("li", joined([link, element("span", escape(f" {about}"))]))
