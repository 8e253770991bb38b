"""Imported documentation is searched, its links are known, and it can be indexed again."""

import json
from pathlib import Path
from typing import Any

from db.session import Database, Session
from tests.conftest import Api, World, settle
from tests.docstead.command_line import docstead_async
from tests.docstead.test_commands import FIXTURE, at


async def test_imported_documentation_is_indexed_and_indexed_again(
    database: Database, session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    await settle(session)
    options = at(database, tmp_path / "data")
    done = await docstead_async(
        "import-docs", str(FIXTURE), "--organization", world.organization.id, "--json", *options
    )
    space = json.loads(done.out)["space"]["id"]

    async def answers() -> list[Any]:
        found = []
        for path in ("search?query=start", "search?query=deep", "links?limit=100"):
            answer = await api.rest("GET", f"/spaces/{space}/{path}", world.reader)
            assert answer.status_code == 200
            found.append(answer.json())
        return found

    before = await answers()
    assert before[0]["count"] > 0
    # That page is left out of search by its front matter, and the one below it with it.
    assert "Getting started" not in {item["title"] for item in before[0]["items"]}
    assert before[1]["items"] == []
    assert before[2]["stats"]["total"] == before[2]["count"] > 0
    done = await docstead_async("reindex", "--space", space, "--json", *options)
    assert (done.status, done.err) == (0, "")
    assert [one["id"] for one in json.loads(done.out)["spaces"]] == [space]
    after = await answers()
    assert after[:2] == before[:2]
    assert after[2]["stats"] == before[2]["stats"]
    done = await docstead_async("reindex", "--missing", *options)
    assert done.out == "indexed 0 spaces with 0 pages\n"
    done = await docstead_async("reindex", "--space", "nowhere", *options)
    assert done.status == 1
    assert "'nowhere' does not exist" in done.err
