"""What redirects of sites lead to, as objects: sections, site spaces and pages."""

from db.session import Session
from tests.conftest import Api, World, settle

REDIRECTS = """query ($id: ID!) { site(id: $id) { redirects(first: 9) { nodes {
  source
  destination { kind url siteSection { title } siteSpace { title } page { title } } } } } }"""
CREATE = """mutation ($site: ID!, $input: CreateSiteRedirectInput!) {
  createSiteRedirect(siteId: $site, input: $input) { id } }"""
WRITE = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { created { contentId } } }"""


async def test_redirects_name_what_they_lead_to(world: World, session: Session, api: Api) -> None:
    await settle(session)
    base = f"/orgs/{world.organization.id}"
    space = (await api.rest("POST", f"{base}/spaces", world.admin, {"title": "South"})).json()["id"]

    async def write(operation: object) -> str:
        given = {"target": {"space": space}, "operations": [operation]}
        data = await api.data(WRITE, world.admin, input=given)
        created = data["applyContentChanges"]["created"]
        return str(created[0]["contentId"]) if created else ""

    page = await write({"createPage": {"title": "Piers", "body": {"markdown": "Ships"}}})
    body = {"title": "Coast", "spaces": [space]}
    site = (await api.rest("POST", f"{base}/sites", world.admin, body)).json()["id"]
    placed = (await api.rest("GET", f"{base}/sites/{site}/site-spaces", world.admin)).json()
    at = {"siteSpaceId": placed["items"][0]["id"]}
    for source, destination in (
        ("/page", {"kind": "SITE_PAGE", "pageId": page, **at}),
        ("/space", {"kind": "SITE_SPACE", **at}),
        ("/url", {"kind": "URL", "url": "https://elsewhere.example/x"}),
    ):
        await api.data(
            CREATE, world.admin, site=site, input={"source": source, "destination": destination}
        )

    async def listed() -> dict[str, tuple[object, ...]]:
        nodes = (await api.data(REDIRECTS, world.admin, id=site))["site"]["redirects"]["nodes"]
        return {
            one["source"]: tuple(
                (one["destination"][name] or {}).get("title")
                for name in ("siteSection", "siteSpace", "page")
            )
            for one in nodes
        }

    there = {"/page": (None, "South", "Piers"), "/space": (None, "South", None)}
    assert await listed() == {**there, "/url": (None, None, None)}
    await write({"deletePage": {"page": page}})
    assert (await listed())["/page"] == (None, "South", None)
