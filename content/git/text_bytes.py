"""Bytes of a text that was changed: lines that stay have the bytes that they had.

Texts are read with `\\n` as the only end of a line (`decode_text`). What that takes away, such as
CRLF, a byte order mark or bytes that are no UTF-8, comes back with the lines it belongs to.
"""

from __future__ import annotations

import re

from content.alignment import align
from content.git.page_files import decode_text, wide_text

BOM = "\ufeff"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def encode_like(text: str, before: bytes | None) -> bytes:
    """The bytes of a text whose file had other ones `before`; None for a new file.

    New lines end as most lines of the file do. The mark of byte order stays if there was one.
    """
    if before is None:
        return text.encode("utf-8", "replace")
    wide = wide_text(before)
    if wide is not None:
        whole, encoding = wide
        return before[:2] + encode_like(text, whole.encode()).decode().encode(encoding)
    old, damaged = decode_text(before)
    if old.startswith(BOM) and not text.startswith(BOM):
        text = BOM + text
    if text == old:
        return before
    if not damaged and b"\r" not in before and b"\x00" not in before:
        return text.encode("utf-8", "replace")
    raw = _LINE.findall(before)
    old_lines, lines = _lines(old), _lines(text)
    windows = sum(line.endswith(b"\r\n") for line in raw)
    end = b"\r\n" if 2 * windows > len(raw) else b"\n"
    there = {j: i for i, j in align(old_lines, lines)}
    parts: list[bytes] = []
    for number, line in enumerate(lines):
        if number in there and len(raw) == len(old_lines):
            parts.append(raw[there[number]])
        else:
            body = line.removesuffix("\n")
            parts.append(body.encode("utf-8", "replace") + (end if line != body else b""))
    return b"".join(parts)


def _lines(text: str) -> list[str]:
    """Lines with their ends; `\\n` is the only one."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)
