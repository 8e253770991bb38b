"""Documents that requests name instead of sending them (persisted queries, trusted documents).

A request names a document by `documentId`, as the GraphQL-over-HTTP specification has it, or by
`extensions.persistedQuery`, as Apollo's protocol does; docs/graphql.md tells what clients do.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from graphql import GraphQLError

from docstead.graphql.request import GraphQLRequest
from docstead.http.body_guard import MalformedBody
from schema.bounded_cache import BoundedCache
from schema.refusals import Refused

# Texts that one process remembers, and their characters together.
TEXTS, CHARACTERS = 1_000, 2_000_000
_SHA256 = re.compile("[0-9a-f]{64}")
PREFIX = "sha256:"


class PersistedDocuments(Protocol):
    """Knows the texts of documents by their names."""

    def resolve(self, request: GraphQLRequest) -> GraphQLRequest:
        """The request with the text of its document; Refused or MalformedBody without one."""
        ...

    def remember(self, request: GraphQLRequest) -> None:
        """Called with a resolved request whose document is valid and open to its caller."""
        ...


def sha256(text: str) -> str:
    """The SHA-256 of a document's text in UTF-8, in hex."""
    # What is no character of GraphQL is found when the text is parsed.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def not_found() -> Refused:
    """The refusal that clients know: they send the text with the next request."""
    error = GraphQLError("PersistedQueryNotFound")
    return Refused("PERSISTED_QUERY_NOT_FOUND", [error], status=404)


class AutomaticDocuments:
    """Automatic persisted queries: what was sent once with its SHA-256 is known by it.

    Bounded, and the longest unused texts go first: clients send what is not known any more, or not
    in this process, again. Nobody can put another text under a name, for it is the text's digest.
    For one event loop.
    """

    def __init__(self, texts: int = TEXTS, characters: int = CHARACTERS) -> None:
        self._texts: BoundedCache[str, str] = BoundedCache(texts, characters)

    def resolve(self, request: GraphQLRequest) -> GraphQLRequest:
        """See PersistedDocuments."""
        id = request.document_id
        if id is None:
            return request
        digest = id.removeprefix(PREFIX)
        if not request.query:
            text = self._texts.get(digest)
            if text is None:
                raise not_found()
            return replace(request, query=text)
        if not _SHA256.fullmatch(digest):
            raise MalformedBody(
                "The document is named by something else than its SHA-256 (64 hexadecimal digits "
                "in small letters); send it without a name, or by its name alone."
            )
        if sha256(request.query) != digest:
            raise MalformedBody(
                "The SHA-256 that names the document is not that of query in UTF-8."
            )
        return request

    def remember(self, request: GraphQLRequest) -> None:
        """See PersistedDocuments."""
        if request.document_id is not None:
            digest = request.document_id.removeprefix(PREFIX)
            self._texts.put(digest, request.query, len(request.query))


class TrustedDocuments:
    """The documents that the operator has named; no others are executed."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts` by the names that clients have for them; all are known by their SHA-256, too."""
        self._by_digest = {sha256(text): text for text in texts.values()}
        self._texts = {
            **{f"{PREFIX}{digest}": text for digest, text in self._by_digest.items()},
            **self._by_digest,
            **texts,
        }

    def resolve(self, request: GraphQLRequest) -> GraphQLRequest:
        """See PersistedDocuments. A text may be sent if it is one of them, to the letter."""
        if request.document_id is not None:
            text = self._texts.get(request.document_id)
            if text is None:
                raise not_found()
            if request.query not in ("", text):
                raise MalformedBody("query is not the document that is named beside it.")
            return replace(request, query=text)
        if sha256(request.query) in self._by_digest:
            return request
        problem = (
            "This server executes trusted documents only, and this is none of them; name one by "
            "documentId or by extensions.persistedQuery."
        )
        raise Refused("QUERY_NOT_IN_SAFELIST", [GraphQLError(problem)], status=403)

    def remember(self, request: GraphQLRequest) -> None:
        """Nothing is added."""
