"""Runs of translations: what they translate, what they leave, and what they cost."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from db.enums import EditMode
from db.job_enums import JobKind
from db.models.spaces import Space
from db.session import Session
from fetching.translation.provider import ProviderSettings
from jobs.kinds import Kind
from jobs.table import KINDS
from tests import factories
from tests.conftest import Api, World
from tests.jobs.queue import Queue
from tests.jobs.translators import Translations, translating

RUN = {JobKind.TRANSLATION: KINDS[JobKind.TRANSLATION]}
SWEEP = {JobKind.TRANSLATION_SWEEP: Kind(handler=KINDS[JobKind.TRANSLATION_SWEEP].handler)}
HOME = """# Start here

Click **Save** to `store` [the page](guide.md#first-steps), on <https://example.com/x>.

{% tabs %}
{% tab title="One" %}
Hello <code class="expression">space.vars.name</code>
{% endtab %}
{% endtabs %}

```python
print("hello")
```
"""
GUIDE = "## First steps\n\nThe page is new. [Home](README.md)\n"


@dataclass
class Case:
    """A space that is translated into German by a server on loopback."""

    api: Api
    world: World
    space: Space
    server: Translations
    id: str = ""

    @property
    def path(self) -> str:
        return f"/orgs/{self.world.organization.id}/translations"

    async def rest(self, method: str, path: str, body: Any = None) -> Any:
        return await self.api.rest(method, path, self.world.admin, body)

    async def create(self, **more: Any) -> dict[str, Any]:
        body = {"source": {"space": self.space.id, "language": "en"}, "language": "de", **more}
        answer = await self.rest("POST", self.path, body)
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]
        made: dict[str, Any] = answer.json()
        return made

    async def work(self) -> dict[str, Any]:
        """Do all jobs; the translation as it is then."""
        await Queue(self.api.server).work(RUN)
        return await self.shown()

    async def shown(self) -> dict[str, Any]:
        answer = await self.rest("GET", f"{self.path}/{self.id}")
        shown: dict[str, Any] = answer.json()
        return shown

    async def write(self, *changes: dict[str, Any]) -> dict[str, Any]:
        answer = await self.rest(
            "POST", f"/spaces/{self.space.id}/content", {"changes": list(changes)}
        )
        assert answer.status_code == 200, answer.text
        written: dict[str, Any] = answer.json()
        return written

    async def pages(self, space: str) -> dict[str, dict[str, Any]]:
        answer = await self.rest("GET", f"/spaces/{space}/content/pages")
        return {page["path"]: page for page in answer.json()["pages"]}

    async def markdown(self, space: str, page: str) -> str:
        answer = await self.rest("GET", f"/spaces/{space}/content/page/{page}?format=markdown")
        text: str = answer.json()["markdown"]
        return text

    def use(self, settings: ProviderSettings | None) -> None:
        server = self.api.server
        server.resolver_settings = replace(server.resolver_settings, translation=settings)


@pytest.fixture
async def case(api: Api, world: World, session: Session) -> AsyncIterator[Case]:
    """A space with two pages, nothing translated yet."""
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await session.commit()
    async with translating() as server:
        case = Case(api, world, space, server)
        case.use(server.settings("libretranslate"))
        await case.write(
            {
                "type": "insert_page",
                "slug": "guide",
                "document": {"markdown": f"# Guide\n\n{GUIDE}"},
            },
        )
        guide = (await case.pages(space.id))["guide"]["id"]
        home = HOME.replace("guide.md", f"/pages/{guide}")
        await case.write(
            {
                "type": "insert_page",
                "slug": "start",
                "description": "All of it",
                "document": {"markdown": home},
            }
        )
        yield case


async def test_a_space_is_translated_into_a_space_behind_it(case: Case) -> None:
    made = await case.create()
    assert (made["status"], "result" in made, made["stats"]["runs"]) == ("pending", False, 0)
    done = await case.work()
    assert (done["status"], done["stats"]["runs"], done["stats"]["untranslated"]) == (
        "completed", 1, 0,
    )  # fmt: skip
    assert "error" not in done
    result = done["result"]["space"]
    space = (await case.rest("GET", f"/spaces/{result}")).json()
    assert (space["title"], space["language"]) == (f"{case.space.title} (Deutsch)", "de")
    assert space["revision"] == done["result"]["revision"]
    revision = (await case.rest("GET", f"/spaces/{result}/revisions/{space['revision']}")).json()
    assert revision["type"] == "computed"
    before, after = await case.pages(case.space.id), await case.pages(result)
    # Addresses and ids are the same, so that menus and links lead to the same page.
    assert {path: page["id"] for path, page in before.items()} == {
        path: page["id"] for path, page in after.items()
    }
    assert after["start"]["title"] == before["start"]["title"].upper()
    assert after["start"]["description"] == "ALL OF IT"
    text = await case.markdown(result, after["start"]["id"])
    for piece in (
        "CLICK **SAVE** TO `store` [THE PAGE](", "#first-steps)", "https://example.com/x",
        '{% tab title="ONE" %}', '<code class="expression">space.vars.name</code>',
        'print("hello")',
    ):  # fmt: skip
        assert piece in text, (piece, text)
    # What code and expressions say was shown, and is not what came back.
    assert any("store" in sent for sent in case.server.texts)
    pages, words = done["stats"]["latestPages"], done["stats"]["latestWords"]
    assert (pages, words) == (done["stats"]["totalPages"], done["stats"]["totalWords"])
    assert pages == len(before)
    assert words > 10
    assert done["stats"]["totalCharacters"] == sum(map(len, case.server.texts))


async def test_only_what_has_changed_is_translated_again(case: Case) -> None:
    await case.create()
    first = await case.work()
    result = first["result"]["space"]
    case.server.requests.clear()
    guide = (await case.pages(case.space.id))["guide"]["id"]
    other = (await case.pages(result))["start"]
    await case.write(
        {
            "type": "update_page",
            "page": guide,
            "document": {"markdown": f"# Guide\n\n{GUIDE}\nOne more.\n"},
        }
    )
    queue = Queue(case.api.server)
    await queue.add(JobKind.TRANSLATION_SWEEP)
    await queue.work({**SWEEP, **RUN})
    second = await case.shown()
    assert case.server.texts == ["One more."]
    assert (second["stats"]["runs"], second["stats"]["latestWords"]) == (2, 2)
    assert second["result"]["revision"] != first["result"]["revision"]
    assert "ONE MORE." in await case.markdown(result, guide)
    assert (await case.pages(result))["start"] == other
    # Nothing is begun while nothing changes, and a run that is asked for translates nothing.
    await queue.add(JobKind.TRANSLATION_SWEEP)
    await queue.work({**SWEEP, **RUN})
    assert (await case.shown())["stats"]["runs"] == 2
    assert (await case.rest("POST", f"{case.path}/{case.id}/run")).status_code == 204
    assert (await case.rest("POST", f"{case.path}/{case.id}/run")).status_code == 409
    third = await case.work()
    assert (third["stats"]["runs"], third["stats"]["latestWords"]) == (3, 0)
    assert third["result"] == second["result"]
    assert len(case.server.texts) == 1
    # What is gone goes from the result, too.
    await case.write({"type": "delete_page", "page": guide})
    await case.rest("POST", f"{case.path}/{case.id}/run")
    await case.work()
    assert "guide" not in await case.pages(result)


async def test_terms_and_instructions_translate_anew_what_they_concern(case: Case) -> None:
    await case.create()
    result = (await case.work())["result"]["space"]
    case.server.requests.clear()
    glossary = f"/orgs/{case.world.organization.id}/translations-glossary"
    terms = {"type": "insert", "translations": {"en": "page", "de": "Seite"}}
    answer = await case.rest("PUT", glossary, {"operations": [terms]})
    assert answer.status_code == 204, answer.text
    assert (await case.shown())["status"] == "pending"
    await case.work()
    assert sorted(case.server.texts) == sorted(
        text for text in set(case.server.texts) if "<x" in text and "page</x" in text.lower()
    )
    guide = (await case.pages(result))["guide"]["id"]
    assert "THE Seite IS NEW." in await case.markdown(result, guide)
    case.server.requests.clear()
    # Another language is not concerned.
    await case.rest("PUT", glossary, {"operations": [
        {"type": "insert", "translations": {"en": "home", "fr": "accueil"}}]})  # fmt: skip
    assert (await case.shown())["status"] == "completed"
    words = {"object": "leaf", "text": "Say du.", "marks": []}
    paragraph = {
        "object": "block", "type": "paragraph", "isVoid": False, "data": {},
        "nodes": [{"object": "text", "leaves": [words]}],
    }  # fmt: skip
    document = {"object": "document", "data": {}, "nodes": [paragraph]}
    case.use(case.server.settings("openai"))
    await case.rest("PUT", f"{case.path}/{case.id}", {"instructions": document})
    done = await case.work()
    assert done["instructions"]["nodes"][0]["nodes"][0]["leaves"][0]["text"] == "Say du."
    system = case.server.requests[0][2]["messages"][0]["content"]
    assert "Say du." in system
    assert "page = Seite" in system
    assert done["stats"]["latestPages"] == len(await case.pages(result))
    assert done["stats"]["totalTokens"] == 7 * len(case.server.requests)


async def test_nobody_edits_a_result_until_its_translation_is_deleted(case: Case) -> None:
    await case.create()
    result = (await case.work())["result"]["space"]
    change = {"changes": [
        {"type": "insert_page", "title": "New", "document": {"markdown": "New"}}]}  # fmt: skip
    for path, body in (
        (f"/spaces/{result}/content", change),
        (f"/spaces/{result}/change-requests", {}),
        (f"/spaces/{result}/transfer", {"organization": case.world.organization.id}),
    ):
        answer = await case.rest("POST", path, body)
        assert answer.status_code in (409, 412), (path, answer.text)
    again = {"source": {"space": result, "language": "de"}, "language": "fr"}
    answer = await case.rest("POST", case.path, again)
    assert (answer.status_code, "translation itself" in answer.text) == (400, True)
    for source, language, at in (
        (case.space.id, "en", "language"), (case.space.id, "de", "language"),
        ("nothing", "fr", "source.space"),
    ):  # fmt: skip
        body = {"source": {"space": source, "language": "en"}, "language": language}
        answer = await case.rest("POST", case.path, body)
        assert (answer.status_code, at in answer.text) == (400, True), answer.text
    assert (await case.rest("DELETE", f"{case.path}/{case.id}")).status_code == 205
    assert (await case.rest("DELETE", f"{case.path}/{case.id}")).status_code == 204
    pages = await case.pages(result)
    assert (await case.rest("POST", f"/spaces/{result}/content", change)).status_code == 200
    assert (await case.pages(result)).keys() > pages.keys()


async def test_a_server_that_fails_leaves_the_result_as_it_is(case: Case) -> None:
    await case.create()
    first = await case.work()
    guide = (await case.pages(case.space.id))["guide"]["id"]
    change = {"type": "update_page", "page": guide, "title": "Other"}
    case.server.plan = [500, 429]
    await case.write(change)
    await case.rest("POST", f"{case.path}/{case.id}/run")
    second = await case.work()
    # Twice it failed, and was asked again.
    assert (second["result"] != first["result"], "error" in second) == (True, False)
    await case.write({**change, "title": "Another"})
    for plan, body, said in (
        ([403], None, "status 403"), ([500] * 3, None, "status 500"), ([], b"{", "no JSON"),
    ):  # fmt: skip
        case.server.plan, case.server.body = list(plan), body
        await case.rest("POST", f"{case.path}/{case.id}/run")
        failed = await case.work()
        assert (failed["status"], failed["result"]) == ("completed", second["result"])
        assert said in failed["error"], failed
    # It is not tried again by itself before the source changes.
    case.server.requests.clear()
    queue = Queue(case.api.server)
    await queue.add(JobKind.TRANSLATION_SWEEP)
    await queue.work({**SWEEP, **RUN})
    assert case.server.requests == []


@pytest.mark.parametrize("kind", ["openai", "libretranslate"])
async def test_answers_that_cannot_be_used_leave_texts_as_they_are(case: Case, kind: str) -> None:
    case.server.word = lambda text: None if "page" in text else text.replace("x1>", "x7>").upper()
    case.use(case.server.settings(kind))
    await case.create()
    done = await case.work()
    assert done["stats"]["untranslated"] > 0
    result = done["result"]["space"]
    pages = await case.pages(result)
    assert "The page is new." in await case.markdown(result, pages["guide"]["id"])
    assert "HELLO" not in await case.markdown(result, pages["start"]["id"])


async def test_without_a_translator_it_says_what_to_set(case: Case) -> None:
    case.use(None)
    body = {"source": {"space": case.space.id, "language": "en"}, "language": "de"}
    answer = await case.rest("POST", case.path, body)
    assert answer.status_code == 412
    assert "DOCSTEAD_TRANSLATION_PROVIDER" in answer.text


async def test_a_run_that_is_asked_for_tries_again_what_has_stayed(case: Case) -> None:
    case.server.word = lambda text: None if "new" in text else text.upper()
    await case.create()
    assert (await case.work())["stats"]["untranslated"] == 1
    case.server.word = str.upper
    case.server.requests.clear()
    await case.rest("POST", f"{case.path}/{case.id}/run")
    done = await case.work()
    assert (done["stats"]["untranslated"], done["stats"]["latestPages"]) == (0, 1)
    assert len(case.server.texts) == 1
    guide = (await case.pages(done["result"]["space"]))["guide"]["id"]
    assert "THE PAGE IS NEW." in await case.markdown(done["result"]["space"], guide)


async def test_one_that_is_cancelled_or_loses_its_translation_leaves_nothing(case: Case) -> None:
    await case.create()
    (job,) = await Queue(case.api.server).jobs()
    organization = case.world.organization.id
    answer = await case.rest("POST", f"/orgs/{organization}/jobs/{job.id}/cancel")
    assert answer.status_code == 200
    queue = Queue(case.api.server)
    await queue.add(JobKind.TRANSLATION_SWEEP)
    await queue.work({**SWEEP, **RUN})
    # It was cancelled, not given up: nothing has been tried, so it runs.
    assert (await case.shown())["status"] == "completed"
    assert (await case.shown())["stats"]["runs"] == 1
    await case.rest("POST", f"{case.path}/{case.id}/run")
    assert (await case.rest("DELETE", f"{case.path}/{case.id}")).status_code == 205
    await queue.work(RUN)
    assert [one.state.value for one in await queue.jobs() if one.error] == []
