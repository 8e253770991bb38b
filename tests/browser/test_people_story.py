"""How a team begins: two people are invited, sign in, propose, review and merge; one is removed.

The invitations are accepted in Chromium, the rest goes through GraphQL and /v1 with the tokens that
the people make on their account pages.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import NO_TLS, PATIENCE
from tests.docstead.test_serve import run, serving

INVITE = """mutation ($id: ID!, $input: InviteUsersInput!) {
  inviteUsersToOrganization(organizationId: $id, input: $input) {
    invited invitations { url invitation { email role } } } }"""
ADD_PAGE = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed revision { id } } }"""
SHARE = """mutation ($id: ID!, $input: InviteInput!) {
  inviteToSpace(id: $id, input: $input) { invitations { url } } }"""
MERGE = """mutation ($space: ID!, $id: ID!) {
  mergeChangeRequest(spaceId: $space, id: $id) { result } }"""
LOG = """query ($id: ID!) { organization(id: $id) { auditLog(first: 100) { nodes {
  action door actor { name } person { name } object { type name } } } } }"""


# What a script of the server's own pages does with the session.
ASK = """query => fetch("/graphql", {
  method: "POST",
  headers: {"content-type": "application/json", "X-Requested-With": "1"},
  body: JSON.stringify({query}),
}).then(answer => answer.json())"""


@dataclass
class Caller:
    """Somebody with a token, at both doors of a server."""

    base: str
    token: str

    def rest(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"{self.base}/v1{path}"
        return httpx2.request(method, url, headers=headers, json=body, timeout=60, verify=NO_TLS)

    def data(self, query: str, **variables: Any) -> Any:
        answer = self.whole(query, **variables)
        assert "errors" not in answer, answer
        return answer["data"]

    def whole(self, query: str, **variables: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        body = {"query": query, "variables": variables}
        url = f"{self.base}/graphql"
        return httpx2.post(url, headers=headers, json=body, timeout=60, verify=NO_TLS).json()


def make_token(page: Page, base: str, label: str) -> str:
    """Make a token on the account page."""
    page.goto(f"{base}/account/tokens")
    page.get_by_label("What it is for").fill(label)
    page.get_by_role("button", name="Make a token").click()
    return page.get_by_label(f"Text of the token {label}").input_value()


def browse(browser: Browser) -> tuple[BrowserContext, Page]:
    """A browser of somebody's own."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return context, page


def test_from_an_empty_server_to_a_team(browser: Browser, tmp_path: Path) -> None:
    data_dir = str(tmp_path / "data")
    with serving(tmp_path / "data") as (base, _):
        made = run("init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
                   "--data-dir", data_dir)  # fmt: skip
        ada, organization = Caller(base, made["token"]), made["organization"]["id"]
        space = ada.rest("POST", f"/orgs/{organization}/spaces", {"title": "Handbook"})
        assert space.status_code == 201, space.text
        its = space.json()["id"]
        wanted = [{"person": {"email": f"{name}@example.com", "role": role}}
                  for name, role in (("dana", "EDIT"), ("chidi", "REVIEW"))]  # fmt: skip
        invited = ada.data(INVITE, id=organization, input={"emails": wanted})
        links = {
            sent["invitation"]["email"]: sent["url"]
            for sent in invited["inviteUsersToOrganization"]["invitations"]
        }
        callers: dict[str, Caller] = {}
        browsers: dict[str, tuple[BrowserContext, Page]] = {}
        for name in ("Dana", "Chidi"):
            browsers[name] = context, page = browse(browser)
            url = links[f"{name.lower()}@example.com"]
            page.goto(base + url[url.index("/invitations/") :])
            expect(page.get_by_role("heading", level=1)).to_have_text("Join Acme")
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Make an account and join").click()
            page.wait_for_url(f"{base}/account*")
            callers[name] = Caller(base, make_token(page, base, "laptop"))
        # Chidi comes back another day, by a link of the operator.
        context, page = browsers["Chidi"]
        page.goto(f"{base}/account")
        page.get_by_role("button", name="Sign out").click()
        again = run("user", "sign-in-link", "chidi@example.com", "--data-dir", data_dir)["url"]
        page.goto(base + again[again.index("/sign-in/link/") :])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{base}/account*")
        expect(page.get_by_label("Name")).to_have_value("Chidi")

        dana, chidi = callers["Dana"], callers["Chidi"]
        request = dana.rest("POST", f"/spaces/{its}/change-requests", {"subject": "A first page"})
        assert request.status_code == 201, request.text
        number = request.json()["number"]
        page_made = dana.data(
            ADD_PAGE,
            input={
                "target": {"space": its, "changeRequest": request.json()["id"]},
                "operations": [{"createPage": {"title": "Welcome", "body": {"markdown": "Hello"}}}],
            },
        )
        assert page_made["applyContentChanges"]["changed"]
        # The proposer has not the role to merge.
        refused = dana.rest("POST", f"/spaces/{its}/change-requests/{number}/merge")
        assert refused.status_code == 403, refused.text
        review = chidi.rest(
            "POST", f"/spaces/{its}/change-requests/{number}/reviews", {"status": "approved"}
        )
        assert review.status_code == 201, review.text
        merged = chidi.data(MERGE, space=its, id=str(number))
        assert merged["mergeChangeRequest"]["result"] == "MERGE"
        pages = ada.rest("GET", f"/spaces/{its}/content/pages").json()["pages"]
        assert "Welcome" in [one["title"] for one in pages]

        # Somebody from elsewhere is shown this space alone.
        ada.rest("POST", f"/orgs/{organization}/spaces", {"title": "Secret plans"})
        shared = ada.data(SHARE, id=its, input={"role": "COMMENT", "users": ["gwen@example.com"]})
        (sent,) = shared["inviteToSpace"]["invitations"]
        browsers["Gwen"] = context, page = browse(browser)
        page.goto(base + sent["url"][sent["url"].index("/invitations/") :])
        expect(page.get_by_role("main")).to_contain_text("Handbook")
        page.get_by_label("Your name").fill("Gwen")
        page.get_by_role("button", name="Make an account and join").click()
        page.wait_for_url(f"{base}/account*")
        gwen = Caller(base, make_token(page, base, "tablet"))
        spaces = gwen.rest("GET", f"/orgs/{organization}/spaces").json()["items"]
        assert [space["title"] for space in spaces] == ["Handbook"]
        assert gwen.rest("GET", f"/spaces/{its}").json()["permissions"]["comment"]
        refused = gwen.rest("POST", f"/spaces/{its}/change-requests", {"subject": "Mine"})
        assert refused.status_code == 403, refused.text
        people = gwen.rest("GET", f"/orgs/{organization}/members").json()["items"]
        assert [person["user"]["displayName"] for person in people] == ["Gwen"]

        log = ada.data(LOG, id=organization)["organization"]["auditLog"]["nodes"]
        acts = {(entry["actor"]["name"], entry["action"]) for entry in log}
        for act in (
            ("Ada", "inviteUsersToOrganization"),
            ("Dana", "createChangeRequest"),
            ("Chidi", "mergeChangeRequest"),
            ("Ada", "inviteToSpace"),
        ):
            assert act in acts, acts
        # Only administrators read it.
        assert "errors" in chidi.whole(LOG, id=organization)

        identity = dana.rest("GET", "/user").json()["id"]
        removed = ada.rest("DELETE", f"/orgs/{organization}/members/{identity}")
        assert removed.status_code == 205, removed.text
        assert dana.rest("GET", f"/spaces/{its}").status_code == 404
        assert dana.rest("GET", f"/orgs/{organization}").status_code == 404
        gone = dana.whole("query ($id: ID!) { space(id: $id) { title } }", id=its)
        assert gone["data"] == {"space": None}
        proposed = dana.rest("POST", f"/spaces/{its}/change-requests", {"subject": "Another"})
        assert proposed.status_code == 404, proposed.text
        # So is the session, which is still a person's, but no member's.
        page = browsers["Dana"][1]
        page.goto(f"{base}/graphql")
        query = f'{{ viewer {{ id }} space(id: "{its}") {{ title }} }}'
        answer = page.evaluate(ASK, query)
        assert answer["data"] == {"viewer": {"id": identity}, "space": None}
        newest = ada.rest("GET", f"/orgs/{organization}/audit-log?limit=1").json()["items"][0]
        assert newest["action"] == "removeMember"
        assert newest["person"]["name"] == "Dana"
        # What she wrote stays, and names her.
        listed = ada.rest("GET", f"/spaces/{its}/change-requests/{number}").json()
        assert listed["createdBy"]["displayName"] == "Dana"
        for context, _ in browsers.values():
            context.close()
