"""Packs of other servers: checked and indexed in a process of its own before anything is read.

`python -m content.sources.packs RESPONSE OBJECTS ...` takes the answer to a fetch, and puts the
pack in it beside those that are in the folder of objects already. It opens no connections, and its
memory, time and files are bounded, so that a pack that defeats it defeats nothing else.
"""

from __future__ import annotations

import json
import mmap
import sys
from pathlib import Path

from dulwich.object_format import SHA1
from dulwich.pack import PackData

from content.errors import ContentError, SourceError, SourceLimitError
from content.isolation import MEGABYTE, limit_resources, refuse_sockets
from content.sources.git import check_pack, git_errors
from content.sources.pkt_lines import write_pack_of

# Objects of one pack; those of a repository of 5,000 pages with a long history are some 100,000.
MOST_OBJECTS = 2_000_000
_EMPTY_PACK_BYTES = 32


def add_pack(response: Path, objects: Path, *, max_object_bytes: int, max_total_bytes: int) -> int:
    """Add the pack of a response to a folder of objects; how many objects it has.

    SourceError for what is damaged or not complete in itself, SourceLimitError for what is beyond
    the bounds; then nothing is added.
    """
    folder = objects / "pack"
    folder.mkdir(parents=True, exist_ok=True)
    pack, index = folder / "incoming.tmp", folder / "incoming.index"
    try:
        with response.open("rb") as source, pack.open("wb") as file:
            write_pack_of(source, file)
        count = _check(pack, max_object_bytes, max_total_bytes)
        if count == 0:
            return 0
        with git_errors("the pack of the repository"), PackData(str(pack), SHA1) as data:
            data.check()
            data.create_index_v2(str(index))
            name = f"pack-{data.get_stored_checksum().hex()}"
        # A pack counts from the moment its index is there.
        pack.rename(folder / f"{name}.pack")
        index.rename(folder / f"{name}.idx")
        return count
    finally:
        pack.unlink(missing_ok=True)
        index.unlink(missing_ok=True)


def _check(pack: Path, max_object_bytes: int, max_total_bytes: int) -> int:
    size = pack.stat().st_size
    if size < _EMPTY_PACK_BYTES:
        raise SourceError("the server's answer holds no Git pack")
    with pack.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        count = int.from_bytes(data[8:12], "big")
        if count > MOST_OBJECTS:
            raise SourceLimitError(f"the repository has more than {MOST_OBJECTS} objects")
        check_pack(data, max_object_bytes=max_object_bytes, max_total_bytes=max_total_bytes)
    return count


def main(arguments: list[str]) -> None:
    """Answer with one JSON object on the standard output: `objects`, or `problem`, or the `errno`
    of our own disk."""
    response, objects = Path(arguments[0]), Path(arguments[1])
    seconds, megabytes, max_object_bytes, max_total_bytes = map(int, arguments[2:6])
    limit_resources(seconds, megabytes, file_bytes=2 * max_total_bytes + MEGABYTE)
    refuse_sockets()
    try:
        answer: dict[str, object] = {
            "objects": add_pack(
                response, objects, max_object_bytes=max_object_bytes,
                max_total_bytes=max_total_bytes,
            )
        }  # fmt: skip
    except ContentError as error:
        answer = {"problem": str(error)}
    except (MemoryError, RecursionError):
        answer = {"problem": "the pack of the repository is too large or too deeply nested"}
    except OSError as error:
        answer = {"errno": error.errno}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
