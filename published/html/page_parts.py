"""Parts of a published page around its text that scripts make more of: actions, feedback, feeds."""

from __future__ import annotations

import json
from collections.abc import Sequence

from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from published.html.view import FeedbackForm, Page, PageAction, Site, SiteScripts
from published.html.words import Words

COMMENT_LENGTH = 512
# Ratings, and which of the words each is called.
RATINGS = {"bad": "helpful_no", "ok": "helpful_partly", "good": "helpful_yes"}
# No heading has an id with a colon.
QUESTION, COMMENT = "site:feedback-question", "site:feedback-comment"


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
        element("script", type="module", src=safe_address(script.address), integrity=script.digest)
        for script in page.scripts
    ]
    return [*feeds, *scripts]


def page_actions(actions: Sequence[PageAction], words: Words) -> Html:
    """A menu of what a reader can do with the page, in the order of the settings."""
    items = [element("li", _action(action)) for action in actions]
    if not items:
        return EMPTY
    summary = element("summary", escape(words.page_actions))
    menu = element("ul", joined(items))
    return element(
        "details", joined([summary, menu]), class_="page-actions",
        data_copied=words.copied, data_failed=words.copy_failed,
    )  # fmt: skip


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


def feedback_form(form: FeedbackForm | None, words: Words) -> Html:
    """The question whether the page was helpful; each answer is a button that sends the form."""
    if form is None:
        return EMPTY
    question = element("p", escape(words.was_helpful), id=QUESTION)
    buttons = [
        element("button", escape(getattr(words, name)), type="submit", name="rating", value=rating)
        for rating, name in RATINGS.items()
    ]
    return element(
        "form",
        joined([question, _hidden("page", form.page), *buttons]),
        method="post",
        action=safe_address(form.action),
        class_="feedback",
        aria_labelledby=QUESTION,
        # What the script says.
        data_comment=words.what_to_know,
        data_send=words.send,
        data_failed=words.not_sent,
    )


def site_scripts(scripts: SiteScripts | None, site: Site) -> Html:
    """What our script makes of the scripts of integrations: it loads them, and asks before that."""
    if scripts is None:
        return EMPTY
    words = site.words
    addresses = [{"src": address, "cookies": cookies} for address, cookies in scripts.addresses]
    return element(
        "div",
        id="site:scripts",
        hidden=True,
        data_scripts=json.dumps(addresses),
        data_path=scripts.path,
        data_about=words.about_cookies,
        data_accept=words.accept_cookies,
        data_reject=words.reject_cookies,
        data_cookies=words.cookies,
        data_privacy=safe_address(site.privacy or ""),
        data_privacy_label=words.privacy,
    )


def comment_form(form: FeedbackForm, rating: str, words: Words) -> Html:
    """What is asked after a rating: a few words, which may stay away."""
    label = element("label", escape(words.what_to_know), for_=COMMENT)
    field = element(
        "textarea", id=COMMENT, name="comment", rows=4, maxlength=COMMENT_LENGTH,
        required=True,
    )  # fmt: skip
    send = element("button", escape(words.send), type="submit")
    return element(
        "form",
        joined([label, field, _hidden("page", form.page), _hidden("rating", rating), send]),
        method="post",
        action=safe_address(form.action),
        class_="feedback",
    )


def _hidden(name: str, value: str) -> Html:
    return element("input", type="hidden", name=name, value=value)
