"""Every link and image of what a published site gives to machines leads somewhere."""

import logging
import posixpath
import re
from pathlib import Path
from typing import Any

from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World
from tests.docstead.test_site_walk import documents, published
from tests.markdown_links import Links, names
from tests.sources import imported, sources

LOCATION = re.compile("<loc>(.*?)</loc>")
# Shown with --log-cli-level=info.
FIGURES = logging.getLogger(__name__)


async def paths_in_git(api: Api, world: World, space: Space, listed: list[Any]) -> set[str]:
    """Where the pages and files of a space stand; pages also without their ending, or by their
    folder: so many ways a link may lead to them."""
    found = {page["git"]["path"] for page in listed if "git" in page}
    for path in list(found):
        stem = path.removesuffix(".md")
        found |= {stem, posixpath.dirname(path)} if stem.endswith("README") else {stem}
    path: str | None = f"/spaces/{space.id}/content/files?limit=1000"
    answer = (await api.rest("GET", path, world.reader)).json()
    assert "next" not in answer
    return found | {file["git"]["path"] for file in answer["items"] if "git" in file}


async def test_links_of_whole_documentation(api: Api, session: Session, world: World) -> None:
    given = sources("gauge-manual", "docstead-guide", "data-api")
    spaces = [
        await imported(session, world, api, name, f"{Path(name).stem} {number}")
        for number, name in enumerate(given)
    ]
    roots = await published(api, world, spaces)
    links = Links(api)
    left: set[str] = set()
    for space, root in zip(spaces, roots, strict=True):
        answer = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.reader)
        listed = list(documents(answer.json()["pages"]))
        there = await paths_in_git(api, world, space, listed)
        for page in listed:
            text = await api.client.get(f"{root}/{page['path']}.md")
            assert text.status_code == 200
            for url in await links.follow(page["path"], text.text):
                left.add(url)
                target = posixpath.join(posixpath.dirname(page["git"]["path"]), names(url))
                # What is left as it is written leads nowhere in the source either.
                if names(url) and posixpath.normpath(target) in there:
                    links.faults.append(f"{page['path']}: {url} is there")
    number, answer = 1, await api.client.get(f"{roots[0]}/llms-full.txt")
    while answer.status_code == 200:
        for url in await links.follow(f"llms-full.txt/{number}", answer.text):
            if url not in left:
                links.faults.append(f"llms-full.txt/{number}: {url} is in no page")
        number += 1
        answer = await api.client.get(f"{roots[0]}/llms-full.txt/{number}")
    assert number > 1
    await links.follow("llms.txt", (await api.client.get(f"{roots[0]}/llms.txt")).text)
    listed_pages = 0
    for index in LOCATION.findall((await api.client.get(f"{roots[0]}/sitemap.xml")).text):
        for one in LOCATION.findall((await api.client.get(index)).text):
            await links.follow("sitemap", f"<{one}>")
            listed_pages += 1
    assert listed_pages > len(given)
    FIGURES.info("%d addresses followed; left as written: %s", len(links.followed), sorted(left))
    assert not links.faults, "\n".join(links.faults)
