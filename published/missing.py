"""The page of a site that is shown where no page is."""

from content.html.markup import Html, element, escape, joined, safe_address
from published.assemble import address_of
from published.contents import contents_beside
from published.html.view import Link, Page
from published.look import Look
from published.references import References
from published.search import near_pages
from resolvers.core.context import Context
from resolvers.published.pages import read_published_space


async def missing_page(ctx: Context, look: Look) -> Page:
    """Says that there is no page at the address, and leads on: to pages that may be meant, and
    by the contents of the space. All of it is what this visitor may see."""
    content, words = look.content, look.words
    space = await read_published_space(ctx, content.space, content.shown_revision)
    near = await near_pages(ctx, look, content.pathname)
    parts = [element("p", escape(words.no_page_here))]
    if near:
        items = joined(element("li", _link(link)) for link in near)
        parts += [element("p", escape(words.near_pages)), element("ul", items)]
    home = Link(words.to_start_page, look.addresses.root or "/")
    parts.append(element("p", _link(home)))
    contents = []
    if space.tree:
        references = References(space.tree[0], space, look.addresses)
        contents = contents_beside(space.tree, None, lambda page: address_of(references, page))
    return Page(words.page_not_found, joined(parts), contents=contents, no_index=True)


def _link(link: Link) -> Html:
    return element("a", escape(link.title), href=safe_address(link.href or ""))
