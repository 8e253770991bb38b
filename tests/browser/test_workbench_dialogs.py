"""Every dialog of the Workbench: found by pressing every button of every view, while nothing that
is sent changes anything. What is in a dialog has a name, axe finds nothing, and nothing is cut off:
wide and light, narrow and dark, in both languages and from right to left. What is refused says why,
and what was typed stays."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser import workbench
from tests.browser.conftest import load, wait_until
from tests.browser.test_workbench_administration import CREATE_CHANGE, CREATE_SITE, SECTION
from tests.browser.workbench import ADA, CHIDI, MOMENT, NARROW, WIDE, Graph, Person, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
SOURCES = Path("app/src")
# Buttons that a person can press; those of a drag, of a branch and of the dialog itself are others.
BUTTONS = """() => [...document.querySelectorAll('button, [role=button]')].map((one, index) => ({
  index, name: (one.getAttribute('aria-label') ?? one.textContent).trim(),
  menu: one.getAttribute('aria-haspopup') !== null, inside: one.closest('main') !== null,
  row: one.closest('li, tr, [role=row]') !== null,
  slot: one.getAttribute('slot'),
  can: !one.disabled && one.checkVisibility() && !one.closest('[role=dialog], [role=toolbar]'),
})).filter((one) => one.can && one.slot !== 'drag' && one.slot !== 'chevron')"""
STATE = """() => JSON.stringify([location.href,
  [...document.querySelectorAll('button, [role=button]')]
    .map((one) => one.getAttribute('aria-label') ?? one.textContent)])"""
COUNT = "document.querySelectorAll('button, [role=button]').length"
PRESS = """(index) => {
  window.pressed = document.querySelectorAll('button, [role=button]')[index];
  window.pressed?.click(); }"""
# As somebody does who thinks that they have not been heard.
AGAIN = "window.pressed?.isConnected && window.pressed.click()"
ITEMS = "() => [...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent)"
CHOOSE = "(index) => document.querySelectorAll('[role=menuitem]')[index]?.click()"
DIALOG = "[role=dialog], [role=alertdialog]"
OPENED = f"{DIALOG}, [role=menu]"
AXE = f"""async () => {{
  const found = await axe.run({{ include: [['{DIALOG.split(",")[0]}']] }}, {{ resultTypes: ['violations'] }});
  return found.violations.filter((one) => ['critical', 'serious', 'moderate'].includes(one.impact))
    .map((one) => [one.id, one.nodes[0].html, one.nodes[0].failureSummary]); }}"""  # noqa: E501
# A control that a screen reader would call by its kind alone.
NAMELESS = re.compile(
    r"^\s*- (?:button|checkbox|combobox|link|listbox|radio|searchbox|spinbutton|textbox|group|img|"
    r"dialog|progressbar|table|grid)(?::.*| \[.*)?$",
    re.MULTILINE,
)
REFUSED: Any = {"errors": [{"message": "Not in this test", "extensions": {"code": "CONFLICT"}}]}
# What is read is answered by the server; what would be written is refused, before it is sent: were
# requests held by the test, nothing of the application would be kept from one view to the next.
REASON = REFUSED["errors"][0]["message"]
REFUSE = f"""{{ const send = window.fetch; window.refusals = 0; window.pause = 0; window.flying = 0;
  window.fetch = async (...all) => {{
    if (!/"query":\\s*"mutation/.test(all[1]?.body)) return send(...all);
    window.flying += 1;
    await new Promise((resolve) => setTimeout(resolve, window.pause));
    window.flying -= 1;
    window.refusals += 1;
    return Response.json({json.dumps(REFUSED)}); }}; }}"""
REFUSALS = "window.refusals"
# What somebody sees of what they do: words, values, what cannot be pressed meanwhile.
SHOWN = """() => JSON.stringify([document.body.innerText,
  [...document.querySelectorAll('input, select, textarea')].map((one) => one.value),
  ['disabled', 'data-disabled', 'aria-disabled', 'aria-busy', 'aria-pressed'].map((name) =>
    document.querySelectorAll(`[${name}]:not([${name}=false])`).length)])"""
FLYING = "window.flying"
PRESSED = "(button) => void (window.pressed = button)"
# So long an answer takes before which somebody closes the dialog.
LATER = 500
# What somebody types in a dialog, by the kind of field.
FIELDS = ":is(input, textarea):not([type=checkbox], [type=radio], [role=combobox], [readonly])"
TYPED = {"url": "https://typed.example/words", "email": "typed@typed.example"}
VALUES = "(all) => all.map((one) => one.value)"
SELECTS = """() => [...document.querySelectorAll('main select')].map((one, index) => ({
  index, name: one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? '',
  can: !one.disabled && one.options.length > 1 }))"""
# Nothing is sent from these, and these show what is chosen in the view, and the reason there.
SENDS_NOTHING = ("Keyboard", "Search everything")
CLOSES_AT_ONCE = ("Add a reaction",)
# Choices of these views that write at once: of roles, levels and audiences.
CHOICES = 3
# Buttons and items of menus that write at once, at least.
SENT = 8
# As wide as the window at most, and all of it can be reached by scrolling.
FITS = f"""() => [document.documentElement, ...document.querySelectorAll('{DIALOG}')].flatMap((whole) => {{
    const {{ left, right }} = whole.getBoundingClientRect();
    const fits = left >= -1 && right <= innerWidth + 1 && whole.scrollWidth <= whole.clientWidth + 1;
    if (fits) return [];
    const out = [...whole.querySelectorAll('*')].filter((one) => {{
      const box = one.getBoundingClientRect();
      return box.left < left - 1 || box.right > right + 1; }});
    return [whole.scrollWidth, whole.clientWidth, ...out.slice(-3).map((one) => one.outerHTML.slice(0, 200))];
  }})"""  # noqa: E501
OPEN = "mutation ($id: ID!, $change: ID!) { updateChangeRequest(spaceId: $id, id: $change, input: { status: OPEN }) { id } }"  # noqa: E501
COMMENT = "mutation ($id: ID!, $change: ID, $input: PostCommentInput!) { postComment(spaceId: $id, changeRequestId: $change, input: $input) { id } }"  # noqa: E501
# By file: how many dialogs it has, and what those are called that are found here. The editor's are
# in its own tests; what needs a translator, a repository, a host name or an installation asks the
# same question as the others (`Careful`).
CALLS: dict[str, tuple[int, tuple[str, ...]]] = {
    "admin/people/invitations.tsx": (2, ("New invite link", "Revoke this invitation?")),
    "admin/people/invite.tsx": (1, ("Invite people",)),
    "admin/people/members.tsx": (1, ("Remove Ada Okafor?",)),
    "admin/people/teams.tsx": (2, ("New team",)),
    "admin/sites/domain.tsx": (1, ()),
    "admin/sites/list.tsx": (1, ("New site",)),
    "admin/sites/redirects.tsx": (2, ("New redirect", "Remove the redirect of /old?")),
    "admin/sites/shares.tsx": (2, ("New share link", "Revoke the link for Pilots?")),
    "admin/sites/site.tsx": (2, ("Unpublish this site?", "Delete Dialogs?")),
    "admin/sites/structure.tsx": (
        1, ("Add a space", "Add a section", "Add a group", "Take Parts off the site?"),
    ),
    "admin/space/create.tsx": (1, ("New space", "New collection")),
    "admin/space/git.tsx": (2, ("Connect",)),
    "admin/tokens.tsx": (2, ("New token", "Revoke demo?")),
    "admin/work/integrations.tsx": (1, ()),
    "admin/work/specifications.tsx": (2, ("New specification", "Delete docstead?")),
    "admin/work/translations.tsx": (2, ("New translation",)),
    "admin/work/webhooks.tsx": (2, ("New webhook", "Delete this webhook?")),
    "document/inlines.tsx": (1, ()),
    "editor/block-form.tsx": (1, ()),
    "editor/insert-menu.tsx": (1, ()),
    "editor/link-form.tsx": (1, ()),
    "editor/reusable-form.tsx": (1, ()),
    "editor/specification-form.tsx": (1, ()),
    "review/comments.tsx": (1, ("Add a reaction",)),
    "review/list.tsx": (1, ("New change request",)),
    "review/merge.tsx": (1, ("Merge change request #1?",)),
    "review/reviews.tsx": (1, ("Give a review",)),
    "shell/keys.tsx": (1, ("Keyboard",)),
    "shell/shell.tsx": (2, ("Search everything",)),
    "space/tree-dialog.tsx": (
        1, ("New page", "New group", "New link", "Rename", "Remove Dialogs?"),
    ),
}  # fmt: skip
OTHER_LANGUAGE = "localStorage.setItem('docstead-language', 'de')"


@dataclass(frozen=True)
class Way:
    """How a dialog is opened: a view, a button of it, an item of its menu."""

    path: str
    button: int
    # How many buttons the view has once all of it is there, in any language.
    buttons: int
    item: int | None = None

    def go(self, page: Page) -> None:
        page.evaluate(PRESS, self.button)
        if self.item is not None:
            page.get_by_role("menu").wait_for()
            page.evaluate(CHOOSE, self.item)


@dataclass
class Walk:
    """A person who presses everything, and looks at what opens when it is there."""

    person: Person
    axe: str
    # By the titles of dialogs: who has found them, and how. All who walk have it in common.
    found: dict[str, "tuple[Walk, Way]"]
    tried: set[tuple[str, str]] = field(default_factory=set)
    # What was refused, and no reason was seen.
    unexplained: list[str] = field(default_factory=list)
    # What was sent, and nothing was seen of it until the answer.
    unseen: list[str] = field(default_factory=list)
    # What was sent a second time before the answer.
    twice: list[str] = field(default_factory=list)
    # How often something was sent by a button of a view, or of its menus.
    sent: int = 0
    # Dialogs and choices of which something was refused.
    refused: set[str] = field(default_factory=set)
    # Whether the application has to be loaded anew, whatever stands there.
    is_new: bool = True
    # What the view is when nothing was pressed.
    state: str = ""
    state_shown: str = ""

    @property
    def page(self) -> Page:
        return self.person.page

    def see(self, path: str) -> None:
        self.leave()
        if self.is_new or self.page.locator(OPENED).count():
            self.page.goto("about:blank")
        self.is_new = False
        self.person.see(path)
        self.state = self.page.evaluate(STATE)
        self.state_shown = self.page.evaluate(SHOWN)

    def leave(self) -> None:
        """Close what is open, a menu in a dialog as well."""
        for _ in range(2):
            if self.page.locator(OPENED).count():
                self.page.keyboard.press("Escape")
                self.person.settle()

    def opened(self) -> str | None:
        """The title of the dialog that is there after a press; None where there is none."""
        self.person.settle()
        dialog = self.page.locator(DIALOG)
        if dialog.count() == 0:
            return None
        title = dialog.first.get_by_role("heading").first
        return title.inner_text() if title.count() else dialog.first.get_attribute("aria-label")

    def open(self, way: Way) -> None:
        # Another one of the view that is there needs no new view.
        self.leave()
        self.page.set_viewport_size(WIDE)
        self.person.settle()
        is_there = (
            self.page.url == self.person.base + way.path and not self.page.locator(DIALOG).count()
        )
        if self.is_new or not is_there or self.page.evaluate(COUNT) != way.buttons:
            self.see(way.path)
        wait_until(self.page, f"(count) => {COUNT} === count", way.buttons)
        way.go(self.page)
        self.person.settle()
        expect(self.page.locator(DIALOG).first).to_be_visible()

    def look(self, path: str) -> None:
        self.see(path)
        count = self.page.evaluate(COUNT)
        for one in self.page.evaluate(BUTTONS):
            # Of rows that are alike one is enough, and what is in every view is pressed once.
            name = re.sub(r"\s.*", "", one["name"]) if one["row"] else one["name"]
            key = (path if one["row"] or one["inside"] else "", name)
            if key in self.tried:
                continue
            self.tried.add(key)
            if one["menu"]:
                self.menu(Way(path, one["index"], count))
            else:
                self.attempt(Way(path, one["index"], count))
        for one in self.page.evaluate(SELECTS):
            key = (path, f"choice {one['name'][:12]}")
            if one["can"] and key not in self.tried:
                self.tried.add(key)
                self.choose(path, one["index"])

    def choose(self, path: str, index: int) -> None:
        """Another choice of a view is refused: it is the one of before again, with the reason."""
        self.see(path)
        select = self.page.locator("main select").nth(index)
        before, refusals = select.input_value(), self.page.evaluate(REFUSALS)
        values = select.locator("option").evaluate_all(VALUES)
        select.select_option(next(value for value in values if value != before))
        self.person.settle()
        if self.page.evaluate(REFUSALS) > refusals:
            expect(self.page.locator("main select").nth(index)).to_have_value(before)
            self.refused.add(f"{path}: choice {index}")
            self.explain(f"{path}: choice {index}", refusals)

    def explain(self, what: str, refusals: int) -> None:
        """What was refused since there were so many refusals has its reason on the screen."""
        if self.page.evaluate(REFUSALS) > refusals:
            alert = self.page.get_by_role("alert").filter(has_text=REASON)
            if alert.count() == 0:
                self.unexplained.append(what)

    def menu(self, way: Way) -> None:
        self.open_menu(way)
        for item in range(len(self.page.evaluate(ITEMS))):
            if self.page.get_by_role("menu").count() == 0:
                self.open_menu(way)
            if self.page.get_by_role("menuitem").count() > item:
                self.attempt(Way(way.path, way.button, way.buttons, item), open_menu=True)
        if self.page.get_by_role("menu").count():
            self.see(way.path)

    def open_menu(self, way: Way) -> None:
        way.go(self.page)
        self.person.settle()

    def attempt(self, way: Way, *, open_menu: bool = False) -> None:
        refusals, before = self.page.evaluate(REFUSALS), self.page.evaluate(SHOWN)
        self.page.evaluate(f"window.pause = {LATER}")
        if open_menu:
            self.page.evaluate(CHOOSE, way.item)
        else:
            way.go(self.page)
        title = self.opened()
        if self.page.evaluate(FLYING):
            self.sent += 1
            # A menu that closes is nothing that is seen of what was chosen in it.
            if self.page.evaluate(SHOWN) == (self.state_shown if open_menu else before):
                self.unseen.append(str(way))
            if title is None and not open_menu:
                self.again(str(way))
            wait_until(self.page, f"() => {FLYING} === 0", None)
            self.person.settle()
        self.page.evaluate("window.pause = 0")
        if title is not None:
            if title not in self.found:
                self.found[title] = (self, way)
                self.look_at(title)
                self.send(title)
            self.leave()
        else:
            self.explain(str(way), refusals)
        # Only what is not as it was is begun anew.
        if self.page.locator(OPENED).count() or self.page.evaluate(STATE) != self.state:
            self.see(way.path)

    def again(self, what: str) -> None:
        """What is pressed once more before the answer is sent once."""
        flying = self.page.evaluate(FLYING)
        self.page.evaluate(AGAIN)
        self.page.wait_for_timeout(MOMENT)
        if self.page.evaluate(FLYING) > flying > 0:
            self.twice.append(what)

    def look_at(self, title: str) -> None:
        """A dialog: wide, narrow, and from right to left."""
        page = self.page
        check(page, self.axe, f"{title}, wide")
        page.evaluate("document.documentElement.dir = 'rtl'")
        fits(page, f"{title}, from right to left")
        page.set_viewport_size(NARROW)
        fits(page, f"{title}, from right to left, narrow")
        page.evaluate("document.documentElement.dir = 'ltr'")
        fits(page, f"{title}, narrow")
        page.set_viewport_size(WIDE)
        self.person.settle()

    def send(self, title: str) -> None:
        """What is sent from a dialog is refused: what was typed stays in it with the reason, also
        when somebody has closed it before the answer."""
        if title in SENDS_NOTHING:
            return
        page, dialog = self.page, self.page.locator(DIALOG).first
        refusals = page.evaluate(REFUSALS)
        selects = dialog.locator("select")
        for index in range(selects.count()):
            options = selects.nth(index).locator("option").evaluate_all(VALUES)
            selects.nth(index).select_option(options[-1])
        fields = dialog.locator(FIELDS)
        for index in range(fields.count()):
            kind = fields.nth(index).get_attribute("type")
            fields.nth(index).fill(TYPED.get(kind or "", "Typed"))
        typed = fields.evaluate_all(VALUES)
        button = dialog.locator("[type=submit], button").last
        button.click()
        wait_until(page, f"(count) => {REFUSALS} > count", refusals)
        self.refused.add(title)
        if title in CLOSES_AT_ONCE:
            expect(page.get_by_role("alert").filter(has_text=REASON)).to_be_visible()
            return
        self.stays(title, typed)
        page.evaluate(f"window.pause = {4 * LATER}")
        button.click()
        page.evaluate(PRESSED, button.element_handle())
        self.again(title)
        page.keyboard.press("Escape")
        expect(page.locator(DIALOG)).to_have_count(0)
        self.stays(title, typed)
        page.evaluate("window.pause = 0")

    def stays(self, title: str, typed: list[str]) -> None:
        dialog = self.page.locator(DIALOG).first
        expect(dialog.get_by_role("alert").filter(has_text=REASON)).to_be_visible()
        assert dialog.locator(FIELDS).evaluate_all(VALUES) == typed, title


def mutation(name: str, of: str, type: str) -> str:
    """A write with an input, of the object whose id is the argument `of`."""
    call = f"{name}({of}: $id, input: $input) {{ __typename }}"
    return f"mutation ($id: ID!, $input: {type}!) {{ {call} }}"


@pytest.fixture
def views(graph: Graph) -> list[str]:
    """Views with one of everything that a dialog is about."""
    space, organization = graph.space("Dialogs"), graph.organization
    graph.apply(
        space, page_of("Chapter", "Text", ref="chapter"),
        page_of("Below", "More", parent="ref:chapter"),
    )  # fmt: skip
    made = graph(CREATE_SITE, id=organization, input={"title": "Dialogs", "spaces": []})
    site = made["createSite"]["id"]
    section = graph(SECTION, site=site, input={"spaceId": space, "title": "Part"})["addSiteSection"]
    for name, type, given in (
        (
            "addSiteSectionGroup",
            "AddSiteSectionGroupInput",
            {"title": "Parts", "sections": [section["id"]]},
        ),
        ("createShareLink", "CreateShareLinkInput", {"name": "Pilots"}),
        (
            "createSiteRedirect",
            "CreateSiteRedirectInput",
            {"source": "/old", "destination": {"kind": "URL", "url": "https://a.example"}},
        ),
    ):
        graph(mutation(name, "siteId", type), id=site, input=given)
    graph("mutation ($id: ID!) { publishSite(id: $id) { id } }", id=site)
    shared = {"visibility": "SHARE_LINK"}
    graph(mutation("updateSite", "id", "UpdateSiteInput"), id=site, input=shared)
    for name, type, given in (
        (
            "createWebhook",
            "CreateWebhookInput",
            {"url": "https://hooks.example/in", "types": ["SPACE_UPDATED"]},
        ),
        ("createTeam", "CreateTeamInput", {"title": "Pilots"}),
        ("createOrganizationInvite", "CreateInviteInput", {"role": "READ"}),
    ):
        graph(mutation(name, "organizationId", type), id=organization, input=given)
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"][
        "id"
    ]
    graph.apply(space, page_of("New", "A new page"), change=change)
    variables = {"id": space, "change": change}
    graph(OPEN, **variables)
    graph(COMMENT, **variables, input={"body": {"markdown": "Enough?"}})
    areas = (
        "people",
        "teams",
        "invitations",
        "sites",
        "jobs",
        "specifications",
        "translations",
        "webhooks",
        "integrations",
    )
    tabs = ("", "?tab=content", "?tab=sharing", "?tab=redirects", "?tab=domain")
    return [
        f"/s/{space}/~/changes/1", "/", f"/o/{organization}", f"/s/{space}/chapter",
        f"/s/{space}/~/changes?status=open", f"/s/{space}/~/git", "/~/tokens",
        *(f"/o/{organization}/~/{area}" for area in areas),
        *(f"/o/{organization}/sites/{site}{tab}" for tab in tabs),
    ]  # fmt: skip


def test_every_call_is_known() -> None:
    """A new dialog has a row here, and is looked at with the others."""
    written: dict[str, int] = {}
    for path in sorted(SOURCES.rglob("*.tsx")):
        if path.name not in ("kit.tsx", "ui.tsx", "form-dialog.tsx"):
            count = len(re.findall(r"<(?:Dialog|FormDialog|Careful)\b", path.read_text("utf-8")))
            if count:
                written[str(path.relative_to(SOURCES))] = count
    assert written == {name: count for name, (count, _) in CALLS.items()}


@pytest.mark.timeout(900)
def test_every_dialog_has_names_fits_and_stays_when_it_is_refused(
    signed_in: Any, views: list[str], axe: str, artifacts: Path
) -> None:
    found: dict[str, tuple[Walk, Way]] = {}
    walk, other = (Walk(signed_in(email), axe, found) for email in (ADA, CHIDI))
    written: list[str] = []
    for one in (walk, other):
        one.page.add_init_script(REFUSE)
        one.page.on("request", lambda request: written.extend(writes_of(request)))
    expected = {title for _, titles in CALLS.values() for title in titles}
    for path in views:
        walk.look(path)
    # Nobody reviews what they have proposed.
    other.look(views[0])
    assert sorted(expected - found.keys()) == []
    assert [*walk.unexplained, *other.unexplained] == []
    assert [*walk.unseen, *other.unseen] == []
    assert [*walk.twice, *other.twice] == []
    assert walk.sent + other.sent >= SENT
    refused = walk.refused | other.refused
    assert expected - refused == set(SENDS_NOTHING)
    assert sum("choice" in one for one in refused) >= CHOICES

    # Then all of them once more, in the other language, narrow and dark.
    for one in (walk, other):
        one.page.evaluate(OTHER_LANGUAGE)
        one.is_new = True
    for title, (one, way) in found.items():
        one.open(way)
        one.page.set_viewport_size(NARROW)
        one.page.emulate_media(color_scheme="dark")
        check(one.page, axe, f"{title}, narrow, dark, in German")
    assert [one for one in walk.person.problems if "CONFLICT" not in one] == []
    assert written == []


def writes_of(request: Request) -> list[str]:
    """What a request would change."""
    text = request.post_data or ""
    is_query = request.url.endswith("/graphql") and '"query":"mutation' not in text.replace(" ", "")
    is_read = request.method in ("GET", "HEAD") or is_query
    return [] if is_read else [f"{request.method} {request.url} {text[:200]}"]


def check(page: Page, axe: str, what: str) -> None:
    """Axe finds nothing in a dialog, nothing is without a name, and nothing is cut off."""
    load(page, axe)
    assert page.evaluate(AXE) == [], what
    fits(page, what)
    spoken = page.locator(DIALOG).first.aria_snapshot()
    assert not NAMELESS.findall(spoken), f"{what}\n{spoken}"


def fits(page: Page, what: str) -> None:
    # What hangs on a button finds its place again when the window has another size.
    for _ in range(100):
        if page.evaluate(FITS) == []:
            break
        page.wait_for_timeout(100)
    assert page.evaluate(FITS) == [], what
