"""The pages of what a search in a published site has found."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from db.models.sites import Site
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, make_pages

NUMBER = 23
RESULT = re.compile('<h2[^>]*><a href="([^"]+)"')


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """A space with more pages about a needle than one page of results has."""
    space = await make_pages(
        session, world, "Guide",
        top={"title": "Top & more", "text": "Hay.\n"},
        **{f"p{n}": {"parent_id": "top", "text": "A needle.\n", "title": f"Page {n}"}
           for n in range(NUMBER)},
    )  # fmt: skip
    made = await factories.make_site(
        session, world.organization, space, title="Handbook", published=True
    )
    await settle(session)
    return made


def addresses(text: str) -> list[str]:
    """Those of the pages that were found."""
    assert read_html(text, ALLOWED).faults == []
    return RESULT.findall(text)


def link(text: str, label: str) -> str | None:
    """The address of a link with a text."""
    start, found, _ = text.partition(f">{label}</a>")
    if not found:
        return None
    return start.rpartition('href="')[2].rstrip('"').replace("&amp;", "&")


async def test_all_pages_are_reached_by_links(api: Api, site: Site) -> None:
    answer = await get(api, site, "/?q=needle")
    assert answer.status_code == 200
    assert '<p class="above">Top &amp; more</p>' in answer.text
    seen: list[list[str]] = []
    address = "?q=needle"
    while address is not None:
        answer = await get(api, site, f"/{address}")
        seen.append(addresses(answer.text))
        address = link(answer.text, "More results")
    assert [len(page) for page in seen] == [10, 10, 3]
    assert len({one for page in seen for one in page}) == NUMBER
    back = link(answer.text, "Previous results")
    assert back is not None
    assert addresses((await get(api, site, f"/{back}")).text) == seen[1]
    first = link(answer.text, "All results")
    assert first == "?q=needle"


async def test_what_is_not_there_leads_to_the_first_page(api: Api, site: Site) -> None:
    first = addresses((await get(api, site, "/?q=needle")).text)
    more = link((await get(api, site, "/?q=needle")).text, "More results")
    assert more is not None
    given = dict(parse_qsl(urlsplit(more).query))
    for query in (
        "q=needle&after=nonsense", "q=needle&in=nowhere", "q=needle&in=nowhere&after=x",
        f"q=needle&after={given['after']}", f"q=needle&in={given['in']}&after=x&before=y",
        "q=needle&in=%00&after=%ff", f"q=needle&in={given['in']}&before=%f0%9f%92%a9",
    ):  # fmt: skip
        answer = await get(api, site, f"/?{query}")
        assert answer.status_code == 200, query
        assert addresses(answer.text) == first, query
    answer = await get(api, site, f"/?q=other&in={given['in']}&after={given['after']}")
    assert answer.status_code == 200
    assert "Nothing was found" in answer.text
