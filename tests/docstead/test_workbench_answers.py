"""How long the Workbench waits for an answer: as long as something comes, and no longer."""

import json

from tests.node_packages import run_node


async def test_requests_end_when_nothing_comes_and_not_while_something_does() -> None:
    outcomes = json.loads(await run_node("workbench_answers.js"))
    # More than twice as long in all as nothing may come.
    assert outcomes["slow"] == 13
    # Whether it has begun or not.
    assert outcomes["silent"] == outcomes["never"] == ["TimeoutError", "late"]
    # Whoever leaves ends it; that is no failure of the line.
    assert outcomes["abandoned"] == ["AbortError", None]
