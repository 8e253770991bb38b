"""A published site whose pages have conditions, and who visits it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.enums import SitePreviews
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.sites import Site
from db.models.spaces import Space
from db.session import Session
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.revisions.rows import ContentRedirect, File, Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from resolvers.search.index import index_revision
from tests import factories
from tests.conftest import World, context, settle

# What no visitor may read without the claims for it; texts of hidden pages hold it.
SECRET = "Secret"
GROUP, DOCUMENT, LINK = PageType.GROUP, PageType.DOCUMENT, PageType.LINK
# Id, type, id of the page above, condition. The pages of an id that begins with `s` are secret
# to visitors without claims.
PAGES: tuple[tuple[str, PageType, str | None, str | None], ...] = (
    ("sfirst", DOCUMENT, None, "visitor.claims.beta"),
    ("home", DOCUMENT, None, "space.vars.edition == 'pro'"),
    ("sgroup", GROUP, None, "visitor.claims.plan == 'pro'"),
    ("sinside", DOCUMENT, "sgroup", None),
    ("sbelow", DOCUMENT, "sinside", "true"),
    ("slink", LINK, "sgroup", None),
    ("open", GROUP, None, ""),
    ("guide", DOCUMENT, "open", None),
    ("snever", DOCUMENT, "guide", "page.vars.x === 1"),
    ("sbroken", DOCUMENT, "open", "visitor.claims.beta.("),
    ("last", DOCUMENT, "open", "page.vars.x == 1"),
)
VARIABLES: Mapping[str, dict[str, Any]] = {"last": {"x": 1}, "snever": {"x": 2}}
# Claims, and the secret pages that they open.
CLAIMS: tuple[tuple[dict[str, Any], frozenset[str]], ...] = (
    ({}, frozenset()),
    ({"beta": True}, frozenset({"sfirst"})),
    ({"plan": "pro"}, frozenset({"sgroup", "sinside", "sbelow", "slink"})),
    (
        {"beta": True, "plan": "pro"},
        frozenset({"sfirst", "sgroup", "sinside", "sbelow", "slink"}),
    ),
)  # fmt: skip


@dataclass
class Published:
    """The site, its space and what the space holds."""

    site: Site
    space: Space
    revision: Revision
    request: ChangeRequest
    preview: Revision
    paths: dict[str, str] = field(default_factory=dict)


def title_of(id: str) -> str:
    """The title of a page: those of secret pages say so."""
    return f"{SECRET} {id}" if id.startswith("s") else id.title()


def content_of_site(space_id: str, word: str = "apple") -> Changes:
    """The pages; every body has the word and a link to `guide`, that of `home` one to `sfirst`."""
    changes = Changes(variables={"edition": "pro"})
    orders = dict(zip((one[0] for one in PAGES), spread(len(PAGES)), strict=True))
    for id, kind, parent, condition in PAGES:
        page = Page(
            space_id=space_id, revision_id="", id=id, type=kind, title=title_of(id),
            parent_id=parent, order=orders[id], condition=condition,
            slug=None if kind is LINK else id, variables=VARIABLES.get(id, {}),
        )  # fmt: skip
        if kind is DOCUMENT:
            text = f"# {title_of(id)} part\n\nThe {word} of {title_of(id)}, see [it](guide).\n"
            if id == "home":
                text += f"\nAnd [that](first).\n\n{WITHHELD}"
            targets = {"guide": _page("guide"), "first": _page("sfirst")}
            page.document_id = changes.add_document(
                text, parse_document(text, seed=id, resolve=targets.get)
            )
        if kind is LINK:
            page.target = {"kind": "url", "url": f"https://example.com/{SECRET}/{word}"}
        changes.pages[id] = page
    notice = f"A notice.\n\n{WITHHELD}"
    changes.contents["notice"] = ReusableContent(
        space_id=space_id, revision_id="", id="notice", title="Notice",
        document_id=changes.add_document(notice, parse_document(notice, seed="notice")),
    )  # fmt: skip
    changes.files["pdf"] = File(
        space_id=space_id, revision_id="", id="pdf", name="a.pdf", content_type="application/pdf",
        size=3, sha256="a" * 64,
    )  # fmt: skip
    return changes


# Part of the page `home`, for another edition.
OFFER = "An offer for others"
WITHHELD = f"""{{% if space.vars.edition == "basic" %}}
{OFFER}.
{{% endif %}}
"""


def _page(id: str) -> dict[str, Any]:
    return {"kind": "page", "page": id}


async def publish(session: Session, world: World, **changes: Any) -> Published:
    """A published site with one space, and a change request that edits every page of it."""
    space = await factories.make_space(session, world.organization, title="Manual")
    revision = await write_revision(context(session), space.id, None, content_of_site(space.id))
    space.revision_id = revision.id
    await index_revision(context(session), space.id, None, revision)
    request = await factories.make_change_request(session, space, world.editor)
    edited = content_of_site(space.id, "pear")
    edited.variables = {"edition": "pro", "more": 1}
    for id, *_ in PAGES:
        edited.redirects[f"old/{id}"] = ContentRedirect(
            space_id=space.id, revision_id="", path=f"old/{id}", page_id=id
        )
    preview = await write_revision(context(session), space.id, revision, edited)
    request.revision_id = preview.id
    values = {
        "published": True, "adaptive_content": True, "previews": SitePreviews.ANYBODY, **changes
    }  # fmt: skip
    site = await factories.make_site(session, world.organization, space, **values)
    await settle(session)
    parents = {id: parent for id, _, parent, _ in PAGES}
    paths = {}
    for id in parents:
        way, at = [id], parents[id]
        while at is not None:
            way.insert(0, at)
            at = parents[at]
        paths[id] = "/".join(way)
    return Published(site, space, revision, request, preview, paths)


def visiting(session: Session, published: Published, claims: Mapping[str, Any]) -> Context:
    """The context of a visitor with these claims, who looks at the change request too."""
    visitor = Visitor(
        published.site.id,
        published.site.organization_id,
        space_ids=frozenset({published.space.id}),
        change_request_id=published.request.id,
        revision_id=published.preview.id,
        claims=claims,
    )
    return Context(Actor(visitor=visitor), session)


def seen_with(opened: frozenset[str]) -> list[str]:
    """Ids of the pages that are there when these secret ones are open, in order."""
    return [id for id, *_ in PAGES if not id.startswith("s") or id in opened]
