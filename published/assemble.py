"""From what was read of a site to what its pages show: plain values for `published/html`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from content.documents.plain_text import plain_text
from content.html.document import Rendered
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.pages.layout_options import whole_layout
from db.content_enums import PageType
from jobs.rendering import Subject
from published.contents import breadcrumb, contents_beside
from published.html.view import Announcement, Link, Page, Site
from published.look import ICON_PATH, STYLE, Look
from published.page_actions import feedback_of, feeds_of, page_actions, scripts_of
from published.references import References
from resolvers.published.drafts import ShownDraft
from resolvers.published.pages import PublishedPage
from resolvers.revisions.rows import Page as PageRow


def site_view(look: Look) -> Site:
    """The part of the view that all pages of the site share."""
    settings, frame, addresses = look.settings, look.frame, look.addresses
    header, footer = settings.get("header") or {}, settings.get("footer") or {}
    themes = settings.get("themes") or {}
    logo = header.get("logo")
    icon = (settings.get("favicon") or {}).get("icon")
    language = frame.languages.get(look.content.space)
    return Site(
        title=settings.get("title") or frame.site.title,
        home=addresses.root or "/",
        style=f"{addresses.root}/{STYLE}/{look.style.name}.css",
        language=(settings.get("internationalization") or {}).get("locale", "en")
        if language is None
        else language.value,
        theme=None if themes.get("toggeable", True) else themes.get("default"),
        logo=(logo["light"], logo["dark"]) if logo else None,
        favicon=icon["light"] if icon else f"{addresses.root}/{ICON_PATH}",
        header=[_header_link(look, link) for link in header.get("links") or ()],
        sections=_sections(look),
        variants=_variants(look),
        footer=[
            Link(group["title"], links=tuple(_content_links(look, group.get("links") or ())))
            for group in footer.get("groups") or ()
        ],
        copyright=footer.get("copyright") or "",
        privacy=(settings.get("privacyPolicy") or {}).get("url"),
        announcement=_announcement(look),
        search=addresses.root or "/",
        external_in_new_tab=(settings.get("externalLinks") or {}).get("target") == "blank",
    )


# ------------------------------------------------------------------ links of the settings


def _target(look: Look, reference: Mapping[str, Any] | None) -> str | None:
    """Where a link of the settings leads; None where it leads nowhere any more."""
    if not reference:
        return None
    kind, space = reference.get("kind"), str(reference.get("space") or look.content.space)
    if kind == "url":
        return safe_address(str(reference.get("url")))
    if kind in ("page", "anchor"):
        page = look.frame.linked.get((space, str(reference.get("page"))))
        if page is None:
            return None
        return look.addresses.page(space, page.path, str(reference.get("anchor") or ""))
    if kind == "space" and space in look.addresses.spaces:
        return look.addresses.spaces[space] or "/"
    return None


def _content_links(look: Look, links: Iterable[Mapping[str, Any]]) -> Iterable[Link]:
    """Links that cannot be resolved are left out."""
    for link in links:
        href = _target(look, link.get("to"))
        if href is not None:
            yield Link(link["title"], href)


def _header_link(look: Look, item: Mapping[str, Any]) -> Link:
    return Link(
        item["title"],
        _target(look, item.get("to")),
        style=item.get("style") or "link",
        links=tuple(_content_links(look, item.get("links") or ())),
    )


def _announcement(look: Look) -> Announcement | None:
    announcement = look.settings.get("announcement")
    if not announcement or not announcement.get("enabled"):
        return None
    links = list(_content_links(look, [announcement["link"]] if announcement.get("link") else []))
    return Announcement(
        announcement["message"], announcement.get("style") or "info", links[0] if links else None
    )


# ------------------------------------------------------------------ structure


def _address_of(look: Look, section: Any) -> str | None:
    """Where a section begins: at the first of its spaces that is served there."""
    segments = look.frame.map.path_of(section.id, None)
    return None if segments is None else _below(look, segments)


def _below(look: Look, segments: Sequence[str]) -> str:
    return look.addresses.root + "".join(f"/{segment}" for segment in segments) or "/"


def _sections(look: Look) -> list[Link]:
    """Sections in their order, those of a group below its title; none where there is one."""
    order: list[Link | str] = []
    of_group: dict[str, list[Link]] = {}
    sections = look.frame.sections()
    for section in sections if len(sections) > 1 else ():
        current = section.id == look.content.site_section
        link = Link(section.title, _address_of(look, section), current)
        group = _top_group(look, section.group_id)
        if group is None:
            order.append(link)
        else:
            if group.id not in of_group:
                order.append(group.id)
            of_group.setdefault(group.id, []).append(link)
    return [item if isinstance(item, Link) else _menu(look, item, of_group[item]) for item in order]


def _menu(look: Look, group_id: str, links: Sequence[Link]) -> Link:
    current = any(link.current for link in links)
    return Link(look.frame.groups[group_id].title, None, current, links=tuple(links))


def _top_group(look: Look, group_id: str | None) -> Any | None:
    group = look.frame.groups.get(group_id or "")
    while group is not None and group.parent_id in look.frame.groups:
        group = look.frame.groups[group.parent_id]
    return group


def _variants(look: Look) -> list[Link]:
    """The other spaces of the section: versions, languages."""
    rows = look.frame.site_spaces(look.content.site_section)
    if len(rows) < 2:
        return []
    links = []
    for row in rows:
        language = look.frame.languages.get(row.space_id)
        links.append(
            Link(
                row.title,
                look.addresses.spaces.get(row.space_id, "") or "/",
                row.id == look.content.site_space,
                language=None if language is None else language.value,
            )
        )
    title = next((link.title for link in links if link.current), links[0].title)
    return [Link(title, None, True, links=tuple(links))]


# ------------------------------------------------------------------ one page


# What stands above the text of a page that could not be rendered, for readers and in previews.
UNRENDERED = "This page is too large to be laid out: this is its text only."
UNRENDERED_FOR_EDITORS = (
    "This page takes too long to be laid out, so readers get its text only. Divide it into several "
    "pages."
)


def subject_of(look: Look, shown: PublishedPage) -> Subject:
    """What is to be rendered of a page."""
    return Subject(
        look.content.site,
        shown.page.space_id,
        shown.document,
        shown.space.contents,
        References(shown.page, shown.space, look.addresses).resolve,
    )


def plain_page(shown: PublishedPage) -> Rendered:
    """The text of a page that cannot be rendered."""
    lines = (line for line in plain_text(shown.document).split("\n") if line.strip())
    notice = element("p", element("strong", escape(UNRENDERED)))
    return Rendered(joined([notice, *(element("p", escape(line)) for line in lines)]), ())


def page_view(
    look: Look, shown: PublishedPage, rendered: Rendered | None, draft: ShownDraft | None = None
) -> Page:
    """A page of the site; with its text alone where nothing was `rendered`."""
    row, tree, settings = shown.page, shown.space.tree, look.settings
    references = References(row, shown.space, look.addresses)
    preview = _preview(look, draft)
    if rendered is None:
        rendered = plain_page(shown)
        if preview is not None:
            message = f"{preview.message} {UNRENDERED_FOR_EDITORS}"
            preview = replace(preview, message=message)

    def address(page: PageRow) -> str | None:
        if page.type is PageType.LINK:
            return safe_address(references.resolve(dict(page.target or {})).href or "")
        return None if page.type is PageType.GROUP else references.address(page)

    layout = whole_layout(row.layout)
    pagination = (settings.get("pagination") or {}).get("enabled", True) and layout["pagination"]
    own = references.address(row)
    markdown = None
    if (settings.get("pageActions") or {}).get("markdown", True) and layout["actions"]:
        markdown = look.addresses.page(row.space_id, f"{row.path}.md")
    actions, feedback = page_actions(look, row, markdown), feedback_of(look, row)
    body = rendered.html if rendered.html.strip() else _pages_below(row, address)
    return Page(
        title=row.title,
        body=body,
        canonical=_canonical(look, own, draft),
        description=row.description or "",
        emoji=row.emoji or "",
        cover=_cover(references, row) if layout["cover"] else None,
        above=breadcrumb(tree, row, address),
        headings=rendered.headings if layout["outline"] else (),
        contents=contents_beside(tree, row, address) if layout["tableOfContents"] else (),
        previous=_link_to(shown.before, address) if pagination else None,
        next=_link_to(shown.behind, address) if pagination else None,
        updated=f"{row.updated_at:%Y-%m-%dT%H:%M:%SZ}"
        if row.updated_at is not None and layout["metadata"]
        else None,
        markdown=markdown,
        no_index=row.closed_to_crawlers or look.content.is_preview or look.content.signed,
        social=(settings.get("socialPreview") or {}).get("url"),
        show_title=layout["title"],
        show_description=layout["description"],
        wide=layout["width"] == "wide",
        preview=preview,
        actions=actions,
        feedback=feedback,
        feeds=feeds_of(own, rendered.uses),
        scripts=scripts_of(look, rendered.uses, actions, feedback is not None),
    )


def _canonical(look: Look, own: str, draft: ShownDraft | None) -> str | None:
    """The address of the published page; None where there is none of a draft's page."""
    if draft is None:
        return look.addresses.complete(own)
    if draft.path is None:
        return None
    return look.addresses.canonical_page(look.content.space, draft.path)


def _preview(look: Look, draft: ShownDraft | None) -> Announcement | None:
    """The announcement above a preview, with a link to the published page."""
    if draft is not None:
        if draft.number is None:
            what = "Preview of another revision."
        else:
            what = f"Preview of change request #{draft.number}."
        title = "Go to the site" if draft.path is None else "Go to the published page"
        address = look.addresses.canonical_page(look.content.space, draft.path or "")
        return Announcement(f"{what} This is not published.", "warning", Link(title, address))
    if look.content.signed:
        what = "Preview of the site for visitors with chosen claims."
        link = Link("Go to the published page", look.content.canonical_url)
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


def _cover(references: References, row: PageRow) -> tuple[str, bool] | None:
    reference = (row.cover or {}).get("ref")
    image = references.resolve(dict(reference)).image if reference else None
    return None if image is None else (image, row.layout.get("coverSize") == "full")


def _link_to(page: PageRow | None, address: Any) -> Link | None:
    return None if page is None else Link(page.title, address(page))
