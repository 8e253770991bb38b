"""Plain values from which the HTML of a published page is made.

Addresses are complete or begin at the root of the host; whoever fills this in has worked them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from content.html.markup import Html
from content.html.rendering import Heading
from content.json_types import JsonObject
from published.html.translations import ENGLISH
from published.html.words import Words


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a header, a footer or a menu. Without `href` it is only a title above others."""

    title: str
    href: str | None = None
    current: bool = False
    # How it looks: "link", "button-primary" or "button-secondary".
    style: str = "link"
    links: tuple[Link, ...] = ()
    language: str | None = None
    # Whether somebody else's page is opened in a window of its own, whatever the site does.
    new_window: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents: a page, a group (no `href`) or a link to elsewhere."""

    title: str
    href: str | None
    emoji: str = ""
    current: bool = False
    external: bool = False
    # Whether there are pages below it that are not shown here.
    folded: bool = False
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """A line above all pages; `style` is info, success, warning or danger."""

    message: str
    style: str
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """Where a script of a page is, and its digest: the policy of the page allows no other ones."""

    address: str
    digest: str


@dataclass(frozen=True, slots=True)
class Site:
    """The part of the view that all pages of a site share."""

    title: str
    home: str
    style: str
    # None where there is none, and everything works without it.
    script: Script | None = None
    # The language of the pages, and the site's own words, which may be in another one.
    language: str = "en"
    words: Words = ENGLISH
    # "light", "dark", or None for what the reader's system says; whether readers may choose.
    theme: str | None = None
    may_choose_theme: bool = False
    # Classes of the style sheet that its settings turn on.
    looks: tuple[str, ...] = ()
    # Addresses of the picture for light and for dark surroundings.
    logo: tuple[str, str] | None = None
    # The icon for light and for dark surroundings.
    favicon: str | None = None
    dark_favicon: str | None = None
    header: Sequence[Link] = ()
    # Sections and groups of them; the variants of the section that is shown.
    sections: Sequence[Link] = ()
    variants: Sequence[Link] = ()
    footer: Sequence[Link] = ()
    footer_logo: tuple[str, str] | None = None
    # Accounts of the owner elsewhere, in the header and in the footer.
    header_accounts: Sequence[Link] = ()
    footer_accounts: Sequence[Link] = ()
    # The software that the site is published with; None where it is not named.
    published_with: Link | None = None
    copyright: str = ""
    privacy: str | None = None
    announcement: Announcement | None = None
    # Where the search box leads; None where there is none.
    search: str | None = None
    # Where a script gets results as JSON.
    results: str | None = None
    external_in_new_tab: bool = False


@dataclass(frozen=True, slots=True)
class Cover:
    """The picture above a title; its size in pixels, where it is known."""

    address: str
    # Whether it takes the whole width.
    full: bool = False
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class PageAction:
    """Something that a reader can do with a page: a link, or a button where a script is needed."""

    title: str
    # Where a link leads; of a button whose script copies the text from there, where that is.
    href: str
    # Whether it copies: the text behind the address, or the address itself.
    copies: str = ""
    external: bool = False


COPIES_TEXT, COPIES_ADDRESS = "text", "address"


@dataclass(frozen=True, slots=True)
class FeedbackForm:
    """The question whether a page was helpful: where the answer is sent, and of which page."""

    action: str
    page: str


@dataclass(frozen=True, slots=True)
class SiteScripts:
    """Scripts that integrations add: addresses, each with whether it sets cookies, for which the
    reader is asked; and the path that the answer holds for."""

    addresses: Sequence[tuple[str, bool]]
    path: str


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed of a page's updates: its media type, title and address."""

    type: str
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a site."""

    title: str
    body: Html
    # Ids that lead to the title.
    title_ids: Sequence[str] = ()
    canonical: str | None = None
    description: str = ""
    emoji: str = ""
    # The picture above the title.
    cover: Cover | None = None
    above: Sequence[Link] = ()
    headings: Sequence[Heading] = ()
    contents: Sequence[Entry] = ()
    previous: Link | None = None
    next: Link | None = None
    updated: str | None = None
    # Its Markdown; where it is edited, if that is none of the actions.
    markdown: str | None = None
    edit: Link | None = None
    no_index: bool = False
    # Addresses of the same page in other languages, by language.
    languages: Sequence[tuple[str, str]] = ()
    # The picture that links to the page have elsewhere.
    social: str | None = None
    # Its description for machines: that of its author, or else its first words.
    summary: str = ""
    # What it is to those who read JSON-LD.
    structured: Sequence[JsonObject] = ()
    show_title: bool = True
    show_description: bool = True
    wide: bool = False
    # What was searched for.
    query: str = ""
    # Says of what is no published page what it is, and leads to the published one.
    preview: Announcement | None = None
    # The modules that the page needs, beside the script of the site.
    scripts: Sequence[Script] = ()
    actions: Sequence[PageAction] = ()
    feedback: FeedbackForm | None = None
    feeds: Sequence[Feed] = ()
    site_scripts: SiteScripts | None = None
