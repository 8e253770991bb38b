"""Writes a space into a folder in the Git layout: only what changes, and deletes only its own.

A record in the folder says what was written for which part of the space. A file that somebody has
changed since is theirs: it is written where the space has another text, and never deleted.
"""

import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from content.errors import SourceError
from content.git.import_links import Known
from content.git.layout import read_space
from content.git.tree_changes import SyncedPaths, TreeChanges
from content.git.writer import Tip, write_space
from content.links.meaning import from_root
from content.sources.opening import SourceLimits, open_folder
from content.sources.tree import SourceTree, check_path, git_blob_oid
from resolvers.git.contents import RevisionContent
from resolvers.imports.trees import known_in
from resolvers.revisions.git_marks import tree_url_of

Json = dict[str, Any]
RECORD = ".docstead-export.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class FolderExport:
    """The changes of a folder, ready to be made, and what is in it now."""

    folder: Path
    tree: SourceTree
    changes: TreeChanges
    # Paths that were written before and are not deleted, for somebody has changed them since.
    kept: tuple[str, ...]
    record: Json


def folder_tree(folder: Path) -> SourceTree:
    """The files of a folder but for those of Git; an absent folder is empty."""
    if not folder.exists():
        return SourceTree(folder.name, {}, lambda path: b"")
    if not folder.is_dir():
        raise SourceError(f"{folder}: is not a folder")
    return open_folder(folder, SourceLimits())


def plan_folder_export(
    content: RevisionContent, folder: Path, *, directory: str = "", space_id: str
) -> FolderExport:
    """Compare a space with a folder; nothing is written."""
    tree = folder_tree(folder)
    record = _read_record(tree)
    if record and record["space"] != space_id:
        raise SourceError(
            f"{folder}: has the space {record['space']!r}, as {RECORD} says; "
            "name another folder, or remove that file"
        )
    blobs: Mapping[str, str] = record.get("blobs", {})
    same = {path for path, oid in blobs.items() if path in tree and tree.blob_oid(path) == oid}
    layout = read_space(
        tree, directory=directory, repeated_as_links=True,
        tree_url=tree_url_of(content.stored.pages.values()),
    )  # fmt: skip
    ids = known_in(layout, content.stored, lambda path: _read(tree, path))
    ids = _with_record(ids, record, layout.root, content)
    from_git = {
        str(row.git["path"])
        for rows in (content.stored.pages, content.stored.files, content.stored.contents)
        for row in rows.values()
        if row.git and "path" in row.git and tree.blob_oid(str(row.git["path"])) == row.git["oid"]
    }
    tip = Tip(tree, layout, ids) if tree.paths() else None
    changes = write_space(
        tip, content.content, synced=same | from_git, directory=directory, outside=content.outside
    )
    theirs = tuple(sorted(path for path in blobs.keys() - same if path in tree))
    deletes = tuple(path for path in changes.deletes if path not in theirs)
    after = changes.paths.all_paths()
    theirs_only = tuple(path for path in theirs if path not in after and path not in changes.writes)
    return FolderExport(
        folder, tree, replace(changes, deletes=deletes), theirs_only,
        {"format": FORMAT, "space": space_id},
    )  # fmt: skip


def _read(tree: SourceTree, path: str) -> bytes | None:
    return tree.read(path) if path in tree else None


def _read_record(tree: SourceTree) -> Json:
    if RECORD not in tree:
        return {}
    try:
        record = orjson.loads(tree.read(RECORD))
    except orjson.JSONDecodeError as error:
        raise SourceError(f"{RECORD}: is not JSON: {error}") from error
    if (
        not isinstance(record, dict)
        or record.get("format") != FORMAT
        or (not isinstance(record.get("blobs"), dict) or not isinstance(record.get("space"), str))
    ):
        raise SourceError(f"{RECORD}: is not a record of an export of this version; remove it")
    return record


def _with_record(by_path: Known, record: Json, root: str, content: RevisionContent) -> Known:
    """What is known by the record, too, as far as the space has it still."""

    def ids(kind: str, there: Iterable[str], others: Mapping[str, str]) -> dict[str, str]:
        recorded = record.get(kind, {})
        own = set(there)
        paths = {
            from_root(str(path), root): str(id)
            for id, path in (recorded.items() if isinstance(recorded, dict) else ())
            if id in own
        }
        taken = set(paths.values())
        return {path: id for path, id in others.items() if id not in taken} | paths

    stored = content.stored
    return Known(
        ids("pages", stored.pages, by_path.pages),
        ids("files", stored.files, by_path.files),
        ids("contents", stored.contents, by_path.contents),
    )


def write_folder(export: FolderExport) -> None:
    """Make the changes. Files are written beside their place and put there at once; no symbolic
    link is followed out of the folder."""
    export.folder.mkdir(parents=True, exist_ok=True)
    blobs: dict[str, str] = {}
    # Deletions come first: of a rename that changes capitals only both may be one file.
    for path in export.changes.deletes:
        place = _place(export.folder, path)
        place.unlink(missing_ok=True)
        _remove_empty(export.folder, place.parent)
    for path, written in export.changes.writes.items():
        data = written.read()
        blobs[path] = git_blob_oid(data)
        _write(_place(export.folder, path), data)
    record = {**export.record, **_paths(export.changes.paths)}
    record["blobs"] = _blobs(export, blobs)
    data = orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"
    if export.changes or (RECORD in export.tree and export.tree.read(RECORD) != data):
        _write(_place(export.folder, RECORD), data)


def _paths(paths: SyncedPaths) -> Json:
    return {name: dict(sorted(getattr(paths, name).items()))
            for name in ("pages", "files", "contents")}  # fmt: skip


def _blobs(export: FolderExport, written: Mapping[str, str]) -> dict[str, str]:
    """The blobs of all parts of the space that the folder has, and of what else was written."""
    paths = export.changes.paths.all_paths()
    blobs = {path: oid for path in paths if (oid := export.tree.blob_oid(path)) is not None}
    return dict(sorted({**blobs, **written}.items()))


def _place(folder: Path, path: str) -> Path:
    """Where a path of the export is; `SourceError` where a symbolic link stands in its way."""
    check_path(path)
    place = folder
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            raise SourceError(f"{place}: is a symbolic link, which is not followed")
    return place


def _write(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.parent / f".{secrets.token_hex(8)}.partial"
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _remove_empty(folder: Path, place: Path) -> None:
    while place != folder and folder in place.parents:
        try:
            place.rmdir()
        except OSError:
            return
        place = place.parent
