"""What an import or an export would change, before it does."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from content.git.tree_changes import TreeChanges
from content.sources.tree import SourceTree
from resolvers.imports.tree_writes import TreeUpdate
from resolvers.revisions.rows import Page

Json = dict[str, Any]
Change = Literal["created", "updated", "moved", "renamed", "deleted"]
Kind = Literal["page", "file", "reusable-content", "redirect", "variables", "path"]


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One change: of a part of a space (an import), or of a path of a tree (an export). `name` is
    a title or path, `before` what it was until now, where that is another one."""

    change: Change
    kind: Kind
    name: str
    id: str | None = None
    path: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A path that cannot be written or merged, why, and the blobs of both versions."""

    path: str
    reason: str
    ours: str | None = None
    theirs: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All changes of an import or an export. With conflicts nothing of it is done."""

    changes: Sequence[PlannedChange] = ()
    conflicts: Sequence[Conflict] = ()
    warnings: Sequence[str] = field(default_factory=tuple)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many changes there are of each kind, by names such as `pages created`."""
        return Counter(f"{change.kind} {change.change}" for change in self.changes)

    def as_json(self, most: int = 1_000) -> Json:
        """For programs: counts, and the first changes."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "changes": [
                {
                    name: value
                    for name in PlannedChange.__slots__
                    if (value := getattr(change, name)) is not None
                }
                for change in self.changes[:most]
            ],
            "moreChanges": max(0, len(self.changes) - most),
            "conflicts": [
                {
                    "path": conflict.path,
                    "reason": conflict.reason,
                    "ours": conflict.ours,
                    "theirs": conflict.theirs,
                }
                for conflict in self.conflicts
            ],
            "warnings": list(self.warnings),
        }


_TEXTS = (
    "type", "title", "description", "emoji", "icon", "hidden", "no_index", "no_robots_index",
    "layout", "cover", "variables", "condition", "extra", "document_id", "target", "computed",
)  # fmt: skip


def plan_of_import(update: TreeUpdate) -> Plan:
    """The changes of a space that a source makes."""
    changes, stored = update.prepared.changes, update.prepared.stored
    planned: list[PlannedChange] = []
    for id, page in changes.pages.items():
        old = stored.pages.get(id)
        row = old if page is None else page
        assert row is not None
        if page is None:
            planned.append(PlannedChange("deleted", "page", row.title, id, _path(row)))
            continue
        if old is None:
            planned.append(PlannedChange("created", "page", row.title, id, _path(row)))
            continue
        before = _path(old) if _path(old) != _path(page) else None
        if any(getattr(page, name) != getattr(old, name) for name in _TEXTS):
            planned.append(PlannedChange("updated", "page", row.title, id, _path(row)))
        if old.parent_id != page.parent_id or old.slug != page.slug or before is not None:
            planned.append(PlannedChange("moved", "page", row.title, id, _path(row), before))
    for kind, rows, there, name in (
        ("file", changes.files, stored.files, "name"),
        ("reusable-content", changes.contents, stored.contents, "title"),
    ):
        for id, after in rows.items():
            was = there.get(id)
            change: Change = "created" if was is None else "updated"
            named = was if after is None else after
            change = "deleted" if after is None else change
            if change == "updated" and _same(after, was):
                continue
            planned.append(PlannedChange(change, kind, getattr(named, name), id, _path(named)))  # type: ignore[arg-type]
    for path, redirect in changes.redirects.items():
        change = "created" if path not in stored.redirects else "updated"
        planned.append(PlannedChange("deleted" if redirect is None else change, "redirect", path))
    if changes.variables is not None and changes.variables != stored.variables:
        names = changes.variables.keys() | stored.variables.keys()
        planned += [
            PlannedChange("updated", "variables", name)
            for name in sorted(names)
            if changes.variables.get(name) != stored.variables.get(name)
        ]
    return Plan(planned, warnings=update.source.warnings)


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
            planned.append(PlannedChange("renamed", "path", path, path=path, before=renamed[path]))
        elif tree is not None and path in tree:
            planned.append(PlannedChange("updated", "path", path, path=path))
        else:
            planned.append(PlannedChange("created", "path", path, path=path))
    planned += [
        PlannedChange("deleted", "path", path, path=path)
        for path in changes.deletes
        if path not in changes.renames
    ]
    conflicts = [Conflict(problem.path, problem.problem) for problem in changes.problems]
    return Plan(planned, conflicts, changes.warnings)
