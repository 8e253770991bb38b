"""The process that reads a specification: `python -P -m content.openapi.worker SECONDS MEGABYTES`.

It gets the source on its standard input and answers on its standard output, in frames: a header of
JSON, and bytes. In between it asks for files that the source refers to: `{"fetch": URL}`. The last
frame is `{"processed": …}` with what is stored, `{"problems": […]}`, or `{"unfetched": …}`. A
process that ends without one has exceeded its bounds. It opens no connections.
"""

from __future__ import annotations

import struct
import sys
from typing import Any, BinaryIO

import orjson

from content.isolation import limit_resources, refuse_sockets
from content.openapi.errors import ExternalFileError, Problem, SpecificationError
from content.openapi.processing import process

# The sizes of the header and of the bytes behind it.
LENGTHS = struct.Struct(">II")


def frame_of(header: Any, data: bytes = b"") -> bytes:
    """A frame: the lengths, the header as JSON, the bytes."""
    text = orjson.dumps(header)
    return LENGTHS.pack(len(text), len(data)) + text + data


def _read(file: BinaryIO) -> tuple[Any, bytes]:
    start = file.read(LENGTHS.size)
    if len(start) < LENGTHS.size:
        raise EOFError
    header, size = LENGTHS.unpack(start)
    return orjson.loads(file.read(header)), file.read(size)


def main(seconds: int, megabytes: int) -> None:
    """Read the specification that comes in."""
    limit_resources(seconds, megabytes, file_bytes=0)
    refuse_sockets()
    frames, answers = sys.stdin.buffer, sys.stdout.buffer

    def send(header: Any, data: bytes = b"") -> None:
        answers.write(frame_of(header, data))
        answers.flush()

    def load(url: str) -> bytes:
        send({"fetch": url})
        header, data = _read(frames)
        if "problem" in header:
            raise ExternalFileError(header["problem"], header["timeout"])
        return data

    header, data = _read(frames)
    try:
        result = process(data, header["url"], load)
    except SpecificationError as error:
        send({"problems": [str(problem) for problem in error.problems]})
    except ExternalFileError as error:
        send({"unfetched": str(error), "timeout": error.timeout})
    except (MemoryError, RecursionError):
        send({"problems": [str(Problem("it is too large or too deeply nested"))]})
    else:
        facts = {
            "digest": result.digest, "size": result.size, "title": result.title,
            "format": result.format, "files": result.files,
        }  # fmt: skip
        send({"processed": facts}, result.data)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
