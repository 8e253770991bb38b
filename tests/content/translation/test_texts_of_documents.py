"""Whatever a translator answers, documents keep their structure."""

import copy
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.nodes import data_of, leaves_of, walk
from content.documents.shape import checked_document
from content.markdown.spelling import parse_with_style, write_markdown
from content.translation.document import plain_text, texts_of
from content.translation.terms import Terms
from tests.content.translation.pages import pages

Json = dict[str, Any]
TERMS = Terms({"page": "Seite", "API": "API", "change request": "Änderungsantrag"})
# What translations may change of the data of nodes.
WORDS = ("title", "alt", "caption", "label", "description")
TAG = re.compile(r"</?x\d+>")


def skeleton(node: Json) -> Any:
    """All of a document but its words: blocks in order, and what each line holds."""
    children = [child for child in node.get("nodes", ()) if isinstance(child, dict)]
    inlines = any("leaves" in child for child in children)
    below = [skeleton(child) for child in children if not (inlines and "leaves" in child)]
    if inlines and node.get("object") in ("block", "inline"):
        # Within a line the order is that of the language.
        below = [*sorted(map(repr, below)), sorted(map(repr, kept_in(children)))]
    fragments = [skeleton(item) for item in node.get("fragments", ())]
    data = {name: value for name, value in data_of(node).items() if name not in WORDS}
    if node.get("type") == "table":
        definition = copy.deepcopy(data["definition"])
        for column in definition.values():
            column.pop("title", None)
        data["definition"] = definition
    if node.get("type") == "code":
        data["title"] = data_of(node).get("title")
    return [node.get("object"), node.get("type"), node.get("key"), data, below, fragments]


def kept_in(children: list[Json]) -> list[Any]:
    """What the texts of a line hold beside words: code as it is, how often each mark stands."""
    kept: list[Any] = []
    marks: set[str] = set()
    for child in children:
        for leaf in leaves_of(child) or ():
            kinds = [mark["type"] for mark in leaf["marks"]]
            if {"code", "keyboard"} & set(kinds):
                kept.append(("code", leaf["text"]))
            elif leaf["text"].strip():
                marks.add(repr(kinds))
            kept += [("address", match) for match in re.findall(r"https?://\S+", leaf["text"])]
            kept += [("expression", match) for match in re.findall(r"{{.*?}}", leaf["text"])]
    return [*kept, *sorted(marks - {"[]"})]


def hostile(seed: int) -> Callable[[str], str]:
    """Answers of a translator that loses, doubles, moves and invents tags."""
    choose = random.Random(seed)

    def answer(text: str) -> str:
        tags = TAG.findall(text)
        acts = [
            lambda: "",
            lambda: text[::-1],
            lambda: text + text,
            lambda: TAG.sub("", text),
            lambda: text.replace("<x1>", "<x2>", 1),
            lambda: "".join(choose.sample(tags, len(tags))) + "words",
            lambda: text.replace(">", "><x99></x99>", 1),
            lambda: f"<script>alert(1)</script>{text}",
            lambda: text + "\x00",
            lambda: "x" * 100_000,
            lambda: text.upper(),
            lambda: " ".join(choose.sample(text.split(" "), len(text.split(" ")))),
        ]
        return choose.choice(acts)()

    return answer


TRANSLATORS: dict[str, Callable[[str], str]] = {
    "identity": lambda text: text,
    "reversing": lambda text: text[::-1],
    "upper case": str.upper,
    "without tags": lambda text: TAG.sub("", text),
}


def translated(document: Json, word: Callable[[str], str]) -> tuple[Json, int]:
    """The document with the answers of a translator, and how many were used."""
    result = copy.deepcopy(document)
    used = sum(text.take(word(text.tagged)) for text in texts_of(result, TERMS))
    return result, used


@settings(max_examples=60, deadline=None)
@given(pages(), st.sampled_from(sorted(TRANSLATORS)), st.integers(0, 999))
def test_no_answer_changes_the_structure(markdown: str, name: str, seed: int) -> None:
    document = dict(parse_with_style(markdown, seed="s"))
    before = skeleton(document)
    for word in (TRANSLATORS[name], hostile(seed)):
        result, _ = translated(document, word)
        assert skeleton(result) == before
        # It is a document as any other, and nothing of it was shared with the source.
        assert checked_document(result) == result
        keys = Counter(node["key"] for node in walk([result]) if "key" in node)
        assert max(keys.values(), default=1) == 1
    assert skeleton(document) == before


@settings(max_examples=40, deadline=None)
@given(pages())
def test_the_same_texts_give_the_same_document(markdown: str) -> None:
    document = dict(parse_with_style(markdown, seed="s"))
    without = Terms({})
    result = copy.deepcopy(document)
    texts = list(texts_of(result, without))
    assert all(text.take(text.tagged) for text in texts)
    plain = parse_with_style(write_markdown(result), seed="s")
    assert skeleton_without_keys(plain) == skeleton_without_keys(
        parse_with_style(write_markdown(document), seed="s")
    )


def skeleton_without_keys(document: Any) -> Any:
    document = copy.deepcopy(document)
    for node in walk([document]):
        node.pop("key", None)
    return skeleton(document)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Click <x1>Save</x1> <x2>a</x2>", "Click Save a"),
        # Order is that of the language.
        ("<x2></x2> then <x1>Save</x1>", "a then Save"),
        ("A &lt;b&gt; &amp; <x1>c</x1><x2/>", None),
        ("A &lt;b&gt; &amp; <x1>c</x1><x2>ignored</x2>", "A <b> & ca"),
        ("<X1>BIG</X1><X2>A</X2>", "BIGa"),
        # Lost, doubled, in each other, crossed, emptied, unclosed.
        ("Click <x1>Save</x1>", None),
        ("<x1>a</x1><x1>b</x1><x2>a</x2>", None),
        ("<x1>a <x2>a</x2></x1>", None),
        ("<x1>a<x2></x1></x2>", None),
        ("<x1> </x1><x2>a</x2>", None),
        ("<x1>a</x1><x2>a", None),
        ("</x1><x1><x2></x2>", None),
        ("", None),
    ],
)
def test_answers_are_taken_or_refused(answer: str, text: str | None) -> None:
    document = parse_with_style("Click **Save** `a`\n", seed="s")
    before = copy.deepcopy(document)
    (only,) = texts_of(document, TERMS)
    assert only.take(answer) is (text is not None)
    if text is None:
        assert document == before
    else:
        shown = "".join(leaf["text"] for node in walk([document]) for leaf in leaves_of(node) or ())
        assert shown == text


def test_terms_are_whole_words_whatever_their_capitals() -> None:
    line: list[str] = []
    text = plain_text("Page of pages: a Change Request, API and {{ page }}", TERMS, line.append)
    assert text is not None
    assert text.take(text.tagged.upper())
    assert line == ["Seite OF PAGES: A Änderungsantrag, API AND {{ page }}"]
    assert plain_text("API {{ page }} 12", TERMS, line.append) is None
    assert TERMS.used_in("A page, and an api") == {"page": "Seite", "API": "API"}


def test_twice_the_text_is_twice_the_work() -> None:
    def steps(size: int) -> int:
        line = "A page with **marks** and `code`, https://example.com/a, {{ b }}. " * size
        document = parse_with_style(line, seed="s")
        (text,) = texts_of(document, TERMS)
        return len(text.tagged)

    assert steps(400) < 2.3 * steps(200)
