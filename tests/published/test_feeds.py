"""Feeds of updates: valid RSS and Atom of what the page shows, in parts, for who may read it."""

import datetime as dt
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from lxml import etree

from content.documents.updates import UPDATES, updates_of
from content.html.document import render_document
from content.html.rendering import Options
from content.links.published_urls import read_feed_address
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from db.enums import SiteVisibility
from db.models.site_settings import ShareLink, SiteRedirect
from db.models.sites import Site
from db.session import Session
from published.feeds import ENTRIES
from published.html.feeds import FeedEntry, FeedPart, write_feed
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_sites import get, make_pages

ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"
# The parts of RFC 4287 that a feed of ours may have (RELAX NG, compact rules as XML).
ATOM_SCHEMA = etree.RelaxNG(
    etree.XML(
        """
<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.w3.org/2005/Atom"
    datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
  <start><element name="feed"><ref name="lang"/><interleave>
    <element name="id"><data type="anyURI"/></element><element name="title"><text/></element>
    <optional><element name="subtitle"><text/></element></optional>
    <element name="updated"><data type="dateTime"/></element>
    <element name="author"><element name="name"><text/></element></element>
    <oneOrMore><ref name="link"/></oneOrMore><zeroOrMore><ref name="entry"/></zeroOrMore>
  </interleave></element></start>
  <define name="lang"><attribute name="xml:lang"><data type="language"/></attribute></define>
  <define name="link"><element name="link">
    <attribute name="href"><data type="anyURI"/></attribute>
    <attribute name="rel"><text/></attribute><attribute name="type"><text/></attribute>
  </element></define>
  <define name="entry"><element name="entry"><interleave>
    <element name="id"><data type="anyURI"/></element><element name="title"><text/></element>
    <element name="updated"><data type="dateTime"/></element>
    <optional><element name="published"><data type="dateTime"/></element></optional>
    <ref name="link"/><element name="summary"><text/></element>
    <zeroOrMore><element name="category"><attribute name="term"/></element></zeroOrMore>
    <element name="content"><attribute name="type"><value>html</value></attribute><text/></element>
  </interleave></element></define>
</grammar>"""
    )
)


def check_atom(xml: str) -> Any:
    """The feed; fails unless it is Atom as RFC 4287 wants it."""
    feed = etree.fromstring(xml.encode())
    ATOM_SCHEMA.assertValid(feed)
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    assert [link.get("rel") for link in feed.iter(f"{ATOM}link")].count("self") == 1
    return feed


def check_rss(xml: str) -> Any:
    """The channel; fails unless it is RSS 2.0."""
    root = etree.fromstring(xml.encode())
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    (channel,) = root
    for name in ("title", "link", "description"):
        assert len(channel.findall(name)) == 1
    parsedate_to_datetime(channel.findtext("lastBuildDate"))
    guids = [item.findtext("guid") for item in channel.findall("item")]
    assert len(set(guids)) == len(guids)
    for item in channel.findall("item"):
        assert item.findtext("title")
        assert item.findtext("link")
        if item.find("pubDate") is not None:
            assert parsedate_to_datetime(item.findtext("pubDate")).tzinfo is not None
    return channel


def updates(*dates: str, text: str = "Text of {date}, [more](start.md).") -> str:
    entries = "\n\n".join(
        f'{{% update date="{date}" tags="a,b" %}}\n## News of {date}\n\n{text.format(date=date)}\n'
        "{% endupdate %}"
        for date in dates
    )
    return f'{{% updates format="full" %}}\n{entries}\n{{% endupdates %}}\n'


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    many = [f"20{year:02}-01-0{day}" for year in range(10, 25) for day in range(1, 5)]
    space = await make_pages(
        session, world, "Guide",
        start={"text": updates("2025-02-03")}, plain={},
        changes={"text": updates("2025-12-25", "2025-12-24", "2025-12-25", "soon", "2025-02-31")},
        many={"text": updates(*many)},
        members={"text": updates("2025-01-01"), "condition": "visitor.claims.beta"},
    )  # fmt: skip
    made = await factories.make_site(
        session, world.organization, space, title="Handbook", published=True
    )
    await settle(session)
    return made


async def test_both_formats_hold_what_the_page_shows(api: Api, site: Site) -> None:
    root = f"http://docs.test/sites/{site.id}"
    answer = await get(api, site, "/changes/atom.xml")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = check_atom(answer.text)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    # By date; those of one day as they stand on the page, what has no date comes last.
    assert titles == ["News of 2025-12-25", "News of 2025-12-25", "News of 2025-12-24",
                      "News of soon", "News of 2025-02-31"]  # fmt: skip
    places = [entry.find(f"{ATOM}link").get("href") for entry in feed.iter(f"{ATOM}entry")]
    page = (await get(api, site, "/changes")).text
    for place in places:
        assert place.startswith(f"{root}/changes#")
        assert f'id="{place.partition("#")[2]}"' in page
    first = next(feed.iter(f"{ATOM}entry"))
    html = first.findtext(f"{ATOM}content")
    assert read_html(html).faults == []
    # Addresses are complete.
    assert f'<a href="{root}">more</a>' in html
    assert [tag.get("term") for tag in first.findall(f"{ATOM}category")] == ["a", "b"]
    answer = await get(api, site, "/changes/rss.xml")
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    channel = check_rss(answer.text)
    assert [item.findtext("title") for item in channel.findall("item")] == titles
    assert channel.find("item").findtext(f"{CONTENT}encoded") == html
    guids = [item.findtext("guid") for item in channel.findall("item")]
    assert guids == [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]


async def test_pages_lead_to_their_feeds(api: Api, site: Site) -> None:
    page = (await get(api, site, "/changes")).text
    path = f"/sites/{site.id}/changes"
    for type, name in (("application/rss+xml", "rss.xml"), ("application/atom+xml", "atom.xml")):
        assert ("link", {"rel": "alternate", "type": type, "href": f"{path}/{name}"}) in [
            (tag, {name: value for name, value in attributes.items() if name != "title"})
            for tag, attributes in read_html(page, frozenset({"link"})).elements
        ]
    assert "rss.xml" not in (await get(api, site, "/plain")).text
    landing = await get(api, site, "/rss.xml")
    assert check_rss(landing.text).findtext("title") == "Start | Handbook"
    assert f'href="/sites/{site.id}/rss.xml"' in (await get(api, site)).text


async def test_what_has_no_updates_has_no_feed(api: Api, site: Site) -> None:
    for path in ("/plain/rss.xml", "/nowhere/rss.xml", "/changes/rss.xml/2", "/changes/rss.xml/0",
                 "/members/rss.xml", "/many/rss.xml/99", "/many/rss.xml/00002"):  # fmt: skip
        assert (await get(api, site, path)).status_code == 404, path


async def test_long_feeds_come_in_parts(api: Api, site: Site) -> None:
    seen: list[str] = []
    address, parts = f"/sites/{site.id}/many/atom.xml", 0
    while address:
        answer = await api.client.get(address)
        feed = check_atom(answer.text)
        links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
        assert links["self"] == f"http://docs.test{address}"
        assert links["first"].endswith("/many/atom.xml")
        assert links["last"].endswith("/many/atom.xml/3")
        entries = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
        assert len(entries) <= ENTRIES
        seen += entries
        parts += 1
        address = links.get("next", "").removeprefix("http://docs.test")
    assert parts == 3
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == 60


async def test_feeds_are_kept_and_asked_for_conditionally(
    api: Api, session: Session, site: Site
) -> None:
    first = await get(api, site, "/changes/rss.xml")
    tag = first.headers["etag"]
    same = await get(api, site, "/changes/rss.xml", headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    (await session.get_one(Site, site.id)).title = "Other"
    await settle(session)
    other = await get(api, site, "/changes/rss.xml", headers={"If-None-Match": tag})
    assert other.status_code == 200
    assert "| Other" in other.text


async def test_who_may_not_read_the_page_has_no_feed(
    api: Api, session: Session, site: Site
) -> None:
    (await session.get_one(Site, site.id)).visibility = SiteVisibility.SHARE_LINK
    session.add(ShareLink(site_id=site.id, name="Key", secret="k" * 20))
    await settle(session)
    assert (await get(api, site, "/changes/rss.xml")).status_code == 404
    opened = await get(api, site, f"/{'k' * 20}/changes/rss.xml")
    assert opened.headers["cache-control"].startswith("private")
    link = check_rss(opened.text).find("item").findtext("link")
    assert link.startswith(f"http://docs.test/sites/{site.id}/{'k' * 20}/changes#")
    (await session.get_one(Site, site.id)).visibility = SiteVisibility.VISITOR_AUTH
    await settle(session)
    assert (await get(api, site, "/changes/rss.xml")).status_code == 403


async def test_feeds_come_before_redirects(api: Api, session: Session, site: Site) -> None:
    session.add(
        SiteRedirect(
            site_id=site.id, source="/changes/*", source_key="changes", wildcard=True,
            destination={"kind": "url", "url": "https://example.com/"}, draft=False,
        )
    )  # fmt: skip
    await settle(session)
    assert (await get(api, site, "/changes/rss.xml")).status_code == 200
    assert (await get(api, site, "/changes/other")).status_code == 307


async def test_a_page_at_that_path_comes_first(api: Api, session: Session, world: World) -> None:
    space = await make_pages(
        session, world, "Guide", changes={"text": updates("2025-01-01")},
        **{"rss.xml": {"parent_id": "changes", "title": "A page"}},
    )  # fmt: skip
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    assert "<h1>A page</h1>" in (await get(api, site, "/changes/rss.xml")).text
    assert (await get(api, site, "/changes/atom.xml")).status_code == 200


# ------------------------------------------------------------------ any entries


TEXT = st.text(max_size=30) | st.sampled_from(
    ["]]>", "<script>alert(1)</script>", "&amp;", "\x00\x08\ud800", "\u202e", '"', "'", "\r\n"]
)
DATES = st.none() | st.datetimes(
    min_value=dt.datetime(1, 1, 2), max_value=dt.datetime(9999, 12, 30), timezones=st.just(dt.UTC)
)
PARTS = st.builds(
    FeedPart,
    id=st.uuids().map(lambda id: f"urn:uuid:{id}"),
    title=TEXT, author=TEXT, description=TEXT,
    language=st.sampled_from(["en", "de", "pt-br", "zh"]),
    href=st.just("https://docs.test/a?b=1&c=2"),
    updated=DATES.filter(bool),
    links=st.just({"self": "https://docs.test/a/rss.xml"}),
    entries=st.lists(
        st.builds(
            FeedEntry,
            id=st.uuids().map(lambda id: f"urn:uuid:{id}"), title=TEXT.map(lambda text: f"x{text}"),
            href=st.just("https://docs.test/a#update:2025-01-01"), date=DATES,
            tags=st.lists(TEXT, max_size=2), html=TEXT, summary=TEXT,
        ),
        max_size=4, unique_by=lambda entry: entry.id,
    ),
)  # fmt: skip


@settings(max_examples=150)
@given(PARTS)
def test_any_part_is_valid_and_says_what_it_was_given(part: FeedPart) -> None:
    channel = check_rss(write_feed("rss.xml", part)[0])
    assert len(channel.findall("item")) == len(part.entries)
    feed = check_atom(write_feed("atom.xml", part)[0])
    for entry, element in zip(part.entries, feed.iter(f"{ATOM}entry"), strict=True):
        written = element.findtext(f"{ATOM}content")
        if entry.html.isprintable():
            assert written == entry.html


BLOCKS = st.recursive(
    st.builds(
        lambda date, tags: {
            "object": "block", "type": "update", "data": {"date": date, "tags": tags},
            "nodes": [{"object": "block", "type": "paragraph", "nodes": []}],
        },
        st.sampled_from(["2025-01-01", "2025-01-02", "soon", "", None, 7, "2025-13-01"]),
        st.sampled_from([["a"], None, "a", [1, "b"], ["x" * 200] * 30]),
    )
    | st.sampled_from(
        [{"object": "block", "type": "reusable-content", "data": {"ref": {"reusableContent": id}}}
         for id in "ab"]
    ),
    lambda inner: st.builds(
        lambda kind, nodes: {"object": "block", "type": kind, "nodes": nodes},
        st.sampled_from(["updates", "tabs", "update", "column"]), st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(BLOCKS, max_size=4), st.lists(BLOCKS, max_size=3), st.lists(BLOCKS, max_size=3))
def test_entries_have_anchors_that_are_on_the_page_once(
    nodes: list[Any], first: list[Any], second: list[Any]
) -> None:
    contents = {"a": {"nodes": first}, "b": {"nodes": second}}

    def reusable(reference: Any) -> Any:
        return contents.get(reference.get("reusableContent"))

    document = {"object": "document", "nodes": nodes}
    found = [update.anchor for update in updates_of(document, reusable)]
    assert len(set(found)) == len(found)
    rendered = render_document(document, Options(reusable=reusable))
    ids = [attributes.get("id") for _, attributes in read_html(rendered.html).elements]
    anchors = [id for id in ids if id is not None and id.startswith("update:")]
    assert len(set(anchors)) == len(anchors)
    # Depths that are not shown are not named either.
    assert set(anchors) <= set(found)
    assert rendered.uses.updates == bool(anchors)


def test_new_entries_on_top_leave_the_names_of_the_others() -> None:
    before = parse_document(updates("2025-01-01", "2025-01-01", "2024-01-01"))
    after = parse_document(
        updates("2025-02-01", "2025-01-01", "2025-01-01", "2025-01-01", "2024-01-01")
    )
    names = [
        [update.anchor for update in updates_of(document, lambda reference: None)]
        for document in (before, after)
    ]
    assert names[1][-3:] == names[0]


def test_there_is_an_end_to_the_entries() -> None:
    document = parse_document(updates(*["2025-01-01"] * (UPDATES + 20), text="x"))
    assert len(updates_of(document, lambda reference: None)) == UPDATES


def test_the_text_forms_stay_as_they_are_written() -> None:
    text = updates("2025-01-01") + (
        '\n{% embed url="https://youtu.be/dQw4w9WgXcQ" %}\n\n```mermaid\ngraph TD\n  A --> B\n```\n'
    )
    assert write_markdown(parse_document(text)) == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("rss.xml", ("", "rss.xml", 1)), ("a/b/atom.xml", ("a/b", "atom.xml", 1)),
        ("a/rss.xml/2", ("a", "rss.xml", 2)), ("a/rss.xml/1", None), ("a/rss.xml/01", None),
        ("arss.xml", None), ("a/rss.xml/2/3", None), ("", None), ("a/feed.xml", None),
        ("rss.xml/rss.xml", ("rss.xml", "rss.xml", 1)),
    ],
)  # fmt: skip
def test_addresses_of_feeds(path: str, expected: Any) -> None:
    found = read_feed_address(path)
    assert expected == (None if found is None else (found.path, found.name, found.part))
