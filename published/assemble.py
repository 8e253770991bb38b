"""From what was read of a page to what it shows: plain values for `published/html`."""

from dataclasses import replace
from typing import Any

from content.documents.alerts import with_alerts
from content.documents.plain_text import plain_text
from content.html.document import Rendered
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.pages.layout_options import whole_layout
from db.content_enums import PageType
from jobs.rendering import Subject
from published import metadata
from published.contents import breadcrumb, contents_beside
from published.html.view import Announcement, Cover, Link, Page, SiteScripts
from published.look import Look
from published.page_actions import (
    blocks_address,
    feedback_of,
    feeds_of,
    page_actions,
    scripts_of,
)
from published.references import References
from published.requests import requests_address
from resolvers.published.drafts import ShownDraft
from resolvers.published.pages import PublishedPage
from resolvers.revisions.rows import Page as PageRow


def subject_of(look: Look, shown: PublishedPage) -> Subject:
    """What is to be rendered of a page."""
    return Subject(
        look.content.site,
        shown.page.space_id,
        shown.document,
        shown.space.contents,
        _references(look, shown).resolve,
        look.words.language,
        requests_address(look, shown.page.space_id, shown.page.path),
        blocks_address(look, shown.page.space_id, shown.page.path),
    )


def _references(look: Look, shown: PublishedPage) -> References:
    away = (look.settings.get("externalLinks") or {}).get("target") == "blank"
    return References(shown.page, shown.space, look.addresses, away)


def plain_page(look: Look, shown: PublishedPage) -> Rendered:
    """The text of a page that cannot be rendered."""
    lines = (line for line in plain_text(with_alerts(shown.document)).split("\n") if line.strip())
    notice = element("p", element("strong", escape(look.words.text_only)))
    return Rendered(joined([notice, *(element("p", escape(line)) for line in lines)]), ())


def page_view(
    look: Look,
    shown: PublishedPage,
    rendered: Rendered | None,
    draft: ShownDraft | None = None,
    foreign: SiteScripts | None = None,
) -> Page:
    """A page of the site; with its text alone where nothing was `rendered`."""
    row, tree, settings = shown.page, shown.space.tree, look.settings
    references, words = _references(look, shown), look.words
    preview = _preview(look, draft)
    if rendered is None:
        rendered = plain_page(look, shown)
        if preview is not None:
            message = f"{preview.message} {words.text_only_for_editors}"
            preview = replace(preview, message=message)

    def address(page: PageRow) -> str | None:
        return address_of(references, page)

    layout = whole_layout(row.layout)
    pagination = (settings.get("pagination") or {}).get("enabled", True) and layout["pagination"]
    own = references.address(row)
    canonical = _canonical(look, own, draft)
    markdown = None
    if (settings.get("pageActions") or {}).get("markdown", True) and layout["actions"]:
        markdown = look.addresses.page(row.space_id, f"{row.path}.md")
    actions, feedback = page_actions(look, row, markdown), feedback_of(look, row)
    body = rendered.html if rendered.html.strip() else _pages_below(row, address)
    cover = _cover(references, row) if layout["cover"] else None
    view = Page(
        title=row.title,
        title_ids=rendered.title_ids,
        body=body,
        canonical=canonical,
        description=row.description or "",
        emoji=row.emoji or "",
        cover=cover,
        above=breadcrumb(tree, row, address),
        headings=rendered.headings if layout["outline"] else (),
        contents=contents_beside(tree, row, address) if layout["tableOfContents"] else (),
        previous=_link_to(shown.before, address) if pagination else None,
        next=_link_to(shown.behind, address) if pagination else None,
        updated=f"{row.updated_at:%Y-%m-%dT%H:%M:%SZ}"
        if row.updated_at is not None and layout["metadata"]
        else None,
        markdown=markdown,
        # One of the actions, where they are shown.
        edit=None if layout["actions"] else _edit_link(look, row),
        no_index=row.closed_to_crawlers or look.content.is_preview or look.content.signed,
        languages=metadata.languages(look, canonical) if draft is None else (),
        social=metadata.social_picture(look, cover),
        summary="" if row.description else metadata.summary_of(shown.document),
        show_title=layout["title"],
        show_description=layout["description"],
        wide=layout["width"] == "wide",
        preview=preview,
        actions=actions,
        feedback=feedback,
        feeds=feeds_of(look, own, rendered.uses),
        scripts=scripts_of(look, rendered.uses, actions, feedback is not None, foreign is not None),
        site_scripts=foreign,
    )
    return replace(view, structured=metadata.structured(look, view))


def address_of(references: References, page: PageRow) -> str | None:
    """Where a page of the table of contents leads; None for groups, and where that is nowhere."""
    if page.type is PageType.LINK:
        return safe_address(references.resolve(dict(page.target or {})).href or "")
    return None if page.type is PageType.GROUP else references.address(page)


def _canonical(look: Look, own: str, draft: ShownDraft | None) -> str | None:
    """The address of the published page; None where there is none of a draft's page."""
    if draft is None:
        return look.addresses.complete(own)
    if draft.path is None:
        return None
    return look.addresses.canonical_page(look.content.space, draft.path)


def _preview(look: Look, draft: ShownDraft | None) -> Announcement | None:
    """The announcement above a preview, with a link to the published page."""
    words = look.words
    if draft is not None:
        if draft.number is None:
            what = words.preview_of_revision
        else:
            what = words.preview_of_change_request.format(number=draft.number)
        title = words.to_site if draft.path is None else words.to_published_page
        address = look.addresses.canonical_page(look.content.space, draft.path or "")
        return Announcement(f"{what} {words.not_published}", "warning", Link(title, address))
    if look.content.signed:
        link = Link(words.to_published_page, look.content.canonical_url)
        looks = look.content.visitor.customization is not None
        what = words.not_published if looks else words.preview_for_claims
        return Announcement(what, "warning", link)
    return None


def _pages_below(row: PageRow, address: Any) -> Html:
    """The body of a page without content: links to its subpages."""
    items = [
        element("li", element("a", escape(page.title), href=address(page)))
        for page in row.children or []
        if not page.hidden and address(page) is not None
    ]
    return element("ul", joined(items)) if items else EMPTY


def _cover(references: References, row: PageRow) -> Cover | None:
    reference = (row.cover or {}).get("ref")
    target = references.resolve(dict(reference)) if reference else None
    if target is None or target.image is None:
        return None
    full = row.layout.get("coverSize") == "full"
    return Cover(target.image, full, target.width, target.height)


def _link_to(page: PageRow | None, address: Any) -> Link | None:
    return None if page is None else Link(page.title, address(page))


def _edit_link(look: Look, row: PageRow) -> Link | None:
    """The source of the page, where it came from a repository that says where it is."""
    if not (look.settings.get("git") or {}).get("showEditLink"):
        return None
    url = (row.git or {}).get("url")
    return Link(look.words.edit_page, str(url)) if url else None
