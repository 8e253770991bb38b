"""Media types of files by their first bytes."""

from content.media.media_types import media_type

# First bytes of formats that browsers show, and their media types.
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"%PDF-", "application/pdf"),
    (b"wOF2", "font/woff2"),
    (b"wOFF", "font/woff"),
)


def content_type_of(name: str, head: bytes) -> str:
    """The media type by the first bytes, or else by the ending of the name."""
    for magic, type in _MAGIC:
        if head.startswith(magic):
            return type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return media_type(name)
