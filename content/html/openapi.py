"""OpenAPI and integration blocks: what the blocks themselves say, as tables."""

from __future__ import annotations

import re

from content.documents.nodes import data_of, object_of, text_of
from content.html.inlines import anchor, name_of
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.html.rendering import Rendering, Target
from content.json_types import JsonObject

_METHOD = re.compile(r"[A-Za-z]{1,10}")


def operation(rendering: Rendering, node: JsonObject) -> Html:
    """One operation of an API: its method and path, and where it is described."""
    data, words = data_of(node), rendering.options.words.blocks
    path = element("code", escape(text_of(data, "path")), class_="openapi-path")
    return _block(joined([_method(data), path]), [(words.specification, _source(rendering, data))])


def webhook(rendering: Rendering, node: JsonObject) -> Html:
    data, words = data_of(node), rendering.options.words.blocks
    name = element("code", escape(text_of(data, "name")), class_="openapi-path")
    head = joined([_method(data), name])
    return _block(
        head, [(words.kind, escape(words.webhook)), (words.specification, _source(rendering, data))]
    )


def schemas(rendering: Rendering, node: JsonObject) -> Html:
    data, words = data_of(node), rendering.options.words.blocks
    listed = data.get("schemas")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    shown = Html(" ".join(element("code", escape(name)) for name in names))
    return _block(
        element("span", escape(words.schemas), class_="openapi-method"),
        [(words.names, shown), (words.specification, _source(rendering, data))],
    )


def _method(data: JsonObject) -> Html:
    method = text_of(data, "method")
    if not _METHOD.fullmatch(method):
        return EMPTY
    name = f"openapi-method method-{method.lower()}"
    return element("span", escape(method.upper()), class_=name)


def _source(rendering: Rendering, data: JsonObject) -> Html:
    reference = object_of(data, "ref")
    if reference.get("kind") == "openapi":
        return element("code", escape(text_of(reference, "spec")))
    target = rendering.target_of(reference)
    return anchor(target, name_of(target))


def _block(head: Html, rows: list[tuple[str, Html]]) -> Html:
    body = [
        element("tr", joined([element("th", escape(name), scope="row"), element("td", value)]))
        for name, value in rows
        if value
    ]
    table = element("table", element("tbody", joined(body))) if body else EMPTY
    content = joined([element("p", head, class_="openapi-head"), table])
    return element("div", content, class_="openapi")


def integration(rendering: Rendering, node: JsonObject) -> Html:
    """A block that an integration draws, where there is none: its source or its address."""
    data = data_of(node)
    props = object_of(data, "props")
    name = "/".join(filter(None, (text_of(data, "integration"), text_of(data, "block"))))
    source = text_of(props, "content") or text_of(props, "source")
    url = text_of(data, "url") or text_of(props, "url")
    shown = EMPTY
    if source:
        shown = element("pre", element("code", escape(source)), class_="code-lines")
    elif url:
        shown = element("p", anchor(Target(href=safe_address(url)), escape(url)))
    if not shown:
        return EMPTY
    label = element("figcaption", escape(name)) if name else EMPTY
    return element("figure", joined([label, shown]), class_="integration")
