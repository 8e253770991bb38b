"""The form that sends the request of an operation from the browser of a reader.

It stands on a page of its own (`published/requests.py`), whose policy allows one server at most. A
script reads it (`published/static/request-panel.js`) by the attributes `data-*`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from content.documents.anchors import HeadingAnchors
from content.html.markup import EMPTY, Html, element, escape, joined
from content.html.openapi_samples import example_of, example_text
from content.html.openapi_schemas import JsonObject, Reference, members, objects, text
from content.html.rendering import Options, Rendering
from content.html.request_words import RequestWords
from content.openapi.servers import server_addresses

# Fields of a form, kinds of a body, and choices of a field.
MOST_FIELDS, MOST_KINDS, MOST_CHOICES = 200, 20, 200
_STYLES = ("form", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject")
_NO_BODY = ("get", "head", "trace")


def takes_requests(extract: JsonObject) -> bool:
    """Whether readers may send requests: it is an operation, at a server that can be reached, and
    its specification hides no panel."""
    operation = extract.get("operation")
    if not isinstance(operation, dict) or "webhook" in extract:
        return False
    hides = operation.get("x-hideTryItPanel", extract.get("x-hideTryItPanel"))
    return hides is not True and bool(server_addresses(extract.get("servers")))


def request_form(extract: JsonObject, server: str, options: Options) -> Html:
    """The fields of a request to `server`, and the button that sends it."""
    return _Form.of(extract, server, options).html()


@dataclass(slots=True)
class _Form:
    extract: JsonObject
    server: str
    reference: Reference
    operation: JsonObject
    options: Options
    words: RequestWords
    fields: int = field(default=0)

    @classmethod
    def of(cls, extract: JsonObject, server: str, options: Options) -> _Form:
        components = extract.get("components")
        # Nothing in a form is a block.
        rendering = Rendering(options, {}, {}, HeadingAnchors(), own_anchors={})
        reference = Reference(
            rendering, options.words.api, components if isinstance(components, dict) else {}
        )
        operation = reference.resolved(extract.get("operation"))
        return cls(extract, server, reference, operation, options, options.words.requests)

    def html(self) -> Html:
        words, method = self.words, text(self.extract, "method").upper()
        parts = [
            self._group(self.options.words.api.authentication, self._security()),
            *self._parameters(),
            self._body(),
            element("button", escape(words.send), type="submit", disabled=True),
            element("section", EMPTY, class_="request-response", aria_live="polite"),
        ]
        return element(
            "form", joined(parts), class_="request", data_method=method, data_server=self.server,
            data_path=text(self.extract, "path"), data_sending=words.sending,
            data_response=words.response, data_failed=words.failed, data_empty=words.empty,
            data_shortened=words.shortened, data_binary=words.binary, autocomplete="off",
        )  # fmt: skip

    def _group(self, title: str, rows: list[Html]) -> Html:
        if not rows:
            return EMPTY
        return element("fieldset", joined([element("legend", escape(title)), *rows]))

    def _row(self, label: Html, control: str, note: str = "", /, **attributes: Any) -> Html:
        """A labelled field."""
        if self.fields >= MOST_FIELDS:
            return EMPTY
        self.fields += 1
        id = f"request:{self.fields}"
        content = attributes.pop("content", EMPTY)
        about = f"{id}:about" if note else None
        shown = [
            element("label", label, for_=id),
            element(control, content, id=id, aria_describedby=about, **attributes),
        ]
        if note:
            shown.append(element("p", escape(note), id=about, class_="request-note"))
        return element("div", joined(shown), class_="request-field")

    def _label(self, name: str, kind: str = "", required: bool = False) -> Html:
        parts = [element("code", escape(name))]
        if kind:
            parts.append(element("span", escape(kind), class_="openapi-type"))
        if required:
            mark = escape(self.options.words.blocks.required)
            parts.append(element("span", mark, class_="openapi-required"))
        return Html(" ".join(parts))

    # ------------------------------------------------------------------ who sends it

    def _security(self) -> list[Html]:
        schemes = self.extract.get("securitySchemes")
        rows: list[Html] = []
        for name, scheme in members(schemes):
            if isinstance(scheme, dict):
                rows += self._scheme(name, scheme)
        return rows

    def _scheme(self, name: str, scheme: JsonObject) -> list[Html]:
        kind, words = text(scheme, "type"), self.words
        prefix = text(scheme, "x-gitbook-prefix")
        placeholder = text(scheme, "x-gitbook-token-placeholder")
        secret = {"type": "password", "autocomplete": "off", "placeholder": placeholder}
        if kind == "apiKey":
            place, header = text(scheme, "in"), text(scheme, "name")
            if place not in ("header", "query"):
                return [element("p", escape(words.no_cookies), class_="request-note")]
            return [
                self._row(
                    self._label(header), "input", data_in=place, data_name=header,
                    data_prefix=prefix and f"{prefix} ", **secret,
                )
            ]  # fmt: skip
        if kind == "http" and text(scheme, "scheme").lower() == "basic":
            user = self._row(escape(words.user_name), "input", type="text", data_in="user")
            return [user, self._row(escape(words.password), "input", data_in="password", **secret)]
        if kind in ("http", "oauth2", "openIdConnect"):
            written = text(scheme, "scheme").capitalize() if kind == "http" else "Bearer"
            label = joined([escape(f"{words.token} "), element("code", escape(name))])
            return [
                self._row(
                    label, "input", data_in="header", data_name="Authorization",
                    data_prefix=f"{prefix or written or 'Bearer'} ", **secret,
                )
            ]  # fmt: skip
        return []

    # ------------------------------------------------------------------ what is sent

    def _parameters(self) -> list[Html]:
        common, api = self.options.words.blocks, self.options.words.api
        labels = {
            "path": common.path_parameters, "query": common.query_parameters,
            "header": common.headers, "cookie": api.cookies,
        }  # fmt: skip
        rows: dict[str, list[Html]] = {place: [] for place in labels}
        for parameter in map(self.reference.resolved, objects(self.operation.get("parameters"))):
            place = text(parameter, "in")
            if place == "cookie":
                note = element("p", escape(self.words.no_cookies), class_="request-note")
                rows[place] = [note]
            elif place in rows:
                rows[place].append(self._parameter(parameter, place))
        return [self._group(labels[place], shown) for place, shown in rows.items()]

    def _parameter(self, parameter: JsonObject, place: str) -> Html:
        contents = [part for _, part in members(parameter.get("content")) if isinstance(part, dict)]
        holder = contents[0] if contents else parameter
        schema = self.reference.resolved(holder.get("schema"))
        name, required = text(parameter, "name"), parameter.get("required") is True
        kinds = schema.get("type")
        kind = next((k for k in (kinds if isinstance(kinds, list) else [kinds]) if k != "null"), "")
        style = text(parameter, "style")
        if style not in _STYLES:
            style = "form" if place == "query" else "simple"
        explode = parameter.get("explode", style == "form")
        attributes: dict[str, Any] = {
            "data_in": place, "data_name": name, "required": required,
            "data_style": style, "data_explode": "yes" if explode is True else None,
            "data_reserved": "yes" if parameter.get("allowReserved") is True else None,
            "data_kind": "json" if contents else kind if kind in ("array", "object") else None,
        }  # fmt: skip
        label = self._label(name, self.reference.type_of(holder.get("schema")), required)
        example = _field_text(example_of(self.reference, holder), contents)
        written = _field_text(parameter.get("example", schema.get("default")), contents)
        choices = _choices(schema)
        if choices:
            shown = [] if required else [""]
            options = [
                element("option", escape(choice), value=choice or None, selected=choice == written)
                if choice
                else Html('<option value=""></option>')
                for choice in (*shown, *choices)
            ]
            return self._row(label, "select", content=joined(options), **attributes)
        return self._row(
            label, "input", type="text", value=written if required else "",
            placeholder=example, **attributes,
        )  # fmt: skip

    def _body(self) -> Html:
        body = self.reference.resolved(self.operation.get("requestBody"))
        kinds = [
            (kind, content)
            for kind, content in members(body.get("content"))[:MOST_KINDS]
            if isinstance(content, dict)
        ]
        if not kinds or text(self.extract, "method") in _NO_BODY:
            return EMPTY
        # JSON is what most readers can write.
        kinds.sort(key=lambda entry: "json" not in entry[0])
        required = body.get("required") is True
        rows: list[Html] = []
        examples = [example_text(example_of(self.reference, content))[0] for _, content in kinds]
        if len(kinds) > 1:
            options = [
                element("option", escape(kind), value=kind, data_example=example)
                for (kind, _), example in zip(kinds, examples, strict=True)
            ]
            label = element("code", escape("Content-Type"))
            rows.append(self._row(label, "select", content=joined(options), data_in="kind"))
        kind, content = kinds[0]
        label = self._label(kind, self.reference.type_of(content.get("schema")), required)
        common = {"data_in": "body", "data_kind": kind}
        if _is_file(kind):
            rows.append(self._row(label, "input", type="file", required=required, **common))
        else:
            # The first line break after the opening tag is none of the text.
            written = Html("\n" + escape(examples[0]))
            lines = min(24, max(4, examples[0].count("\n") + 2))
            rows.append(
                self._row(
                    label, "textarea", content=written, rows=lines, spellcheck="false",
                    required=required, **common,
                )
            )  # fmt: skip
        rows += [
            self._row(self._label(name), "input", type="file", data_in="part", data_name=name)
            for kind, content in kinds
            if kind.startswith("multipart/")
            for name in self._files(content)
        ]
        return self._group(self.options.words.api.body, rows)

    def _files(self, content: JsonObject) -> list[str]:
        """Fields of a form that hold files."""
        fields = members(self.reference.resolved(content.get("schema")).get("properties"))
        return [name for name, part in fields if _holds_file(self.reference.resolved(part))]


def _choices(schema: JsonObject) -> list[str]:
    listed = schema.get("enum")
    if schema.get("type") == "boolean":
        listed = ["true", "false"]
    values = listed[:MOST_CHOICES] if isinstance(listed, list) else []
    return [_field_text(value, []) for value in values if value not in (None, "")]


def _field_text(value: Any, contents: list[JsonObject]) -> str:
    """A value as a field has it: lists with commas, all else that is no text as JSON."""
    if value is None:
        return ""
    if (
        isinstance(value, list)
        and not contents
        and not any(isinstance(item, dict | list) for item in value)
    ):
        return ",".join(_field_text(item, []) for item in value)
    return " ".join(example_text(value)[0].split())


def _is_file(kind: str) -> bool:
    return kind == "application/octet-stream" or kind.startswith(("image/", "audio/", "video/"))


def _holds_file(schema: JsonObject) -> bool:
    return text(schema, "format") == "binary" or "contentMediaType" in schema
