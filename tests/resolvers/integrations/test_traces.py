"""What a script logs is stored, whatever it is, and no secret with it."""

from typing import Any

from hypothesis import given, strategies as st

from resolvers.integrations.traces import trace
from runtime.calls import Answer, LogEntry, Outcome

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@given(texts=st.lists(ANY_TEXT, max_size=5), error=ANY_TEXT, at=st.integers())
def test_each_line_can_be_stored(texts: list[str], error: str, at: int) -> None:
    log = [LogEntry("info", text, at) for text in [*texts, "\ud800 \0"]]
    lines: list[dict[str, Any]] = trace(Answer(Outcome.ERROR, None, error, log), ["a-long-secret"])
    assert len(lines) == len(log) + 1
    for line in lines:
        assert "\0" not in line["message"]
        line["message"].encode()
        assert line["timestamp"].endswith("Z")
