"""PDFs through both doors: what is in them, and that nothing of an address can be changed."""

import asyncio
import io
import time
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from pypdf import PdfReader

from db.session import Session
from resolvers.core.context import Context
from tests import factories
from tests.conftest import Api, World
from tests.printed_space import Printed, make_printed_space

SPACE_PDF = """
query ($id: ID!, $page: ID, $only: Boolean) {
  space(id: $id) { pdf(page: $page, only: $only) { url } }
}
"""


@pytest.fixture
async def printed(api: Api, world: World, session: Session) -> Printed:
    access = await api.server.file_access()
    return await make_printed_space(session, world, access.blobs)


async def address(api: Api, world: World, printed: Printed, query: str = "") -> str:
    response = await api.rest("GET", f"/spaces/{printed.space.id}/pdf{query}", world.reader)
    assert response.status_code == 200, response.text
    assert list(response.json()) == ["url"]
    return str(response.json()["url"])


async def fetch(api: Api, url: str) -> PdfReader:
    response = await api.client.get(url)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/pdf"
    return PdfReader(io.BytesIO(response.content))


def outline(pdf: PdfReader) -> list[tuple[str, int]]:
    """Titles and numbers of sheets, depth first."""
    found: list[tuple[str, int]] = []

    def walk(items: Any) -> None:
        for item in items:
            if isinstance(item, list):
                walk(item)
            else:
                found.append((item.title, (pdf.get_destination_page_number(item) or 0) + 1))

    walk(pdf.outline)
    return found


def links(pdf: PdfReader) -> list[tuple[int, str]]:
    """Sheet and target of every link: a URL, or `sheet N` for a place in the file."""
    found = []
    for number, sheet in enumerate(pdf.pages, start=1):
        for reference in sheet.get("/Annots", []):
            annotation = reference.get_object()
            if "/A" in annotation:
                found.append((number, str(annotation["/A"]["/URI"])))
            else:
                place = pdf.named_destinations[annotation["/Dest"]]
                found.append((number, f"sheet {(pdf.get_destination_page_number(place) or 0) + 1}"))
    return found


async def test_a_space_is_a_book(api: Api, world: World, printed: Printed) -> None:
    pdf = await fetch(api, await address(api, world, printed))
    texts = [sheet.extract_text() for sheet in pdf.pages]
    assert len(texts) == 6
    assert "Gauge manual" in texts[0]
    assert "Acme" in texts[0]
    assert " ".join(texts[1].split()).startswith(
        "Contents Home 3 Parts Box 4 Überblick 5 Deep 6 Shop"
    )
    assert outline(pdf) == [
        ("Home", 3), ("Box", 4), ("The lid", 4), ("Überblick", 5), ("Deep", 6),
    ]  # fmt: skip
    # Every sheet but the first has its number.
    for number, text in enumerate(texts[1:], start=2):
        assert f"{number}Gauge manual" in text.replace("\n", "")
    assert "1Gauge" not in texts[0]
    assert "All about it" in texts[2]
    assert "Keep it dry." in texts[2]
    assert "1.2.3 by Admin" in texts[2]
    assert "def level(sensor):  # centimetres" in texts[3]
    assert "level.py" in texts[3]
    assert "Screw" in texts[3]
    assert "Deep" in texts[4]
    assert "Hidden text" not in "".join(texts)
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Gauge manual"
    assert pdf.root_object["/Lang"] == "en"


async def test_links_lead_into_the_book_or_out_of_it(
    api: Api, world: World, printed: Printed
) -> None:
    found = links(await fetch(api, await address(api, world, printed)))
    assert {target for sheet, target in found if sheet == 3} == {"sheet 4", "https://example.org/"}
    assert (2, "https://shop.example.org/") in found
    assert (5, "sheet 6") in found, "an empty page lists those below it"


async def test_links_to_former_anchors_lead_to_the_heading(
    api: Api, world: World, session: Session
) -> None:
    access = await api.server.file_access()
    text = "One.\n\n" * 60 + "## The cover\n\nIt is flat.\n"
    printed = await make_printed_space(session, world, access.blobs, box=text)
    changes = [
        {"type": "update_page", "page": "box",
         "document": {"markdown": text.replace("The cover", "名称 new")}},
        {"type": "update_page", "page": "home", "document": {
            "markdown": "[old](docstead:anchor?anchor=the-cover&page=box)"}},
    ]  # fmt: skip
    path = f"/spaces/{printed.space.id}/content"
    written = await api.rest("POST", path, world.admin, {"changes": changes})
    assert written.status_code == 200, written.text
    pdf = await fetch(api, await address(api, world, printed))
    at = next(
        n for n, sheet in enumerate(pdf.pages, start=1) if "It is flat" in sheet.extract_text()
    )
    assert at > 5, "not the sheet on which the page begins"
    assert [target for sheet, target in links(pdf) if sheet == 3] == [f"sheet {at}"]
    assert "The cover" not in "".join(title for title, _ in outline(pdf))


async def test_images_of_the_space_are_drawn(api: Api, world: World, printed: Printed) -> None:
    pdf = await fetch(api, await address(api, world, printed))
    (image,) = pdf.pages[2].images
    assert image.image is not None
    assert image.image.size == (60, 30)
    assert image.image.convert("RGB").getpixel((5, 5)) == (200, 30, 40)


async def test_text_is_set_in_the_shipped_fonts(api: Api, world: World, printed: Printed) -> None:
    pdf = await fetch(api, await address(api, world, printed))
    fonts = {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for sheet in pdf.pages
        for font in sheet["/Resources"].get("/Font", {}).values()
    }
    assert {"Inter-Regular", "Inter-SemiBold", "JetBrainsMono-Regular"} <= fonts


async def test_one_page_and_the_pages_below_it(api: Api, world: World, printed: Printed) -> None:
    below = await fetch(api, await address(api, world, printed, "?page=empty"))
    assert outline(below) == [("Überblick", 2), ("Deep", 3)]
    only = await fetch(api, await address(api, world, printed, "?page=box&only=true"))
    assert len(only.pages) == 1
    assert outline(only) == [("Box", 1), ("The lid", 1)]
    text = only.pages[0].extract_text()
    assert "What is in the box." in text
    assert "Contents" not in text


async def test_links_to_pages_that_are_not_printed_lead_to_the_server(
    api: Api, world: World, printed: Printed
) -> None:
    found = links(await fetch(api, await address(api, world, printed, "?page=home&only=true")))
    base = f"http://docs.test/s/{printed.space.id}"
    assert (1, f"{base}/parts/box") in found
    assert (1, f"{base}/parts/box#the-lid") in found


async def test_a_hidden_page_is_printed_for_whoever_asks_for_it(
    api: Api, world: World, printed: Printed
) -> None:
    pdf = await fetch(api, await address(api, world, printed, "?page=secret"))
    text = "".join(sheet.extract_text() for sheet in pdf.pages)
    assert "Hidden text." in text
    assert "Below hidden text." in text


async def test_both_doors_give_the_same_address(api: Api, world: World, printed: Printed) -> None:
    for query, variables in (("", {}), ("?page=box&only=true", {"page": "box", "only": True})):
        data = await api.data(SPACE_PDF, world.reader, id=printed.space.id, **variables)
        assert data["space"]["pdf"]["url"] == await address(api, world, printed, query)


async def test_a_change_request_has_its_own_content(
    api: Api, world: World, printed: Printed, session: Session
) -> None:
    await session.begin_write()
    other = await make_printed_space(
        session, world, (await api.server.file_access()).blobs, home="Changed text."
    )
    await session.begin_write()
    space = await session.get_one(type(other.space), other.space.id)
    request = await factories.make_change_request(session, space, world.editor, subject="Rework")
    await session.commit()
    path = f"/spaces/{space.id}/change-requests/1/pdf"
    url = (await api.rest("GET", path, world.reader)).json()["url"]
    pdf = await fetch(api, url)
    assert "Change request #1 Rework" in pdf.pages[0].extract_text()
    assert "Changed text." in pdf.pages[2].extract_text()
    query = "query ($s: ID!, $c: ID!) { changeRequest(spaceId: $s, id: $c) { pdf { url } } }"
    data = await api.data(query, world.reader, s=space.id, c=request.id)
    assert data["changeRequest"]["pdf"]["url"] == url


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [("?page=nothing", 404, "page 'nothing' does not exist"), ("?only=true", 422, "without `page`"),
     ("?only=perhaps", 422, "only"), ("?page=", 200, "/pdf/")],
)  # fmt: skip
async def test_pages_that_cannot_be_printed(
    api: Api, world: World, printed: Printed, query: str, status: int, words: str
) -> None:
    response = await api.rest("GET", f"/spaces/{printed.space.id}/pdf{query}", world.reader)
    assert (response.status_code, words in response.text) == (status, True), response.text


async def test_content_in_the_bin_is_not_printed(api: Api, world: World, printed: Printed) -> None:
    url, kept = [
        await address(api, world, printed, query) for query in ("", "?page=home&only=true")
    ]
    await fetch(api, kept)
    assert (await api.rest("DELETE", f"/spaces/{printed.space.id}", world.admin)).status_code == 205
    assert (await api.client.get(kept)).status_code == 404
    response = await api.client.get(url)
    assert response.status_code == 404
    assert (
        await api.rest("GET", f"/spaces/{printed.space.id}/pdf", world.admin)
    ).status_code == 404


def changed(url: str, *, path: tuple[str, str] | None = None, **query: str) -> str:
    parts = urlsplit(url)
    new = dict(parse_qsl(parts.query)) | query
    return (parts.path.replace(*path) if path else parts.path) + "?" + urlencode(new)


async def test_nothing_of_an_address_can_be_changed(
    api: Api, world: World, printed: Printed, session: Session
) -> None:
    await session.begin_write()
    other = await factories.make_space(session, world.organization)
    await session.commit()
    url = await address(api, world, printed, "?page=box&only=true")
    for tampered in (
        changed(url, page="secret"),
        changed(url, page=""),
        changed(url, only=""),
        changed(url, changeRequest="x"),
        changed(url, title="x"),
        changed(url, expires=str(int(time.time()) + 1_000_000)),
        changed(url, expires="٣"),
        changed(url, expires="-1"),
        changed(url, expires="9" * 30),
        changed(url, signature=""),
        changed(url, signature="é"),
        changed(url, path=("box.pdf", "a.pdf")),
        changed(url, path=(printed.space.id, other.id)),
        changed(url, path=(printed.space.revision_id, other.revision_id)),
        url.split("?")[0],
    ):
        response = await api.client.get(tampered)
        assert response.status_code == 404, tampered
        assert response.json()["error"]["message"] == "there is no such PDF"
    assert api.server.printer.drawn == 0
    assert (await api.client.get(url)).status_code == 200


async def test_an_address_expires(
    api: Api, world: World, printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await address(api, world, printed)
    expires = int(dict(parse_qsl(urlsplit(url).query))["expires"])
    assert 3600 <= expires - time.time() <= 7200
    past = time.time() - 3 * 3600
    monkeypatch.setattr(
        Context, "now", lambda ctx: __import__("datetime").datetime.fromtimestamp(past)
    )
    old = (await api.rest("GET", f"/spaces/{printed.space.id}/pdf", world.reader)).json()["url"]
    response = await api.client.get(old)
    assert response.status_code == 404
    assert "expired" in response.text


async def test_requests_at_once_are_drawn_once_and_kept(
    api: Api, world: World, printed: Printed
) -> None:
    url = await address(api, world, printed)
    answers = await asyncio.gather(*(api.client.get(url) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert api.server.printer.drawn == 1
    assert (await api.client.get(url)).content == answers[0].content
    assert api.server.printer.drawn == 1


async def test_a_new_title_is_a_new_pdf(api: Api, world: World, printed: Printed) -> None:
    await fetch(api, await address(api, world, printed))
    body = {"title": "Tide manual"}
    assert (
        await api.rest("PATCH", f"/spaces/{printed.space.id}", world.admin, body)
    ).status_code == 200
    pdf = await fetch(api, await address(api, world, printed))
    assert "Tide manual" in pdf.pages[0].extract_text()


async def test_length_and_parts(api: Api, world: World, printed: Printed) -> None:
    url = await address(api, world, printed, "?page=empty&only=true")
    whole = await api.client.get(url)
    assert whole.headers["content-length"] == str(len(whole.content))
    part = await api.client.get(url, headers={"Range": "bytes=-20"})
    assert (part.status_code, part.content) == (206, whole.content[-20:])
    assert part.headers["content-type"] == "application/pdf"


async def test_headers(api: Api, world: World, printed: Printed) -> None:
    response = await api.client.get(await address(api, world, printed, "?page=empty&only=true"))
    assert response.headers["content-disposition"] == "inline; filename*=UTF-8''uberblick.pdf"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in response.headers["content-security-policy"]
