"""A large page, and one that is nested deeply: read and written back through both doors."""

from typing import Any

import pytest

from tests.conftest import Api, World
from tests.rest_compat.content.test_former_anchors import APPLY, Written, written as written_pages

written = written_pages

# More nodes and more characters than documents of JSON could once have.
LARGE = "* item\n" * 4_000 + "\n```\n" + f"{'x' * 99}\n" * 2_100 + "```\n"
DEEP = "<details>\n<summary>s</summary>\n\n" * 31 + "deep" + "\n\n</details>" * 31 + "\n"
READ = """query ($space: ID!) { space(id: $space) { primaryContent: revision {
  page(id: "guide") { ... on DocumentPage { document markdown } } } } }"""


@pytest.mark.divided("text", [LARGE, DEEP, "".join("  " * n + "* a\n" for n in range(16))])
async def test_what_is_accepted_can_be_written_back(
    written: Written, api: Api, world: World, text: str
) -> None:
    await written.markdown(text)
    base = f"/spaces/{written.space.id}/content"

    async def rest(form: str) -> Any:
        answer = await api.rest("GET", f"{base}/page/guide?format={form}", world.admin)
        assert answer.status_code == 200, answer.text
        return answer.json()["document" if form == "document" else "markdown"]

    document, markdown = await rest("document"), await rest("markdown")
    # Unchanged: nothing is written. And once more after another text, so that all of it is.
    for other in (None, "Other words.\n"):
        for body in ({"markdown": markdown}, document):
            if other is not None:
                await written.markdown(other)
            changed = (await written.apply({"document": body}))["changed"]
            assert changed is (other is not None)
            assert await rest("markdown") == markdown
    for body in ({"document": document}, {"markdown": markdown}):
        await written.markdown("Other words.\n")
        sent = await api.graphql(
            APPLY, world.admin,
            input={"target": {"space": written.space.id}, "operations": [
                {"updatePage": {"page": "guide", "body": body}}]},
        )  # fmt: skip
        assert "errors" not in sent, str(sent)[:300]
        assert await rest("markdown") == markdown
