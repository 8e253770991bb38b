"""The HTML of a whole page of a published site.

It can be read, searched and navigated as it is; a script of ours adds what readers expect beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from content.html.directions import direction_of
from content.html.inlines import emoji_text, image_element
from content.html.markup import (
    EMPTY,
    Html,
    classes,
    element,
    escape,
    joined,
    old_anchors,
    safe_address,
)
from content.html.rendering import Heading
from published.html.bars import footer, header, link_of, notice
from published.html.head import head
from published.html.page_parts import feedback_form, page_actions, site_scripts
from published.html.translations import direction
from published.html.view import Entry, Page, Site

# No heading has an id with a colon.
CONTENT, CONTENTS, SWITCH = "site:content", "site:contents", "site:contents-switch"
OUTLINE = "site:outline"


def render_page(site: Site, page: Page) -> str:
    """The HTML file of a page."""
    words = site.words
    body = joined(
        [
            element("a", escape(words.skip_to_content), href=f"#{CONTENT}", class_="skip"),
            notice(page.preview, site, words.preview),
            notice(site.announcement, site, words.announcement),
            header(site, page),
            element("div", joined([_contents(site, page), _main(site, page),
                                   _outline(site, page.headings)]), class_="layout"),
            footer(site),
            site_scripts(page.site_scripts, site),
        ]
    )  # fmt: skip
    html = element(
        "html",
        joined([element("head", head(site, page)), element("body", body)]),
        lang=site.language,
        dir=direction(site.language),
        class_=classes(*site.looks),
        data_theme=site.theme,
        data_themes="chosen" if site.may_choose_theme else None,
    )
    return f"<!doctype html>{html}"


# ------------------------------------------------------------------ around the text


def _contents(site: Site, page: Page) -> Html:
    if not page.contents:
        return EMPTY
    switch = element("input", type="checkbox", id=SWITCH, aria_controls=CONTENTS)
    title = site.words.table_of_contents
    label = element("label", escape(title), for_=SWITCH)
    entries = _entries(page.contents)
    nav = element("nav", entries, id=CONTENTS, aria_label=title)
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


def _outline(site: Site, headings: Sequence[Heading]) -> Html:
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
    title = element("h2", escape(site.words.on_this_page), id=OUTLINE)
    nav = element("nav", joined([title, element("ul", items)]), aria_labelledby=OUTLINE)
    return element("div", nav, class_="outline")


def _main(site: Site, page: Page) -> Html:
    above = [element("li", link_of(link, site)) for link in page.above]
    parts = [
        element(
            "nav", element("ol", joined(above)), class_="above", aria_label=site.words.breadcrumb
        )
        if above
        else EMPTY,
        _cover(page),
        _title(page),
        page_actions(page.actions, site.words),
        element("div", page.body, class_="document"),
        feedback_form(page.feedback, site.words),
        _beside(page, site),
        _end(page, site),
    ]
    return element(
        "main", element("article", joined(parts)), id=CONTENT, class_="wide" if page.wide else None
    )


def _cover(page: Page) -> Html:
    if page.cover is None:
        return EMPTY
    cover = page.cover
    return image_element(
        safe_address(cover.address) or "",
        "",
        width=cover.width,
        height=cover.height,
        class_=classes("cover", "full" * cover.full),
    )


def _title(page: Page) -> Html:
    places = old_anchors(page.title_ids)
    title = element(
        "h1",
        joined([_emoji(page.emoji), escape(page.title)]),
        dir=direction_of(page.title),
        class_=None if page.show_title else "visually-hidden",
    )
    if not page.description or not page.show_description:
        return element("header", joined([*places, title]))
    description = element(
        "p",
        escape(page.description),
        dir=direction_of(page.description),
        class_="description",
    )
    return element("header", joined([*places, title, description]))


def _beside(page: Page, site: Site) -> Html:
    links = []
    words = site.words
    beside = ((page.previous, words.previous, "prev"), (page.next, words.next, "next"))
    for link, label, rel in beside:
        if link is not None:
            title = element("strong", escape(link.title), dir=direction_of(link.title))
            text = joined([element("span", escape(label)), title])
            links.append(
                element("a", text, href=safe_address(link.href or ""), rel=rel, class_=rel)
            )
    if not links:
        return EMPTY
    return element("nav", joined(links), class_="beside", aria_label=words.previous_and_next)


def _end(page: Page, site: Site) -> Html:
    parts, words = [], site.words
    if page.updated:
        shown = element("time", escape(page.updated[:10]), datetime=page.updated)
        parts.append(element("span", joined([escape(f"{words.last_updated} "), shown])))
    for feed in page.feeds:
        parts.append(element("a", escape(feed.title), href=safe_address(feed.href)))
    if page.edit is not None:
        parts.append(link_of(page.edit, site))
    return element("p", joined(parts), class_="page-end") if parts else EMPTY
