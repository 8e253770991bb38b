"""The process that reads what others have written: `python -m resolvers.imports.process`.

It gets frames on its standard input and answers each with one on its standard output. It has
bounds on memory and time, and neither opens connections nor writes files nor starts processes, so
that a document that defeats a parser defeats nothing else. It holds one import.

Pages go before the answer that they belong to, each in a frame of its own: whoever reads them does
other things in between, and keeps documents as the bytes that are stored.
"""

import json
import os
import resource
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import orjson

from content.documents.nodes import Node
from content.errors import ContentError
from content.git.import_links import Known, page_paths
from content.git.space_import import FileImport, SpaceImport
from content.imports import website
from content.imports.formats import Payload, kind_of, read_payload
from content.imports.html_page import decode_html
from content.imports.packing import PackLimits, pack
from content.imports.remote_images import remote_images
from content.json_types import JsonObject
from content.markdown.parser import parse_document
from content.sources.tree import SourceLimits
from content.sources.zip import open_files
from db.ids import new_id

Json = dict[str, Any]
Answer = tuple[Json, Sequence[FileImport]]
MEGABYTE = 1024 * 1024


def _payload(header: Json, blobs: Sequence[bytes]) -> Payload:
    changed = website.http_time(header["changed"])
    return Payload(header["name"], header["type"], header["charset"], blobs[0], changed)


class Import:
    """The import that the process holds: what was read, until it is packed."""

    def __init__(self, answers: BinaryIO) -> None:
        self.content: SpaceImport | None = None
        self.base = ""
        self._answers = answers

    def read(self, header: Json, blobs: Sequence[bytes]) -> Answer:
        """Read a document or archive. Answers with the addresses of pictures to fetch."""
        limits = SourceLimits(**header["limits"])
        payload = _payload(header, blobs)
        content = read_payload(header["source"], payload, limits)
        # Beside an archive there is nothing that its documents mean.
        base = "" if kind_of(payload) == "archive" else header["url"]
        return self._hold(content, base)

    def kind(self, header: Json, blobs: Sequence[bytes]) -> Answer:
        """The kind of a document."""
        payload = _payload(header, blobs)
        return {"kind": kind_of(payload)}, ()

    def read_site(self, header: Json, blobs: Sequence[bytes]) -> Answer:
        """Read the documents of a site. Answers as `read`."""
        pages = [
            website.SitePage(
                website.Place(*page["place"]),
                page["url"],
                page["type"],
                page["charset"],
                data,
                website.http_time(page["changed"]),
            )
            for page, data in zip(header["pages"], blobs, strict=True)
        ]
        return self._hold(website.read_site(pages), header["url"])

    def _hold(self, content: SpaceImport, base: str) -> Answer:
        self.content, self.base = content, base
        paths = [path for _, path in page_paths(content)]
        return {"pictures": remote_images(content, base), "paths": paths}, ()

    def places(self, header: Json, blobs: Sequence[bytes]) -> Answer:
        """The pages of a site that one of its documents names."""
        scope = website.Scope(*header["scope"])
        url, form = header["url"], header["form"]
        further: list[str] = []
        if form == "sitemap":
            listed, further = website.sitemap_places(blobs[0], url, scope)
        else:
            read = {
                "navigation": website.navigation_of,
                "links": website.links_of,
                "llms": website.llms_places,
            }[form]
            listed = read(decode_html(blobs[0], header["charset"]), url, scope)
        places = [[place.url, place.title, place.depth] for place in listed]
        return {"places": places, "further": further}, ()

    def pack(self, header: Json, blobs: Sequence[bytes]) -> Answer:
        """Pack what was read, with the pictures that were fetched."""
        assert self.content is not None
        pictures: dict[str, FileImport] = {}
        for picture, data in zip(header["pictures"], blobs, strict=True):
            pictures[picture["url"]] = FileImport.of(
                open_files({picture["path"]: data}), picture["path"], picture["path"]
            )
        limits = PackLimits(header["pages"], header["files"], header["characters"])
        packed = pack(
            self.content,
            limits,
            new_id,
            self._send_row,
            base=self.base,
            pictures=pictures,
            not_fetched=header["found"],
            existing=Known(**header.get("known", {})),
            texts=header.get("texts"),
        )
        return packed.value, packed.files

    def _send_row(self, kind: str, values: JsonObject, document: Node | None) -> None:
        data = b"" if document is None else orjson.dumps(document)
        self._answers.write(frame_of({"row": kind, "values": values}, [len(data)]))
        self._answers.write(data)


def limit(seconds: int, megabytes: int) -> None:
    """Bound what this process may use, and what it may do."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        size = megabytes * MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    # What is needed once in a while is loaded before doors close.
    parse_document("# x\n\n| a |\n| - |\n")
    sys.addaudithook(_refuse)


_REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn",
            "os.remove", "os.rename", "shutil.", "ctypes.")  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED):
        raise PermissionError(f"{event} is not for a process that converts")
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
        raise PermissionError("a process that converts writes no files")


def serve(frames: BinaryIO, answers: BinaryIO) -> None:
    """Answer frames until there are no more."""
    held = Import(answers)
    while (frame := read_frame(frames)) is not None:
        header, blobs = frame
        work: Callable[[Json, Sequence[bytes]], Answer] = getattr(held, header["do"])
        try:
            answer, files = work(header, blobs)
        except ContentError as error:
            write_frame(answers, {"problem": str(error)}, ())
            continue
        except (MemoryError, RecursionError):
            write_frame(answers, {"problem": "it is too large or too deeply nested"}, ())
            continue
        # What fails in the midst of files ends the process: no frame can follow half of one.
        write_frame(answers, {"ok": answer}, files)


def read_frame(file: BinaryIO) -> tuple[Json, list[bytes]] | None:
    """A header and the bytes that belong to it; None at the end."""
    start = file.read(4)
    if len(start) < 4:
        return None
    header = json.loads(file.read(struct.unpack(">I", start)[0]))
    return header["value"], [file.read(size) for size in header["sizes"]]


def frame_of(value: Json, sizes: Sequence[int]) -> bytes:
    """The head of a frame; blobs of these sizes follow it."""
    text = json.dumps({"value": value, "sizes": sizes}).encode()
    return struct.pack(">I", len(text)) + text


def write_frame(out: BinaryIO, value: Json, files: Sequence[FileImport]) -> None:
    """Send a header with the bytes of files, which are read one at a time."""
    out.write(frame_of(value, [file.size for file in files]))
    for file in files:
        out.write(file.read())
    out.flush()


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    serve(sys.stdin.buffer, sys.stdout.buffer)
