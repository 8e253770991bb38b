"""What an import or an export would change, before it does."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from content.git.tree_changes import TreeChanges
from content.sources.tree import SourceTree
from db.git_enums import GitChange, GitChangeKind
from resolvers.imports.tree_writes import TreeUpdate
from resolvers.imports.trees import StoredContent
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One change: of a part of a space (an import), or of a path of a tree (an export). `name` is
    a title or path, `before` what it was until now, where that is another one."""

    change: GitChange
    kind: GitChangeKind
    name: str
    id: str | None = None
    path: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A path that cannot be written or merged, and why; the part of the space that it is, the
    revision of the space with the one version and the blob with the other: None where the
    repository has it no longer."""

    path: str
    reason: str
    kind: GitChangeKind = GitChangeKind.PATH
    id: str | None = None
    revision_id: str | None = None
    blob_id: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All changes of an import or an export. With conflicts nothing of it is done."""

    changes: Sequence[PlannedChange] = ()
    conflicts: Sequence[Conflict] = ()
    warnings: Sequence[str] = field(default_factory=tuple)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many changes there are of each kind, by names such as `pages created`."""
        return Counter(f"{change.kind.value} {change.change.value}" for change in self.changes)

    def as_json(self) -> Json:
        """All of it, for programs that run a command."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "changes": [_as_json(change) for change in self.changes],
            "conflicts": [_as_json(conflict) for conflict in self.conflicts],
            "warnings": list(self.warnings),
        }


def _as_json(row: PlannedChange | Conflict) -> Json:
    values = {name: getattr(row, name) for name in row.__slots__}
    return {
        name: value.value if isinstance(value, Enum) else value
        for name, value in values.items()
        if value is not None
    }


_TEXTS = (
    "type", "title", "description", "emoji", "icon", "hidden", "no_index", "no_robots_index",
    "layout", "cover", "variables", "condition", "extra", "document_id", "target", "computed",
)  # fmt: skip


def plan_of_import(update: TreeUpdate) -> Plan:
    """The changes of a space that a source makes."""
    prepared = update.prepared
    return plan_of_changes(prepared.changes, prepared.stored, update.source.warnings)


def plan_of_changes(
    changes: Changes,
    stored: StoredContent,
    warnings: Sequence[str],
    conflicts: Sequence[Conflict] = (),
) -> Plan:
    """The changes of a space, which has so far what is stored."""
    planned: list[PlannedChange] = []
    for id, page in changes.pages.items():
        old = stored.pages.get(id)
        row = old if page is None else page
        assert row is not None
        if page is None:
            planned.append(
                PlannedChange(GitChange.DELETED, GitChangeKind.PAGE, row.title, id, _path(row))
            )
            continue
        if old is None:
            planned.append(
                PlannedChange(GitChange.CREATED, GitChangeKind.PAGE, row.title, id, _path(row))
            )
            continue
        before = _path(old) if _path(old) != _path(page) else None
        if any(getattr(page, name) != getattr(old, name) for name in _TEXTS):
            planned.append(
                PlannedChange(GitChange.UPDATED, GitChangeKind.PAGE, row.title, id, _path(row))
            )
        if old.parent_id != page.parent_id or old.slug != page.slug or before is not None:
            planned.append(
                PlannedChange(
                    GitChange.MOVED, GitChangeKind.PAGE, row.title, id, _path(row), before
                )
            )
    for kind, rows, there, name in (
        (GitChangeKind.FILE, changes.files, stored.files, "name"),
        (GitChangeKind.REUSABLE_CONTENT, changes.contents, stored.contents, "title"),
    ):
        for id, after in rows.items():
            was = there.get(id)
            change: GitChange = GitChange.CREATED if was is None else GitChange.UPDATED
            named = was if after is None else after
            change = GitChange.DELETED if after is None else change
            if change is GitChange.UPDATED and _same(after, was):
                continue
            planned.append(PlannedChange(change, kind, getattr(named, name), id, _path(named)))
    for path, redirect in changes.redirects.items():
        change = GitChange.CREATED if path not in stored.redirects else GitChange.UPDATED
        planned.append(
            PlannedChange(
                GitChange.DELETED if redirect is None else change, GitChangeKind.REDIRECT, path
            )
        )
    if changes.variables is not None and changes.variables != stored.variables:
        names = changes.variables.keys() | stored.variables.keys()
        planned += [
            PlannedChange(GitChange.UPDATED, GitChangeKind.VARIABLES, name)
            for name in sorted(names)
            if changes.variables.get(name) != stored.variables.get(name)
        ]
    return Plan(planned, conflicts, warnings)


def _path(row: Page | Any) -> str | None:
    return None if row.git is None else row.git.get("path")


def _same(row: Any, other: Any) -> bool:
    """Whether only the place in Git differs."""
    names = [name for name in type(row).__slots__ if name not in ("git", "imported", "space_id")]
    return all(getattr(row, name) == getattr(other, name) for name in names)


def plan_of_export(changes: TreeChanges, tree: SourceTree | None) -> Plan:
    """The changes of a tree that a space makes."""
    renamed = {new: old for old, new in changes.renames.items()}
    planned: list[PlannedChange] = []
    for path in changes.writes:
        if path in renamed:
            planned.append(
                PlannedChange(
                    GitChange.RENAMED, GitChangeKind.PATH, path, path=path, before=renamed[path]
                )
            )
        elif tree is not None and path in tree:
            planned.append(PlannedChange(GitChange.UPDATED, GitChangeKind.PATH, path, path=path))
        else:
            planned.append(PlannedChange(GitChange.CREATED, GitChangeKind.PATH, path, path=path))
    planned += [
        PlannedChange(GitChange.DELETED, GitChangeKind.PATH, path, path=path)
        for path in changes.deletes
        if path not in changes.renames
    ]
    conflicts = [Conflict(problem.path, problem.problem) for problem in changes.problems]
    return Plan(planned, conflicts, changes.warnings)
