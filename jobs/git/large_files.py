"""Files behind pointers of Git LFS: fetched by imports, and given to the server by exports."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from content.errors import SourceError
from content.git.lfs import Pointer, read_pointer, tracked
from content.git.space_import import FileImport, SpaceImport
from content.git.tree_changes import TreeChanges, Written
from content.media.image_size import Dimensions, image_dimensions
from content.sources.tree import SourceEntry, SourceLimits, SourceTree
from fetching.lfs import Large, LargeError, LargeObjects
from resolvers.imports.trees import StoredContent
from resolvers.revisions.rows import File

MEGABYTE = 1_000_000
MOST_BYTES = SourceLimits().max_file_bytes
# Objects that one operation fetches.
MOST_OBJECTS = 5_000


class Budget:
    """What one operation may fetch, whatever it fetches for: pages, files, again or in parts."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._bytes, self._objects = megabytes * MEGABYTE, MOST_OBJECTS
        self._sizes: dict[str, int] = {}

    def take(self, pointers: Iterable[Pointer]) -> tuple[list[Large], dict[str, str]]:
        """What is fetched of these, the small ones first, and what is wrong with the others, by
        id. What was taken before counts once."""
        unique = set(pointers)
        sizes = Counter(pointer.oid for pointer in unique)
        large: list[Large] = []
        problems = {}
        for pointer in sorted(unique, key=lambda pointer: (pointer.size, pointer.oid)):
            size = self._sizes.get(pointer.oid)
            if sizes[pointer.oid] > 1 or size not in (None, pointer.size):
                problems[pointer.oid] = "pointers to it name several sizes"
            elif pointer.size > MOST_BYTES:
                problems[pointer.oid] = f"it has more than {MOST_BYTES} bytes"
            elif size is None and (pointer.size > self._bytes or not self._objects):
                problems[pointer.oid] = (
                    f"it is beyond the {self._megabytes} MB and {MOST_OBJECTS} files of one "
                    "import; the operator of the server may allow more with DOCSTEAD_GIT_MEGABYTES"
                )
            else:
                if size is None:
                    self._sizes[pointer.oid] = pointer.size
                    self._bytes, self._objects = self._bytes - pointer.size, self._objects - 1
                large.append(Large(*pointer))
        return large, problems


async def with_large_files(
    content: SpaceImport,
    stored: StoredContent,
    objects: LargeObjects,
    folder: Path,
    *,
    budget: Budget,
    dry_run: bool,
) -> SpaceImport:
    """The content with the bytes of the files behind pointers, which are fetched into a folder.

    What does not come is named in a warning, and is as the space has it, or left out. A plan needs
    no bytes.
    """
    pointers = {file.pointer for file in content.files if file.pointer is not None}
    if not pointers or dry_run:
        return content
    to_fetch, problems = budget.take(pointers)
    problems |= await objects.fetch(to_fetch, folder)
    return await asyncio.to_thread(_filled, content, stored, problems, folder)


def _filled(
    content: SpaceImport, stored: StoredContent, problems: Mapping[str, str], folder: Path
) -> SpaceImport:
    rows = {str(row.git["path"]): row for row in stored.files.values()
            if row.git and "path" in row.git}  # fmt: skip
    files, warnings = [], list(content.warnings)
    for file in content.files:
        if file.pointer is None:
            files.append(file)
        elif file.pointer.oid not in problems:
            files.append(_fetched(file, folder / file.pointer.oid))
        else:
            row = rows.get(file.git_path)
            warnings.append(
                f"{file.git_path}: is {'as it was' if row else 'left out'}, for its bytes are kept "
                f"by Git LFS, and {problems[file.pointer.oid]}; import with `force` to try again"
            )
            files += [] if row is None else [_as_before(file, row)]
    return replace(content, files=tuple(files), warnings=tuple(warnings))


def _fetched(file: FileImport, place: Path) -> FileImport:
    """The file with the bytes that were fetched, which are read from there."""
    entries = {file.git_path: SourceEntry(file.size)}
    tree = SourceTree("large", entries, lambda path: place.read_bytes())
    read = replace(file, tree=tree, dimensions=None)
    if file.content_type.startswith("image/"):
        return replace(read, dimensions=image_dimensions(place.read_bytes(), file.content_type))
    return read


def _as_before(file: FileImport, row: File) -> FileImport:
    sized = row.width is not None and row.height is not None
    return replace(
        file,
        content_type=row.content_type,
        size=row.size,
        sha256=row.sha256,
        dimensions=Dimensions(row.width or 0, row.height or 0) if sized else None,
        git_oid=str((row.git or {}).get("oid")),
        pointer=None,
    )


async def give_large_files(
    changes: TreeChanges, tree: SourceTree | None, objects: LargeObjects
) -> dict[str, bytes]:
    """The pointers that are written in place of files that Git LFS keeps, by path, once the server
    has their bytes. SourceError names the file of which it does not take them: in the repository
    itself they would be what its attributes say that they are not. Texts of pages stay texts, which
    imports read there."""
    if tree is None:
        return {}
    files = frozenset(changes.paths.files.values())
    writes = {path: written for path, written in changes.writes.items() if path in files}
    large = await asyncio.to_thread(_pointers, writes, tree)
    paths = {pointer.oid: path for path, pointer in large.items()}

    def read(oid: str) -> bytes:
        return writes[paths[oid]].read()

    unique = [Large(*pointer) for pointer in dict.fromkeys(large.values())]
    try:
        await objects.send(unique, read)
    except LargeError as error:
        oid, _, problem = str(error).partition(": ")
        raise SourceError(
            f"{paths[oid]}: is kept by Git LFS, as .gitattributes says, but its bytes cannot be "
            f"given to the server: {problem}"
        ) from error
    return {path: pointer.data for path, pointer in large.items()}


def _pointers(writes: Mapping[str, Written], tree: SourceTree) -> dict[str, Pointer]:
    pointers = {}
    for path in sorted(tracked(tree, writes)):
        data = writes[path].read()
        # What is a pointer already, of which a space has never got the bytes, stays one.
        if read_pointer(data) is None and data:
            pointers[path] = Pointer(hashlib.sha256(data).hexdigest(), len(data))
    return pointers
