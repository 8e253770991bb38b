"""Translators over their protocols: what is sent, what is taken, what is tried again."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fetching.translation.provider import ProviderSettings, Request, TranslationError
from fetching.translation.table import translator_of
from tests.jobs.translators import Translations, translating

REQUEST = Request("en", "pt-br", ["One <x1>two</x1>", "three"], "Be brief.", {"two": "dois"})


def command(tmp_path: Path, program: str, **more: Any) -> ProviderSettings:
    """A program of Python as the translator."""
    path = tmp_path / "translate.py"
    path.write_text(f"import json, sys, time\n{program}\n")
    line = f"{sys.executable} {path}"
    settings = ProviderSettings.read("command", "", "", "", line, 5, 4_000)
    assert settings is not None
    return replace(settings, pause=0.001, **more)


async def test_a_chat_has_a_task_and_texts_as_data() -> None:
    async with translating() as server:
        answer = await translator_of(server.settings("openai")).translate(REQUEST)
    assert (list(answer.texts), answer.tokens) == (["ONE <X1>TWO</X1>", "THREE"], 7)
    assert answer.characters == sum(map(len, REQUEST.texts))
    ((first, headers, body),) = server.requests
    assert first == "POST /v1/chat/completions HTTP/1.1"
    assert headers["authorization"] == "Bearer key"
    assert body["model"] == "model"
    task = body["messages"][0]["content"]
    for said in ("English", "Brazilian Portuguese", "Be brief.", "two = dois", "<x1>"):
        assert said in task
    assert json.loads(body["messages"][1]["content"]) == {"texts": list(REQUEST.texts)}


async def test_libretranslate_is_asked_by_the_names_that_it_has() -> None:
    async with translating(plan=[400, 400, 200]) as server:
        translator = translator_of(server.settings("libretranslate"))
        answer = await translator.translate(REQUEST)
        assert list(answer.texts) == ["ONE <X1>TWO</X1>", "THREE"]
        # What it has taken once it takes again.
        await translator.translate(REQUEST)
    targets = [body["target"] for _, _, body in server.requests]
    assert targets == ["pt-BR", "pb", "pt", "pt"]
    first, _, body = server.requests[0]
    assert first == "POST /translate HTTP/1.1"
    assert (body["format"], body["api_key"], body["q"]) == ("html", "key", list(REQUEST.texts))


async def test_many_texts_go_in_portions() -> None:
    texts = [f"text {number}" for number in range(100)]
    async with translating() as server:
        settings = server.settings("libretranslate", characters=200)
        answer = await translator_of(settings).translate(replace(REQUEST, texts=texts))
        assert list(answer.texts) == [text.upper() for text in texts]
        sizes = [sum(map(len, body["q"])) for _, _, body in server.requests]
        assert max(sizes) <= 200
        assert len(sizes) == -(-sum(map(len, texts)) // 200)
        assert (await translator_of(settings).translate(replace(REQUEST, texts=[]))).texts == []


async def test_an_answer_of_the_wrong_length_is_asked_for_in_halves() -> None:
    class Short(Translations):
        def _body(self, body: dict[str, Any]) -> bytes:
            # It gives one text whatever it gets, and none for the word that it does not like.
            texts = [text.upper() for text in body["q"][:1] if text != "b"]
            return json.dumps({"translatedText": texts}).encode()

    async with translating() as server:
        server._body = Short._body.__get__(server)  # type: ignore[method-assign]
        request = replace(REQUEST, texts=["a", "b", "c", "d"])
        answer = await translator_of(server.settings("libretranslate")).translate(request)
    assert list(answer.texts) == ["A", None, "C", "D"]


@pytest.mark.parametrize(
    ("plan", "requests", "said"),
    [([500, 429], 3, None), ([503] * 3, 3, "status 503"), ([401], 1, "status 401")],
)
async def test_what_may_pass_is_tried_again(
    plan: list[int], requests: int, said: str | None
) -> None:
    async with translating(plan=plan) as server:
        translator = translator_of(server.settings("openai"))
        if said is None:
            assert (await translator.translate(REQUEST)).texts
        else:
            with pytest.raises(TranslationError, match=said):
                await translator.translate(REQUEST)
    assert len(server.requests) == requests


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b'{"choices": 1}', b'{"choices": [{"message": {}}]}']
)
async def test_answers_without_texts_leave_all_as_it_is(body: bytes) -> None:
    async with translating(body=body) as server:
        for kind in ("openai", "libretranslate"):
            answer = await translator_of(server.settings(kind)).translate(REQUEST)
            assert list(answer.texts) == [None, None]


async def test_a_program_gets_json_and_answers_with_json(tmp_path: Path) -> None:
    program = """
got = json.load(sys.stdin)
assert got["instructions"] == "Be brief." and got["terms"] == {"two": "dois"}
json.dump({"texts": [got["target"] + text for text in got["texts"]], "tokens": 3}, sys.stdout)
"""
    answer = await translator_of(command(tmp_path, program)).translate(REQUEST)
    assert list(answer.texts) == ["pt-brOne <x1>two</x1>", "pt-brthree"]
    assert answer.tokens == 3


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sys.exit(3)", "status 3"),
        ("sys.stdin.read(); time.sleep(60)", "longer than"),
        # It reads nothing, and writes more than anybody wants.
        ("while True: sys.stdout.write('x' * 100000)", "more than"),
    ],
)
async def test_programs_that_fail_are_ended(tmp_path: Path, program: str, said: str) -> None:
    settings = command(tmp_path, program, seconds=0.5 if "sleep" in program else 20)
    request = replace(REQUEST, texts=["x" * 3_000] * 40)
    with pytest.raises(TranslationError, match=said):
        await translator_of(settings).translate(request)


async def test_what_is_no_program_is_not_tried_again(tmp_path: Path) -> None:
    settings = replace(command(tmp_path, ""), command=(str(tmp_path / "nothing"),))
    with pytest.raises(TranslationError, match="cannot be started") as failure:
        await translator_of(settings).translate(REQUEST)
    assert failure.value.lasting


@pytest.mark.parametrize(
    ("kind", "url", "model", "line", "said"),
    [
        ("openai", "", "m", "", "TRANSLATION_URL"),
        ("openai", "https://a.example/v1", "", "", "TRANSLATION_MODEL"),
        ("libretranslate", "ftp://a.example", "", "", "TRANSLATION_URL"),
        ("libretranslate", "https://a.example/?key=1", "", "", "no parameters"),
        ("command", "", "", "  ", "TRANSLATION_COMMAND"),
    ],
)
def test_settings_say_what_is_missing(
    kind: str, url: str, model: str, line: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        ProviderSettings.read(kind, url, "", model, line, 60, 4_000)
    assert ProviderSettings.read("", url, "", model, line, 60, 4_000) is None
