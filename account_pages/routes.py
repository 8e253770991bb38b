"""The addresses of the account pages: one row for each."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from account_pages import account, invitations, notifications, places, sign_on, tokens
from account_pages.home import home
from account_pages.html import style_sheet
from account_pages.server import OriginOf, Server
from account_pages.sign_in import SignIn
from account_pages.visits import Pages
from account_pages.workbench import Workbench

# Views of the Workbench without a page of their own: who has no scripts sees what they are about.
VIEWS = ("changes", "revisions", "links", "git", "import", "notifications", "people")
OF_ORGANIZATION = (
    "people", "teams", "invitations", "audit", "sites", "jobs", "specifications", "translations",
    "webhooks", "integrations",
)  # fmt: skip
OF_PERSON = ("notifications", "tokens")
# The name of the sheet changes with it.
FOR_EVER = "public, max-age=31536000, immutable"


def account_routes(server: Server, origin_of: OriginOf, workbench: Workbench) -> list[BaseRoute]:
    """All pages of accounts, and the addresses at which the Workbench begins."""
    pages, sign_in = Pages(server, origin_of, workbench), SignIn()

    def get(path: str, endpoint: object) -> Route:
        return Route(path, endpoint, methods=["GET"])  # type: ignore[arg-type]

    def post(path: str, endpoint: object) -> Route:
        return Route(path, endpoint, methods=["POST"])  # type: ignore[arg-type]

    return [
        get("/", pages.home(home)),
        *(get(f"/~/{view}", pages.working(home)) for view in OF_PERSON),
        get("/sign-in", pages.open(sign_in.form)),
        post("/sign-in", pages.open(sign_in.send)),
        get("/sign-in/link/{secret}", pages.open(sign_in.confirm)),
        post("/sign-in/link/{secret}", pages.open(sign_in.enter)),
        post("/sign-out", pages.open(sign_in.leave)),
        get("/saml/{provider}/start", pages.open(sign_on.begin)),
        get("/saml/{provider}/metadata", pages.open(sign_on.metadata)),
        post("/saml/{provider}/acs", pages.of_provider(sign_on.take_answer)),
        get("/saml/{provider}/finish", pages.open(sign_on.finish)),
        get("/openid/{provider}/start", pages.open(sign_on.begin_openid)),
        get("/openid/{provider}/callback", pages.open(sign_on.finish_openid)),
        get("/invitations/{secret}", pages.open(invitations.show)),
        post("/invitations/{secret}", pages.open(invitations.accept)),
        post("/invitations/{secret}/mail", pages.open(invitations.send_link)),
        get("/invitations/{secret}/account", pages.open(invitations.show_account)),
        post("/invitations/{secret}/account", pages.open(invitations.make_account)),
        get("/account", pages.of_person(account.profile)),
        post("/account", pages.of_person(account.update_profile)),
        get("/account/person.json", pages.open(account.person)),
        get("/account/sessions", pages.of_person(account.sessions)),
        post("/account/sessions/end-others", pages.of_person(account.end_others)),
        post("/account/sessions/{session}/end", pages.of_person(account.end)),
        get("/account/tokens", pages.of_person(tokens.tokens)),
        post("/account/tokens", pages.of_person(tokens.make)),
        post("/account/tokens/{token}/revoke", pages.of_person(tokens.revoke)),
        get("/account/notifications", pages.of_person(notifications.settings)),
        post("/account/notifications", pages.of_person(notifications.save)),
        post("/account/notifications/spaces/{space}", pages.of_person(notifications.save_space)),
        get("/notifications/unsubscribe/{token}", pages.open(notifications.ask_to_leave)),
        post("/notifications/unsubscribe/{token}", pages.of_mail(notifications.leave)),
        get("/o/{organization}", pages.working(places.organization)),
        *(
            get(f"/o/{{organization}}/~/{view}", pages.working(places.organization))
            for view in OF_ORGANIZATION
        ),
        get("/o/{organization}/sites/{site}", pages.working(places.site)),
        get("/o/{organization}/openapi/{slug}", pages.working(places.specification)),
        get("/c/{collection}", pages.working(places.collection)),
        get("/c/{collection}/~/people", pages.working(places.collection)),
        get("/s/{space}", pages.working(places.space)),
        *(get(f"/s/{{space}}/~/{view}", pages.working(places.space)) for view in VIEWS),
        get("/s/{space}/~/changes/{change_request}", pages.working(places.change_request)),
        get(
            "/s/{space}/~/changes/{change_request}/{path:path}",
            pages.working(places.change_request),
        ),
        get("/s/{space}/~/revisions/{revision}", pages.working(places.revision)),
        get("/s/{space}/~/revisions/{revision}/{path:path}", pages.working(places.revision)),
        get("/s/{space}/{path:path}", pages.working(places.page)),
        get("/account/style/{name}.css", _style),
    ]


async def _style(request: Request) -> Response:
    """The style sheet; an older page gets the one of now."""
    return Response(style_sheet()[0], headers={"Cache-Control": FOR_EVER}, media_type="text/css")
