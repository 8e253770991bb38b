"""What others delete, archive or take away while somebody writes about it: the words stay on the
screen, and something says what has happened."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import workbench
from tests.browser.test_workbench_administration import CREATE_CHANGE, CREATE_SITE
from tests.browser.test_workbench_dialogs import COMMENT, OPEN
from tests.browser.workbench import ADA, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
WORDS = "Words of a long afternoon"
GONE = "There is nothing here"
STAYS = "What you typed still stands here."
PAGE = """query ($space: ID!) { pageByPath(spaceId: $space, path: "first") { pageId } }"""
ARCHIVE = """mutation ($space: ID!, $change: ID!) {
  updateChangeRequest(spaceId: $space, id: $change, input: { status: ARCHIVED }) { id } }"""
RESOLVE = """mutation ($space: ID!, $change: ID!, $comment: ID!) {
  updateComment(spaceId: $space, changeRequestId: $change, id: $comment, input: { resolved: true })
    { id } }"""
DELETE_COMMENT = """mutation ($space: ID!, $change: ID, $comment: ID!) {
  deleteComment(spaceId: $space, changeRequestId: $change, id: $comment) { deletedId } }"""
REPLY = """mutation ($space: ID!, $change: ID!, $comment: ID!, $input: PostCommentReplyInput!) {
  replyToComment(spaceId: $space, changeRequestId: $change, commentId: $comment, input: $input)
    { id } }"""
DELETE_SITE = "mutation ($site: ID!) { deleteSite(id: $site) { deletedId } }"


@pytest.fixture
def ids(graph: Graph) -> dict[str, str]:
    """A space with a page, an open change request of it with a comment, and a site."""
    space = graph.space("Gone")
    graph.apply(space, page_of("First", "Words here."), page_of("Second", "Others."))
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"]
    graph.apply(space, page_of("Third", "Third."), change=change["id"])
    graph(OPEN, id=space, change=change["id"])
    comment = graph(COMMENT, id=space, change=change["id"], input={"body": {"markdown": "Enough?"}})
    site = graph(CREATE_SITE, id=graph.organization, input={"title": "Gone", "spaces": [space]})
    return {
        "space": space, "change": change["id"], "comment": comment["postComment"]["id"],
        "page": graph(PAGE, space=space)["pageByPath"]["pageId"],
        "site": site["createSite"]["id"], "organization": graph.organization,
    }  # fmt: skip


def of(ids: dict[str, str], *names: str) -> dict[str, str]:
    return {name: ids[name] for name in names}


def edit(page: Page) -> None:
    text = page.get_by_role("textbox", name="Text of the page")
    text.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(WORDS)


def reply(page: Page) -> None:
    page.get_by_placeholder("Write a reply").fill(WORDS)


def entitle(page: Page) -> None:
    page.get_by_role("main").get_by_label("Title", exact=True).fill(WORDS)


def delete_page(graph: Graph, ids: dict[str, str]) -> None:
    graph.apply(ids["space"], {"deletePage": {"page": ids["page"]}})


def archive(graph: Graph, ids: dict[str, str]) -> None:
    graph(ARCHIVE, **of(ids, "space", "change"))


def delete_site(graph: Graph, ids: dict[str, str]) -> None:
    graph(DELETE_SITE, **of(ids, "site"))


@pytest.mark.parametrize(
    ("path", "write", "do", "said"),
    [
        ("/s/{space}/first?edit={page}", edit, delete_page, GONE),
        ("/s/{space}/~/changes/1/first?edit={page}", edit, archive, "You may not edit this page"),
        ("/o/{organization}/sites/{site}", entitle, delete_site, GONE),
    ],
    ids=["page", "change request", "site"],
)
def test_words_stay_when_what_they_are_about_is_gone(
    signed_in: Any, graph: Graph, ids: dict[str, str], path: str,
    write: Callable[[Page], None], do: Callable[[Graph, dict[str, str]], None], said: str,
) -> None:  # fmt: skip
    ada = signed_in(ADA)
    ada.go(path.format(**ids))
    page = ada.page
    write(page)
    do(graph, ids)
    main = page.get_by_role("main")
    expect(main.get_by_role("alert").filter(has_text=said).first).to_be_visible()
    expect(main.get_by_text(STAYS).first).to_be_visible()
    fields = "(all) => all.map((one) => one.value ?? one.innerText).join()"
    written = main.locator("input, textarea, [contenteditable=true]").evaluate_all(fields)
    assert WORDS in written
    # It was written in by somebody, whose focus stays there.
    assert page.evaluate("document.activeElement.matches('input, textarea, [contenteditable]')")
    ada.fine()


def test_a_reply_stays_when_the_comment_is_resolved(
    signed_in: Any, graph: Graph, ids: dict[str, str]
) -> None:
    ada = signed_in(ADA)
    ada.go(f"/s/{ids['space']}/~/changes/1")
    reply(ada.page)
    graph(RESOLVE, **of(ids, "space", "change", "comment"))
    expect(ada.page.get_by_text("Resolved", exact=True)).to_be_visible()
    field = ada.page.get_by_placeholder("Write a reply")
    expect(field).to_have_value(WORDS)
    # What was taken away by whoever wrote it is waited for no longer.
    field.fill("")
    archive(graph, ids)
    expect(ada.page.get_by_text("Archived", exact=True).first).to_be_visible()
    expect(field).to_have_count(0)
    ada.fine()


@pytest.mark.parametrize("is_on_page", [False, True], ids=["conversation", "page"])
def test_a_reply_stays_when_the_comment_is_deleted(
    signed_in: Any, graph: Graph, ids: dict[str, str], is_on_page: bool
) -> None:
    ada = signed_in(ADA)
    change, path = ids["change"], f"/s/{ids['space']}/~/changes/1"
    if is_on_page:
        change, path = None, f"/s/{ids['space']}/first"
    said = [
        graph(
            COMMENT, id=ids["space"], change=change,
            input={"body": {"markdown": text}, "page": ids["page"] if is_on_page else None},
        )["postComment"]["id"]
        for text in ("Before it", "In the middle", "Behind it")
    ]  # fmt: skip
    ada.go(path)
    page = ada.page
    articles = page.locator("article[id^=comment-]")
    middle = articles.filter(has_text="In the middle")
    field = middle.get_by_placeholder("Write a reply")
    field.fill(WORDS)
    # A first reply elsewhere changes how comments are read; all are deleted, those that nobody
    # writes in as well.
    if not is_on_page:
        body = {"body": {"markdown": "An answer"}}
        graph(REPLY, **of(ids, "space"), change=change, comment=said[2], input=body)
        expect(page.get_by_text("An answer", exact=True)).to_be_visible()
    for comment in [*said, *([] if is_on_page else [ids["comment"]])]:
        graph(DELETE_COMMENT, **of(ids, "space"), change=change, comment=comment)
    expect(articles).to_have_count(1)
    expect(middle.get_by_role("alert")).to_contain_text(GONE)
    expect(middle.get_by_text(STAYS)).to_be_visible()
    expect(field).to_have_value(WORDS)
    expect(field).to_be_focused()
    page.keyboard.type(" and more")
    middle.get_by_role("button", name="Reply").click()
    # What is sent all the same is refused, and stays.
    expect(middle.get_by_role("alert")).to_have_count(2)
    expect(field).to_have_value(f"{WORDS} and more")
    ada.problems = [problem for problem in ada.problems if "404" not in problem]
    ada.fine()


def test_what_nobody_has_written_in_goes(signed_in: Any, graph: Graph, ids: dict[str, str]) -> None:
    ada = signed_in(ADA)
    ada.go(f"/o/{ids['organization']}/sites/{ids['site']}")
    expect(ada.page.get_by_role("heading", level=1, name="Gone")).to_be_visible()
    delete_site(graph, ids)
    expect(ada.page.get_by_role("heading", level=1, name=re.compile(GONE))).to_be_visible()
    expect(ada.page.get_by_text(STAYS)).to_have_count(0)
    ada.fine()
