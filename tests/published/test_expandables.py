"""Links lead to expandables by their titles, wherever they come from."""

from pathlib import Path

from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.published.test_kept_html import write
from tests.published.test_sites import get
from tests.sources import imported

FOLDED = "<details>\n\n<summary>How *long*?</summary>\n\nA day.\n\n</details>\n"
FAQ = f"# FAQ\n\n{FOLDED}\n## Costs\n\n{FOLDED}\n## How long\n\nThe heading comes first.\n"
LINKS = (
    "# Home\n\n[a](faq.md#how-long-1) [b](faq.md#how-long-2) [c](faq.md#how-long) [d](faq.md#no)\n"
)
PAGE = """query ($space: ID!, $page: ID!) { space(id: $space) {
  page(id: $page) { ... on DocumentPage { document } } } }"""


async def test_links_to_expandables(
    session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "* [Home](README.md)\n* [FAQ](faq.md)\n", "README.md": LINKS, "faq.md": FAQ,
    }  # fmt: skip
    space = await imported(session, world, api, write(tmp_path, files))
    site = await factories.make_site(session, world.organization, space, published=True)
    await session.commit()

    base = f"/spaces/{space.id}"
    answer = (await api.rest("GET", f"{base}/links", world.reader)).json()
    assert answer["stats"] == {"total": 4, "broken": {"total": 1}}
    page = await api.rest("GET", f"{base}/content/path/faq?format=document", world.reader)
    document = page.json()["document"]
    ids = [node["meta"]["id"] for node in document["nodes"] if node["type"] == "expandable"]
    assert ids == ["how-long-1", "how-long-2"]
    data = await api.data(PAGE, world.reader, space=space.id, page=page.json()["id"])
    assert data["space"]["page"]["document"]["nodes"] == document["nodes"]

    home = (await get(api, site)).text
    assert 'faq#how-long-2"' in home
    faq = (await get(api, site, "/faq")).text
    for id in ("how-long-1", "how-long-2"):
        assert faq.count(f'<div id="{id}" class="expandable-body">') == 1
    assert faq.count('<h2 id="how-long"') == 1
    # In the outline are headings.
    assert 'href="#how-long"' in faq
    assert 'href="#how-long-1"' not in faq
    written = await api.rest("GET", f"{base}/content/path/readme?format=markdown", world.reader)
    assert "faq.md#how-long-2" in written.json()["markdown"]
