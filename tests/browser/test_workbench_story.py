"""From an empty installation to what a reader sees, in the Workbench alone, on each database.

An administrator invites two people by mail. One imports documentation and writes, the other
reviews; both edit one page at once; it is merged and published. What counts is what a reader of the
site finds at the end: each step leaves something there, and nothing of it is made by another door.
"""

import asyncio
import io
import re
import threading
import time
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from db.ids import new_id
from tests.browser.conftest import wait_until
from tests.browser.test_workbench_editor import PICTURE, insert, saved, text_of
from tests.browser.workbench import WIDE, Person
from tests.docstead.test_serve import run, serving
from tests.kinds import KINDS
from tests.mail_server import Mailbox, mail_server

ADA, INES, JONAS = "ada@harbour.example", "ines@harbour.example", "jonas@harbour.example"
SOURCE = {
    "SUMMARY.md": (
        "# Summary\n\n* [Welcome](README.md)\n* [Tides](tides.md)\n  * [Tables](tables.md)\n"
    ),
    "README.md": "# Welcome\n\nBegin with the [tides](tides.md).\n",
    "tides.md": "# Tides\n\nLow water comes twice a day.\n\nThe gauge is read at noon.\n",
    "tables.md": "# Tables\n\n| Port | Height |\n| --- | --- |\n| Emden | 3.1 m |\n",
}


@contextmanager
def mails() -> Iterator[Mailbox]:
    """A mail server, on a loop of its own: that of this thread is the browser's."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    opened = mail_server()
    try:
        yield asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(30)
    finally:
        asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@dataclass
class Installation:
    """A server that nobody has used yet, and what is mailed from it."""

    base: str
    box: Mailbox
    browser: Browser
    people: list[Person] = field(default_factory=list)

    def link_to(self, email: str, path: str) -> str:
        """The address in the newest mail to somebody."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for message in reversed(self.box.messages):
                found = re.search(rf"http\S+{path}\S+", str(message.get_content()))
                if email in str(message["to"]) and found:
                    return found.group()
            time.sleep(0.1)
        raise AssertionError(f"no mail to {email}")

    def somebody(self) -> Person:
        context = self.browser.new_context(viewport=WIDE, locale="en-US")
        self.people.append(Person(context, self.base))
        return self.people[-1]

    def newcomer(self, email: str, name: str) -> Person:
        """Somebody who has opened the link of an invitation, and has an account now."""
        person = self.somebody()
        person.page.goto(self.link_to(email, "/invitations/"))
        person.page.get_by_label("Your name").fill(name)
        person.page.get_by_role("button", name="Make an account and join").click()
        person.page.wait_for_url(f"{self.base}/account*")
        person.go("/")
        expect(heading(person.page)).to_have_text("My work")
        return person


@pytest.fixture(params=KINDS)
def installation(
    request: pytest.FixtureRequest, browser: Browser, tmp_path: Path
) -> Iterator[Installation]:
    """Set up as docs/deploying.md says: a server on an empty database, then `docstead init`."""
    data, url = tmp_path / "data", ""
    if request.param == "postgresql":
        server = request.getfixturevalue("postgres_server")
        url = server.create_database(f"story_{new_id().lower()}")
    with ExitStack() as stack:
        box = stack.enter_context(mails())
        settings = {"DOCSTEAD_SMTP_URL": box.url, "DOCSTEAD_DATABASE_URL": url}
        base, _ = stack.enter_context(serving(data, settings=settings))
        run("init", "--email", ADA, "--name", "Ada Okafor", "--organization", "Harbour",
            "--data-dir", str(data), *(["--database-url", url] if url else []))  # fmt: skip
        made = Installation(base, box, browser)
        yield made
        for person in made.people:
            person.context.close()


def heading(page: Page) -> Any:
    return page.get_by_role("heading", level=1)


def packed() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in SOURCE.items():
            archive.writestr(name, text)
    return out.getvalue()


def invite(page: Page, email: str, role: str) -> None:
    page.get_by_role("button", name="Invite people").click()
    dialog = page.get_by_role("dialog", name="Invite people")
    dialog.get_by_label("Addresses").fill(email)
    dialog.get_by_label("Role").select_option(role)
    dialog.get_by_role("button", name="Invite", exact=True).click()
    expect(dialog.get_by_text("1 person is invited.")).to_be_visible()
    dialog.get_by_role("button", name="Close").last.click()


def write_with_every_day_blocks(page: Page) -> None:
    """Behind what is there; each kind with words that are looked for at the end."""
    text = text_of(page)
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type("## Reading the gauge\nLook at the **mark**\n- first\nsecond\n\n")
    page.keyboard.type("[] calibrated\n\n> Water waits for nobody\n\n")
    page.keyboard.press("Enter")
    for words, typed in (
        ("hint", "Mind the swell"), ("code", "gauge --read"), ("stepper", "Open the lid"),
        ("tabs", "In winter"), ("expand", "Who to call"),
    ):  # fmt: skip
        insert(page, words)
        page.keyboard.type(typed)
        page.keyboard.press("Control+End")
        expect(text.locator("> p").last).to_have_text("")
    insert(page, "table")
    page.keyboard.type("Mark")
    page.keyboard.press("Tab")
    page.keyboard.type("Metres")
    page.keyboard.press("Control+End")
    insert(page, "formula")
    page.get_by_role("textbox", name="Formula").fill("h^2")
    page.get_by_role("button", name="Apply").click()
    page.keyboard.press("ArrowDown")
    insert(page, "divider")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Image", exact=True).click()
    picture = {"name": "gauge.png", "mimeType": "image/png", "buffer": b64decode(PICTURE)}
    chooser.value.set_files([picture])
    expect(text.locator("figure img")).to_be_visible()
    saved(page)


def add_at_end_of(page: Page, words: str, more: str) -> None:
    page.get_by_text(words, exact=True).click()
    page.keyboard.press("End")
    page.keyboard.type(more, delay=30)


def test_from_an_empty_installation_to_what_a_reader_sees(installation: Installation) -> None:
    ada = installation.somebody()
    page = ada.page
    ada.go("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail address").fill(ADA)
    page.get_by_role("button", name="Send me a link").click()
    page.goto(installation.link_to(ADA, "/sign-in/link/"))
    page.get_by_role("button", name="Sign in").click()
    ada.go("/")

    # There is nothing yet: what to begin with is said, and is there.
    expect(page.get_by_text("There are no spaces yet.", exact=False)).to_be_visible()
    page.get_by_role("button", name="New space").click()
    dialog = page.get_by_role("dialog", name="New space")
    dialog.get_by_label("Title").fill("Harbour handbook")
    dialog.get_by_role("button", name="Create").click()
    expect(heading(page)).to_have_text("Harbour handbook")
    ada.go("/")
    page.get_by_role("link", name="Administration").first.click()
    invite(page, INES, "EDIT")
    invite(page, JONAS, "REVIEW")
    ines = installation.newcomer(INES, "Ines Duarte")
    jonas = installation.newcomer(JONAS, "Jonas Weber")
    # Both are members without a reload.
    expect(page.get_by_label("Role of Jonas Weber")).to_have_value("REVIEW")

    # Ines imports an archive into a change request, and reads what has come.
    page = ines.page
    page.get_by_role("main").get_by_role("link", name="Harbour handbook").click()
    page.get_by_role("link", name="Import").click()
    archive = {"name": "harbour.zip", "mimeType": "application/zip", "buffer": packed()}
    page.get_by_label("File", exact=True).set_input_files([archive])
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("3 pages and files were taken over.")).to_be_visible()
    page.get_by_role("link", name="See what came").first.click()
    imported = page.get_by_role("paragraph").filter(has_text="Low water comes twice a day.")
    expect(imported).to_be_visible()
    page.get_by_role("link", name="Conversation").click()
    request = page.url

    # She writes in it.
    page.get_by_role("link", name="Read its pages").click()
    tree = page.get_by_role("treegrid", name="Pages")
    tree.get_by_role("row", name="Tides").click()
    expect(heading(page)).to_have_text("Tides")
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(text_of(page)).to_contain_text("The gauge is read at noon.")
    write_with_every_day_blocks(page)
    editor = page.url
    page.get_by_role("button", name="Done").click()
    expect(heading(page)).to_have_text("Tides")

    # She asks Jonas, who sees it without a reload, reads it and asks back.
    page.goto(request)
    page.get_by_role("button", name="Open for review").click()
    page.get_by_role("combobox", name="Ask for a review").fill("Jonas")
    page.get_by_role("option", name="Jonas Weber").click()
    expect(page.get_by_text("Was asked")).to_be_visible()
    reviewer = jonas.page
    reviewer.get_by_role("link", name="Import documentation").first.click()
    reviewer.get_by_role("link", name="Changes", exact=True).click()
    expect(reviewer.get_by_text("Mind the swell").first).to_be_visible()
    reviewer.get_by_role("link", name="Conversation").click()
    reviewer.get_by_role("textbox", name="Comment").fill("Which lid, and who is called?")
    reviewer.get_by_role("button", name="Post comment").click()
    expect(page.get_by_text("Which lid, and who is called?").first).to_be_visible()

    # Both edit the page at once, each sees the other's words, and none is lost.
    for one in (page, reviewer):
        one.goto(editor)
        expect(text_of(one)).to_contain_text("Mind the swell")
        expect(one.get_by_text("Live", exact=True)).to_be_visible()
    add_at_end_of(page, "Open the lid", " of the northern gauge")
    add_at_end_of(reviewer, "Low water comes twice a day.", " Spring tides come twice a month.")
    saved(page)
    saved(reviewer)
    expect(page.get_by_text("Spring tides come twice a month.", exact=False)).to_be_visible()
    expect(reviewer.get_by_text("of the northern gauge", exact=False)).to_be_visible()
    add_at_end_of(reviewer, "The gauge is read at noon.", " In summer time.")
    saved(reviewer)
    reviewer.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Done").click()

    # Jonas approves and merges; Ines, who may not, sees it at once.
    page.goto(request)
    expect(page.get_by_text("Which lid, and who is called?").first).to_be_visible()
    expect(page.get_by_role("button", name="Merge")).to_have_count(0)
    reviewer.goto(request)
    reviewer.get_by_role("button", name="Give a review").click()
    reviewer.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Approved")).to_be_visible()
    reviewer.get_by_role("button", name="Merge").click()
    reviewer.get_by_role("dialog").get_by_role("button", name="Merge").click()
    expect(page.get_by_text("This change request is merged.")).to_be_visible()
    # The history says who has written, and who has merged.
    page.get_by_role("link", name="History").click()
    newest = page.get_by_role("main").get_by_role("listitem").filter(has_text="#1").first
    expect(newest).to_contain_text("Ines Duarte")
    expect(newest).to_contain_text("merged by Jonas Weber")
    expect(newest).to_contain_text("Tides")

    # Ada publishes; until then there is nothing for readers.
    page = ada.page
    page.get_by_role("link", name="Sites").click()
    page.get_by_role("button", name="New site").click()
    dialog = page.get_by_role("dialog", name="New site")
    dialog.get_by_label("Title").fill("Harbour guide")
    dialog.get_by_label("First space").select_option(label="Harbour handbook")
    dialog.get_by_role("button", name="Create").click()
    expect(heading(page)).to_have_text("Harbour guide")
    page.get_by_role("button", name="Publish", exact=True).click()
    address = page.get_by_role("link", name="Visit the site").get_attribute("href")
    assert address is not None
    reader = installation.somebody()
    what_a_reader_sees(reader, address)

    # The audit log says who did what, and through which door.
    page.get_by_role("link", name="Audit log").click()
    rows = page.get_by_role("table").get_by_role("row")
    for who, what in (
        ("Ada Okafor", "invite users to organization"), ("Ines Duarte", "start import run"),
        ("Jonas Weber", "merge change request"), ("Ada Okafor", "publish site"),
    ):  # fmt: skip
        expect(rows.filter(has_text=who).filter(has_text=what).first).to_be_visible()
    page.get_by_role("combobox", name="Person").fill("Jonas")
    page.get_by_role("option", name="Jonas Weber").click()
    expect(rows.filter(has_text="merge change request")).to_have_count(1)
    expect(rows.filter(has_text="Ada Okafor")).to_have_count(0)
    for person in installation.people:
        person.fine()


def what_a_reader_sees(reader: Person, address: str) -> None:
    """Nobody who is signed in: all that was imported and written, by both, in its place."""
    page = reader.page
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200
    page.get_by_role("navigation").get_by_role("link", name="Tides").first.click()
    expect(heading(page)).to_have_text("Tides")
    main = page.get_by_role("main")
    # What was imported, with what Jonas has put behind it; then what Ines has written.
    shown = main.inner_text()
    places = [
        shown.index(words)
        for words in (
            "Low water comes twice a day. Spring tides come twice a month.",
            "The gauge is read at noon. In summer time.", "Reading the gauge",
            "Look at the mark", "Water waits for nobody", "Mind the swell", "gauge --read",
            "Open the lid of the northern gauge", "In winter", "Who to call",
        )
    ]  # fmt: skip
    assert places == sorted(places)
    # Each as what it is.
    for selector, words in (
        ("h3", "Reading the gauge"), ("strong", "mark"), ("ul > li", "second"),
        ("li:has(input, svg, [role=img])", "calibrated"), ("blockquote", "Water waits"),
        ("pre", "gauge --read"), ("details", "Who to call"), ("math", ""), ("hr", ""),
        ("th, td", "Metres"),
    ):  # fmt: skip
        expect(main.locator(selector, has_text=words).first).to_be_attached()
    image = main.locator("img").first
    image.scroll_into_view_if_needed()
    wait_until(page, "image => image.complete && image.naturalWidth > 0", image.element_handle())
    # What was said about it is not for readers.
    assert "Which lid" not in page.content()
    page.get_by_role("navigation").get_by_role("link", name="Tables").first.click()
    expect(main.get_by_role("cell", name="3.1 m")).to_be_visible()
