"""Heads of web pages and players of known services."""

from functools import partial

import pytest

from content.media.page_heads import PageHead, read_head
from content.media.players import player
from tests.growth import assert_growth

PAGES = (
    ("", PageHead()),
    ("<title> A &amp; B\n c</title>", PageHead("A & B c")),
    ("<TITLE lang=en>A</TITLE><title>B</title>", PageHead("A")),
    ("<title>A</title><meta property='og:title' content='Better &quot;one&quot;'>",
     PageHead('Better "one"')),
    ('<meta name="twitter:title" content="T">', PageHead("T")),
    ('<meta content="Site" property="og:site_name"><meta name=application-name content=App>',
     PageHead(site="Site")),
    ("<meta name=application-name content=App>", PageHead(site="App")),
    ('<link href="/a.png" rel="shortcut icon">', PageHead(icon="/a.png")),
    ('<link rel="apple-touch-icon" href="/b.png"><link rel=icon href=/a.png>',
     PageHead(icon="/a.png")),
    ('<link rel="apple-touch-icon" href="/b.png">', PageHead(icon="/b.png")),
    ("<title>never closed", PageHead()),
    ("<title></title><link rel=icon>", PageHead()),
    ("<body><title>Below</title>", PageHead()),
    ("<title>\u202eA\x07B</title>", PageHead("AB")),
    ("<metal name=application-name content=App>", PageHead()),
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PAGES)
def test_heads(text: str, expected: PageHead) -> None:
    assert read_head(text) == expected


@pytest.mark.parametrize(
    "piece",
    ["<title", "<title>", "<meta a=", "<link rel='", '<meta content="', "<", "</title", "a=b "],
)
def test_hostile_pages_take_time_in_proportion(piece: str) -> None:
    assert_growth(lambda size: partial(read_head, piece * size), 50_000)
    assert_growth(lambda size: partial(read_head, "<meta " + piece * size + ">" + piece), 500)


PLAYERS = (
    ("https://www.youtube.com/watch?v=abc_DEF-123&t=3",
     "https://www.youtube-nocookie.com/embed/abc_DEF-123"),
    ("https://youtu.be/abc_DEF-123", "https://www.youtube-nocookie.com/embed/abc_DEF-123"),
    ("https://youtube.com/shorts/abc_DEF-123",
     "https://www.youtube-nocookie.com/embed/abc_DEF-123"),
    ("https://vimeo.com/12345", "https://player.vimeo.com/video/12345"),
    ("https://www.loom.com/share/abc123", "https://www.loom.com/embed/abc123"),
    ("https://codepen.io/some-body/pen/AbC", "https://codepen.io/some-body/embed/AbC"),
    ("https://www.figma.com/design/abc/Name?node-id=1-2",
     "https://www.figma.com/embed?embed_host=docs&amp;url="
     "https%3A%2F%2Fwww.figma.com%2Fdesign%2Fabc%2FName%3Fnode-id%3D1-2"),
    ("https://open.spotify.com/track/abc", "https://open.spotify.com/embed/track/abc"),
)  # fmt: skip


@pytest.mark.parametrize(("url", "address"), PLAYERS)
def test_players(url: str, address: str) -> None:
    markup = player(url, 'A "title" <b>')
    assert markup is not None
    assert markup.startswith(f'<iframe src="{address}" title="A &quot;title&quot; &lt;b&gt;" ')
    assert 'sandbox="allow-scripts ' in markup


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/watch?v=abc_DEF-123",
        "http://youtu.be/abc_DEF-123",
        "https://youtu.be/abc",
        'https://youtu.be/abc"onload=',
        "https://youtube.com/watch?v=a%22b%3E12345",
        "https://youtube.com/watch?v=a&v=b",
        "https://youtube.com/playlist?list=x",
        "https://vimeo.com/about",
        "https://youtube.com.evil.example/watch?v=abc_DEF-123",
        "https://[/",
    ],
)
def test_addresses_without_a_player(url: str) -> None:
    assert player(url, "Title") is None
