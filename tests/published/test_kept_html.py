"""HTML that is kept as it stands shows the pictures of its space, and leads to its pages."""

import io
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from PIL import Image

from content.documents.kept_html import LED, addresses_in, with_led
from content.documents.nodes import walk
from content.html.document import render_document
from content.html.rendering import Options, Target
from content.markdown.parser import parse_document
from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.published.test_sites import get
from tests.sources import imported

# Kept as it stands: no block of ours holds it.
KEPT = """# {title}

<center>
<a href="{link}"><img src="{picture}" alt="Plan"></a>
<img src='{picture}' width="40">
<img src={picture} onerror=alert(1)>
<img src="{other}" alt="Else">
</center>

A line with <kbd><img src="{picture}"></kbd> in it.
"""


def picture(colour: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (30, 20), colour).save(stream, "PNG")
    return stream.getvalue()


def write(folder: Path, files: dict[str, str | bytes]) -> str:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return str(folder)


RED, BLUE = picture("red"), picture("blue")
LINE = '{% include "../.gitbook/includes/note.md" %}\n'
FILES: dict[str, str | bytes] = {
    "SUMMARY.md": "* [Home](README.md)\n* [Deep](a/deep.md)\n* [Note](a/note.md)\n",
    "README.md": KEPT.format(
        title="Home", link="a/deep.md#part", picture=".gitbook/assets/plan%20a.png",
        other="https://pictures.example/x.png",
    ),
    # Another file that is called alike from there.
    "a/deep.md": KEPT.format(
        title="Deep", link="../README.md", picture="b.png", other="../none/missing.png"
    ) + "\n## Part\n",
    "a/note.md": f"# Note\n\n{LINE}",
    ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\n<center><img src=\"b.png\"></center>\n",
    ".gitbook/assets/plan a.png": RED,
    "a/b.png": BLUE,
    ".gitbook/includes/b.png": RED,
}  # fmt: skip


def sources(html: str) -> list[str]:
    return [unescape(url) for url in re.findall(r'<img [^>]*src="([^"]*)"', html)]


async def test_pictures_and_pages_of_the_space(
    session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    space = await imported(session, world, api, write(tmp_path, FILES))
    site = await factories.make_site(session, world.organization, space, published=True)
    await session.commit()
    home = (await get(api, site)).text
    *own, elsewhere, inline = [url for url in sources(home) if "icon" not in url]
    assert (len(own), elsewhere) == (3, "https://pictures.example/x.png")
    for url in [*own, inline]:
        answer = await api.client.get(url)
        assert (answer.status_code, answer.content) == (200, RED)
    assert 'width="30" height="20" class="inline-image"' in home
    assert "onerror" not in home
    assert re.search(r'<a href="[^"]*/deep#part"><img', home)

    deep = (await get(api, site, "/deep")).text
    *own, inline = sources(deep)
    # What nothing stands at is not asked for.
    assert len(own) == 3
    assert "missing" not in deep
    for url in [*own, inline]:
        assert (await api.client.get(url)).content == BLUE
    # A reusable content is beside other files than the pages that show it.
    (note,) = sources((await get(api, site, "/note")).text)
    assert (await api.client.get(note)).content == RED


def test_what_whoever_shows_it_has_noted() -> None:
    """Only that; the document itself stays as it is."""
    document = dict(parse_document('<center><img src="a&amp;b.png"></center>\n'))
    assert addresses_in(document) == {"a&b.png"}
    led = with_led(document, {"a&b.png": {"kind": "file", "file": "f"}, "c": {"kind": "url"}})
    assert LED not in str(document)

    def resolve(reference: object) -> Target:
        known = reference == {"kind": "file", "file": "f"}
        return Target(image="/files/f?a=1&b=2", width=3, height=2) if known else Target()

    for paper in (False, True):
        shown = render_document(led, Options(resolve=resolve, paper=paper)).html
        assert '<img src="/files/f?a=1&amp;b=2" width="3" height="2" alt=""' in shown
        assert "<img" not in render_document(document, Options(resolve=resolve, paper=paper)).html


@pytest.mark.parametrize(
    "image", ["javascript:alert(1)", "data:text/html,x", "docstead:file?file=f"]
)
def test_no_address_is_shown_that_pictures_may_not_have(image: str) -> None:
    document = with_led(
        dict(parse_document('<center><img src="x.png"></center>\n')), {"x.png": {"kind": "file"}}
    )
    shown = render_document(document, Options(resolve=lambda _: Target(image=image))).html
    assert "<img" not in shown


PIECES = st.sampled_from(
    ["<img src=", '"a.png"', "'b.png'", "c.png", "<a href=", ">", "</a>", "\n\n", "x", "&amp;", " ",
     "<center>", "</center>", "&#106;avascript:alert(1)", "<!--", "-->", "`", "<pre>", "</pre>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_whatever_html_says(text: str) -> None:
    """Each picture that is shown is one that was noted, and each note is of an address in it."""
    document = dict(parse_document(text))
    addresses = addresses_in(document)
    led = with_led(document, {url: {"kind": "file", "file": url} for url in addresses})
    noted = [one.get("data", {}).get(LED, {}) for one in walk([led])]
    assert {url for one in noted for url in one} == addresses

    def resolve(reference: dict[str, object]) -> Target:
        file = reference["kind"] == "file"
        return Target(image=f"/files/{len(str(reference['file']))}") if file else Target()

    for url in sources(render_document(led, Options(resolve=resolve)).html):  # type: ignore[arg-type]
        assert re.fullmatch(r"/files/\d+", url)
