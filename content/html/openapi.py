"""OpenAPI blocks: an operation as readers of an API reference expect it.

What a block shows comes with it (`resolvers/specifications/shown.py`); a block without, whose
specification is not there, shows what it names.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from content.documents.nodes import data_of, object_of, text_of
from content.documents.plain_text import plain_text
from content.html.inlines import anchor, name_of
from content.html.markup import EMPTY, Html, element, escape, escape_breakable, joined, safe_address
from content.html.openapi_authentication import authentication
from content.html.openapi_languages import samples_of
from content.html.openapi_requests import takes_requests
from content.html.openapi_samples import Request, example_text, examples_of
from content.html.openapi_schemas import Reference, members, objects, text
from content.html.rendering import Rendering, Target
from content.json_types import JsonObject
from content.markdown.parser import parse_document

_METHOD = re.compile(r"[A-Za-z]{1,10}")
_PLACES = ("path", "query", "header", "cookie")
# Responses, kinds of content and samples of one operation.
MOST_SHOWN = 40
# Characters of a description that stands beside the status of a response.
SHORT = 120


def operation(rendering: Rendering, node: JsonObject) -> Html:
    """One operation of an API: all of it, or its method and path, and where it is described."""
    data, words = data_of(node), rendering.options.words.blocks
    path = element("code", escape_breakable(text_of(data, "path")), class_="openapi-path")
    head = joined([_method(data), path])
    if extract := _extract(data):
        return _Operation(rendering, extract, _slug(data)).html(head)
    return _block(head, [(words.specification, _source(rendering, data))])


def webhook(rendering: Rendering, node: JsonObject) -> Html:
    data, words = data_of(node), rendering.options.words.blocks
    name = element("code", escape(text_of(data, "name")), class_="openapi-path")
    if extract := _extract(data):
        kind = element("span", escape(words.webhook), class_="openapi-method")
        return _Operation(rendering, extract, _slug(data)).html(joined([kind, _method(data), name]))
    head = joined([_method(data), name])
    return _block(
        head, [(words.kind, escape(words.webhook)), (words.specification, _source(rendering, data))]
    )


def schemas(rendering: Rendering, node: JsonObject) -> Html:
    data, words = data_of(node), rendering.options.words.blocks
    extract = _extract(data)
    if extract:
        return _schemas(rendering, extract)
    listed = data.get("schemas")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    shown = Html(" ".join(element("code", escape(name)) for name in names))
    return _block(
        element("span", escape(words.schemas), class_="openapi-method"),
        [(words.names, shown), (words.specification, _source(rendering, data))],
    )


def _extract(data: JsonObject) -> dict[str, Any]:
    value: Any = data.get("shown")
    return value if isinstance(value, dict) else {}


def _slug(data: JsonObject) -> str:
    """The specification that a block names."""
    return text_of(object_of(data, "ref"), "spec")


def _reference(rendering: Rendering, extract: dict[str, Any]) -> Reference:
    words = rendering.options.words.api
    components = extract.get("components")
    return Reference(rendering, words, components if isinstance(components, dict) else {})


def _schemas(rendering: Rendering, extract: dict[str, Any]) -> Html:
    reference = _reference(rendering, extract)
    listed = extract.get("names")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    entries = [
        reference.entry(name, {"$ref": f"#/components/schemas/{name}"}, False) for name in names
    ]
    body = element("ul", joined(entries), class_="openapi-fields")
    return element("div", body, class_="openapi openapi-reference")


class _Operation:
    """One operation or webhook."""

    def __init__(self, rendering: Rendering, extract: dict[str, Any], spec: str) -> None:
        self.rendering, self.extract, self.spec = rendering, extract, spec
        self.reference = _reference(rendering, extract)
        self.words, self.common = self.reference.words, rendering.options.words.blocks
        self.operation = self.reference.resolved(extract.get("operation"))

    def html(self, head: Html) -> Html:
        marks = self.reference.marks(self.operation)
        parts = [
            element("p", Html(" ".join([head, *marks])), class_="openapi-head"),
            self.reference.markdown(text(self.operation, "description")),
            self._more(),
            self._authentication(),
            *self._parameters(),
            self._body(),
            self._samples(),
            self._requests(),
            self._responses(),
        ]
        return element("div", joined(parts), class_="openapi openapi-reference")

    def _requests(self) -> Html:
        """The form that sends a request, on a page of its own that is loaded when it is opened."""
        base = self.rendering.options.requests
        if not base or not self.spec or not takes_requests(self.extract):
            return EMPTY
        self.rendering.uses.requests = True
        words = self.rendering.options.words.requests
        names = {"spec": self.spec, "path": text(self.extract, "path"),
                 "method": text(self.extract, "method")}  # fmt: skip
        address = safe_address(f"{base}&{urlencode(names, errors='replace')}")
        if address is None:
            return EMPTY
        title = f"{words.try_it}: {names['method'].upper()} {names['path']}"
        frame = element("iframe", src=address, title=title, loading="lazy")
        summary = element("summary", escape(words.try_it))
        return element("details", joined([summary, frame]), class_="openapi-request")

    def _part(self, label: str, body: Html) -> Html:
        if not body:
            return EMPTY
        return joined([element("p", escape(label), class_="openapi-part"), body])

    def _more(self) -> Html:
        """Where more is said of an operation."""
        documentation = self.operation.get("externalDocs")
        address = safe_address(text(documentation, "url"))
        if address is None:
            return EMPTY
        label = escape(text(documentation, "description").strip() or address)
        return element("p", anchor(Target(href=address), label))

    def _authentication(self) -> Html:
        schemes = self.extract.get("securitySchemes")
        shown = authentication(self.reference, self.extract, members(schemes)[:MOST_SHOWN])
        return self._part(self.words.authentication, shown)

    def _parameters(self) -> list[Html]:
        by_place: dict[str, list[Html]] = {place: [] for place in _PLACES}
        for parameter in map(self.reference.resolved, objects(self.operation.get("parameters"))):
            place = text(parameter, "in")
            if place in by_place and parameter.get("x-internal") is not True:
                schema = parameter.get("schema")
                for _, content in members(parameter.get("content")):
                    schema = schema or (content.get("schema") if isinstance(content, dict) else {})
                entry = self.reference.entry(
                    text(parameter, "name"), schema or {}, parameter.get("required") is True,
                    {name: parameter[name] for name in ("description", "deprecated", "x-stability",
                     "x-deprecated-sunset", "example", "examples") if name in parameter},
                )  # fmt: skip
                by_place[place].append(entry)
        labels = {
            "path": self.common.path_parameters, "query": self.common.query_parameters,
            "header": self.common.headers, "cookie": self.words.cookies,
        }  # fmt: skip
        return [
            self._part(labels[place], element("ul", joined(entries), class_="openapi-fields"))
            for place, entries in by_place.items()
            if entries
        ]

    def _body(self) -> Html:
        body = self.reference.resolved(self.operation.get("requestBody"))
        contents = self._contents(body, open=True)
        if not contents:
            return EMPTY
        described = joined([self.reference.markdown(text(body, "description")), contents])
        return self._part(self.words.body, described)

    def _contents(self, holder: dict[str, Any], open: bool = False) -> Html:
        """The kinds of content of a body or a response, with fields and an example."""
        parts = []
        for kind, content in members(holder.get("content"))[:MOST_SHOWN]:
            if not isinstance(content, dict):
                continue
            schema = content.get("schema")
            label = Html(" ".join([
                element("code", escape(kind)),
                element("span", escape(self.reference.type_of(schema)), class_="openapi-type"),
            ]))  # fmt: skip
            parts.append(element("p", label, class_="openapi-field"))
            parts.append(self.reference.nested(schema, open))
            parts.append(self._example(content))
        return joined(parts)

    def _example(self, content: dict[str, Any]) -> Html:
        return joined(
            self._one_example(title, value)
            for title, value in examples_of(self.reference, content)[:MOST_SHOWN]
        )

    def _one_example(self, title: str, value: Any) -> Html:
        written, language = example_text(value)
        label = f"{self.words.example}: {title}" if title else self.words.example
        code = self.rendering.blocks([_code(written, language)])
        summary = element("summary", escape(label))
        return element("details", joined([summary, code]), class_="openapi-nested",
                       open=self.rendering.options.paper)  # fmt: skip

    def _samples(self) -> Html:
        if "webhook" in self.extract:
            return EMPTY
        own = self.operation.get("x-codeSamples", self.extract.get("x-codeSamples"))
        if own is False:
            return EMPTY
        samples = [
            (text(sample, "label") or text(sample, "lang"), text(sample, "lang").lower(),
             text(sample, "source"))
            for sample in objects(own)[:MOST_SHOWN]
        ]  # fmt: skip
        if not samples:
            samples = samples_of(Request(self.reference, self.extract, self.operation))
            # On paper, where all of them stand below each other, the first one only.
            samples = samples[:1] if self.rendering.options.paper else samples
        tabs: list[Any] = [
            {"object": "block", "type": "tabs-item", "data": {"title": title},
             "nodes": [_code(source, language)]}
            for title, language, source in samples
        ]  # fmt: skip
        shown = self.rendering.blocks([{"object": "block", "type": "tabs", "nodes": tabs}])
        return self._part(self.words.examples, shown)

    def _responses(self) -> Html:
        # Nobody opens anything on paper.
        open = self.rendering.options.paper or (
            self.operation.get("x-expandAllResponses", self.extract.get("x-expandAllResponses"))
            is True
        )
        items = []
        for status, response in members(self.operation.get("responses"))[:MOST_SHOWN]:
            if status.startswith("x-"):
                continue
            shown = self.reference.resolved(response)
            headers = [
                self.reference.entry(
                    name, self.reference.resolved(header).get("schema"), False,
                    self.reference.resolved(header),
                )
                for name, header in members(shown.get("headers"))
            ]  # fmt: skip
            listed = element("ul", joined(headers), class_="openapi-fields") if headers else EMPTY
            described = text(shown, "description").strip()
            short = "" if "\n" in described or len(described) > SHORT else described
            summary = element("summary", Html(" ".join(filter(None, [
                element("code", escape(status), class_="openapi-status"), escape(_one_line(short)),
            ]))))  # fmt: skip
            body = joined([
                EMPTY if short else self.reference.markdown(described),
                self._part(self.common.headers, listed),
                self._contents(shown, open=True),
            ])  # fmt: skip
            items.append(
                element("details", joined([summary, body]), class_="openapi-response", open=open)
            )
        return self._part(self.common.responses, joined(items))


def _one_line(markdown: str) -> str:
    return " ".join(plain_text(parse_document(markdown)).split())


def _code(source: str, language: str) -> Any:
    lines = [
        {"object": "block", "type": "code-line",
         "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": line, "marks": []}]}]}
        for line in source.split("\n")
    ]  # fmt: skip
    return {"object": "block", "type": "code", "data": {"syntax": language}, "nodes": lines}


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
