"""Zip archives as a source: read entry by entry, never unpacked to a disk."""

from __future__ import annotations

import datetime as dt
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from content.errors import SourceError, SourceLimitError
from content.sources.tree import LeftOut, LimitCounter, SourceEntry, SourceLimits, SourceTree

ZIP_MAGIC = b"PK\x03\x04"
# Text packs down to a tenth, drawings to a fiftieth; beyond this it is a bomb.
MAX_RATIO = 200
_RATIO_FROM_BYTES = 1_000_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NO_TIME = (1980, 1, 2, 0, 0, 0)
_LEFTOVERS = ("__MACOSX/", ".DS_Store", "Thumbs.db")


def open_zip(data: bytes, limits: SourceLimits, *, name: str = "Documentation") -> SourceTree:
    """The files of an archive; symbolic links and leftovers of operating systems are left out,
    and what is no page and has a name that is not portable.

    Raises a `SourceError` for damaged or encrypted archives, for pages with such names and paths
    that lead out of the archive, for two entries of one name, and beyond `limits`.
    """
    with _zip_errors():
        archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    if len(members) > 2 * limits.max_files + 1000:
        raise SourceLimitError(f"the archive has more than {limits.max_files} files")
    counter = LimitCounter(limits)
    infos: dict[str, zipfile.ZipInfo] = {}
    left_out = LeftOut()
    for info in members:
        path = info.filename.removeprefix("./")
        if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16) or _is_leftover(path):
            continue
        if not left_out.is_usable(path):
            continue
        if path in infos:
            raise SourceError(f"{path}: the archive has two entries of this name")
        if info.flag_bits & 0x1:
            raise SourceError(f"{path}: is encrypted")
        if info.compress_type not in _METHODS:
            raise SourceError(f"{path}: is packed by a method that is not supported")
        counter.add(path, info.file_size)
        infos[path] = info
    if counter.total > _RATIO_FROM_BYTES and counter.total > MAX_RATIO * len(data):
        raise SourceLimitError(f"the archive unpacks to more than {MAX_RATIO} times its size")

    def load(path: str) -> bytes:
        return _read(archive, infos[path], path)

    entries = {path: SourceEntry(info.file_size) for path, info in infos.items()}

    def changed() -> dict[str, dt.datetime]:
        times = {path: _time_of(info) for path, info in infos.items()}
        return {path: time for path, time in times.items() if time is not None}

    return SourceTree(name, entries, load, changed=changed, close=archive.close, left_out=left_out)


def _time_of(info: zipfile.ZipInfo) -> dt.datetime | None:
    """When the file of an entry was changed, which archives say in an unnamed zone. Programs that
    know no time write the first one that there is."""
    if info.date_time <= _NO_TIME:
        return None
    try:
        return dt.datetime(*info.date_time, tzinfo=dt.UTC)
    except ValueError:
        return None


def _is_leftover(path: str) -> bool:
    return path.startswith(_LEFTOVERS[0]) or path.rpartition("/")[2] in _LEFTOVERS[1:]


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> bytes:
    """The bytes of an entry, never more than it declares."""
    with _zip_errors(path), archive.open(info) as file:
        data = file.read(info.file_size + 1)
        if len(data) != info.file_size:
            raise SourceError(f"{path}: has another size than the archive says")
        return data


@contextmanager
def _zip_errors(place: str = "the archive") -> Iterator[None]:
    """Whatever a damaged archive makes the library raise becomes one `SourceError`."""
    try:
        yield
    except SourceError:
        raise
    except (
        EOFError,
        IndexError,
        KeyError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        UnicodeError,
        ValueError,
        struct.error,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise SourceError(f"{place}: cannot be read as a zip archive: {error}") from error


def open_files(
    files: dict[str, bytes],
    *,
    name: str = "Documentation",
    changed: Mapping[str, dt.datetime] | None = None,
) -> SourceTree:
    """Files that are in memory already, by path; `changed` are times of things at paths."""
    entries = {path: SourceEntry(len(data)) for path, data in files.items()}
    return SourceTree(name, entries, files.__getitem__, changed=lambda: changed or {})
