"""The process that looks at fonts of strangers: `python -m content.media.font_reader`.

It gets the bytes of a WOFF2 or WOFF file on its standard input and answers with one line of JSON:
`{"problem": null}`, or what is wrong. Such a file is compressed tables, so it has bounds on memory
and time, and reaches no network.
"""

from __future__ import annotations

import io
import json
import sys

from content.isolation import limit_resources, refuse_sockets

SECONDS, MEGABYTES = 10, 512
# What a browser cannot do without.
_NEEDED = ("cmap", "head", "hhea", "hmtx", "maxp", "name")
_OUTLINES = ("glyf", "CFF ", "CFF2")
# The right to embed it, in the table OS/2: no embedding without a permission of its own.
_RESTRICTED = 0x0002


def font_problem(data: bytes) -> str | None:
    """What is wrong with the bytes of a WOFF2 or WOFF font; None for one that can be shown."""
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(io.BytesIO(data), lazy=False)
        if font.flavor not in ("woff2", "woff"):
            return "is no WOFF2 or WOFF file"
        missing = [name for name in _NEEDED if name not in font]
        if missing:
            return f"has no table {missing[0]!r}"
        if not any(name in font for name in _OUTLINES):
            return "has no outlines"
        if not font.getBestCmap():
            return "has no characters"
        if "OS/2" in font and font["OS/2"].fsType & 0x000F == _RESTRICTED:
            return "says that its licence does not allow to embed it"
    except MemoryError:
        return "is too large when it is unpacked"
    except Exception as error:  # fontTools raises whatever a damaged table leads to
        return f"cannot be read: {str(error)[:200] or type(error).__name__}"
    return None


if __name__ == "__main__":
    limit_resources(SECONDS, MEGABYTES, file_bytes=0)
    refuse_sockets()
    sys.stdout.write(json.dumps({"problem": font_problem(sys.stdin.buffer.read())}))
