"""Taking `if` blocks out of documents."""

from typing import Any

import orjson
import pytest

from content.documents.plain_text import plain_text
from content.documents.sections import drop_conditional_blocks
from content.markdown.parser import parse_document

SECRET = "{% if visitor.claims.beta %}\nsecret\n{% endif %}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"before\n\n{SECRET}\nafter\n",
        f"before\n\n{{% if true %}}\nsecret\n\n{SECRET}\nsecret\n{{% endif %}}\n\nafter\n",
        "before\n\n{% tabs %}\n{% tab title=\"One\" %}\n" + SECRET
        + "{% endtab %}\n{% endtabs %}\n\nafter\n",
        "before\n\n{% hint style=\"info\" %}\n" + SECRET + "{% endhint %}\n\nafter\n",
        "before\n\n<details>\n\n<summary>More</summary>\n\n" + SECRET + "\n</details>\n\nafter\n",
        "before\n\n{% if visitor.claims.beta %}\n{% hint style=\"info\" %}\nsecret\n{% endhint %}\n"
        "{% endif %}\n\nafter\n",
    ],
)  # fmt: skip
def test_what_is_in_them_goes(text: str) -> None:
    document = parse_document(text, seed="x")
    assert "secret" in plain_text(document)
    assert drop_conditional_blocks(document)
    left = plain_text(document)
    assert "secret" not in left
    assert left.startswith("before")
    assert left.endswith("after")
    assert not drop_conditional_blocks(document)


def test_other_documents_stay_as_they_are() -> None:
    document = parse_document("# if\n\n`{% if x %}` and {% hint %}\n", seed="x")
    before = orjson.dumps(document)
    assert not drop_conditional_blocks(document)
    assert orjson.dumps(document) == before


def test_any_depth() -> None:
    node: dict[str, Any] = {"object": "block", "type": "if", "nodes": []}
    for _ in range(5_000):
        node = {"object": "block", "type": "hint", "nodes": [], "fragments": [node]}
    assert drop_conditional_blocks({"object": "document", "nodes": [node]})
