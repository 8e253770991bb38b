"""What our rule takes for harmless, a browser does not run: asked of Chromium itself."""

import random

from playwright.sync_api import Browser

from content.html.markup import safe_address
from content.script_addresses import runs_script, without_scripts

SCHEMES = ("javascript", "vbscript", "data", "JavaScript")
NOISE = [chr(code) for code in range(0x21)] + [*"\x7f\x85\xa0\xad\u200b\u2028\ufeff&#;%/\\:j"]
PARSE = """(addresses) => addresses.map((address) => {
  const link = document.createElement('a');
  link.setAttribute('href', address);
  return link.protocol;
})"""
CLICK = """async (addresses) => {
  window.ran = [];
  for (const address of addresses) {
    const link = document.createElement('a');
    link.setAttribute('href', address);
    document.body.append(link);
    link.click();
    await new Promise((done) => setTimeout(done));
  }
  return window.ran.length;
}"""


def spelled(chance: random.Random) -> str:
    """A script address with noise in front of it, between its letters and before the colon."""
    letters = [*chance.choice(SCHEMES), ":"]
    for _ in range(chance.randrange(4)):
        letters.insert(chance.randrange(len(letters)), chance.choice(NOISE))
    return "".join(letters) + "text/html,window.ran.push(1)"


def test_the_rule_knows_what_chromium_runs(browser: Browser) -> None:
    chance = random.Random(7)
    addresses = [spelled(chance) for _ in range(4_000)]
    page = browser.new_page()
    protocols = page.evaluate(PARSE, addresses)
    dangerous = {"javascript:", "vbscript:", "data:"}
    run = [address for address, seen in zip(addresses, protocols, strict=True) if seen in dangerous]
    assert len(run) > 500
    assert [address for address in run if not runs_script(address)] == []
    assert [address for address in run if safe_address(address) is not None] == []
    # What is given for them runs nothing; they themselves do.
    scripts = [address.replace("text/html,", "") for address in run[:20] if "avascript" in address]
    assert page.evaluate(CLICK, ["java\tscript:window.ran.push(1)"]) == 1
    assert page.evaluate(CLICK, [without_scripts({"url": one})["url"] for one in scripts]) == 0
    page.close()
