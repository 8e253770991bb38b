"""What readers see of tags of older files that describe methods of an API.

The dialect has no block for them, so the tags stay Markdown around the blocks that they hold. What
their attributes say (the method and its address, names of parameters, statuses of responses)
stands nowhere else, so it is shown in place of the tag, and found by searches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from content.documents.tag_syntax import parse_tag

# A piece of a line and how it is shown.
Piece = tuple[Literal["strong", "code", "text"], str]

_METHODS = frozenset({"swagger", "api-method"})
_PARAMETERS = frozenset({"swagger-parameter", "api-method-parameter"})
_RESPONSES = frozenset({"swagger-response", "api-method-response-example"})
# Tags that stand for words of ours, which are those of searches, too.
OWN_WORDS = {
    "path_parameters": "Path parameters",
    "query_parameters": "Query parameters",
    "headers": "Headers",
    "form_parameters": "Form data parameters",
    "body_parameters": "Body parameters",
    "responses": "Responses",
    "required": "required",
}
_TITLES = {
    "api-method-path-parameters": "path_parameters",
    "api-method-query-parameters": "query_parameters",
    "api-method-headers": "headers",
    "api-method-form-data-parameters": "form_parameters",
    "api-method-body-parameters": "body_parameters",
    "api-method-response": "responses",
}
API_TAGS = frozenset({
    *_METHODS, *_PARAMETERS, *_RESPONSES, *_TITLES, "swagger-description", "api-method-summary",
    "api-method-description", "api-method-spec", "api-method-request",
    "api-method-response-example-description",
})  # fmt: skip
# More of a tag is not read.
_LONGEST = 10_000


def shown_lines(source: str, words: Mapping[str, str] = OWN_WORDS) -> list[list[Piece]]:
    """The lines that a tag is shown as; none for an end tag, for other tags, and for no tag.
    `words` are ours by the names that `OWN_WORDS` has."""
    tag = parse_tag(source) if source.startswith("{%") and len(source) <= _LONGEST else None
    if tag is None or tag.closing:
        return []
    if tag.name in _METHODS:
        return _method(tag.attributes)
    if tag.name in _PARAMETERS:
        return _parameter(tag.attributes, words["required"])
    if tag.name in _RESPONSES:
        return _response(tag.attributes)
    title = _TITLES.get(tag.name)
    return [] if title is None else [[("strong", words[title])]]


def _method(attributes: Mapping[str, str]) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    if "summary" in attributes:
        lines.append([("strong", attributes["summary"])])
    host = attributes.get("baseUrl") or attributes.get("host") or ""
    call: list[Piece] = [
        ("strong", attributes.get("method", "").upper()),
        ("code", host.strip() + attributes.get("path", "").strip()),
    ]
    return _with_text([*lines, call])


def _parameter(attributes: Mapping[str, str], required: str) -> list[list[Piece]]:
    # Names have the backslashes of Markdown in some files.
    line: list[Piece] = [("code", attributes.get("name", "").replace("\\", ""))]
    line += [("text", attributes.get(name, "")) for name in ("in", "type")]
    if attributes.get("required") == "true":
        line.append(("text", required))
    return _with_text([line])


def _response(attributes: Mapping[str, str]) -> list[list[Piece]]:
    status = attributes.get("status") or attributes.get("httpCode") or ""
    return _with_text([[("strong", status), ("text", attributes.get("description", ""))]])


def _with_text(lines: list[list[Piece]]) -> list[list[Piece]]:
    """The pieces that say something, and the lines that have some."""
    shown = [[(style, " ".join(text.split())) for style, text in line] for line in lines]
    pieces = [[piece for piece in line if piece[1]] for line in shown]
    return [line for line in pieces if line]
