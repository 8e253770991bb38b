"""What cleaning a paste costs: whatever is pasted, twice as much of it is twice the work."""

import base64
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.node_packages import program

ROOT = Path(__file__).parents[2]
# Times the input, and the most times the work, also on a busy machine: what is quadratic has 16.
TIMES, MOST = 4, 8
# The time of one cleaning, the least of several; the first ones compile it.
COST = """async ([module, kind, count]) => {
  const { cleaned } = await import(module);
  const [before, each, behind] = kind;
  const html = before + each.repeat(count) + behind;
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const begun = performance.now();
    cleaned(html);
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}"""
# Less is not measured.
LEAST_MS = 8
BEGINNINGS = (
    "<style ", "<style>", "<p style='mso-list:", "<!--", "<p>x<br>", "<o:p>x</o:p>",
    "<span style='font-weight:bold;text-decoration:line-through'>x</span>",
    "<p style='mso-list:l0 level1'><span style='mso-list:Ignore'>1.</span>x</p>",
)  # fmt: skip
KINDS: dict[str, tuple[str, str, str]] = {
    **{beginning: ("", beginning, "") for beginning in BEGINNINGS},
    "declarations of lists": ("<p style='", "mso-list:", "'>x</p>"),
    "declarations of marks": ("<span style='", "text-decoration", "'>x</span>"),
    "letters of a handler": ("<p ", "on", ">x</p>"),
    "words behind lines": ("<p>a</p><div>", "x<br>", "</div>"),
    "lines in front of a block": ("<div>", "<br>", "<p>a</p></div>"),
    "one of Word's with all in it": ("<o:p>", "<br>", "</o:p>"),
    "one span with all in it": ("<span style='font-weight:bold'>", "<i>x</i>", "</span>"),
}


@pytest.fixture(scope="module")
def cost(browser: Browser) -> Callable[[tuple[str, str, str], int], float]:
    source = subprocess.run(
        [program("node"), str(ROOT / "tests/node/without_types.js"),
         str(ROOT / "app/src/editor/paste-clean.ts")],
        check=True, capture_output=True, timeout=60,
    ).stdout  # fmt: skip
    module = f"data:text/javascript;base64,{base64.b64encode(source).decode()}"
    page = browser.new_page()

    def measured(kind: tuple[str, str, str], count: int) -> float:
        return float(page.evaluate(COST, [module, kind, count]))

    return measured


@pytest.mark.parametrize("name", KINDS)
def test_twice_the_paste_is_twice_the_work(
    cost: Callable[[tuple[str, str, str], int], float], name: str
) -> None:
    kind, count = KINDS[name], 1_000
    once = cost(kind, count)
    while once < LEAST_MS and count < 256_000:
        count *= 2
        once = cost(kind, count)
    ratios = []
    for _ in range(3):
        ratios.append(cost(kind, TIMES * count) / max(once, LEAST_MS / 2))
        if ratios[-1] <= MOST:
            return
        once = min(once, cost(kind, count)) if once < LEAST_MS else cost(kind, count)
    raise AssertionError((name, count, once, ratios))
