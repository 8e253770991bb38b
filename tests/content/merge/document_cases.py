"""Merges of documents: base, ours, theirs, what comes out, and the conflicts.

Markdown; ` / ` stands for an empty line between blocks. A conflict is written as kind, then the
attribute or cell, then base | ours | theirs as they are shown, `-` for nothing.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    name: str
    base: str
    ours: str
    theirs: str
    expected: str
    conflicts: tuple[str, ...] = ()


PLAIN = [
    Case("nothing changed", "one / two", "one / two", "one / two", "one / two"),
    Case("ours edits", "one / two", "one! / two", "one / two", "one! / two"),
    Case("theirs edits", "one / two", "one / two", "one / two!", "one / two!"),
    Case("both edit other blocks", "one / two", "one! / two", "one / two!", "one! / two!"),
    Case("both make the same edit", "one / two", "uno / two", "uno / two", "uno / two"),
    Case(
        "the same edit and another one",
        "one / two / three",
        "uno / two / three",
        "uno / two / tre",
        "uno / two / tre",
    ),
    Case("ours removes", "one / two / three", "one / three", "one / two / three", "one / three"),
    Case("both remove one", "one / two / three", "one / three", "one / three", "one / three"),
    Case("both remove others", "one / two / three", "one / two", "two / three", "two"),
    Case("both remove all", "one / two", "", "", ""),
    Case("one removes the first, one the last", "one / two", "one", "two", ""),
    Case("both add elsewhere", "one / two", "zero / one / two", "one / two / three",
         "zero / one / two / three"),
    Case("both add at one place: theirs first", "one", "one / ours", "one / theirs",
         "one / theirs / ours"),
    Case("both add the same", "one", "one / new", "one / new", "one / new"),
    Case("both add the same and more", "one", "one / new / ours", "one / new / theirs",
         "one / new / theirs / ours"),
    Case("both add at the front", "one", "ours / one", "theirs / one", "theirs / ours / one"),
    Case("added behind a block that theirs removed", "one / two / three",
         "one / two / new / three", "one / three", "one / new / three"),
    Case("to an empty document", "", "ours", "", "ours"),
    Case("one edits what the other removes", "one / two fine words / three", "one / three",
         "one / two very fine words / three", "one / two very fine words / three",
         ("block: two fine words | - | two very fine words",)),
    Case("the other way round", "one / two fine words / three",
         "one / two very fine words / three", "one / three", "one / two very fine words / three",
         ("block: two fine words | two very fine words | -",)),
    Case("both rewrite a block", "one / old / three", "one / mine / three", "one / yours / three",
         "one / yours / mine / three", ("block: old | mine | yours",)),
    Case("two clashes", "a / b / c", "a1 / b / c1", "a2 / b / c2", "a2 / a1 / b / c2 / c1",
         ("block: a | a1 | a2", "block: c | c1 | c2")),
    Case("clash beside a clean edit", "a / middle / c", "a1 / middle / c!", "a2 / middle / c",
         "a2 / a1 / middle / c!", ("block: a | a1 | a2",)),
    Case("equal blocks", "x / same / y / same / z", "x / same / y / z",
         "x / same / y! / same / z", "x / same / y! / z"),
    Case("all is replaced on one side", "one / two", "eins / zwei / drei", "one / two",
         "eins / zwei / drei"),
]  # fmt: skip

MOVES = [
    Case("ours moves a block", "one / two / three", "two / three / one", "one / two / three",
         "two / three / one"),
    Case("ours moves what theirs edits", "first words here / two / three",
         "two / three / first words here", "first fine words here / two / three",
         "two / three / first fine words here"),
    Case("theirs moves what ours edits", "first words here / two / three",
         "first fine words here / two / three", "two / three / first words here",
         "two / three / first fine words here"),
    Case("both move one block elsewhere: theirs", "a / b / c / d", "b / a / c / d",
         "b / c / d / a", "b / c / d / a"),
    Case("both move other blocks", "a / b / c / d / e", "b / c / a / d / e", "a / b / c / e / d",
         "b / c / a / e / d"),
    Case("ours removes what theirs moves", "a / b / c", "b / c", "b / c / a", "b / c"),
    Case("ours adds behind what theirs moves", "a / b / c / d", "a / x / b / c / d",
         "b / c / d / a", "b / c / d / a / x"),
    Case("both edit what ours moves", "one two three four five six / x / y / z",
         "x / y / z / one two three four five sechs", "uno two three four five six / x / y / z",
         "x / y / z / uno two three four five sechs"),
    Case("ours moves into a hint what theirs edits", "some long words here / x / y",
         'x / {% hint style="info" %}\nsome long words here\n{% endhint %} / y',
         "some very long words here / x / y",
         "some very long words here / x / "
         '{% hint style="info" %}\nsome long words here\n{% endhint %} / y',
         ("block: some long words here | - | some very long words here",)),
]  # fmt: skip

WORDS = [
    Case("words apart", "The quick brown fox", "The slow brown fox", "The quick red fox",
         "The slow red fox"),
    Case("words side by side", "one two three", "uno two three", "one due three",
         "uno due three"),
    Case("the same word", "The quick brown fox", "The slow brown fox", "The fast brown fox",
         "The fast brown fox / The slow brown fox",
         ("block: The quick brown fox | The slow brown fox | The fast brown fox",)),
    Case("the same word alike, another one apart", "one two three four", "uno two three four",
         "uno two three vier", "uno two three vier"),
    Case("one adds in the middle, one removes at the end", "one two three four",
         "one two new three four", "one two three", "one two new three"),
    Case("both add at one place", "one two three", "one mine two three", "one yours two three",
         "one yours two three / one mine two three",
         ("block: one two three | one mine two three | one yours two three",)),
    Case("an edit within what the other removes", "one two three four five",
         "one two tre four five", "one five", "one five / one two tre four five",
         ("block: one two three four five | one two tre four five | one five",)),
    Case("sentences", "First sentence. Second sentence.", "First short one. Second sentence.",
         "First sentence. Second long one.", "First short one. Second long one."),
    Case("one makes bold, one edits", "The quick brown fox", "The **quick** brown fox",
         "The quick brown dog", "The **quick** brown dog"),
    Case("both mark one word", "The quick fox runs", "The **quick** fox runs",
         "The *quick* fox runs", "The ***quick*** fox runs"),
    Case("one marks what the other replaces", "The quick fox runs", "The **quick** fox runs",
         "The slow fox runs", "The slow fox runs / The **quick** fox runs",
         ("block: The quick fox runs | The quick fox runs | The slow fox runs",)),
    Case("a link gets a target and a text", "See [the docs](https://a.example) for more words",
         "See [the docs](https://b.example) for more words",
         "See [the manual](https://a.example) for more words",
         "See [the manual](https://b.example) for more words"),
    Case("two targets of a link", "See [the docs](https://a.example) now",
         "See [the docs](https://b.example) now", "See [the docs](https://c.example) now",
         "See [the docs](https://c.example) now / See [the docs](https://b.example) now",
         ("block: See the docs now | See the docs now | See the docs now",)),
    Case("text beside an emoji", "Look :smile: at this text", "See :smile: at this text",
         "Look :smile: at that text", "See :smile: at that text"),
    Case("text without blanks", "今日はいい天気です", "明日はいい天気です", "今日はいい天気だ",
         "明日はいい天気だ"),
    Case("a heading gets another level and other words", "## Old heading words",
         "### Old heading words", "## New heading words", "### New heading words"),
    Case("a paragraph becomes a heading and is edited", "Some words here / two",
         "## Some words here / two", "Some fine words here / two", "## Some fine words here / two"),
    Case("two levels for one heading", "## Heading", "### Heading", "#### Heading",
         "#### Heading", ("block type: heading-1 | heading-2 | heading-3",)),
    Case("a heading gets an id and other words", "## Heading words",
         '## Heading words <a href="#id" id="id"></a>', "## Heading text",
         '## Heading text <a href="#id" id="id"></a>'),
]  # fmt: skip


def _code(*lines: str) -> str:
    return "```py\n" + "\n".join(lines) + "\n```"


def _table(*rows: str) -> str:
    first, *rest = rows
    marks = "|".join("---" for _ in first.split(","))
    return "\n".join(
        f"| {' | '.join(row.split(','))} |" if row != "-" else f"|{marks}|"
        for row in (first, "-", *rest)
    )


HINT = '{{% hint style="{}" %}}\n{}\n{{% endhint %}}'
TABS = "{{% tabs %}}\n{}\n{{% endtabs %}}"
TAB = '{{% tab title="{}" %}}\n{}\n{{% endtab %}}'
DETAILS = "<details>\n\n<summary>{}</summary>\n\n{}\n\n</details>"

NESTED = [
    Case("items of a list", "* a\n* b\n* c", "* a\n* b!\n* c", "* z\n* a\n* b\n* c",
         "* z\n* a\n* b!\n* c"),
    Case("items added by both", "* a\n* b", "* a\n* x\n* b", "* a\n* b\n* y",
         "* a\n* x\n* b\n* y"),
    Case("an item edited and removed", "* a\n* some long item\n* c", "* a\n* c",
         "* a\n* some longer item\n* c", "* a\n* some longer item\n* c",
         ("block: some long item | - | some longer item",)),
    Case("a clash within an item", "* a\n* b\n* c", "* a\n* b1\n* c", "* a\n* b2\n* c",
         "* a\n* b2\n\n  b1\n* c", ("block: b | b1 | b2",)),
    Case("all items go", "one / * a\n* b", "one / * a", "one / * b", "one"),
    Case("nested items", "* a\n  * b\n  * c", "* a\n  * b!\n  * c", "* a\n  * b\n  * c!",
         "* a\n  * b!\n  * c!"),
    Case("tasks are ticked by both", "* [ ] a\n* [ ] b", "* [x] a\n* [ ] b", "* [ ] a\n* [x] b",
         "* [x] a\n* [x] b"),
    Case("a numbered list", "1. a\n2. b", "1. a\n2. b\n3. c", "1. a!\n2. b",
         "1. a!\n2. b\n3. c"),
    Case("a hint's style and text", HINT.format("info", "one two"),
         HINT.format("warning", "one two"), HINT.format("info", "one three"),
         HINT.format("warning", "one three")),
    Case("two styles of a hint", HINT.format("info", "one"), HINT.format("warning", "one"),
         HINT.format("danger", "one"), HINT.format("danger", "one"),
         ("block style: info | warning | danger",)),
    Case("blocks of a hint", HINT.format("info", "one\n\ntwo"),
         HINT.format("info", "one!\n\ntwo"), HINT.format("info", "one\n\ntwo!"),
         HINT.format("info", "one!\n\ntwo!")),
    Case("a hint is removed and edited", "x / " + HINT.format("info", "one two"), "x",
         "x / " + HINT.format("info", "one two three"),
         "x / " + HINT.format("info", "one two three"), ("block: one two | - | one two three",)),
    Case("a title of a tab and the text of another",
         TABS.format(TAB.format("A", "one") + "\n\n" + TAB.format("B", "two")),
         TABS.format(TAB.format("A1", "one") + "\n\n" + TAB.format("B", "two")),
         TABS.format(TAB.format("A", "one") + "\n\n" + TAB.format("B", "zwei")),
         TABS.format(TAB.format("A1", "one") + "\n\n" + TAB.format("B", "zwei"))),
    Case("two titles of a tab", TABS.format(TAB.format("A", "one")),
         TABS.format(TAB.format("A1", "one")), TABS.format(TAB.format("A2", "one")),
         TABS.format(TAB.format("A2", "one")), ("block title: A | A1 | A2",)),
    Case("tabs added by both", TABS.format(TAB.format("A", "one")),
         TABS.format(TAB.format("A", "one") + "\n\n" + TAB.format("B", "ours")),
         TABS.format(TAB.format("A", "one") + "\n\n" + TAB.format("C", "theirs")),
         TABS.format(TAB.format("A", "one") + "\n\n" + TAB.format("C", "theirs") + "\n\n"
                     + TAB.format("B", "ours"))),
    Case("title and body of an expandable", DETAILS.format("Title", "Body words"),
         DETAILS.format("Other title", "Body words"), DETAILS.format("Title", "Body text"),
         DETAILS.format("Other title", "Body text")),
    Case("two titles of an expandable: theirs", DETAILS.format("Title", "Body"),
         DETAILS.format("Mine", "Body"), DETAILS.format("Yours", "Body"),
         DETAILS.format("Yours", "Body"), ("block: Title | Mine | Yours",)),
    Case("a quote", "> one\n>\n> two", "> one!\n>\n> two", "> one\n>\n> two!",
         "> one!\n>\n> two!"),
    Case("lines of code", _code("a = 1", "b = 2", "c = 3"), _code("a = 9", "b = 2", "c = 3"),
         _code("a = 1", "b = 2", "c = 9"), _code("a = 9", "b = 2", "c = 9")),
    Case("one line of code: the block stands twice", _code("a = 1", "b = 2"),
         _code("a = 2", "b = 2"), _code("a = 3", "b = 2"),
         _code("a = 3", "b = 2") + " / " + _code("a = 2", "b = 2"),
         ("block: a = 1 / b = 2 | a = 2 / b = 2 | a = 3 / b = 2",)),
    Case("syntax and lines of code", "```py\na = 1\n```", "```python\na = 1\n```",
         "```py\na = 1\nb = 2\n```", "```python\na = 1\nb = 2\n```"),
    Case("two addresses of an embed", '{% embed url="https://a.example" %}',
         '{% embed url="https://b.example" %}', '{% embed url="https://c.example" %}',
         '{% embed url="https://c.example" %} / {% embed url="https://b.example" %}',
         ("block: https://a.example | https://b.example | https://c.example",)),
    Case("a caption and a width",
         '<figure><img src="a.png" alt=""><figcaption><p>Cap</p></figcaption></figure>',
         '<figure><img src="a.png" alt="" width="300"><figcaption><p>Cap</p></figcaption></figure>',
         '<figure><img src="a.png" alt=""><figcaption><p>Caption</p></figcaption></figure>',
         '<figure><img src="a.png" alt="" width="300"><figcaption><p>Caption</p></figcaption>'
         "</figure>"),
    Case("a paragraph becomes a list and is edited", "one two three / x", "* one two three / x",
         "one two four / x", "* one two three / one two four / x",
         ("block: one two three | - | one two four",)),
    Case("what is not known is kept", "{% unknown %} / x", "{% unknown %} / x!",
         "{% unknown %} / w / x", "{% unknown %} / w / x!"),
]  # fmt: skip

TABLES = [
    Case("cells of other rows", _table("a,b", "1,2", "3,4"), _table("a,b", "1,two", "3,4"),
         _table("a,b", "1,2", "three,4"), _table("a,b", "1,two", "three,4")),
    Case("cells of one row", _table("a,b", "1,2"), _table("a,b", "one,2"), _table("a,b", "1,two"),
         _table("a,b", "one,two")),
    Case("one cell", _table("a,b", "1,2"), _table("a,b", "one,2"), _table("a,b", "uno,2"),
         _table("a,b", "uno,2"), ("cell row1 column1: 1 | one | uno",)),
    Case("words of one cell", _table("a", "one two three"), _table("a", "uno two three"),
         _table("a", "one two tre"), _table("a", "uno two tre")),
    Case("rows added by both", _table("a", "1", "2"), _table("a", "0", "1", "2"),
         _table("a", "1", "2", "3"), _table("a", "0", "1", "2", "3")),
    Case("rows added at one place", _table("a", "1"), _table("a", "1", "ours"),
         _table("a", "1", "theirs"), _table("a", "1", "theirs", "ours")),
    Case("a row added, a cell below edited", _table("a,b", "1,x", "2,y"),
         _table("a,b", "0,w", "1,x", "2,y"), _table("a,b", "1,x", "2,why"),
         _table("a,b", "0,w", "1,x", "2,why")),
    Case("rows removed by both", _table("a", "1", "2", "3"), _table("a", "1", "2"),
         _table("a", "2", "3"), _table("a", "2")),
    Case("a row removed and edited", _table("a,b", "1,x", "2,y", "3,z"),
         _table("a,b", "1,x", "3,z"), _table("a,b", "1,x", "2,why", "3,z"),
         _table("a,b", "1,x", "2,why", "3,z"), ("cell row2: 2 y | - | 2 why",)),
    Case("rows in another order, a cell edited", _table("a,b", "1,x", "2,y", "3,z"),
         _table("a,b", "2,y", "3,z", "1,x"), _table("a,b", "1,ex", "2,y", "3,z"),
         _table("a,b", "2,y", "3,z", "1,ex")),
    Case("a column added, a cell edited", _table("a,b", "1,2", "3,4"),
         _table("a,b,c", "1,2,x", "3,4,y"), _table("a,b", "one,2", "3,4"),
         _table("a,b,c", "one,2,x", "3,4,y")),
    Case("columns added by both", _table("a", "1"), _table("a,o", "1,x"), _table("a,t", "1,y"),
         _table("a,t,o", "1,y,x")),
    Case("a column removed", _table("a,b", "1,2", "3,4"), _table("a", "1", "3"),
         _table("a,b", "1,2", "3,4", "5,6"), _table("a", "1", "3", "5")),
    Case("a column removed and edited", _table("a,b", "1,2", "3,4"), _table("a", "1", "3"),
         _table("a,b", "1,two", "3,4"), _table("a,b", "1,two", "3,4"),
         ("cell column2: set | - | set",)),
    Case("a column renamed, a cell edited", _table("a,b", "1,2"), _table("a,bee", "1,2"),
         _table("a,b", "one,2"), _table("a,bee", "one,2")),
    Case("two names of a column", _table("a,b", "1,2"), _table("a,bee", "1,2"),
         _table("a,be", "1,2"), _table("a,be", "1,2"), ("cell title column2: b | bee | be",)),
    Case("text beside a table", "x / " + _table("a", "1"), "x! / " + _table("a", "1"),
         "x / " + _table("a", "one"), "x! / " + _table("a", "one")),
]  # fmt: skip

CASES = [*PLAIN, *MOVES, *WORDS, *NESTED, *TABLES]
