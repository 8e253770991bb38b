"""Operations on pages of a draft: create, update, rename, move and delete."""

from dataclasses import replace
from typing import Any

from strawberry import Maybe

from content.pages.front_matter import MAX_FRONT_MATTER_BYTES, other_extra
from content.script_addresses import ALLOWED, runs_script
from db.content_enums import PageType
from resolvers.core.errors import invalid
from resolvers.drafts.bodies import write_body, write_markdown_body
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import Links, Owner
from resolvers.drafts.operation_inputs import (
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
    UpdatePageInput,
)
from resolvers.drafts.page_fields import check_fields, read_title, with_fields
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.drafts.page_markdown import PageMarkdown, read_page_markdown
from resolvers.drafts.page_places import (
    WITH_SLUG,
    check_parent,
    chosen_slug,
    follows_title,
    made_slug,
    moved_slug,
    put_in_place,
)
from resolvers.revisions.rows import Page

UNTITLED = "Untitled"


async def create_page(draft: Draft, input: CreatePageInput, where: str) -> Page:
    """A new page at its place."""
    type = PageType(input.type.value)
    check_fields(type, input, where)
    if type is PageType.LINK and input.target is None:
        raise invalid(f"{where}.target", "is required for a link")
    text = await _markdown(draft, input.body, where)
    now = draft.ctx.now()
    page = Page(
        space_id=draft.space_id,
        revision_id="",
        id=draft.refs[f"ref:{input.ref}"] if input.ref is not None else draft.work.id_of(where),
        type=type,
        title=read_title(_first(_own(text), input.title, UNTITLED), f"{where}.title"),
        parent_id=None if input.parent is None else draft.named(input.parent),
        order="",
        created_at=now,
        updated_at=now,
    )
    await check_parent(draft, page, f"{where}.parent")
    page = await with_fields(draft, page, input, where)
    page = await _with_slug(draft, page, input.slug, f"{where}.slug")
    page = await put_in_place(draft, page, input.position, f"{where}.position")
    page = await _with_body(draft, page, input.body, text, where)
    draft.put(page, edited=False)
    return page


async def update_page(draft: Draft, input: UpdatePageInput, where: str) -> Page:
    """Change fields and the body of a page."""
    old = await draft.page(input.page, f"{where}.page")
    text = await _markdown(draft, input.body, where)
    page = await with_fields(draft, old, input, where)
    title = _first(_own(text), None if input.title is None else input.title.value)
    page = await _renamed(draft, page, title, input.slug, where)
    page = await _with_body(draft, page, input.body, text, where)
    draft.put(page)
    return page


async def rename_page(draft: Draft, input: RenamePageInput, where: str) -> Page:
    """Give a page another title or slug."""
    old = await draft.page(input.page, f"{where}.page")
    title = _first(None if input.title is None else input.title.value)
    page = await _renamed(draft, old, title, input.slug, where)
    draft.put(page)
    return page


async def move_page(draft: Draft, input: MovePageInput, where: str) -> Page:
    """Put a page somewhere else; what is below it moves along."""
    page = await draft.page(input.page, f"{where}.page")
    if input.parent is not None:
        parent = input.parent.value
        parent_id = None if parent is None else draft.named(parent)
        if parent_id != page.parent_id:
            page = replace(page, parent_id=parent_id)
            await check_parent(draft, page, f"{where}.parent")
            page = await moved_slug(draft, page, f"{where}.page")
    return await put_in_place(draft, page, input.position, f"{where}.position")


async def delete_page(draft: Draft, input: DeletePageInput, where: str) -> None:
    """Delete a page and everything below it."""
    await draft.remove(await draft.page(input.page, f"{where}.page"))


def _own(text: PageMarkdown | None) -> str | None:
    """The title that a text has itself."""
    return None if text is None else text.title


def _first(*values: str | None) -> str:
    return next((value for value in values if value), "")


async def _markdown(draft: Draft, body: PageBodyInput | None, where: str) -> PageMarkdown | None:
    markdown = None if body is None else body.markdown
    if markdown is None:
        return None
    place = f"{where}.body.markdown"
    key = ("front matter", place)
    # The body itself is not worked on here.
    size = min(len(markdown), MAX_FRONT_MATTER_BYTES) if markdown.startswith("---") else 0
    return await draft.work.do(size, lambda: read_page_markdown(markdown, place), key)


async def _renamed(
    draft: Draft, page: Page, title: str, slug: Maybe[str | None], where: str
) -> Page:
    """The page with another title ("" = the present one) and the slug that goes with it."""
    follows = follows_title(page)
    if title:
        page = replace(page, title=read_title(title, f"{where}.title"))
    if slug is not None:
        if page.type not in WITH_SLUG:
            raise invalid(f"{where}.slug", f"a {page.type.value} page has none")
        return await _with_slug(draft, page, slug, f"{where}.slug")
    if title and follows and not follows_title(page):
        page = replace(page, slug=await made_slug(draft, page))
    return page


async def _with_slug(draft: Draft, page: Page, slug: Maybe[str | None], where: str) -> Page:
    if page.type not in WITH_SLUG:
        return page
    if slug is not None and slug.value is not None:
        chosen = await chosen_slug(draft, page, slug.value, where)
        return replace(page, slug=chosen, slug_set=True)
    return replace(page, slug=await made_slug(draft, page), slug_set=False)


async def _with_body(
    draft: Draft, page: Page, body: PageBodyInput | None, text: PageMarkdown | None, where: str
) -> Page:
    if body is None:
        return page
    owner = Owner.of(page, await draft.path_of(page))
    if text is None:
        document_id = await write_body(draft, owner, body, f"{where}.body")
        return replace(page, document_id=document_id)
    page = await _with_front_matter(draft, page, text, Links(draft, owner), where)
    return replace(
        page,
        document_id=await write_markdown_body(draft, owner, text.body, f"{where}.body.markdown"),
    )


async def _with_front_matter(
    draft: Draft, page: Page, text: PageMarkdown, links: Links, where: str
) -> Page:
    fields = dict(text.fields)
    set_fields = {**fields, "cover": text.cover} if text.cover is not None else fields
    fields["extra"] = {**other_extra(page.extra, set_fields), **text.extra}
    if text.cover is not None:
        cover: dict[str, Any] = dict(text.cover)
        names = [name for name in ("ref", "refDark") if isinstance(cover.get(name), str)]
        for name in names:
            links(cover[name])
        if links.missing or links.elsewhere:
            await links.look_up(None)
        for name in names:
            if runs_script(cover[name]):
                raise invalid(where, f"cover: an address {ALLOWED}")
            cover[name] = links(cover[name]) or {"kind": "url", "url": cover[name]}
        fields["cover"] = cover
    return replace(page, **fields)
