"""Parts of a published page around its text that scripts make more of: actions, feedback, feeds."""

from __future__ import annotations

from collections.abc import Sequence

from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from published.html.view import FeedbackForm, Page, PageAction

COMMENT_LENGTH = 512
RATINGS = {"bad": "No", "ok": "Partly", "good": "Yes"}


def head_parts(page: Page) -> list[Html]:
    """What the head of the page has of its feeds and scripts."""
    feeds = [
        element(
            "link",
            rel="alternate",
            type=feed.type,
            title=f"{page.title}: {feed.title}",
            href=safe_address(feed.href),
        )
        for feed in page.feeds
    ]
    # Modules wait for the document, and run in their order.
    scripts = [
        element("script", type="module", src=safe_address(script)) for script in page.scripts
    ]
    return [*feeds, *scripts]


def page_actions(actions: Sequence[PageAction]) -> Html:
    """A menu of what a reader can do with the page, in the order of the settings."""
    items = [element("li", _action(action)) for action in actions]
    if not items:
        return EMPTY
    summary = element("summary", escape("Use this page"))
    menu = element("ul", joined(items))
    return element("details", joined([summary, menu]), class_="page-actions")


def _action(action: PageAction) -> Html:
    address = safe_address(action.href)
    if action.copies:
        # Shown by the script that copies.
        return element(
            "button", escape(action.title), type="button", hidden=True,
            data_copies=action.copies, data_address=address,
        )  # fmt: skip
    return element(
        "a", escape(action.title), href=address,
        target="_blank" if action.external else None,
        rel="noopener nofollow" if action.external else None,
    )  # fmt: skip


def feedback_form(form: FeedbackForm | None) -> Html:
    """The question whether the page was helpful; each answer is a button that sends the form."""
    if form is None:
        return EMPTY
    question = element("p", escape("Was this page helpful?"), id="feedback-question")
    buttons = [
        element("button", escape(label), type="submit", name="rating", value=rating)
        for rating, label in RATINGS.items()
    ]
    return element(
        "form",
        joined([question, _hidden("page", form.page), *buttons]),
        method="post",
        action=safe_address(form.action),
        class_="feedback",
        aria_labelledby="feedback-question",
    )


def comment_form(form: FeedbackForm, rating: str) -> Html:
    """What is asked after a rating: a few words, which may stay away."""
    label = element("label", escape("What should we know? (optional)"), for_="feedback-comment")
    field = element(
        "textarea", id="feedback-comment", name="comment", rows=4, maxlength=COMMENT_LENGTH,
        required=True,
    )  # fmt: skip
    send = element("button", escape("Send"), type="submit")
    return element(
        "form",
        joined([label, field, _hidden("page", form.page), _hidden("rating", rating), send]),
        method="post",
        action=safe_address(form.action),
        class_="feedback",
    )


def _hidden(name: str, value: str) -> Html:
    return element("input", type="hidden", name=name, value=value)
