"""The parameters of a GraphQL request, from a JSON body or from a URL."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from docstead.http.body_guard import JSON, BodyLimits, MalformedBody, kind_of, parse_json

PARAMETERS = ("query", "documentId", "operationName", "variables", "extensions")
MAX_URL_PARAMETERS = 20
# Characters of a document's name.
LONGEST_ID = 256


@dataclass(slots=True)
class GraphQLRequest:
    """A well-formed request; the document itself may still be anything.

    One that is named only (`document_id`) has no text; docstead/graphql/persisted_documents.py
    finds it.
    """

    query: str
    operation_name: str | None = None
    variables: dict[str, Any] = field(default_factory=dict)
    extensions: dict[str, Any] = field(default_factory=dict)
    document_id: str | None = None


def from_body(body: JSON) -> GraphQLRequest:
    """Read the parameters of a POST; raises MalformedBody. Other keys are left to the future."""
    if isinstance(body, list):
        raise MalformedBody(
            "The body is an array: batches are not supported, send one operation per request."
        )
    if not isinstance(body, dict):
        raise MalformedBody(f"The body is {kind_of(body)}; a JSON object is expected.")
    extensions = _object(body, "extensions")
    id = _document_id(body.get("documentId"), extensions.get("persistedQuery"))
    query = body.get("query")
    if query is None and id is not None:
        query = ""
    if not isinstance(query, str):
        what = f"is {kind_of(query)}" if "query" in body else "is missing"
        raise MalformedBody(f"query {what}; a string with a GraphQL document is expected.")
    name = body.get("operationName")
    if name is not None and not isinstance(name, str):
        raise MalformedBody(f"operationName is {kind_of(name)}; a string or null is expected.")
    return GraphQLRequest(query, name, _object(body, "variables"), extensions, id)


def _document_id(id: JSON, persisted: JSON) -> str | None:
    """The name of the document, however it is given; None when it has none."""
    if id is not None:
        id = _name("documentId", id)
    if persisted is None:
        return id
    if not isinstance(persisted, dict):
        raise MalformedBody(
            f"extensions.persistedQuery is {kind_of(persisted)}; an object is expected."
        )
    if persisted.get("version") != 1 or persisted["version"] is True:
        raise MalformedBody("extensions.persistedQuery.version must be 1.")
    digest = _name("extensions.persistedQuery.sha256Hash", persisted.get("sha256Hash"))
    if id is not None and id not in (digest, f"sha256:{digest}"):
        raise MalformedBody("documentId and extensions.persistedQuery name different documents.")
    return digest


def _name(where: str, value: JSON) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_ID:
        what = "has another length" if isinstance(value, str) else f"is {kind_of(value)}"
        raise MalformedBody(
            f"{where} {what}; a string of 1 to {LONGEST_ID} characters is expected."
        )
    return value


def _object(body: dict[str, JSON], name: str) -> dict[str, Any]:
    value = body.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MalformedBody(f"{name} is {kind_of(value)}; an object or null is expected.")
    return value


def from_url(query_string: bytes, limits: BodyLimits) -> GraphQLRequest:
    """Read the parameters of a GET; raises MalformedBody."""
    try:
        pairs = parse_qsl(
            query_string.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_URL_PARAMETERS,
        )
    except UnicodeDecodeError:
        raise MalformedBody("The URL's query is not UTF-8 in percent-encoding.") from None
    except ValueError:
        raise MalformedBody(
            f"The URL has more than the {MAX_URL_PARAMETERS} parameters allowed."
        ) from None
    body: dict[str, JSON] = {}
    for name, value in pairs:
        if name not in PARAMETERS:
            continue
        if name in body:
            raise MalformedBody(f"{name} is given more than once in the URL.")
        if "\0" in value:
            raise MalformedBody(f"{name} contains the character U+0000, which is not allowed.")
        body[name] = _parameter(name, value, limits)
    return from_body(body)


def _parameter(name: str, value: str, limits: BodyLimits) -> JSON:
    if name == "query":
        return value
    if not value:
        return None
    if name in ("operationName", "documentId"):
        return value
    try:
        return parse_json(value.encode(), limits)
    except MalformedBody as error:
        raise MalformedBody(f"{name}: {error.message.replace('The body', 'The value')}") from None
