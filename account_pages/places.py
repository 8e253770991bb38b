"""What addresses of the application lead to (`urls.app`): what the object is called, where it
belongs, and where it is read or worked on."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response
from strawberry import ID

from account_pages.account import pager
from account_pages.html import heading, moment
from account_pages.visits import Visit
from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined
from db.content_enums import PageType
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.specifications import Specification
from resolvers.addresses.sites import site_urls
from resolvers.addresses.spaces import space_urls
from resolvers.change_requests.operations import get_change_request
from resolvers.content.pages import children_of_pages, get_page_by_path, top_pages_of_revisions
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.runners import read
from resolvers.organizations.operations import get_organization
from resolvers.revisions.read_targets import get_revision
from resolvers.revisions.rows import Page
from resolvers.sites.operations import get_site
from resolvers.spaces.collections import get_collection
from resolvers.spaces.operations import get_space
from resolvers.specifications.fields import specification_urls
from resolvers.specifications.operations import get_specification

# The path and the title of something that a place belongs to.
Crumb = tuple[str, str]
# Pages of a list.
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Lead:
    """Where somebody may go on; `path` begins with a slash on this server, else with a scheme."""

    path: str
    label: str
    about: str


READ = "Read it on its site"
GRAPHIQL = Lead("/graphql", "GraphiQL", "work on it with queries and mutations")


def _id(visit: Visit, name: str) -> ID:
    """The id with a name in the address."""
    return ID(visit.request.path_params[name])


async def organization(visit: Visit) -> Response:
    """An organization."""
    async with visit.as_person() as ctx:
        row = await read(ctx, get_organization, _id(visit, "organization"))
    return _place(visit, "Organization", row.title, [], [GRAPHIQL])


async def site(visit: Visit) -> Response:
    """A site of an organization."""

    async def look(ctx: Context) -> tuple[str, list[Crumb], str | None]:
        row = await get_site(ctx, _id(visit, "site"), _id(visit, "organization"))
        (urls,) = await site_urls(ctx, [row], None)
        return row.title, [await _organization(ctx, row.organization_id)], urls.published

    async with visit.as_person() as ctx:
        title, above, published = await read(ctx, look)
    return _place(visit, "Site", title, above, _leads(published, "Read the site"))


async def specification(visit: Visit) -> Response:
    """An OpenAPI specification of an organization, by its slug."""

    async def look(ctx: Context) -> tuple[Specification, list[Crumb], str | None]:
        row = await get_specification(ctx, _id(visit, "organization"), _id(visit, "slug"))
        (urls,) = await specification_urls(ctx, [row], None)
        return row, [await _organization(ctx, row.organization_id)], urls.published

    async with visit.as_person() as ctx:
        row, above, published = await read(ctx, look)
    leads = _leads(published, "Read the document")
    return _place(visit, "OpenAPI specification", row.slug, above, leads)


async def collection(visit: Visit) -> Response:
    """A collection of spaces."""

    async def look(ctx: Context) -> tuple[str, list[Crumb]]:
        row = await get_collection(ctx, _id(visit, "collection"))
        return row.title, [await _organization(ctx, row.organization_id)]

    async with visit.as_person() as ctx:
        title, above = await read(ctx, look)
    return _place(visit, "Collection", title, above, [GRAPHIQL])


async def space(visit: Visit) -> Response:
    """A space, with its pages at the top level."""

    async def look(ctx: Context) -> tuple[_Space, Slice[Page]]:
        there = await _space(ctx, visit)
        newest = await get_revision(ctx, ID(there.id))
        (pages,) = await top_pages_of_revisions(ctx, [newest], _portion(visit))
        return there, pages

    async with visit.as_person() as ctx:
        there, pages = await read(ctx, look)
    leads = _leads(there.published, READ)
    return _place(visit, "Space", there.title, there.above[:1], leads, pages=pages)


async def change_request(visit: Visit) -> Response:
    """A change request of a space, by its number or its id."""

    async def look(ctx: Context) -> tuple[_Space, ChangeRequest]:
        there = await _space(ctx, visit)
        return there, await get_change_request(ctx, ID(there.id), _id(visit, "change_request"))

    async with visit.as_person() as ctx:
        there, request = await read(ctx, look)
    status = request.status.value.replace("_", " ")
    title = request.subject or f"Change request {request.number}"
    kind = f"Change request #{request.number} ({status})"
    return _place(visit, kind, title, there.above, [GRAPHIQL])


async def revision(visit: Visit) -> Response:
    """A revision of a space."""

    async def look(ctx: Context) -> tuple[_Space, Revision]:
        there = await _space(ctx, visit)
        return there, await get_revision(ctx, ID(there.id), _id(visit, "revision"))

    async with visit.as_person() as ctx:
        there, row = await read(ctx, look)
    title, about = f"Revision {row.id}", moment(row.created_at)
    return _place(visit, "Revision", title, there.above, [GRAPHIQL], about=about)


async def page(visit: Visit) -> Response:
    """A page of a space, by its path; former paths lead to it, too."""
    path = visit.request.path_params["path"].strip("/")
    if not path:
        return await space(visit)

    async def look(ctx: Context) -> tuple[_Space, Page, Slice[Page]]:
        there = await _space(ctx, visit)
        row = await get_page_by_path(ctx, ID(there.id), path)
        (pages,) = await children_of_pages(ctx, [row], _portion(visit))
        return there, row, pages

    async with visit.as_person() as ctx:
        there, row, pages = await read(ctx, look)
    published = there.published and f"{there.published.rstrip('/')}/{quote(row.path)}"
    return _place(
        visit, "Page", row.title, there.above, _leads(published, READ),
        about=escape(row.description or ""), pages=pages, below=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Space:
    """The space of an address, what leads to it from its organization, itself the last, and where
    readers find it."""

    id: str
    title: str
    above: list[Crumb]
    published: str | None


async def _space(ctx: Context, visit: Visit) -> _Space:
    row = await get_space(ctx, _id(visit, "space"))
    (urls,) = await space_urls(ctx, [row], None)
    above = [await _organization(ctx, row.organization_id), (f"/s/{row.id}", row.title)]
    return _Space(row.id, row.title, above, urls.published)


async def _organization(ctx: Context, id: str) -> Crumb:
    row = await get_organization(ctx, ID(id))
    return f"/o/{row.id}", row.title


def _leads(published: str | None, label: str) -> list[Lead]:
    """Where to go on; first to what readers see, if they see it."""
    if published is None:
        return [GRAPHIQL]
    return [Lead(published, label, "as its readers see it"), GRAPHIQL]


def _portion(visit: Visit) -> PageArguments:
    return PageArguments(first=SHOWN, after=visit.request.query_params.get("after"))


def _place(
    visit: Visit,
    kind: str,
    title: str,
    above: Sequence[Crumb],
    leads: Sequence[Lead],
    *,
    about: Html = EMPTY,
    pages: Slice[Page] | None = None,
    below: bool = False,
) -> Response:
    parts = [heading(title, kind)]
    if above:
        crumbs = [
            element(
                "li", element("a", escape(name), href=visit.prefix + path, dir=direction_of(name))
            )
            for path, name in above
        ]
        trail = element("ol", joined(crumbs), class_="trail")
        parts.insert(0, element("nav", trail, aria_label="Where it belongs"))
    if about:
        parts.append(element("p", about))
    parts.append(element("ul", joined(_lead(visit, lead) for lead in leads), class_="leads"))
    if pages is not None and pages.rows:
        items = [element("li", _page_link(visit, row)) for row in pages.rows]
        label = "Pages below" if below else "Pages"
        parts += [
            element("h2", escape(label)), element("ul", joined(items), class_="rows"),
            pager(visit, pages),
        ]  # fmt: skip
    return visit.page(title, joined(parts))


def _page_link(visit: Visit, row: Page) -> Html:
    if row.type not in (PageType.DOCUMENT, PageType.GROUP):
        # A link has no path, and computed pages are not there before they are computed.
        return element("span", escape(row.title), dir=direction_of(row.title))
    path = f"{visit.prefix}/s/{row.space_id}/{quote(row.path)}"
    return element("a", escape(row.title), href=path, dir=direction_of(row.title))


def _lead(visit: Visit, lead: Lead) -> Html:
    href = visit.prefix + lead.path if lead.path.startswith("/") else lead.path
    link = element("a", escape(lead.label), href=href)
    return element("li", joined([link, element("span", escape(f" {lead.about}"))]))
