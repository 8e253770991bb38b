"""Headers of files that are sent to be kept, or shown, under a name."""

from urllib.parse import quote


def disposition(how: str, name: str) -> str:
    """`Content-Disposition`: `how` is `inline` or `attachment`."""
    return f"{how}; filename*=UTF-8''{quote(name, safe='')}"


def archive_headers(media_type: str, name: str) -> dict[str, str]:
    """Of an archive, which no browser shows and no cache keeps."""
    return {
        "Content-Type": media_type,
        "Content-Disposition": disposition("attachment", name),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cache-Control": "private, no-store",
    }
