"""Checks the sizes in a Git pack before anything of it is unpacked into memory."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from content.errors import SourceError, SourceLimitError

_CHUNK = 65_536
_OFS_DELTA, _REF_DELTA = 6, 7


def check_pack(pack: bytes, *, max_object_bytes: int, max_total_bytes: int) -> None:
    """Walk all objects of `pack`, inflating in small steps and keeping nothing.

    Raises `SourceLimitError` when an object (deltas counted by their result) or the sum of all
    is too large, `SourceError` when the pack is damaged.
    """
    if len(pack) < 32 or pack[:4] != b"PACK":
        raise SourceError("the bundle holds no Git pack")
    count = int.from_bytes(pack[8:12], "big")
    position, total = 12, 0
    try:
        for _ in range(count):
            position, size = _walk_object(pack, position, max_object_bytes)
            if size > max_object_bytes:
                raise SourceLimitError(
                    f"the bundle holds an object of {size} bytes, at most {max_object_bytes}"
                    " are allowed"
                )
            total += size
            if total > max_total_bytes:
                raise SourceLimitError(f"the bundle unpacks to more than {max_total_bytes} bytes")
    except (IndexError, zlib.error) as error:
        raise SourceError(f"the pack in the bundle is damaged: {error}") from error


def _walk_object(pack: bytes, position: int, max_bytes: int) -> tuple[int, int]:
    """(position after the object, size once it is unpacked)."""
    byte = pack[position]
    position += 1
    kind, declared, shift = (byte >> 4) & 7, byte & 15, 4
    while byte & 0x80:
        byte = pack[position]
        position += 1
        declared |= (byte & 0x7F) << shift
        shift += 7
        if shift > 60:
            raise SourceError("the pack in the bundle is damaged: an object size is too long")
    if declared > max_bytes:
        return position, declared
    if kind == _OFS_DELTA:
        while pack[position] & 0x80:
            position += 1
        position += 1
    elif kind == _REF_DELTA:
        position += 20
    inflate = zlib.decompressobj()
    produced, head = 0, b""
    while not inflate.eof:
        data = inflate.unconsumed_tail or pack[position : position + _CHUNK]
        if not inflate.unconsumed_tail:
            position += len(data)
        if not data:
            raise SourceError("the pack in the bundle is damaged: it ends within an object")
        output = inflate.decompress(data, _CHUNK)
        produced += len(output)
        if produced > declared:
            raise SourceError("the pack in the bundle is damaged: an object exceeds its size")
        if len(head) < 32:
            head += output[:32]
    position -= len(inflate.unused_data)
    if kind in (_OFS_DELTA, _REF_DELTA):
        return position, _delta_result_size(head)
    return position, produced


def _delta_result_size(head: bytes) -> int:
    """The second of the two sizes at the head of a delta: that of the object it produces."""
    position, size = 0, 0
    for _ in range(2):
        size, shift = 0, 0
        while True:
            byte = head[position]
            position += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
    return size


def read_limited(file: BinaryIO, max_bytes: int) -> bytes:
    """The whole file, or `SourceLimitError` when it has more than `max_bytes`."""
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SourceLimitError(f"the bundle has more than {max_bytes} bytes")
    return data
