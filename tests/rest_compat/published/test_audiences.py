"""Who may read a published site: audiences, tokens of visitors, claims, previews."""

import datetime as dt
import itertools
from typing import Any

import jwt
import pytest

from db.base import utc_now
from db.enums import SiteVisibility
from db.models.site_settings import AdaptiveSchema, PublishingAuth, ShareLink
from db.session import Session
from resolvers.access import content_tokens
from tests.chance import forged
from tests.conftest import Api, World, settle
from tests.published.sites import CLAIMS_SCHEMA, Published, make_flat, make_sections

BASE = "http://docs.test"
FALLBACK = "https://login.example.com/in?next=1#top"
LAYOUT = {"guides": ["en", "fr"], "beta": ["one"]}
# State of the token -> what is wrong with it, None for nothing.
STATES = {
    "none": "missing",
    "valid": None,
    "expired": "expired",
    "wrong signature": "bad-signature",
    "wrong algorithm": "wrong-algorithm",
    "malformed": "malformed",
}


@pytest.fixture
async def made(session: Session, world: World) -> Published:
    """A site with adaptive content: the section `beta` is for those who take part."""
    found = await make_sections(session, world.organization, LAYOUT, adaptive_content=True)
    found.sections["beta"].condition = "visitor.claims.beta"
    session.add(AdaptiveSchema(site_id=found.site.id, json_schema=CLAIMS_SCHEMA))
    await settle(session)
    return found


async def change(session: Session, made: Published, **changes: Any) -> None:
    site = await session.merge(made.site)
    for name, value in changes.items():
        setattr(site, name, value)
    await session.commit()


async def change_auth(session: Session, made: Published, **changes: Any) -> None:
    auth = await session.get_one(PublishingAuth, made.site.id)
    for name, value in changes.items():
        setattr(auth, name, value)
    await session.commit()


def token(made: Published, state: str, **claims: Any) -> str | None:
    past = int(utc_now().timestamp()) - 1
    match state:
        case "none":
            return None
        case "valid":
            return made.token(**claims)
        case "expired":
            return made.token(exp=past, **claims)
        case "wrong signature":
            return made.token("x" * 40, **claims)
        case "wrong algorithm":
            return made.token("x" * 64, "HS512", **claims)
    return "no.token"


async def resolve(api: Api, url: str, **visitor: Any) -> Any:
    body: dict[str, Any] = {"url": url}
    if "redirect" in visitor:
        body["redirectOnError"] = visitor.pop("redirect")
    body["visitor"] = {name: value for name, value in visitor.items() if value is not None}
    return await api.rest("POST", "/urls/published", None, body)


@pytest.mark.parametrize("audience", SiteVisibility, ids=lambda one: one.value)
async def test_audiences_and_tokens(
    api: Api, session: Session, made: Published, audience: SiteVisibility
) -> None:
    link = ShareLink(site_id=made.site.id, name="Link")
    session.add(link)
    await change(session, made, visibility=audience)
    root = f"{BASE}/sites/{made.site.id}"
    if audience is SiteVisibility.SHARE_LINK:
        closed = await resolve(api, root, jwtToken=made.token(beta=True))
        assert closed.status_code == 404
        root += f"/{link.secret}"
    is_closed = audience is SiteVisibility.VISITOR_AUTH
    for (state, problem), met, redirects, fallback in itertools.product(
        STATES.items(), (True, False), (True, False), (None, FALLBACK)
    ):
        await change_auth(session, made, fallback_url=fallback)
        shown = (state, met, redirects, fallback)
        given = token(made, state, beta=met)
        answer = await resolve(api, f"{root}/beta/a", jwtToken=given, redirect=redirects)
        body = answer.json()
        sent = problem not in (None, "missing")
        if problem is None or (not is_closed and (not sent or redirects)):
            assert answer.status_code == 200, (shown, body)
            sees = met and problem is None
            name = "beta/one" if sees else "guides/en"
            assert body["siteSpace"] == made.site_spaces[name].id, shown
            assert body["pathname"] == ("a" if sees else "beta/a")
            assert ("contextId" in body) == (problem is None)
        elif is_closed and fallback and (not sent or redirects):
            assert (answer.status_code, body) == (
                200,
                {
                    "target": "external",
                    "redirect": "https://login.example.com/in?next=1&location=/beta/a#top",
                },
            ), shown
        else:
            assert (answer.status_code, body["error"]["reason"]) == (403, problem), (shown, body)


async def test_what_a_content_token_opens(api: Api, session: Session, made: Published) -> None:
    root = f"{BASE}/sites/{made.site.id}"
    beta = made.site_spaces["beta/one"]

    async def status(found: Any, space_id: str = beta.space_id) -> int:
        headers = {"Authorization": f"Bearer {found.json()['apiToken']}"}
        answer = await api.rest("GET", f"/spaces/{space_id}", None, headers=headers)
        return int(answer.status_code)

    anyone = await resolve(api, root)
    again = await resolve(api, root)
    assert anyone.json() == again.json()
    assert await status(anyone) == 404
    assert await status(anyone, made.site_spaces["guides/fr"].space_id) == 200
    known = await resolve(api, root, jwtToken=made.token(beta=True, more="dropped"))
    assert await status(known) == 200
    payload = jwt.decode(known.json()["apiToken"], options={"verify_signature": False})
    assert payload["claims"] == {"beta": True}
    assert payload["kind"] == "site"
    assert payload["spaces"] == sorted(one.space_id for one in made.site_spaces.values())
    assert payload["exp"] <= utc_now().timestamp() + 3600
    soon = int(utc_now().timestamp()) + 600
    short = await resolve(api, root, jwtToken=made.token(beta=True, exp=soon))
    assert jwt.decode(short.json()["apiToken"], options={"verify_signature": False})["exp"] == soon
    assert short.json()["contextId"] == known.json()["contextId"]
    other = await resolve(api, root, jwtToken=made.token(plan="pro", beta=True))
    assert other.json()["contextId"] != known.json()["contextId"]
    # A new key ends what the old one has opened.
    await change_auth(session, made, private_key="another key of thirty-six characters")
    assert await status(known) == 401
    assert await status(anyone, made.site_spaces["guides/fr"].space_id) == 200


async def test_claims_without_a_signature(api: Api, session: Session, made: Published) -> None:
    fr = await session.merge(made.site_spaces["guides/fr"])
    fr.condition = 'visitor.claims.unsigned.language === "fr"'
    await session.commit()
    root = f"{BASE}/sites/{made.site.id}"
    for claims, name in (
        ({"language": "fr"}, "guides/fr"),
        ({"language": 3}, "guides/en"),
        ({"beta": True, "unsigned": {"language": "fr"}}, "guides/en"),
    ):
        found = await resolve(api, f"{root}/fr", unsignedClaims=claims)
        assert found.json()["siteSpace"] == made.site_spaces[name].id, claims
    both = await resolve(
        api,
        f"{root}/fr",
        jwtToken=made.token(beta=True, unsigned={"language": "de"}),
        unsignedClaims={"language": "fr"},
    )
    assert both.json()["siteSpace"] == fr.id
    large = await resolve(api, root, unsignedClaims={"language": "x" * 5000})
    assert large.status_code == 400
    await change(session, made, adaptive_content=False)
    found = await resolve(api, f"{root}/fr", unsignedClaims={"language": "fr"})
    assert found.json()["siteSpace"] == made.site_spaces["guides/en"].id
    assert "contextId" not in found.json()


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"nbf": 50}, None),
        ({"iat": 50}, None),
        ({"nbf": 100}, "not-yet-valid"),
        ({"iat": 100}, "not-yet-valid"),
        ({"exp": 1}, None),
        ({"exp": 0}, "expired"),
        ({"exp": 10**12}, None),
        ({"exp": 1e300}, None),
        ({"exp": "1"}, "malformed"),
        ({"exp": True}, "malformed"),
        ({"aud": "us", "iss": "them", "sub": 3, "jti": 4}, None),
        ({"far": 10**30}, "malformed"),
    ],
)
async def test_times_of_tokens(
    session: Session, world: World, claims: dict[str, Any], reason: str | None
) -> None:
    from resolvers.published.visitor_tokens import VisitorRefused, read_visitor_token

    now = utc_now().replace(microsecond=0)
    for name in ("exp", "nbf", "iat"):
        value = claims.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value < 1000:
            claims = {**claims, name: int(now.timestamp()) + value}
    key = "k" * 43
    text = jwt.api_jws.encode(__import__("json").dumps(claims).encode(), key, "HS256")
    if reason is None:
        read_visitor_token(text, key, now)
        return
    with pytest.raises(VisitorRefused) as caught:
        read_visitor_token(text, key, now)
    assert caught.value.reason == reason


async def test_odd_tokens_are_malformed(api: Api, session: Session, made: Published) -> None:
    await change(session, made, visibility=SiteVisibility.VISITOR_AUTH)
    nested = jwt.utils.base64url_encode(b'{"alg":"HS256","a":' + b"[" * 9000).decode()
    for text in ("", "a", "a.b.c", "..", "é.é.é", "x" * 20_000, f"{nested}.e30.x"):
        answer = await resolve(api, f"{BASE}/sites/{made.site.id}", jwtToken=text)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "malformed"), text
    bearer = {"Authorization": f"Bearer {nested}.e30.x"}
    refused = await api.rest("GET", f"/orgs/{made.site.organization_id}", None, headers=bearer)
    assert refused.status_code == 401
    unsigned = jwt.encode({"beta": True}, None, "none")
    answer = await resolve(api, f"{BASE}/sites/{made.site.id}", jwtToken=unsigned)
    assert answer.json()["error"]["reason"] == "wrong-algorithm"


async def test_signing_in_with_an_integration(api: Api, session: Session, made: Published) -> None:
    await change(session, made, visibility=SiteVisibility.VISITOR_AUTH)
    auth = f"/orgs/{made.site.organization_id}/sites/{made.site.id}/publishing/auth"
    await change_auth(session, made, fallback_url=FALLBACK)
    root = f"{BASE}/sites/{made.site.id}"
    assert (await resolve(api, root)).json()["target"] == "external"
    assert (await resolve(api, root)).json()["redirect"].endswith("&location=/#top")
    person = {"backend": "integration"}
    assert (await api.rest("PATCH", auth, None, person)).status_code == 401
    await change_auth(session, made, backend=_integration())
    refused = await resolve(api, root)
    assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "missing")


def _integration() -> Any:
    from db.site_enums import PublishingAuthBackend

    return PublishingAuthBackend.INTEGRATION


async def test_publishing_auth(api: Api, session: Session, world: World, made: Published) -> None:
    path = f"/orgs/{world.organization.id}/sites/{made.site.id}/publishing/auth"
    first = (await api.rest("GET", path, world.creator)).json()
    assert first == {
        "object": "publishing-auth",
        "backend": "custom",
        "privateKey": made.private_key,
    }
    assert len(made.private_key) >= 36
    assert (await api.rest("GET", path, world.reviewer)).status_code == 403
    body = {"backend": "integration", "fallbackURL": "https://example.com/in?a=b"}
    changed = await api.rest("PATCH", path, world.creator, body)
    assert changed.json() == first | body
    wrong = {"fallbackURL": "https://example.com/in?a=b&location=%2Fx"}
    refused = await api.rest("PATCH", path, world.creator, wrong)
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0]["path"] == "fallbackURL"
    assert (await api.rest("GET", path, world.creator)).json() == first | body
    unset = await api.rest("PATCH", path, world.creator, {"backend": "custom", "fallbackURL": None})
    assert unset.json() == first
    await change(session, made, visibility=SiteVisibility.VISITOR_AUTH)
    root, old = f"{BASE}/sites/{made.site.id}", made.token()
    content = await resolve(api, root, jwtToken=old)
    assert content.status_code == 200
    renewed = (await api.rest("POST", f"{path}/regenerate", world.creator)).json()
    assert renewed["privateKey"] != first["privateKey"]
    answer = await resolve(api, root, jwtToken=old)
    assert answer.json()["error"]["reason"] == "bad-signature"
    bearer = {"Authorization": f"Bearer {content.json()['apiToken']}"}
    space = f"/spaces/{content.json()['space']}"
    assert (await api.rest("GET", space, None, headers=bearer)).status_code == 401
    made.private_key = renewed["privateKey"]
    assert (await resolve(api, root, jwtToken=made.token())).status_code == 200


@pytest.mark.parametrize("audience", SiteVisibility, ids=lambda one: one.value)
async def test_previews(
    api: Api, session: Session, world: World, made: Published, audience: SiteVisibility
) -> None:
    await change(session, made, visibility=audience)
    path = f"/orgs/{world.organization.id}/sites/{made.site.id}/publishing/preview"
    fr = made.site_spaces["guides/fr"]
    claims = "(beta:!t,nobody:!t,unsigned:(language:fr))"
    options = {"params": {"claims": claims, "siteSpace": fr.id}}
    url = (await api.rest("GET", path, world.editor, **options)).json()["url"]
    assert url.startswith(f"{BASE}/sites/{made.site.id}/~preview/")
    found = (await resolve(api, url)).json()
    assert (found["siteSpace"], found["pathname"]) == (fr.id, "")
    assert found["canonicalUrl"] == f"{BASE}/sites/{made.site.id}/fr"
    root = url.removesuffix("/fr")
    inside = (await resolve(api, f"{root}/beta/a", jwtToken="not looked at")).json()
    assert inside["siteSpace"] == made.site_spaces["beta/one"].id
    payload = jwt.decode(inside["apiToken"], options={"verify_signature": False})
    assert payload["claims"] == {"beta": True, "unsigned": {"language": "fr"}}
    bearer = {"Authorization": f"Bearer {inside['apiToken']}"}
    answer = await api.rest("GET", f"/spaces/{inside['space']}", None, headers=bearer)
    assert answer.status_code == 200
    key = root.rpartition("/")[2]
    preview = f"{BASE}/sites/{made.site.id}/~preview"
    for wrong in (forged(key), key[:-3]):
        assert (await resolve(api, f"{preview}/{wrong}/a")).status_code == 404
    as_bearer = {"Authorization": f"Bearer {key}"}
    assert (
        await api.rest("GET", f"/spaces/{fr.space_id}", None, headers=as_bearer)
    ).status_code == 401
    for wrong, status in (
        ({"claims": "(beta"}, 400),
        ({"claims": "!(1)"}, 400),
        ({"claims": "a:1e999"}, 400),
        ({"claims": f"a:{'b' * 2048}"}, 400),
        ({"siteSpace": "none"}, 404),
    ):
        refused = await api.rest("GET", path, world.editor, params=wrong)
        assert refused.status_code == status, (wrong, refused.text)
    await change(session, made, published=False)
    assert (await api.rest("GET", path, world.editor)).status_code == 412
    assert (await resolve(api, url)).status_code == 404


async def test_previews_end(api: Api, session: Session, world: World, made: Published) -> None:
    from resolvers.published import preview_tokens

    await api.server.file_access()
    key = api.server._token_key
    assert key is not None
    before = utc_now() - dt.timedelta(hours=1, minutes=6)
    old = preview_tokens.issue(key, made.site.id, {}, before)
    answer = await resolve(api, f"{BASE}/sites/{made.site.id}/~preview/{old}")
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        403,
        "the preview has expired; make a new one",
    )
    other = preview_tokens.issue(key, "site_other", {}, utc_now())
    answer = await resolve(api, f"{BASE}/sites/{made.site.id}/~preview/{other}")
    assert answer.status_code == 404
    content = content_tokens.issue(
        key, content_tokens.Grant("o", made.site.id, "s", "s"), utc_now(), []
    )
    answer = await resolve(api, f"{BASE}/sites/{made.site.id}/~preview/{content}")
    assert answer.status_code == 404


QUERY = """query($url: String!, $token: String) {
  publishedSite(url: $url, visitorToken: $token) {
    __typename
    ... on PublishedSiteRedirect { target redirect }
    ... on PublishedSiteContent {
      complete
      site { id structure { ... on SiteSectionStructure {
        structure { ... on SiteSection { path siteSpaces { nodes { path } } } } } } }
      siteSection { path }
      siteSpace { path }
      space { id title }
      changeRequest { id }
    }
  }
  organization(id: "ORG") { id }
}"""


async def test_graphql_shows_what_the_visitor_sees(
    api: Api, session: Session, world: World, made: Published
) -> None:
    """Whoever asks: somebody from elsewhere sees no more and no less."""
    url = f"{BASE}/sites/{made.site.id}/fr"
    query = QUERY.replace("ORG", world.organization.id)
    guides = {"path": "guides", "siteSpaces": {"nodes": [{"path": "en"}, {"path": "fr"}]}}
    beta = {"path": "beta", "siteSpaces": {"nodes": [{"path": "one"}]}}
    for person, own in ((world.outsider, None), (world.admin, {"id": world.organization.id})):
        for given, structure in ((None, [guides]), (made.token(beta=True), [guides, beta])):
            data = (await api.graphql(query, person, url=url, token=given))["data"]
            assert data["organization"] == own
            found = data["publishedSite"]
            assert found["site"] == {"id": made.site.id, "structure": {"structure": structure}}
            assert found["siteSpace"] == {"path": "fr"}
            assert found["space"]["title"] == "guides fr"
            assert found["changeRequest"] is None
    answer = await api.graphql(query, world.admin, url=f"{BASE}/o/1")
    assert answer["data"]["publishedSite"]["target"] == "APPLICATION"
    answer = await api.graphql(query, world.admin, url="x")
    assert answer["errors"][0]["extensions"]["status"] == 400


async def test_graphql_without_a_token(api: Api, session: Session, made: Published) -> None:
    """Published sites are open to all, and nothing else is, not even beside one."""
    url = f"{BASE}/sites/{made.site.id}/fr"
    published = f"""publishedSite(url: "{url}") {{ ... on PublishedSiteContent {{
      siteSpace {{ path }} space {{ title revision {{ pages {{ nodes {{ title }} }} }} }}
    }} }}"""

    async def ask(fields: str) -> Any:
        return await api.client.post("/graphql", json={"query": f"{{ {fields} }}"})

    answer = await ask(f"{published} __typename")
    assert answer.status_code == 200
    found = answer.json()["data"]["publishedSite"]
    assert found["siteSpace"] == {"path": "fr"}
    assert found["space"]["title"] == "guides fr"
    refused = await ask(published.replace("space {", "space { organization { id }"))
    (error,) = refused.json()["errors"]
    assert error["extensions"]["code"] == "FORBIDDEN"
    for others in (
        "viewer { id }", "__schema { types { name } }", '__type(name: "Space") { name }',
        f'node(id: "{made.site.id}") {{ id }}', f'{published} space(id: "x") {{ id }}',
        "... on Query { viewer { id } }",
    ):  # fmt: skip
        refused = await ask(others)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), others
        assert refused.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    mutation = {"query": 'mutation { deleteSpace(id: "x") { deletedId } }'}
    assert (await api.client.post("/graphql", json=mutation)).status_code == 401
    # Not even read as a document, unless it may ask for what is open.
    assert (await ask("{ ")).status_code == 401
    large = await ask(published + " " * 70_000)
    assert large.status_code == 413
    wrong = await api.client.post(
        "/graphql", json={"query": "{ __typename }"}, headers={"authorization": "Bearer x"}
    )
    assert wrong.status_code == 401


async def test_the_old_form(api: Api, session: Session, made: Published, world: World) -> None:
    url = f"{BASE}/sites/{made.site.id}/beta"
    for given, name in ((None, "guides/en"), (made.token(beta=True), "beta/one")):
        options = {"url": url} | ({"visitorAuthToken": given} if given else {})
        answer = await api.rest("GET", "/urls/published", None, params=options)
        assert answer.json()["siteSpace"] == made.site_spaces[name].id
    for wrong in ({}, {"url": "a"}, {"url": f"{url}/{'a' * 2048}"}):
        answer = await api.rest("GET", "/urls/published", None, params=wrong)
        assert answer.status_code == 400, answer.text
    flat = await make_flat(session, world.organization, "one")
    await settle(session)
    found = await api.rest(
        "GET", "/urls/published", None, params={"url": f"{BASE}/sites/{flat.site.id}"}
    )
    assert "siteSection" not in found.json()
