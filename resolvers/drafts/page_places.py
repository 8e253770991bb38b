"""Slugs and places of pages in a draft (docs/content-model.md)."""

from dataclasses import replace

from content.errors import SlugError
from content.ordering import between, spread
from content.slugs import (
    RESERVED_FIRST_SEGMENTS,
    check_slug,
    is_made_from,
    slug_from_title,
    slug_key,
    unique_slug,
)
from db.content_enums import PageType
from resolvers.core.errors import BadRequest, Conflict, invalid, invalid_at
from resolvers.drafts.draft import Draft
from resolvers.drafts.page_inputs import PagePositionInput
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import Page

PARENTS = (PageType.DOCUMENT, PageType.GROUP)
WITH_SLUG = (PageType.DOCUMENT, PageType.GROUP)


async def check_parent(draft: Draft, page: Page, where: str) -> None:
    """Raise Invalid or PreconditionFailed when the page may not stand below its `parent_id`."""
    if page.parent_id is None:
        return
    parent = await draft.page(page.parent_id, where)
    if parent.type not in PARENTS:
        raise invalid(where, f"a {parent.type.value} page holds no pages; use a document or group")
    if page.type is PageType.GROUP:
        raise invalid(where, "groups stand at the top level only; use null")
    above = await draft.ancestors(parent)
    if page.id in (parent.id, *(ancestor.id for ancestor in above)):
        raise BadRequest.at(where, "a page cannot stand below itself")
    depth = len(above) + 2
    old = await draft.find_page(page.id)
    if old is not None and depth > len(await draft.ancestors(old)) + 1:
        depth += await _height(draft, page)
    if depth > content_limits.DEPTH:
        raise invalid(where, f"pages nest at most {content_limits.DEPTH} deep")


async def _height(draft: Draft, page: Page) -> int:
    """The number of levels below a page."""
    height, level = 0, [page]
    while level := await draft.below([page.id for page in level]):
        height += 1
    return height


async def chosen_slug(draft: Draft, page: Page, slug: str, where: str) -> str:
    """A slug that somebody chose for a page; Invalid when it is none, Conflict when taken."""
    with invalid_at(where, SlugError, without="slug: "):
        check_slug(slug, at_root=page.parent_id is None)
    other = await draft.at_slug(page.parent_id, slug)
    if other is not None and other.id != page.id:
        raise Conflict.at(where, f"{slug!r} is the slug of the page {other.id!r} beside it")
    return slug


async def made_slug(draft: Draft, page: Page, slug_wanted: str | None = None) -> str:
    """`slug_wanted`, or the slug of the page's title, with a number behind it if it is taken."""
    slug = slug_from_title(page.title) if slug_wanted is None else slug_wanted
    at_root = page.parent_id is None
    other = await draft.at_slug(page.parent_id, slug)
    if (other is None or other.id == page.id) and not (
        at_root and slug_key(slug) in RESERVED_FIRST_SEGMENTS
    ):
        return slug
    siblings = await draft.children(page.parent_id)
    slugs = {
        slug_key(sibling.slug)
        for sibling in siblings
        if sibling.slug is not None and sibling.id != page.id
    }
    return unique_slug(slug, slugs, at_root=at_root)


async def moved_slug(draft: Draft, page: Page, where: str) -> Page:
    """The page, whose `parent_id` is new, with a slug that is free there.

    Conflict when the slug was set by hand and is taken there, or kept for other things.
    """
    if page.slug is None:
        return page
    if not follows_title(page):
        other = await draft.at_slug(page.parent_id, page.slug)
        reserved = page.parent_id is None and slug_key(page.slug) in RESERVED_FIRST_SEGMENTS
        if reserved or (other is not None and other.id != page.id):
            problem = f"its slug {page.slug!r} is taken there; give it another one first"
            raise Conflict.at(where, problem)
        return page
    return replace(page, slug=await made_slug(draft, page, page.slug))


def follows_title(page: Page) -> bool:
    """Whether the slug of a page was made from its title, so that it changes with it."""
    return not page.slug_set and page.slug is not None and is_made_from(page.slug, page.title)


async def put_in_place(
    draft: Draft, page: Page, position: PagePositionInput | None, where: str
) -> Page:
    """Put a page, whose `parent_id` is set, among its siblings; the page with its sort key."""
    siblings = [
        sibling for sibling in await draft.children(page.parent_id) if sibling.id != page.id
    ]
    index = _index(draft, siblings, position, where)
    low = siblings[index - 1].order if index > 0 else None
    high = siblings[index].order if index < len(siblings) else None
    old = await draft.find_page(page.id)
    if (
        old is not None
        and old.parent_id == page.parent_id
        and (low is None or low < old.order)
        and (high is None or old.order < high)
    ):
        page = replace(page, order=old.order)
    else:
        try:
            page = replace(page, order=between(low, high))
        except ValueError:
            # Two siblings with one key, as a merge can leave them.
            page = replace(page, order="")
    if not page.order or len(page.order) > content_limits.KEY:
        keys = spread(len(siblings) + 1)
        page = replace(page, order=keys.pop(index))
        for sibling, order in zip(siblings, keys, strict=True):
            draft.put(replace(sibling, order=order), edited=False)
    draft.put(page, edited=False)
    return page


def _index(
    draft: Draft, siblings: list[Page], position: PagePositionInput | None, where: str
) -> int:
    """The number of siblings before the place; BadRequest for a place that is none."""
    if position is None:
        return len(siblings)
    ids = [sibling.id for sibling in siblings]
    before, after = position.before, position.after
    if position.index is not None:
        if before is not None or after is not None:
            raise invalid(f"{where}.index", "cannot be given together with `before` or `after`")
        if not 0 <= position.index <= len(ids):
            raise invalid(f"{where}.index", f"must be 0 to {len(ids)}")
        return position.index
    for name, id in (("before", before), ("after", after)):
        if id is not None and draft.named(id) not in ids:
            raise BadRequest.at(f"{where}.{name}", f"there is no page {id!r} beside it")
    if before is not None:
        index = ids.index(draft.named(before))
        if after is not None and (index == 0 or ids[index - 1] != draft.named(after)):
            problem = "nothing may stand between `after` and `before`, in this order"
            raise BadRequest.at(where, problem)
        return index
    return len(ids) if after is None else ids.index(draft.named(after)) + 1
