"""Texts and their bytes."""

import base64
from typing import Any

# Labels of the Encoding Standard that scripts use, and what Python calls them.
ENCODINGS = {
    "utf-8": "utf-8", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16-le", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be",
    "ascii": "cp1252", "us-ascii": "cp1252", "latin1": "cp1252", "iso-8859-1": "cp1252",
    "windows-1252": "cp1252",
}  # fmt: skip


def well_formed(text: str) -> str:
    """A text without lone surrogates: U+FFFD stands for each."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def encode(arguments: dict[str, Any]) -> str:
    """The UTF-8 bytes of a text, as base64."""
    return base64.b64encode(well_formed(arguments["text"]).encode()).decode()


def decode(arguments: dict[str, Any]) -> str | None:
    """The text of bytes; None where they are none and `fatal` is true."""
    data = base64.b64decode(arguments["data"])
    encoding = ENCODINGS[arguments["label"]]
    if encoding == "cp1252":
        # Five bytes have no character there; the standard takes them as control characters.
        return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in data)
    try:
        return data.decode(encoding, "strict" if arguments["fatal"] else "replace")
    except UnicodeDecodeError:
        return None
