"""The page that sends a request of an API reference: bare, for it stands in a frame of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from content.html.markup import EMPTY, Html, classes, element, escape, joined
from content.html.request_words import RequestWords
from published.html.head import head
from published.html.translations import direction
from published.html.view import Link, Page, Script, Site

TITLE = "request:title"


@dataclass(frozen=True, slots=True)
class RequestPage:
    """What is on the page: `form` once a server was chosen, the choice of `servers` before."""

    method: str
    path: str
    # Where the choice leads, and what goes with it.
    action: str
    fields: Sequence[tuple[str, str]]
    servers: Sequence[str]
    # "" before one was chosen.
    server: str
    form: Html
    # The page of the operation.
    back: Link
    script: Script


def render_request_page(site: Site, shown: RequestPage, words: RequestWords) -> str:
    """The HTML file of the page."""
    page = Page(
        f"{words.try_it}: {shown.method} {shown.path}", EMPTY, no_index=True, scripts=[shown.script]
    )
    name = element(
        "span", escape(shown.method), class_=f"openapi-method method-{shown.method.lower()}"
    )
    heading = Html(" ".join([name, element("code", escape(shown.path), class_="openapi-path")]))
    parts = [
        element("h1", heading, id=TITLE, class_="openapi-head"),
        *(_form(shown, words) if shown.server else [_choice(shown, words)]),
        element(
            "p",
            element(
                "a",
                escape(words.back.format(title=shown.back.title)),
                href=shown.back.href,
                target="_top",
            ),
            class_="request-back",
        ),
    ]
    main = element("main", joined(parts), class_="document request-page")
    html = element(
        "html",
        joined([element("head", head(site, page)), element("body", main)]),
        lang=site.language,
        dir=direction(site.language),
        class_=classes(*site.looks),
        data_theme=site.theme,
        data_themes="chosen" if site.may_choose_theme else None,
    )
    return f"<!doctype html>{html}"


def _hidden(shown: RequestPage) -> Html:
    return joined(
        element("input", type="hidden", name=name, value=value) for name, value in shown.fields
    )


def _choice(shown: RequestPage, words: RequestWords) -> Html:
    """The form that loads the page anew, with a policy that allows one server."""
    options = joined(element("option", escape(server), value=server) for server in shown.servers)
    field = [
        element("label", escape(words.server), for_="request:server"),
        element("select", options, id="request:server", name="server"),
    ]
    parts = [
        _hidden(shown),
        element("p", escape(words.about)),
        element("div", joined(field), class_="request-field"),
        element("button", escape(words.use_server), type="submit"),
    ]
    return element("form", joined(parts), class_="request-choice", action=shown.action)


def _form(shown: RequestPage, words: RequestWords) -> list[Html]:
    start, _, end = words.goes_to.partition("{server}")
    about = joined([escape(start), element("code", escape(shown.server)), escape(end)])
    other = element("button", escape(words.other_server), type="submit")
    again = element(
        "form", joined([_hidden(shown), other]), class_="request-choice", action=shown.action
    )
    return [
        element("p", about),
        again if len(shown.servers) > 1 else EMPTY,
        element("noscript", element("p", escape(words.no_script))),
        shown.form,
    ]
