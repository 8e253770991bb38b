"""The history of a space as a bare Git repository: one commit for each revision, with its author
and its time. `main` is what readers see, `change-requests/NUMBER` what a change request holds.

A revision is written onto the tree of the one before it, so a commit changes the files that the
revision has changed. What is as it was there is neither loaded nor written again.
"""

import asyncio
import datetime as dt
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dulwich.objects import Blob, ObjectID

from content.errors import ContentError
from content.git.layout import read_space
from content.git.writer import Tip, write_space
from content.sources.bare_repository import BareRepository
from content.sources.commits import Person, StoredFile, make_commit
from content.sources.tree import SourceEntry, SourceTree
from db.blobs import BlobMissingError
from db.enums import Role
from db.models.organizations import Organization
from resolvers.access.policy import must
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.git.contents import RevisionContent, revision_content
from resolvers.imports.trees import StoredContent, known_in
from resolvers.revisions.git_marks import git_mark, synced_digest
from resolvers.revisions.rows import File
from resolvers.revisions.states import get_in_space

MAIN = "main"
# Trees that are kept to write the next revision onto; beyond them one is written as a whole.
MOST_TREES = 8
# Warnings about one space.
MOST_WARNINGS = 100


@dataclass(frozen=True, slots=True)
class Step:
    """A revision that becomes a commit; `parents` are ids of revisions, the first one first."""

    id: str
    parents: Sequence[str]
    author: Person
    when: dt.datetime
    message: str


@dataclass(frozen=True, slots=True)
class History:
    """What of a space becomes commits: its revisions, and which of them have a branch."""

    organization_id: str
    space_id: str
    title: str
    steps: Sequence[Step]
    # Ids of revisions by the names of branches.
    branches: Mapping[str, str]


@dataclass(slots=True)
class WrittenHistory:
    """What was written: commits by the ids of their revisions."""

    commits: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The tree of a commit: ids and sizes of blobs by path, and the marks of what is in it."""

    files: Mapping[str, tuple[str, int]]
    marks: Mapping[str, Mapping[str, Any]]


_NOTHING = _Tree({}, {"pages": {}, "files": {}, "contents": {}})


async def write_history(
    ctx: Context, folder: Path, history: History, progress: Callable[[int, int], None]
) -> WrittenHistory:
    """Write the revisions of a space that the caller may read into a new bare repository."""
    written = WrittenHistory()
    trees: OrderedDict[str, _Tree] = OrderedDict()
    repository = await asyncio.to_thread(BareRepository, folder)
    try:
        steps = list(_in_order(history.steps))
        for number, step in enumerate(steps):
            progress(number, len(steps))
            parents = [parent for parent in step.parents if parent in written.commits]
            before = trees.get(parents[0]) if parents else None
            tree = before or _NOTHING
            content = await read(ctx, _content_of, history, step.id, tree)
            commits = [written.commits[parent] for parent in parents]
            commit, after, warnings = await asyncio.to_thread(
                _write, repository, content, step, commits, tree, before is not None or not parents
            )
            written.commits[step.id] = commit
            _note(written, warnings)
            trees[step.id] = after
            for parent in parents:
                if parent in trees:
                    trees.move_to_end(parent)
            while len(trees) > MOST_TREES:
                trees.popitem(last=False)
        await asyncio.to_thread(
            repository.finish, MAIN, _refs(history, steps, written.commits), history.title
        )
    except BaseException:
        await asyncio.to_thread(repository.abandon)
        raise
    return written


def _note(written: WrittenHistory, warnings: Sequence[str]) -> None:
    new = [text for text in dict.fromkeys(warnings) if text not in written.warnings]
    written.warnings += new[: MOST_WARNINGS - len(written.warnings)]


def _in_order(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, each behind its parents; otherwise by their ids, which sort by time."""
    by_id = {step.id: step for step in steps}
    done: set[str] = set()
    for first in sorted(by_id):
        waiting = [first]
        while waiting:
            step = by_id[waiting[-1]]
            before = [
                parent
                for parent in step.parents
                if parent in by_id and parent not in done and parent not in waiting
            ]
            if before:
                waiting += before
                continue
            waiting.pop()
            if step.id not in done:
                done.add(step.id)
                yield step


def _refs(history: History, steps: Sequence[Step], commits: Mapping[str, str]) -> dict[str, str]:
    """Branches, and a name for each commit that none of them leads to."""
    refs = {
        f"refs/heads/{name}": commits[id] for name, id in history.branches.items() if id in commits
    }
    parents = {step.id: step.parents for step in steps}
    waiting = [id for id in history.branches.values() if id in commits]
    reached = set(waiting)
    for step in reversed(steps):
        if step.id not in reached:
            refs[f"refs/docstead/revisions/{step.id}"] = commits[step.id]
            waiting.append(step.id)
            reached.add(step.id)
        while waiting:
            new = [parent for parent in parents.get(waiting.pop(), ()) if parent not in reached]
            reached.update(new)
            waiting += new
    return refs


async def _content_of(
    ctx: Context, history: History, revision_id: str, tree: _Tree
) -> RevisionContent:
    await must(ctx, Organization, history.organization_id, Role.ADMIN)
    revision = await get_in_space(ctx, history.space_id, revision_id)

    def mark(stored: StoredContent) -> None:
        for kind, rows in (
            ("pages", stored.pages), ("files", stored.files), ("contents", stored.contents),
        ):  # fmt: skip
            marks = tree.marks[kind]
            for row in rows.values():
                row.git = marks.get(row.id)

    blobs = frozenset(oid for oid, _ in tree.files.values())
    return await revision_content(ctx, revision, history.title, blobs, mark)


def _write(
    repository: BareRepository,
    content: RevisionContent,
    step: Step,
    parents: Sequence[str],
    tree: _Tree,
    follows: bool,
) -> tuple[str, _Tree, Sequence[str]]:
    """The commit of a revision, its tree, and warnings. Where the tree before is not at hand
    (`follows` is false) all files are written."""
    files: dict[str, bytes | StoredFile | None] = {}
    warnings: list[str] = []
    after = dict(tree.files)
    marks: Mapping[str, Mapping[str, Any]] = tree.marks
    if not follows:
        files |= dict.fromkeys(_paths_of(repository, parents[0]))
    try:
        changes = write_space(
            _tip(repository, content, tree), content.content,
            synced=frozenset(tree.files), outside=content.outside,
        )  # fmt: skip
    except ContentError as error:
        warnings.append(f"revision {step.id}: the files are those of the one before it: {error}")
        files.clear()
    else:
        warnings += [f"{bad.path}: is not in the repository: {bad.problem}"
                     for bad in changes.problems]  # fmt: skip
        for path in changes.deletes:
            files[path] = None
            after.pop(path, None)
        for path, data in changes.writes.items():
            try:
                blob = Blob.from_string(data.read())
            except BlobMissingError:
                warnings.append(f"{path}: is not in the repository: its bytes are not there")
                continue
            repository.add([blob])
            files[path] = StoredFile(blob.id)
            after[path] = (blob.id.decode(), data.size)
        marks = _marks(content.stored, changes.paths, after)
    commit = make_commit(
        repository.__getitem__, parents[0] if parents else None, files, step.message,
        step.author, step.when, also_from=parents[1:], even_if_same=True,
    )  # fmt: skip
    assert commit is not None
    repository.add(commit.objects)
    return commit.oid, _Tree(after, marks), warnings


def _tip(repository: BareRepository, content: RevisionContent, tree: _Tree) -> Tip | None:
    if not tree.files:
        return None
    source = SourceTree(
        content.content.title,
        {path: SourceEntry(size, oid) for path, (oid, size) in tree.files.items()},
        lambda path: _blob(repository, tree.files[path][0]),
    )
    layout = read_space(source, repeated_as_links=True)
    return Tip(source, layout, known_in(layout, content.stored, source.read))


def _blob(repository: BareRepository, oid: str) -> bytes:
    blob = repository[ObjectID(oid.encode())]
    assert isinstance(blob, Blob)
    return blob.data


def _paths_of(repository: BareRepository, commit: str) -> Iterator[str]:
    """The paths of all files of a commit."""
    waiting: list[tuple[str, Any]] = [("", getattr(repository[ObjectID(commit.encode())], "tree"))]  # noqa: B009
    while waiting:
        prefix, oid = waiting.pop()
        for entry in repository[oid].items():  # type: ignore[attr-defined]
            path = prefix + entry.path.decode()
            if entry.mode & 0o170000 == 0o040000:
                waiting.append((f"{path}/", entry.sha))
            else:
                yield path


def _marks(
    stored: StoredContent, paths: Any, files: Mapping[str, tuple[str, int]]
) -> dict[str, dict[str, Any]]:
    """The marks of all parts of a revision, as the tree has them now."""
    marks: dict[str, dict[str, Any]] = {"pages": {}, "files": {}, "contents": {}}
    for kind, rows in (
        ("pages", stored.pages), ("files", stored.files), ("contents", stored.contents),
    ):  # fmt: skip
        for id, path in getattr(paths, kind).items():
            if path not in files or id not in rows:
                continue
            row: Any = rows[id]
            mark = git_mark(files[path][0], path, "")
            if not isinstance(row, File):
                mark["digest"] = synced_digest(row)
            marks[kind][id] = mark
    return marks
