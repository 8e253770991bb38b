"""Anchors in spellings that nobody has thought of, and places that are no headings."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.anchor_keys import AnchorNames, anchor_key, latin_key, meant_by_links
from content.documents.named_places import NAMED_PLACES, NUMBERED_NOTES, names_in, other_places
from content.html.document import render_document
from content.markdown.parser import parse_document
from tests.growth import assert_growth


def ids(source: str, *linked: str) -> list[str]:
    """The ids of a page to which such links lead."""
    document: Any = {**parse_document(source), "meta": {"linked": list(linked)}}
    return re.findall(r' id="([^"]+)"', str(render_document(document).html))


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("Get image URLs", "get-image-URLs"),
        ("Get image URLs", "Get_Image_URLs"),
        ("Conv2DConfig", "conv-2-dconfig"),
        ("DL4J's builds", "dl-4-js-builds"),
        ("Setup", "user-content-setup"),
        ("Füße", "FÜSSE"),
        ('Status <a id="status"></a>', "status-a-idstatusa"),
        ('The status <a name="state"></a>', "the-status-a-namestatea"),
        ("a " * 80, "a-" * 80),
    ],
)
def test_letters_and_digits_say_which_heading_is_meant(heading: str, link: str) -> None:
    assert ids(f"## {heading}\n\n## Other", link, "nothing").count(link) == 1
    assert "nothing" not in ids(f"## {heading}", "nothing")


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("安装", "an-zhuang"),
        ("Tun 的协议栈网络回环测试", "tun-de-xie-yi-zhan-wang-luo-hui-huan-ce-shi"),
        ("配置 Nginx", "pei-zhi-nginx"),
        ("长度和命令行", "chang-du-he-ming-ling-hang"),
        ("目的地址的重置", "mu-de-di-zhi-de-chong-zhi"),
        ("过滤与策略", "guo-lv-yu-ce-lve"),
        ("Проверка установки PostgreSQL", "proverka-ustanovki-postgresql"),
        ("Начало работы", "nachalo-raboty"),
        ("2. Настройка базы данных", "2-nastroyka-bazy-dannyh"),
        ("Настройка", "nastrojka"),
        ("Größen ändern", "groessen-aendern"),
        ("Größen ändern", "grossen-andern"),
    ],
)
def test_headings_are_meant_in_latin_letters(heading: str, link: str) -> None:
    assert ids(f"## {heading}\n\n## Other", link).count(link) == 1
    # What is spelled so comes first.
    assert ids(f"## {heading}\n\n## {link}", link).count(link) == 1
    assert ids("## 其他\n\n## Other", link).count(link) == 0


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("## Set up", {"set-up-1": "set-up"}),
        ("## Set up\n\n## Other\n\n### Set up", {"set-up-2": "set-up-1"}),
        ("## Set up 1\n\n## Set up", {"set-up-1": "set-up-1"}),
        ("## Other", {"set-up-1": None, "other-1": None}),
    ],
)
def test_the_title_of_the_page_may_be_counted(source: str, names: dict[str, str | None]) -> None:
    document: Any = {**parse_document(source), "meta": {"title": "Set up!"}}
    html = str(render_document(document).html)
    for name, anchor in names.items():
        assert html.count(f'id="{name}"') == (anchor is not None)
        if anchor is not None and anchor != name:
            assert html.index(f'id="{anchor}"') < html.index(f'id="{name}"')


def test_ids_of_the_page_itself_are_there_once() -> None:
    source = (
        "# Site content\n\n## Update 2026-02-01\n\n## Tab Linux\n\n<a id='tab:linux'></a>\n\n"
        '{% updates %}\n{% update date="2026-02-01" %}\nx\n{% endupdate %}\n{% endupdates %}\n\n'
        '{% tabs %}\n{% tab title="Linux" %}\ny\n{% endtab %}\n{% endtabs %}\n'
    )
    linked = ("site:content", "update:2026-02-01", "tab:linux", "note:1:body")
    found = ids(source, *linked)
    assert [found.count(name) for name in linked] == [0, 1, 1, 0]


def test_exact_names_come_first_and_then_the_first_heading() -> None:
    source = "## A B\n\n## AB\n\n## A-B!"
    html = str(render_document({**parse_document(source), "meta": {"linked": ["AB", "ab"]}}).html)
    assert html.index('id="AB"') < html.index(">A B<")
    assert ids(source, "ab").count("ab") == 1


@pytest.mark.parametrize(
    "source",
    [
        '<a id="x.Y"></a>\n\nText',
        'Text <a name="x.Y"></a> text',
        "<a name='x.Y' title='t'></a>\n",
        '## Heading <a name="x.Y" title="x"></a>',
        '<div id="x.Y">\ntext\n</div>',
        "<b id=x.Y>t</b>",
        '* item <a id="x.Y"></a>',
        '> <span id="x.Y"></span> text',
        '| a |\n| - |\n| b <a id="x.Y"></a> |\n',
    ],
)
def test_places_that_authors_have_named(source: str) -> None:
    assert other_places(parse_document(source)) == ["x.Y"]
    assert ids(source).count("x.Y") == 1
    # Whatever else says the name, and however.
    assert ids(f"{source}\n\n## Other\n\n{source}", "x-y").count("x.Y") == 1
    assert ids(source, "x-y").count("x-y") == 1


def test_notes_have_the_names_of_other_programs() -> None:
    source = "a[^x] b[^y]\n\n[^x]: One\n[^y]: Two\n"
    assert other_places(parse_document(source)) == ["fn-1", "fn-2", "fnref-1", "fnref-2"]
    html = ids(source, "fn1", "fnref:2", "fn3")
    assert {"fn1", "fn-2", "fnref:2"} <= set(html)
    assert "fn3" not in html


def test_places_of_a_page_are_bounded() -> None:
    named = "".join(f'<a id="p{number}"></a>x ' for number in range(NAMED_PLACES + 5))
    assert len(other_places(parse_document(named))) == NAMED_PLACES
    notes = "".join(f"a[^{n}]\n\n[^{n}]: b\n\n" for n in range(NUMBERED_NOTES + 5))
    assert len(other_places(parse_document(notes))) == 2 * NUMBERED_NOTES


PIECES = st.sampled_from(
    ["## a", "## A", "## a 1", "## é", '<a id="a"></a>', '<a id="A"></a>x', "<b id=a-1>", "x[^1]",
     "[^1]: y", '<div id="fn-1">x</div>']
)  # fmt: skip
NAMES = st.text(alphabet="aA1-_é. \"'<", max_size=6)


@given(st.lists(PIECES, max_size=8), st.lists(NAMES, max_size=6))
def test_no_id_stands_twice(pieces: list[str], linked: list[str]) -> None:
    found = ids("\n\n".join(pieces), *linked)
    assert len(set(found)) == len(found)


@given(st.lists(NAMES, max_size=6), NAMES)
def test_what_is_found_has_the_key(names: list[str], wanted: str) -> None:
    found = AnchorNames(names).find(wanted)
    if found is None:
        assert wanted not in names
        assert not anchor_key(wanted) or anchor_key(wanted) not in map(anchor_key, names)
    else:
        assert found in names
        assert found == wanted or latin_key(found) == latin_key(wanted)


def test_twice_the_names_are_twice_the_work() -> None:
    def of(size: int) -> Callable[[], object]:
        known = [f"Name-{number}-{'x' * 40}" for number in range(size)]
        known += [f"名-{number}-{'中' * 40}" for number in range(size)]
        wanted = [f"name{number}{'X' * 40}" for number in range(size)]
        wanted += [f"ming-{number}-{'zhong-' * 40}" for number in range(size)]
        html = "<a " + "id " * size + "<div " * size + ' id="x">' * size
        return lambda: (meant_by_links(wanted, known), list(names_in(html)))

    assert_growth(of, 500)


def tabs(*titles: str) -> str:
    items = "".join(f'{{% tab title="{title}" %}}\nText\n{{% endtab %}}\n' for title in titles)
    return f"{{% tabs %}}\n{items}{{% endtabs %}}\n"


def test_tabs_are_meant_as_headings_are_counted() -> None:
    source = tabs("Code", "Response") * 2
    html = str(render_document({**parse_document(source), "meta": {
        "linked": ["response-1", "Code", "response-2"]}}).html)  # fmt: skip
    assert html.index('id="tab:response:2"') < html.index('id="response-1"')
    assert html.index('id="tab:code"') < html.index('id="Code"') < html.index('id="tab:response"')
    assert "response-2" not in html
    # Only what links say, and not what is another place.
    assert ids(source, "other").count("response-1") == 0
    assert ids(f"{source}\n\n## Code", "Code").count("Code") == 1
    assert ids(f"{source}\n\n## Response 1", "response-1").count("response-1") == 1


@given(
    st.lists(st.sampled_from(["A", "A-1", "b", "Tab A"]), max_size=5),
    st.lists(st.sampled_from(["A", "A-1", "b", "Tab A"]), max_size=3),
    st.lists(st.sampled_from(["a", "A", "a-1", "a-2", "b", "tab-a", "tab:a"]), max_size=5),
)
def test_ids_of_tabs_stand_once(titles: list[str], headings: list[str], linked: list[str]) -> None:
    source = tabs(*titles) + "".join(f"\n## {heading}\n" for heading in headings)
    found = ids(source, *linked)
    assert len(set(found)) == len(found)
