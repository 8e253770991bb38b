"""A site with a server that keeps answers and one that keeps none, and all kinds of writes."""

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import httpx2
import jwt
import pytest
from sqlalchemy import delete, update

from content.markdown.parser import parse_document
from db.enums import Language, SitePreviews, SiteVisibility
from db.models.organizations import Organization
from db.models.site_settings import (
    AdaptiveSchema,
    PublishingAuth,
    ShareLink,
    SiteCustomization,
    SiteRedirect,
)
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.models.specifications import Specification
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from resolvers.customization.drafts import packed_changes
from resolvers.published.preview_tokens import issue
from resolvers.revisions.states import Changes
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.published.sites import CLAIMS_SCHEMA, private_key
from tests.published.test_sites import make_pages

KEY = "k" * 20
ON_ITS_HOST = "http://handbook.test"
API = """{% openapi-operation spec="planets" path="/planets" method="get" %}
[Planets](https://api.example/openapi.json)
{% endopenapi-operation %}
"""
LOG = """{% updates %}
{% update date="2026-02-01" %}
{% if visitor.claims.beta %}
Deep, for a few.
{% endif %}

See [deep](deep.md).
{% endupdate %}
{% endupdates %}
"""


@dataclass
class Kept:
    """A site, a server that keeps pages and one that keeps none."""

    session: Session
    world: World
    site: Site
    guide: Space
    second: Space
    keeping: httpx2.AsyncClient
    plain: httpx2.AsyncClient
    private_key: str
    other: Site | None = None
    # Segments of addresses that preview settings, one for each of two titles that nobody saved.
    looks: tuple[str, ...] = ()

    def visits(self) -> list[tuple[str, dict[str, str]]]:
        """Addresses with headers: of everybody, of visitors with claims, tokens, keys."""
        own = f"/sites/{self.site.id}"
        claims = quote('{"language":"fr"}')
        token = self.token(beta=True)
        paths = ["", "/deep", "/other", "/api", "/second/more", "/start.md", "/llms.txt",
                 f"/{KEY}/other", "/taken/more", "/v/second/more", "/other?utm=1",
                 "/", "/deep/", "/second/more/?utm=1", "/robots.txt",
                 "/sitemap.xml", "/sitemap-pages.xml", f"/{KEY}/llms.txt",
                 "/log", f"/{KEY}/log/rss.xml"]  # fmt: skip
        visits: list[tuple[str, dict[str, str]]] = [(own + path, {}) for path in paths]
        # What else shows visitors of each kind other content.
        for path in ("/log/rss.xml", "/deep/nowhere", "/~docs/search?q=deep",
                     "/~gitbook/feedback?page=deep"):  # fmt: skip
            visits += [
                (own + path, {}), (own + path, {"Cookie": f"gitbook-visitor-token={token}"}),
            ]  # fmt: skip
        visits += [
            (f"{own}/deep", {"Cookie": f"gitbook-visitor-token={token}"}),
            (f"{own}/deep", {"Cookie": f"gitbook-visitor-token={self.token(beta=False)}"}),
            (f"{own}/other", {"Cookie": f"gitbook-visitor-public-a={claims}"}),
            (f"{own}/log/atom.xml", {"Cookie": f"gitbook-visitor-public-a={claims}"}),
            (f"{own}/other", {"Accept": "text/markdown"}),
            (f"{own}/~/revisions/{self.guide.revision_id}/other", {}),
            *((f"{own}{look}{path}", {}) for look in self.looks for path in ("", "/other")),
            ("http://acme.docs.test/taken/more", {}),
            (f"{ON_ITS_HOST}/other", {}),
        ]
        return visits

    def token(self, **claims: Any) -> str:
        return jwt.encode(claims, self.private_key, "HS256")

    async def compare(self, times: int = 2) -> None:
        """Both servers say the same, the first one so many times."""
        for path, headers in self.visits():
            expected = await self.plain.get(path, headers=headers)
            for _ in range(times):
                answer = await self.keeping.get(path, headers=headers)
                assert said(answer) == said(expected), (path, headers)

    async def edit(self, space: Space, page_id: str, **changes: Any) -> None:
        """Change a page of the primary content."""
        ctx = context(self.session)
        target = await open_target(ctx, space.id)
        (tree,) = await all_pages(ctx, [target.revision])
        page = replace(next(row for row in tree if row.id == page_id))
        made = Changes()
        text = changes.pop("text", None)
        if text is not None:
            changes["document_id"] = made.add_document(text, parse_document(text))
        made.before[page_id] = replace(page)
        for name, value in changes.items():
            setattr(page, name, value)
        made.pages[page_id] = page
        revision = await commit_revision(ctx, target, made)
        space.revision_id = revision.id


def said(answer: httpx2.Response) -> Any:
    """All of an answer but its own number."""
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status_code, headers, answer.text


@pytest.fixture
async def kept(session: Session, world: World, api: Api, database: Database) -> AsyncIterator[Kept]:
    second = await make_pages(session, world, "Second", start={}, more={"title": "More"})
    link = f"[there](docstead:page?space={second.id}&page=more)"
    guide = await make_pages(
        session, world, "Guide", start={}, deep={"condition": "visitor.claims.beta"},
        other={"text": f"See {link} and [here](deep.md). Plan: {{{{ visitor.claims.plan }}}}\n"},
        log={"text": LOG}, api={"text": API},
    )  # fmt: skip
    site = await factories.make_site(
        session, world.organization, guide, second, title="Handbook", published=True,
        adaptive_content=True, basename=None,
    )  # fmt: skip
    session.add(AdaptiveSchema(site_id=site.id, json_schema=CLAIMS_SCHEMA))
    session.add(ShareLink(site_id=site.id, name="Key", secret=KEY))
    other = await factories.make_site(session, world.organization, second, published=False)
    (await session.merge(world.organization)).hostname = "acme"
    key = await private_key(session, site)
    await settle(session)
    plain = Server(
        replace(api.server.settings, page_cache_megabytes=0, answer_cache_megabytes=0), database
    )
    transport = httpx2.ASGITransport(app=create_app(plain.settings, plain))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        # The server reads its secrets with the first request.
        await api.client.get(f"/sites/{site.id}")
        now = dt.datetime.now(dt.UTC)
        looks = tuple(
            f"/~preview/{issue(api.server.token_key, site.id, {}, now, customization=packed)}"
            for packed in (packed_changes({}, {"title": f"Draft {at}"}) for at in range(2))
        )
        yield Kept(
            session, world, site, guide, second, api.client, client, key, other=other, looks=looks
        )  # fmt: skip


Write = Callable[[Kept, int], Awaitable[None]]


def _site(**choices: list[Any]) -> Write:
    """A write of columns of the site: each with one of some values."""

    async def write(kept: Kept, number: int) -> None:
        values = {name: values[number % len(values)] for name, values in choices.items()}
        await kept.session.execute(update(Site).where(Site.id == kept.site.id).values(**values))

    return write


def _space(name: str, **choices: list[Any]) -> Write:
    async def write(kept: Kept, number: int) -> None:
        values = {name: values[number % len(values)] for name, values in choices.items()}
        id = getattr(kept, name).id
        await kept.session.execute(update(Space).where(Space.id == id).values(**values))

    return write


async def _text(kept: Kept, number: int) -> None:
    await kept.edit(kept.guide, "other", text=f"Number {number}, [more](start.md).\n")


async def _rename(kept: Kept, number: int) -> None:
    await kept.edit(kept.second, "more", title=f"More {number}", slug=f"more-{number}")


async def _condition(kept: Kept, number: int) -> None:
    conditions = [None, "visitor.claims.beta", "!visitor.claims.beta", "false"]
    await kept.edit(kept.guide, "deep", condition=conditions[number % len(conditions)])


async def _place(kept: Kept, number: int) -> None:
    values = {"path": ["taken", "second"][number % 2],
              "condition": [None, "visitor.claims.beta"][number // 2 % 2]}  # fmt: skip
    placed = SiteSpace.site_id == kept.site.id, SiteSpace.space_id == kept.second.id
    await kept.session.execute(update(SiteSpace).where(*placed).values(**values))


async def _other_site(kept: Kept, number: int) -> None:
    """Another site takes an address of this one, or gives it back."""
    assert kept.other is not None
    values = {"published": number % 2 == 0, "basename": ["taken", "else"][number // 2 % 2]}
    await kept.session.execute(update(Site).where(Site.id == kept.other.id).values(**values))


async def _look(kept: Kept, number: int) -> None:
    await kept.session.execute(
        delete(SiteCustomization).where(SiteCustomization.site_id == kept.site.id)
    )
    if number % 3:
        kept.session.add(
            SiteCustomization(
                site_id=kept.site.id,
                settings={"title": f"Title {number}", "feedback": {"enabled": number % 2 == 0}},
            )
        )


async def _share_link(kept: Kept, number: int) -> None:
    link = update(ShareLink).where(ShareLink.site_id == kept.site.id)
    await kept.session.execute(link.values(active=number % 2 == 0))


async def _redirect(kept: Kept, number: int) -> None:
    await kept.session.execute(delete(SiteRedirect).where(SiteRedirect.site_id == kept.site.id))
    if number % 2:
        source = ["/taken/more", "/other"][number // 2 % 2]
        await factories.make_site_redirect(kept.session, kept.site, source, "https://x.test/")


async def _key(kept: Kept, number: int) -> None:
    keys = ["another-key-" + "x" * 30, kept.private_key]
    of_site = PublishingAuth.site_id == kept.site.id
    await kept.session.execute(
        update(PublishingAuth).where(of_site).values(private_key=keys[number % 2])
    )


async def _schema(kept: Kept, number: int) -> None:
    schemas = [{**CLAIMS_SCHEMA, "properties": {}}, CLAIMS_SCHEMA]
    await kept.session.execute(
        update(AdaptiveSchema)
        .where(AdaptiveSchema.site_id == kept.site.id)
        .values(json_schema=schemas[number % 2])
    )


async def _label(kept: Kept, number: int) -> None:
    await kept.session.execute(
        update(Organization)
        .where(Organization.id == kept.world.organization.id)
        .values(hostname=["acme-2", "acme"][number % 2])
    )


async def _specification(kept: Kept, number: int) -> None:
    """The specification that a page shows has another version, or is gone."""
    organization = kept.world.organization.id
    mine = Specification.organization_id == organization
    await kept.session.execute(delete(Specification).where(mine))
    if number % 3 != 2:
        text = factories.SPECIFICATION_TEXT.replace("The planets", f"Answer {number}")
        await factories.make_specification(kept.session, organization, text)


SITE_WRITES: dict[str, Write] = {
    "a specification": _specification,
    "a text": _text,
    "a page elsewhere": _rename,
    "the condition of a page": _condition,
    "a site space": _place,
    "another site": _other_site,
    "the look": _look,
    "a share link": _share_link,
    "a redirect": _redirect,
    "the key of visitors": _key,
    "the schema of claims": _schema,
    "the label of the organization": _label,
    "the title": _site(title=["Handbook", "Manual"]),
    "the audience": _site(visibility=list(SiteVisibility)),
    "published": _site(published=[False, True]),
    "adaptive content": _site(adaptive_content=[False, True]),
    "the host name": _site(hostname=["handbook.test", None]),
    "previews": _site(previews=list(SitePreviews)),
    "the language": _space("guide", language=[Language.FR, None]),
    "the title of a space": _space("second", title=["Two", "Second"]),
}
