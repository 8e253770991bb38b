"""Pages of a published site: balanced HTML without scripts, whatever the texts are."""

import xml.etree.ElementTree as ET

from hypothesis import given, settings, strategies as st

from content.html.markup import Html, escape
from content.html.rendering import Heading
from published.html.frame import render_page
from published.html.machine import (
    SITEMAP,
    ListedPage,
    ListedSpace,
    llms_txt,
    robots_txt,
    sitemap,
    sitemap_index,
)
from published.html.styles import site_style
from published.html.view import (
    Announcement,
    Cover,
    Entry,
    Feed,
    FeedbackForm,
    Link,
    Page,
    PageAction,
    Script,
    Site,
)
from tests.content.html.html_reader import read_html
from tests.content.html.test_html_properties import NASTY

ALLOWED = frozenset({"meta", "link", "form", "input", "button", "script"})
TEXT = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))
MAYBE = st.one_of(st.none(), TEXT)
LINKS = st.recursive(
    st.builds(Link, TEXT, MAYBE, st.booleans(), st.just("link")),
    lambda inner: st.builds(
        Link, TEXT, MAYBE, st.booleans(), st.just("link"), st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=3,
)
ENTRIES = st.recursive(
    st.builds(Entry, TEXT, MAYBE, TEXT, st.booleans(), st.booleans(), st.booleans()),
    lambda inner: st.builds(Entry, TEXT, MAYBE, entries=st.lists(inner, max_size=2).map(tuple)),
    max_leaves=4,
)
SITES = st.builds(
    Site,
    title=TEXT,
    home=TEXT,
    style=TEXT,
    logo=st.one_of(st.none(), st.tuples(TEXT, TEXT)),
    favicon=MAYBE,
    header=st.lists(LINKS, max_size=2),
    sections=st.lists(LINKS, max_size=2),
    footer=st.lists(LINKS, max_size=2),
    copyright=TEXT,
    privacy=MAYBE,
    announcement=st.one_of(st.none(), st.builds(Announcement, TEXT, TEXT, LINKS)),
    search=MAYBE,
    external_in_new_tab=st.booleans(),
    script=st.one_of(st.none(), st.builds(Script, TEXT, st.just("sha256-x"))),
    may_choose_theme=st.booleans(),
    dark_favicon=MAYBE,
    footer_logo=st.one_of(st.none(), st.tuples(TEXT, TEXT)),
    header_accounts=st.lists(LINKS, max_size=1),
    footer_accounts=st.lists(LINKS, max_size=1),
    published_with=st.one_of(st.none(), LINKS),
    results=MAYBE,
)
PAGES = st.builds(
    Page,
    title=TEXT,
    body=TEXT.map(escape),
    canonical=MAYBE,
    description=TEXT,
    emoji=TEXT,
    cover=st.one_of(st.none(), st.builds(Cover, TEXT, st.booleans())),
    above=st.lists(LINKS, max_size=2),
    headings=st.lists(st.builds(Heading, st.integers(1, 3), TEXT, TEXT), max_size=3),
    contents=st.lists(ENTRIES, max_size=2),
    previous=st.one_of(st.none(), LINKS),
    next=st.one_of(st.none(), LINKS),
    markdown=MAYBE,
    edit=st.one_of(st.none(), LINKS),
    actions=st.lists(
        st.builds(PageAction, TEXT, TEXT, st.sampled_from(["", "text", "address"]), st.booleans()),
        max_size=3,
    ),
    feedback=st.one_of(st.none(), st.builds(FeedbackForm, TEXT, TEXT)),
    feeds=st.lists(st.builds(Feed, TEXT, TEXT, TEXT), max_size=2),
    social=MAYBE,
    query=TEXT,
    summary=TEXT,
    structured=st.lists(st.dictionaries(TEXT, TEXT, max_size=2), max_size=2),
    languages=st.lists(st.tuples(TEXT, TEXT), max_size=2),
)


@settings(max_examples=150)
@given(SITES, PAGES)
def test_any_page_is_balanced_html_without_anything_that_runs(site: Site, page: Page) -> None:
    html = render_page(site, page)
    html.encode()
    assert html.startswith("<!doctype html><html ")
    assert read_html(html, ALLOWED).faults == []


def page(**changes: object) -> str:
    values = {"title": "Start", "body": Html("<p>Text</p>")} | changes
    return render_page(Site("Docs", "/", "/style.css", search="/"), Page(**values))


def test_what_readers_and_their_programs_need_is_there() -> None:
    html = page(
        description="About",
        canonical="https://docs.test/start",
        headings=[Heading(1, "one", "One"), Heading(2, "two", "Two"), Heading(3, "three", "Three")],
        contents=[
            Entry("Group", None, entries=(Entry("Start", "/", current=True),)),
            Entry("More", "/more", folded=True),
        ],
        next=Link("More", "/more"),
    )
    found = read_html(html, ALLOWED).elements
    assert ("html", {"lang": "en"}) in found
    assert ("a", {"href": "#site:content", "class": "skip"}) in found
    assert ("main", {"id": "site:content"}) in found
    assert ("link", {"rel": "canonical", "href": "https://docs.test/start"}) in found
    assert ("meta", {"name": "description", "content": "About"}) in found
    assert ("a", {"href": "/", "aria-current": "page"}) in found
    assert ("a", {"href": "/more", "rel": "next", "class": "next"}) in found
    assert ("nav", {"id": "site:contents", "aria-label": "Table of contents"}) in found
    # The outline leaves out what stands deeper than two levels.
    assert 'href="#two"' in html
    assert 'href="#three"' not in html
    assert html.count("<h1>") == 1
    assert 'content="noindex"' not in html
    assert 'content="noindex"' in page(no_index=True)


def test_titles_run_in_their_own_direction() -> None:
    hebrew, arabic = "שלום world", "العربية"
    html = render_page(
        Site(hebrew, "/", "/style.css", header=[Link(arabic, "/a"), Link("More", "/b")],
             sections=[Link(hebrew, None, links=(Link(arabic, "/c"),))], copyright=hebrew,
             footer=[Link(arabic, None, links=(Link("Latin", "/d"),))]),
        Page(hebrew, Html("<p>Text</p>"), description=arabic, emoji="1f600",
             above=[Link(arabic, "/e")], next=Link(hebrew, "/f"), previous=Link("Latin", "/g"),
             contents=[Entry(arabic, None, entries=(Entry(hebrew, "/h"), Entry("Latin", "/i")))],
             headings=[Heading(1, "one", arabic), Heading(1, "two", "Two")]),
    )  # fmt: skip
    found = read_html(html, ALLOWED)
    assert found.faults == []
    running = {
        (tag, attributes.get("href", attributes.get("class", "")))
        for tag, attributes in found.elements
        if attributes.get("dir") == "rtl"
    }
    assert running == {
        ("title", ""), ("a", "/"), ("a", "/a"), ("summary", ""), ("a", "/c"), ("span", ""),
        ("h2", ""), ("h1", ""), ("p", "description"), ("a", "/e"), ("strong", ""),
        ("span", "group"), ("a", "/h"), ("li", "level-1"),
    }  # fmt: skip
    assert [a["dir"] for _, a in found.elements if "dir" in a] == ["rtl"] * 14
    assert " dir=" not in page(title="Start", description="12 x", contents=[Entry("A", "/a")])


def test_a_style_sheet_takes_colours_and_nothing_else() -> None:
    plain = site_style({})
    chosen = {"primaryColor": {"light": "#00f", "dark": "#8080FF"}, "corners": "circular"}
    blue = site_style(chosen)
    assert "--link: #00f; --accent: #00f;" in blue.css
    assert "--corner: 14px" in blue.css
    assert blue.name != plain.name
    for nasty in ("red; } body { display: none", "#12", "url(https://x.example)"):
        made = site_style({"primaryColor": {"light": nasty, "dark": nasty}})
        assert made.css == plain.css, nasty


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_lists_for_machines_hold_any_text(texts: list[tuple[str, str]]) -> None:
    pages = [ListedPage(title, "https://docs.test/a?b&c", about) for title, about in texts]
    listed = llms_txt("Docs", [ListedSpace("Guide", pages), ListedSpace("Empty", [])])
    lines = listed.splitlines()
    assert lines[0] == "# Docs"
    assert "## Empty" not in lines
    found = ET.fromstring(sitemap(pages))
    assert [one.text for one in found.iter(f"{{{SITEMAP}}}loc")] == [one.href for one in pages]


def test_robots_and_the_index_of_sitemaps() -> None:
    assert robots_txt(None) == "User-agent: *\nDisallow: /\n"
    assert "Sitemap: https://docs.test/sitemap.xml" in robots_txt("https://docs.test/sitemap.xml")
    found = ET.fromstring(sitemap_index(["https://a.test/?a&b"]))
    assert found.tag == f"{{{SITEMAP}}}sitemapindex"
