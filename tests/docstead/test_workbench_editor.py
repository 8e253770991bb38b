"""The editor of the Workbench: documents come back as they were, whatever stands in them."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings, strategies as st
from hypothesis.strategies import SearchStrategy

from content.documents.alerts import with_alerts
from content.documents.keys import assign_keys
from content.documents.node_types import NODES, PARTS
from content.documents.shape import checked_document
from content.git.layout import read_space
from content.markdown.spelling import parse_with_style
from content.sources.opening import open_source
from tests.content import dialect
from tests.content.documents.test_alerts import ALERTS, NO_ALERTS, QUOTES
from tests.content.html.test_html_properties import DOCUMENTS
from tests.node_packages import run_node
from tests.sources import sources

EVERY_KIND = Path(__file__).parents[1] / "rest_compat" / "every_kind.md"


# One program reads all documents, and names the first that is not fine: none is looked for.
MANY = settings(max_examples=32, phases=[Phase.generate])


def by_chance(documents: SearchStrategy[Any]) -> list[Any]:
    """Documents, each an example of its own: in a list of several most draws were too large, were
    thrown away, and the others had little in them."""
    drawn: list[Any] = []

    @MANY
    @given(documents)
    def draw(document: Any) -> None:
        drawn.append(document)

    draw()
    return drawn


def taken_through_the_editor(documents: Iterable[Any], script: str = "workbench_editor.js") -> Any:
    """What came of documents that were opened and saved, each with one edit as well."""
    lines = "\n".join(json.dumps(document) for document in documents)
    return json.loads(asyncio.run(run_node(script, stdin=lines)))


def document(nodes: list[Any]) -> Any:
    # Strategies give some nodes twice, and each is to have a key of its own.
    nodes = json.loads(json.dumps(nodes))
    assign_keys(nodes, "")
    return {"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes}


GENERATED = st.lists(dialect.all_blocks(2), min_size=1, max_size=3).map(document)


def test_generated_documents_come_back_the_same() -> None:
    documents = by_chance(GENERATED)
    done = taken_through_the_editor(documents)
    assert done["documents"] == len(documents)


def test_documents_of_anything_come_back_the_same() -> None:
    # Infinite numbers are no JSON.
    documents = json.loads(json.dumps(by_chance(DOCUMENTS)), parse_constant=lambda _: 0)
    for one in documents:
        for number, node in enumerate(one["nodes"]):
            node["key"] = f"key{number}"
    done = taken_through_the_editor(documents)
    assert done["documents"] == len(documents)


def pages_of_documentation(*names: str) -> list[Any]:
    read = [parse_with_style(EVERY_KIND.read_text("utf-8"), seed="every")]
    for source in sources(*names):
        with open_source(source) as tree:
            pages = [page for top in read_space(tree).pages for page in top.walk()]
        read += [parse_with_style(page.markdown, seed=page.path) for page in pages if page.markdown]
    return read


def test_pages_of_documentation_come_back_and_can_be_edited() -> None:
    read = pages_of_documentation("team-handbook", "gauge-manual", "docstead-guide")
    done = taken_through_the_editor(read)
    assert done["documents"] == len(read) > 1
    assert done["edited"] > len(read) // 2
    # Whatever the editor has nodes for is edited as such, and not kept as a whole.
    assert done["unfit"] == []


def test_the_same_quotes_are_alerts_as_on_sites() -> None:
    """One rule in two languages: documents of both, and any others, are shown the same."""
    listed = [source for source, *_ in ALERTS] + NO_ALERTS
    inside = [source.join(("{% stepper %}\n{% step %}\n", "\n{% endstep %}\n{% endstepper %}\n"))
              for source in listed]  # fmt: skip
    drawn = by_chance(QUOTES)
    written = [parse_with_style(source, seed="alerts") for source in [*listed, *inside, *drawn]]
    read = [*written, *by_chance(GENERATED), parse_with_style("\n\n".join(listed), seed="all")]
    pairs = [{"document": one, "shown": with_alerts(one)} for one in read]
    done = taken_through_the_editor(pairs, "workbench_alerts.js")
    assert done["documents"] == len(read)
    assert done["alerts"] > 2 * len(ALERTS)


def test_saving_loses_nothing_and_writes_in_no_other_name() -> None:
    assert json.loads(asyncio.run(run_node("workbench_saving.js"))) == "done"


def test_items_of_lists_are_edited_and_kept_by_themselves() -> None:
    """Edits of items make any list of any other; what is not safe is sent as a whole."""
    counts = json.loads(asyncio.run(run_node("workbench_items.js")))
    assert counts["inside"] > 300


MERGING = "workbench_merging.js"


def test_no_word_of_two_people_is_lost_in_documentation() -> None:
    """Both edit a page at once: texts, lists, tables, blocks; what comes of it has all words."""
    read = pages_of_documentation("gauge-manual")[:40]
    done = taken_through_the_editor(read, MERGING)
    assert done["rounds"] > 6 * len(read)
    assert done["clashes"] > 0


def test_no_word_of_two_people_is_lost() -> None:
    assert taken_through_the_editor(by_chance(GENERATED), MERGING)["rounds"] >= 60


AGREEING = "workbench_agreeing.js"


def test_what_two_people_do_alike_is_done_once() -> None:
    """The same edits of both are theirs, once; what each does beside them stays."""
    read = pages_of_documentation("gauge-manual")[:20]
    done = taken_through_the_editor(read, AGREEING)
    assert done["once"] == done["rounds"] > 6 * len(read)
    assert done["clashes"] > 0


def test_what_two_people_do_alike_in_any_document_is_done_once() -> None:
    assert taken_through_the_editor(by_chance(GENERATED), AGREEING)["once"] >= 400


def test_more_blocks_are_work_in_proportion() -> None:
    cases = json.loads(asyncio.run(run_node("workbench_growth.js")))
    assert len(cases) > 5


def test_differences_of_words_can_be_read() -> None:
    """Both texts are in them, changes beside each other are one, twice the words cost twice."""
    assert len(json.loads(asyncio.run(run_node("workbench_words.js")))) == 5


def test_many_blocks_that_are_pasted_come_in_portions() -> None:
    assert json.loads(asyncio.run(run_node("workbench_portions.js"))) == "done"


def test_who_types_in_a_long_page_pays_for_their_block() -> None:
    """Each block keeps one name; for that as many are looked at in a short page as in a long."""
    counts = json.loads(asyncio.run(run_node("workbench_keys.js")))
    assert counts["rounds"] == 2_400
    assert counts["copies"] > 500
    assert counts["looked"].keys() == {"letter", "split", "join", "paste"}


def test_no_word_is_lost_in_sessions_of_several_people() -> None:
    """They write, save, lose answers and bring Markdown in; all have one page in the end."""
    counts = json.loads(asyncio.run(run_node("workbench_sessions.js", "1", "400")))
    assert counts["rounds"] == 400
    assert counts["retold"] > 100
    assert counts["words"] > 1_000
    # Windows that end with words that are not saved, and drafts that are taken in.
    assert counts["crashes"] > 400
    assert counts["left"] > 80


def test_it_does_not_matter_who_saves_second() -> None:
    """Splits, joins, moves and words in one text: the same page for both, or both are asked."""
    counts = json.loads(asyncio.run(run_node("workbench_orders.js")))
    assert counts["rounds"] == 2_000
    # Nearly all of it needs no question.
    assert 0 < counts["asked"] < 400


# Kinds of blocks that nobody inserts with `/`, and why.
ELSEWHERE = {
    "markdown": "what no kind has a form for; it is written in the Markdown of the page",
    "integration": "its values are those of an integration, which alone knows them",
    "swagger": "an older form of an operation, which stays what it is",
}
# What no form has of a kind that can be inserted, and why; "" is what all kinds have.
NOT_IN_FORMS = {
    "": {
        "ref": "chosen from files, pages or reusable contents",
        "refDark": "a second picture for dark pages, which the Markdown names",
    },
    "list-item": {"checked": "the box beside the item"},
    "updates": {"format": "nothing reads it"},
    "prompt": {"defaultExpanded": "nothing reads it"},
    "table": dict.fromkeys(("view", "definition", "records"), "its rows and columns"),
}


def editor_kinds() -> Any:
    return json.loads(asyncio.run(run_node("workbench_kinds.js")))


def test_each_kind_of_block_can_be_inserted_or_there_is_a_reason() -> None:
    kinds = editor_kinds()
    offered = {one["type"] for one in kinds["inserted"].values()}
    blocks = {name for name, node in NODES.items() if node.object == "block"} - set(PARTS)
    assert offered | ELSEWHERE.keys() == blocks
    assert not offered & ELSEWHERE.keys(), "a reason that is none any more"
    assert kinds["unnamed"] == []
    # What is inserted is a document that the server takes.
    made = [one["block"] for one in kinds["inserted"].values() if one["block"] is not None]
    checked_document({"object": "document", "data": {"schemaVersion": 1}, "nodes": made})


def test_all_that_a_block_says_can_be_edited_or_there_is_a_reason() -> None:
    kinds = editor_kinds()
    for name, fields in kinds["fields"].items():
        node = NODES[name]
        members = {*node.required, *node.optional}
        reasons = members & {*NOT_IN_FORMS[""], *NOT_IN_FORMS.get(name, ())}
        assert members == {*fields} | reasons, name
        assert not reasons & {*fields}, name
    parts = {name for name in PARTS if name != "code-line"}
    assert parts <= kinds["fields"].keys()


def test_markdown_that_is_edited_while_others_write() -> None:
    assert json.loads(asyncio.run(run_node("workbench_markdown.js")))["rounds"] == 1_500
