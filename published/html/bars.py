"""What is above and below every page of a site: header, menus, search, footer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from content.html.directions import direction_of
from content.html.markup import (
    EMPTY,
    Html,
    classes,
    element,
    escape,
    joined,
    picture,
    safe_address,
)
from published.html.view import Announcement, Link, Page, Site

_THEMES = {
    "system": (
        '<rect x="2" y="2.5" width="12" height="8.5" rx="1.5"></rect><path d="M6 14 L10 14"></path>'
    ),
    "light": (
        '<circle cx="8" cy="8" r="3"></circle><path d="M8 1.2 L8 2.4 M8 13.6 L8 14.8 M1.2 8 L2.4 8 '
        'M13.6 8 L14.8 8 M3.2 3.2 L4 4 M12 12 L12.8 12.8 M3.2 12.8 L4 12 M12 4 L12.8 3.2"></path>'
    ),
    "dark": '<path d="M13.5 9.6 A6 6 0 1 1 6.4 2.5 A4.8 4.8 0 0 0 13.5 9.6 Z"></path>',
}


def notice(announcement: Announcement | None, site: Site, label: str) -> Html:
    """A line above the header."""
    if announcement is None:
        return EMPTY
    parts = [element("span", escape(announcement.message), dir=direction_of(announcement.message))]
    if announcement.link is not None:
        parts.append(link_of(announcement.link, site))
    return element(
        "aside", joined(parts), class_=f"announcement {announcement.style}", aria_label=label
    )


def header(site: Site, page: Page) -> Html:
    """The header: title, search and links, then sections and variants."""
    words = site.words
    parts = [
        element(
            "a",
            _picture_of(site.logo, site.title) or escape(site.title),
            href=safe_address(site.home),
            dir=direction_of(site.title),
            class_="brand",
        ),
        _search_box(site, page.query),
        _menu(site.header, words.links, "header-links", site),
        _menu(site.header_accounts, words.social_accounts, "accounts", site),
    ]
    rows = [element("div", joined(parts), class_="bar")]
    below = [
        _menu(site.sections, words.sections, "sections", site),
        _menu(site.variants, words.variants, "variants", site),
    ]
    if any(below):
        rows.append(element("div", joined(below), class_="bar tabs"))
    return element("header", joined(rows), class_="site-header")


def _picture_of(logo: tuple[str, str] | None, alt: str) -> Html:
    """A logo for light and for dark surroundings, of which one is shown."""
    if logo is None:
        return EMPTY
    light, dark = logo
    return joined(
        [
            element("img", src=safe_address(light), alt=alt, class_="for-light"),
            element("img", src=safe_address(dark), alt=alt, class_="for-dark"),
        ]
    )


def _search_box(site: Site, query: str) -> Html:
    """A form, which a script makes a list of results below it."""
    if site.search is None:
        return EMPTY
    words = site.words
    field = element(
        "input", type="search", name="q", value=query, placeholder=words.search,
        aria_label=words.search, maxlength=512, required=True, id="site:search", autocomplete="off",
    )  # fmt: skip
    button = element("button", escape(words.search), type="submit", class_="visually-hidden")
    return element(
        "form", joined([field, button]), action=safe_address(site.search), method="get",
        role="search", class_="search", data_results=safe_address(site.results or ""),
    )  # fmt: skip


def _menu(links: Sequence[Link], label: str, name: str, site: Site) -> Html:
    if not links:
        return EMPTY
    items = joined(_menu_item(link, site) for link in links)
    return element("nav", element("ul", items), class_=name, aria_label=label)


def _menu_item(link: Link, site: Site) -> Html:
    if not link.links:
        return element("li", link_of(link, site))
    inner = joined(element("li", link_of(item, site)) for item in _flat(link))
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


def link_of(link: Link, site: Site) -> Html:
    """A link, or its title where it leads nowhere."""
    if link.href is None:
        return element("span", escape(link.title), dir=direction_of(link.title))
    address = safe_address(link.href)
    elsewhere = not (address or "").startswith(("/", "#", site.home))
    away = link.new_window or (site.external_in_new_tab and elsewhere)
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


# ------------------------------------------------------------------ footer


def footer(site: Site) -> Html:
    """The footer; nothing where nothing is in it."""
    groups = [
        element(
            "div",
            joined(
                [
                    element("h2", escape(group.title), dir=direction_of(group.title)),
                    element(
                        "ul", joined(element("li", link_of(item, site)) for item in group.links)
                    ),
                ]
            ),
        )
        for group in site.footer
    ]
    logo = _picture_of(site.footer_logo, site.title)
    if logo:
        groups.insert(0, element("div", logo, class_="footer-logo"))
    last = []
    if site.copyright:
        last.append(element("span", escape(site.copyright), dir=direction_of(site.copyright)))
    if site.privacy:
        last.append(element("a", escape(site.words.privacy), href=safe_address(site.privacy)))
    if site.published_with is not None:
        last.append(link_of(site.published_with, site))
    accounts = _menu(site.footer_accounts, site.words.social_accounts, "accounts", site)
    ends = [element("p", joined(last)) if last else EMPTY, accounts, _themes(site)]
    if any(ends):
        groups.append(element("div", joined(ends), class_="footer-end"))
    return element("footer", joined(groups), class_="site-footer") if groups else EMPTY


def _themes(site: Site) -> Html:
    """Light, dark, or as the system: chosen with a script, and shown only where one runs."""
    if not site.may_choose_theme or site.script is None:
        return EMPTY
    words = site.words
    labels = {
        "system": words.theme_system,
        "light": words.theme_light,
        "dark": words.theme_dark,
    }
    first = site.theme or "system"
    choices = []
    for name, label in labels.items():
        own_id = f"site:theme-{name}"
        choices.append(
            element("input", type="radio", name="theme", value=name, id=own_id,
                    checked=name == first, class_="visually-hidden")
        )  # fmt: skip
        drawing = picture(_THEMES[name], f"symbol-{name}", label)
        choices.append(element("label", drawing, for_=own_id, title=label))
    legend = element("legend", escape(words.theme), class_="visually-hidden")
    return element("fieldset", joined([legend, *choices]), class_="themes with-script")
