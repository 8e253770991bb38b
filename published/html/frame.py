"""The HTML of a whole page of a published site: it works without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from content.html.directions import direction_of
from content.html.inlines import emoji_text
from content.html.markup import EMPTY, Html, classes, element, escape, joined, safe_address
from content.html.rendering import Heading
from published.html.page_parts import feedback_form, head_parts, page_actions
from published.html.view import Announcement, Entry, Link, Page, Site

CONTENT, CONTENTS, SWITCH = "content", "contents", "contents-switch"


def render_page(site: Site, page: Page) -> str:
    """The HTML file of a page."""
    body = joined(
        [
            element("a", escape("Skip to content"), href=f"#{CONTENT}", class_="skip"),
            _notice(page.preview, site, "Preview"),
            _notice(site.announcement, site, "Announcement"),
            _header(site, page),
            element("div", joined([_contents(page), _main(site, page), _outline(page.headings)]),
                    class_="layout"),
            _footer(site),
        ]
    )  # fmt: skip
    html = element(
        "html",
        joined([element("head", _head(site, page)), element("body", body)]),
        lang=site.language,
        data_theme=site.theme,
    )
    return f"<!doctype html>{html}"


def _head(site: Site, page: Page) -> Html:
    title = page.title if page.title == site.title else f"{page.title} | {site.title}"
    parts = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", escape(title), dir=direction_of(title)),
        element("meta", name="description", content=page.description)
        if page.description
        else EMPTY,
        element("meta", name="robots", content="noindex") if page.no_index else EMPTY,
        element("link", rel="stylesheet", href=safe_address(site.style)),
        _link_to("icon", site.favicon),
        *head_parts(page),
        element("meta", property="og:title", content=page.title),
        element("meta", property="og:image", content=page.social) if page.social else EMPTY,
    ]
    parts += [
        _link_to("canonical", page.canonical),
        _link_to("alternate", page.markdown, type="text/markdown"),
        *(_link_to("alternate", href, hreflang=language) for language, href in page.languages),
    ]
    return joined(parts)


def _link_to(relation: str, address: str | None, **attributes: str) -> Html:
    safe = safe_address(address or "")
    return element("link", rel=relation, href=safe, **attributes) if safe else EMPTY


def _notice(announcement: Announcement | None, site: Site, label: str) -> Html:
    if announcement is None:
        return EMPTY
    parts = [element("span", escape(announcement.message), dir=direction_of(announcement.message))]
    if announcement.link is not None:
        parts.append(_link(announcement.link, site))
    return element(
        "aside", joined(parts), class_=f"announcement {announcement.style}", aria_label=label
    )


# ------------------------------------------------------------------ header and footer


def _header(site: Site, page: Page) -> Html:
    parts = [
        element(
            "a",
            _brand(site),
            href=safe_address(site.home),
            dir=direction_of(site.title),
            class_="brand",
        ),
        _search_box(site, page.query),
        _menu(site.header, "Links", "header-links", site),
    ]
    rows = [element("div", joined(parts), class_="bar")]
    below = [
        _menu(site.sections, "Sections", "sections", site),
        _menu(site.variants, "Variants", "variants", site),
    ]
    if any(below):
        rows.append(element("div", joined(below), class_="bar tabs"))
    return element("header", joined(rows), class_="site-header")


def _brand(site: Site) -> Html:
    if site.logo is None:
        return escape(site.title)
    light, dark = site.logo
    return joined(
        [
            element("img", src=safe_address(light), alt=site.title, class_="for-light"),
            element("img", src=safe_address(dark), alt=site.title, class_="for-dark"),
        ]
    )


def _search_box(site: Site, query: str) -> Html:
    if site.search is None:
        return EMPTY
    field = element(
        "input", type="search", name="q", value=query, placeholder="Search",
        aria_label="Search", maxlength=512, required=True,
    )  # fmt: skip
    button = element("button", escape("Search"), type="submit", class_="visually-hidden")
    return element(
        "form", joined([field, button]), action=safe_address(site.search), method="get",
        role="search",
        class_="search",
    )  # fmt: skip


def _menu(links: Sequence[Link], label: str, name: str, site: Site) -> Html:
    if not links:
        return EMPTY
    items = joined(_menu_item(link, site) for link in links)
    return element("nav", element("ul", items), class_=name, aria_label=label)


def _menu_item(link: Link, site: Site) -> Html:
    if not link.links:
        return element("li", _link(link, site))
    inner = joined(element("li", _link(item, site)) for item in _flat(link))
    summary = element(
        "summary",
        escape(link.title),
        dir=direction_of(link.title),
        class_="current" if link.current else None,
    )
    return element("li", element("details", joined([summary, element("ul", inner)])))


def _flat(link: Link) -> Iterable[Link]:
    """The links below one, those of titles among them included: menus have one level."""
    if link.href is not None:
        yield Link(link.title, link.href, link.current, link.style)
    for item in link.links:
        if item.links:
            yield from _flat(item)
        else:
            yield item


def _link(link: Link, site: Site) -> Html:
    if link.href is None:
        return element("span", escape(link.title), dir=direction_of(link.title))
    address = safe_address(link.href)
    away = site.external_in_new_tab and not (address or "").startswith(("/", "#", site.home))
    return element(
        "a",
        escape(link.title),
        href=address,
        dir=direction_of(link.title),
        class_=classes(link.style if link.style != "link" else "", "current" * link.current),
        aria_current="page" if link.current else None,
        hreflang=link.language,
        target="_blank" if away else None,
        rel="noopener" if away else None,
    )


def _footer(site: Site) -> Html:
    groups = [
        element(
            "div",
            joined(
                [
                    element("h2", escape(group.title), dir=direction_of(group.title)),
                    element("ul", joined(element("li", _link(item, site)) for item in group.links)),
                ]
            ),
        )
        for group in site.footer
    ]
    last = []
    if site.copyright:
        direction = direction_of(site.copyright)
        last.append(element("span", escape(site.copyright), dir=direction))
    if site.privacy:
        last.append(element("a", escape("Privacy"), href=safe_address(site.privacy)))
    if last:
        groups.append(element("p", joined(last)))
    return element("footer", joined(groups), class_="site-footer") if groups else EMPTY


# ------------------------------------------------------------------ around the text


def _contents(page: Page) -> Html:
    if not page.contents:
        return EMPTY
    switch = element("input", type="checkbox", id=SWITCH, aria_controls=CONTENTS)
    label = element("label", escape("Table of contents"), for_=SWITCH)
    entries = _entries(page.contents)
    nav = element("nav", entries, id=CONTENTS, aria_label="Table of contents")
    return element("div", joined([switch, label, nav]), class_="contents")


def _entries(entries: Sequence[Entry]) -> Html:
    return element("ul", joined(element("li", _entry(entry)) for entry in entries))


def _entry(entry: Entry) -> Html:
    text = joined([_emoji(entry.emoji), escape(entry.title)])
    direction = direction_of(entry.title)
    if entry.href is None:
        line = element("span", text, dir=direction, class_="group")
    else:
        line = element(
            "a",
            text,
            href=safe_address(entry.href),
            dir=direction,
            class_=classes("folded" * entry.folded, "away" * entry.external),
            aria_current="page" if entry.current else None,
        )
    return joined([line, _entries(entry.entries) if entry.entries else EMPTY])


def _emoji(emoji: str) -> Html:
    """An emoji before a title, which may be given by its code points."""
    shown = (emoji_text(emoji) if len(emoji) >= 4 else "") or emoji
    return element("span", escape(shown), class_="emoji", aria_hidden="true") if shown else EMPTY


def _outline(headings: Sequence[Heading]) -> Html:
    shown = [heading for heading in headings if heading.text and heading.level <= 2]
    if len(shown) < 2:
        return EMPTY
    top = min(heading.level for heading in shown)
    items = joined(
        element(
            "li",
            element("a", escape(heading.text), href=f"#{heading.id}"),
            dir=direction_of(heading.text),
            class_=f"level-{heading.level - top + 1}",
        )
        for heading in shown
    )
    title = element("h2", escape("On this page"), id="outline")
    nav = element("nav", joined([title, element("ul", items)]), aria_labelledby="outline")
    return element("aside", nav, class_="outline")


def _main(site: Site, page: Page) -> Html:
    above = [element("li", _link(link, site)) for link in page.above]
    parts = [
        element("nav", element("ol", joined(above)), class_="above", aria_label="Breadcrumb")
        if above
        else EMPTY,
        _cover(page),
        _title(page),
        page_actions(page.actions),
        element("div", page.body, class_="document"),
        feedback_form(page.feedback),
        _beside(page, site),
        _end(page),
    ]
    return element(
        "main", element("article", joined(parts)), id=CONTENT, class_="wide" if page.wide else None
    )


def _cover(page: Page) -> Html:
    if page.cover is None:
        return EMPTY
    src, full = page.cover
    return element("img", src=safe_address(src), alt="", class_="cover full" if full else "cover")


def _title(page: Page) -> Html:
    title = element(
        "h1",
        joined([_emoji(page.emoji), escape(page.title)]),
        dir=direction_of(page.title),
        class_=None if page.show_title else "visually-hidden",
    )
    if not page.description or not page.show_description:
        return element("header", title)
    description = element(
        "p",
        escape(page.description),
        dir=direction_of(page.description),
        class_="description",
    )
    return element("header", joined([title, description]))


def _beside(page: Page, site: Site) -> Html:
    links = []
    for link, label, rel in ((page.previous, "Previous", "prev"), (page.next, "Next", "next")):
        if link is not None:
            title = element("strong", escape(link.title), dir=direction_of(link.title))
            text = joined([element("span", escape(label)), title])
            links.append(
                element("a", text, href=safe_address(link.href or ""), rel=rel, class_=rel)
            )
    if not links:
        return EMPTY
    return element("nav", joined(links), class_="beside", aria_label="Previous and next page")


def _end(page: Page) -> Html:
    parts = []
    if page.updated:
        shown = element("time", escape(page.updated[:10]), datetime=page.updated)
        parts.append(element("span", joined([escape("Last updated "), shown])))
    for feed in page.feeds:
        parts.append(element("a", escape(feed.title), href=safe_address(feed.href)))
    return element("p", joined(parts), class_="page-end") if parts else EMPTY
