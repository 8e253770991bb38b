"""A specification from its source to what is stored: read, checked, one file, OpenAPI 3.1."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import orjson

from content.openapi.bundling import Bundler
from content.openapi.compression import compressed
from content.openapi.errors import wrong
from content.openapi.reading import MOST_BYTES, read_file
from content.openapi.servers import with_whole_servers
from content.openapi.structure import OPENAPI_PLACES, SWAGGER_PLACES
from content.openapi.upgrading import upgraded
from content.openapi.validation import SWAGGER_2, check, check_references, format_of, kinds_of

TITLE_LENGTH = 255
# Bytes of what is stored, as JSON: with what it refers to, and in the newer format.
MOST_STORED = 2 * MOST_BYTES


@dataclass(frozen=True, slots=True)
class Processed:
    """What is stored of a specification: `data` is its JSON, compressed, `digest` its SHA-256.

    `files` are those that it refers to.
    """

    data: bytes
    digest: str
    size: int
    title: str
    format: str
    files: int


def process(data: bytes, url: str | None, load: Callable[[str], bytes]) -> Processed:
    """The specification in `data`, which comes from `url` if that is known.

    `load` gives the bytes of another file by its URL. SpecificationError when it is not valid.
    """
    root = read_file(data, "the specification")
    format = format_of(root)
    assert isinstance(root, dict)
    check(root, format)
    places = SWAGGER_PLACES if format == SWAGGER_2 else OPENAPI_PLACES
    bundler = Bundler(root, url, kinds_of(format), places, lambda file: read_file(load(file), file))
    bundler.bundle()
    if bundler.files:
        # What has come inside has to fit, too.
        check(root, format)
    check_references(root, format)
    result = upgraded(root, format)
    if url is not None:
        with_whole_servers(result, url)
    text = orjson.dumps(result)
    if len(text) > MOST_STORED:
        raise wrong(f"it has more than {MOST_STORED} bytes with what it refers to")
    title = " ".join(str(result["info"].get("title", "")).split())[:TITLE_LENGTH]
    digest = hashlib.sha256(text).hexdigest()
    return Processed(compressed(text), digest, len(text), title, format, len(bundler.files))
