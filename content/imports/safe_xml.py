"""XML of untrusted origin, without the declarations that bombs are made of."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from content.errors import SourceError

_DECLARATION = re.compile(rb"<!(?:ENTITY|ATTLIST|ELEMENT)", re.IGNORECASE)
MAX_BYTES = 20_000_000


def refuse_declarations(data: bytes, place: str) -> None:
    """SourceError when a document declares entities; a plain document type is harmless."""
    # Other encodings could hide the word.
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00")):
        raise SourceError(f"{place}: is XML in UTF-16, which is not supported")
    if _DECLARATION.search(data):
        raise SourceError(f"{place}: declares entities, which is not allowed")


def parse_xml(data: bytes, place: str) -> ElementTree.Element:
    """The root element; SourceError for what is no XML or declares entities."""
    if len(data) > MAX_BYTES:
        raise SourceError(f"{place}: has more than {MAX_BYTES} bytes")
    refuse_declarations(data, place)
    try:
        return ElementTree.fromstring(data)  # noqa: S314 (no entities are declared)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise SourceError(f"{place}: is not valid XML: {error}") from error


def local_name(element: ElementTree.Element) -> str:
    """The name without its namespace."""
    return str(element.tag).rpartition("}")[2]
