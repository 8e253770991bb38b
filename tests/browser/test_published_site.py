"""A published site in a real browser: light and dark, by keyboard, on a phone, without scripts."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from docstead.demo.story import SHOWN
from tests.browser.conftest import PATIENCE, Shown

DESKTOP, PHONE = {"width": 1400, "height": 860}, {"width": 390, "height": 780}
PAGE = "/install/mount"
PAGES = {"page": PAGE, "home": "", "search": "?q=battery", "api": "/data-api/endpoints/levels"}
# What a page needs for those who do not see it: checks that are true or name what is wrong.
ACCESSIBLE = """() => {
  const wrong = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (one) => one.getAttribute('aria-label') || one.textContent.trim() ||
    all('#' + (one.getAttribute('aria-labelledby') || 'none')).map((e) => e.textContent).join('') ||
    all('img', one).map((e) => e.alt).join('');
  if (!/^[a-z]{2}/.test(document.documentElement.lang)) wrong.push('lang');
  if (!document.title) wrong.push('title');
  for (const one of ['h1', 'main', 'body > header', 'body > footer'])
    if (all(one).length !== 1) wrong.push(one + ' ' + all(one).length);
  for (const one of all('nav, aside')) if (!name(one)) wrong.push(one.outerHTML.slice(0, 80));
  for (const one of all('a[href], button, summary'))
    if (!name(one)) wrong.push(one.outerHTML.slice(0, 80));
  for (const one of all('input:not([type=hidden]), textarea'))
    if (!one.labels.length && !one.getAttribute('aria-label')) wrong.push(one.outerHTML);
  for (const one of all('img')) if (!one.hasAttribute('alt')) wrong.push(one.outerHTML);
  const ids = all('[id]').map((one) => one.id);
  if (new Set(ids).size !== ids.length) wrong.push('ids');
  for (const one of all('a[href^="#"]'))
    if (!document.getElementById(decodeURIComponent(one.hash.slice(1)))) wrong.push(one.hash);
  if (document.documentElement.scrollWidth > window.innerWidth) wrong.push('wider than the screen');
  return wrong;
}"""
# Texts whose colours are too near to what is behind them (WCAG 2, level AA).
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const found = rgba(getComputedStyle(one).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const wrong = [];
  for (const one of document.querySelectorAll('body *')) {
    const texts = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!texts.length || one.ariaHidden === 'true' || !one.checkVisibility()) continue;
    const [a, b] = [light(rgba(getComputedStyle(one).color)), light(behind(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push(`${ratio.toFixed(2)} ${one.textContent.trim().slice(0, 40)}`);
  }
  return wrong;
}"""


# A loaded machine may be slow.


class Visit:
    """One tab that notes what it requests and what it complains about."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on(
            "console",
            lambda message: self.problems.append(message.text) if message.type == "error" else None,
        )

    def close(self, site: Shown) -> None:
        """Nothing was asked of another host, and the browser had nothing to complain about."""
        self.context.close()
        assert [one for one in self.requests if not one.startswith(f"{site.base}/")] == []
        assert self.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_look_well_and_can_be_read_by_everybody(
    browser: Browser, site: Shown, artifacts: Path, scheme: str
) -> None:
    visit = Visit(browser.new_context(viewport=DESKTOP, color_scheme=scheme))
    page = visit.page
    for name, path in PAGES.items():
        page.goto(site.root + path)
        page.screenshot(path=artifacts / f"site-{name}-{scheme}.png")
        assert page.evaluate(ACCESSIBLE) == [], path
        assert page.evaluate(CONTRAST) == [], path
    page.goto(site.root + PAGE)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    shade = [int(part) for part in background.removeprefix("rgb(").rstrip(")").split(",")]
    assert (min(shade) > 200) == (scheme == "light"), background
    assert SHOWN.colour is not None
    wanted = SHOWN.colour[scheme == "dark"]
    colour = "rgb({}, {}, {})".format(*bytes.fromhex(wanted.removeprefix("#")))
    expect(page.locator(".document a").first).to_have_css("color", colour)
    visit.close(site)


def test_keyboard_alone(browser: Browser, site: Shown) -> None:
    visit = Visit(browser.new_context(viewport=DESKTOP))
    page = visit.page
    page.goto(site.root + PAGE)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    # From here the next stop is the first link of the text.
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.closest('main') !== null")
    assert focused
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    visit.close(site)


def test_reading_and_searching_without_scripts(browser: Browser, site: Shown) -> None:
    visit = Visit(browser.new_context(viewport=DESKTOP, java_script_enabled=False))
    page = visit.page
    page.goto(site.root)
    expect(page.get_by_role("heading", level=1, name="Gauge G2")).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill("webhook signature")
    page.get_by_role("searchbox", name="Search").press("Enter")
    expect(page).to_have_url(f"{site.root}?q=webhook+signature")
    page.get_by_role("searchbox", name="Search").fill("battery")
    page.get_by_role("searchbox", name="Search").press("Enter")
    page.get_by_role("main").get_by_role("link", name="Test the battery").first.click()
    expect(page).to_have_url(f"{site.root}/use/battery")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data API").click()
    page.get_by_role("link", name="Get a key").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keys")
    page.get_by_text("Use this page").click()
    page.get_by_role("link", name="View as Markdown").click()
    expect(page).to_have_url(f"{site.root}/data-api/start/keys.md")
    visit.close(site)


# Words of tables that stand on more than one line.
BROKEN_WORDS = """() => {
  const broken = [];
  for (const cell of document.querySelectorAll('.document th, .document td')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const word of texts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((one) => one.top)).size > 1)
          broken.push(word[0]);
      }
  }
  return broken;
}"""


def test_words_of_tables_stay_whole_on_a_phone(browser: Browser, site: Shown) -> None:
    visit = Visit(browser.new_context(viewport=PHONE))
    for path in ("", "/data-api/start/errors", "/data-api/endpoints/levels"):
        visit.page.goto(site.root + path)
        assert visit.page.locator(".document table").count() > 0, path
        assert visit.page.evaluate(BROKEN_WORDS) == [], path
        assert visit.page.evaluate(ACCESSIBLE) == [], path
    visit.close(site)


def test_table_of_contents_on_a_phone(browser: Browser, site: Shown, artifacts: Path) -> None:
    visit = Visit(browser.new_context(viewport=PHONE, java_script_enabled=False, has_touch=True))
    page = visit.page
    page.goto(site.root + PAGE)
    contents = page.get_by_role("navigation", name="Table of contents")
    expect(contents).to_be_hidden()
    page.screenshot(path=artifacts / "site-phone.png")
    page.locator("label", has_text="Table of contents").tap()
    expect(contents).to_be_visible()
    page.screenshot(path=artifacts / "site-phone-contents.png")
    # By keyboard as well.
    switch = page.get_by_role("checkbox", name="Table of contents")
    switch.press("Space")
    expect(contents).to_be_hidden()
    switch.press("Space")
    contents.get_by_role("link", name="Test the battery").tap()
    expect(page).to_have_url(f"{site.root}/use/battery")
    visit.close(site)
