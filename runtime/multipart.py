"""Bodies of type multipart/form-data, as events are sent and as scripts read them."""

import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from content.json_types import JsonObject

MOST_PARTS = 1_000
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{1,70}")
_PARAMETER = re.compile(r';\s*([a-z*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))', re.I)


@dataclass(frozen=True, slots=True)
class Part:
    """One field: `file_name` and `content_type` are None where it is a text."""

    name: str
    data: bytes
    file_name: str | None = None
    content_type: str | None = None


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def write_multipart(parts: Iterable[Part]) -> tuple[bytes, str]:
    """A body and its media type, with a boundary that no part can guess."""
    boundary = f"docstead-{secrets.token_hex(16)}"
    lines = []
    for part in parts:
        head = f'Content-Disposition: form-data; name="{_quoted(part.name)}"'
        if part.file_name is not None:
            head += f'; filename="{_quoted(part.file_name)}"'
        if part.content_type is not None:
            head += f"\r\nContent-Type: {part.content_type}"
        lines += [f"--{boundary}\r\n{head}\r\n\r\n".encode(), part.data, b"\r\n"]
    lines.append(f"--{boundary}--\r\n".encode())
    return b"".join(lines), f"multipart/form-data; boundary={boundary}"


def read_multipart(body: bytes, boundary: str) -> list[Part]:
    """The fields of a body; ValueError for what is none."""
    if not _BOUNDARY.fullmatch(boundary):
        raise ValueError("the boundary of the form is not valid")
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary.encode(), MOST_PARTS + 1)
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise ValueError(f"the form does not end, or has more than {MOST_PARTS} fields")
    return [_part(piece) for piece in pieces[1:-1]]


def _part(piece: bytes) -> Part:
    head, blank, data = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    name = file_name = content_type = None
    for line in head.decode("utf-8", "replace").split("\r\n"):
        key, _, value = line.partition(":")
        if key.strip().lower() == "content-disposition":
            for parameter, quoted, token in _PARAMETER.findall(value):
                text = re.sub(r"\\(.)", r"\1", quoted) if quoted else token
                if parameter.lower() == "name":
                    name = text
                elif parameter.lower() == "filename":
                    file_name = text
        elif key.strip().lower() == "content-type":
            content_type = value.strip()
    if name is None or not blank:
        raise ValueError("a field of the form has no name")
    return Part(name, data, file_name, content_type)


def body_part(body: bytes, content_type: str) -> Part:
    """The field with the body of a request that an event carries.

    A text is a text field, as in the published format; other bytes would be lost in one.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        return Part("fetch-body", body, "body", content_type or "application/octet-stream")
    return Part("fetch-body", body)


def event_parts(
    event: JsonObject, environment: JsonObject, body: bytes | None, content_type: str = ""
) -> list[Part]:
    """The fields of the request that delivers an event."""
    parts = [
        Part("event", json.dumps(event, separators=(",", ":")).encode()),
        Part(
            "environment",
            json.dumps(environment, separators=(",", ":")).encode(),
        ),
    ]
    return parts if body is None else [*parts, body_part(body, content_type)]
