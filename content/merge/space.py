"""Three-way merge of the content of a space.

`base` is what both sides started from, ours the change request, theirs the primary content.
Only differences go in, only differences come out, and what a merge reads depends on how much
both sides changed, not on how large the space is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from content.merge.conflict import Conflict, ConflictKind, make_conflict
from content.merge.documents import Body, MergedBody, is_same_body, merge_bodies
from content.merge.entries import BODY, SOURCES, Entry, merge_fields, same_fields
from content.merge.nodes import Node, canonical
from content.merge.pages import merge_pages, merge_tree
from content.merge.siblings import merge_siblings
from content.merge.texts import merge_values
from content.merge.versions import Asking, Versions
from content.merkle.read import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What one side changed since base: map entries by id, redirects by old path, and all
    variables as they are now."""

    pages: Sequence[Change] = ()
    files: Sequence[Change] = ()
    contents: Sequence[Change] = ()
    redirects: Sequence[Change] = ()
    variables: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What has to change in theirs, and what the two sides changed differently.

    Entries by id, None removes. `before` has the entries of theirs for the pages in `pages`
    that theirs has. `bodies` are new documents by the id of their page or reusable content,
    whose entry is in `pages` or `contents` and lacks `document_id`. `variables` are all
    variables, None where they stay as in theirs.
    """

    pages: Mapping[str, Entry | None]
    before: Mapping[str, Entry]
    files: Mapping[str, Entry | None]
    contents: Mapping[str, Entry | None]
    redirects: Mapping[str, Entry | None]
    bodies: Mapping[str, Node]
    variables: Mapping[str, object] | None
    conflicts: tuple[Conflict, ...]


def merge_space(
    ours: Difference,
    theirs: Difference,
    base_variables: Mapping[str, object],
    held: Collection[str] = (),
) -> Asking[Merged]:
    """The merge of both differences. MissingContentError when something named is not there.

    The result applied to theirs is a valid tree: every parent exists, there are no circles, and
    slugs of siblings differ. Until conflicts are resolved, blocks of both stand one after the
    other, of fields theirs is taken, and what one side edited is not removed. `held` are ids of
    pages and reusable contents with conflicts from before that are open: they count as edited.
    """
    versions = Versions(_by_id(ours.pages), _by_id(theirs.pages))
    yield from merge_pages(versions, held)
    yield from merge_tree(versions)
    yield from merge_siblings(versions)
    bodies: dict[str, Node] = {}
    conflicts = versions.conflicts
    both = [id for id in versions.result if id in versions.ours and id in versions.theirs]
    clashing: list[Body] = []
    for id in sorted(both):
        base, left, right = versions.base_of(id), versions.ours_of(id), versions.theirs_of(id)
        if versions.final(id) is not None and left is not None and right is not None:
            clashing.append(Body(_body(base), _body(left), _body(right), page=id))
    for body, merged in zip(clashing, (yield from merge_bodies(clashing)), strict=True):
        id = body.page or ""
        versions.result[id] = _with_body(versions.final(id) or {}, id, merged, bodies, conflicts)
    contents = yield from _contents(
        _by_id(ours.contents), _by_id(theirs.contents), bodies, conflicts, held
    )
    files = _files(_by_id(ours.files), _by_id(theirs.files), conflicts)
    pages = {
        id: entry
        for id, entry in sorted(versions.result.items())
        if id in bodies or canonical(entry) != canonical(versions.theirs_of(id))
    }
    before = {id: entry for id in pages if (entry := versions.theirs_of(id)) is not None}
    variables = _variables(base_variables, ours.variables, theirs.variables, conflicts)
    return Merged(
        pages=pages,
        before=before,
        files=files,
        contents=contents,
        redirects=_redirects(ours.redirects, _by_id(theirs.redirects)),
        bodies=bodies,
        variables=variables,
        conflicts=tuple(conflicts),
    )


def _by_id(changes: Sequence[Change]) -> dict[str, Change]:
    return {change.key: change for change in changes}


def _body(entry: Entry | None) -> str | None:
    return None if entry is None else entry.get(BODY)


def _with_body(
    entry: Entry, id: str, merged: MergedBody, bodies: dict[str, Node], conflicts: list[Conflict]
) -> Entry:
    """The entry with its merged body; a new document goes to `bodies`."""
    fields = {name: value for name, value in entry.items() if name != BODY}
    if merged.document is not None:
        bodies[id] = merged.document
    elif merged.id is not None:
        fields[BODY] = merged.id
    conflicts.extend(merged.conflicts)
    return fields


def _contents(
    ours: Mapping[str, Change],
    theirs: Mapping[str, Change],
    bodies: dict[str, Node],
    conflicts: list[Conflict],
    held: Collection[str],
) -> Asking[dict[str, Entry | None]]:
    """Reusable contents: title by title, bodies block by block."""
    result: dict[str, Entry | None] = {}
    for id, change in sorted({**_unchanged(theirs, held), **ours}.items()):
        other = theirs.get(id)
        if other is None:
            result[id] = change.after
            continue
        base, left, right = change.before, change.after, other.after
        if left is not None and right is not None:
            entry, clashes = merge_fields(base or {}, left, right)
            for clash in clashes:
                conflicts.append(
                    make_conflict(ConflictKind.REUSABLE_CONTENT, content=id, **clash._asdict())
                )
            body = Body(_body(base), _body(left), _body(right), content=id)
            (merged,) = yield from merge_bodies([body])
            entry = _with_body(entry, id, merged, bodies, conflicts)
            if id in bodies or canonical(entry) != canonical(right):
                result[id] = entry
            continue
        rest = right if left is None else left
        edited = base is not None and rest is not None and not same_fields(base, rest)
        edited = edited or (id in held and left is not None)
        if base is not None and rest is not None and not edited:
            edited = not (yield from is_same_body(base.get(BODY), rest.get(BODY)))
        if edited:
            conflicts.append(
                make_conflict(
                    ConflictKind.REUSABLE_CONTENT, content=id, base=base, ours=left, theirs=right
                )
            )
        result_entry = rest if edited else None
        if canonical(result_entry) != canonical(right):
            result[id] = result_entry
    return result


def _unchanged(theirs: Mapping[str, Change], held: Collection[str]) -> dict[str, Change]:
    """What is held, as ours has it that has not changed it, where theirs has removed it."""
    return {
        id: Change(change.key, change.before, change.before)
        for id in held
        if (change := theirs.get(id)) is not None and change.after is None
    }


def _files(
    ours: Mapping[str, Change], theirs: Mapping[str, Change], conflicts: list[Conflict]
) -> dict[str, Entry | None]:
    """Files, each as a whole."""
    result: dict[str, Entry | None] = {}
    for id, change in sorted(ours.items()):
        other = theirs.get(id)
        if other is None:
            result[id] = change.after
            continue
        base, left, right = (_without_git(e) for e in (change.before, change.after, other.after))
        if canonical(left) in (canonical(base), canonical(right)):
            continue
        if canonical(right) == canonical(base):
            result[id] = change.after
            continue
        if other.after is None:
            result[id] = change.after
        conflicts.append(
            make_conflict(
                ConflictKind.FILE,
                file=id,
                base=change.before,
                ours=change.after,
                theirs=other.after,
            )
        )
    return result


def _redirects(ours: Sequence[Change], theirs: Mapping[str, Change]) -> dict[str, Entry | None]:
    """Redirects by old path. Where both sides have set one, that of the change request is the
    newer; one that was removed does not take away what the other side has set. Nobody is asked:
    it is the entry of a list, not text that somebody wrote.
    """
    result: dict[str, Entry | None] = {}
    for change in ours:
        other = theirs.get(change.key)
        target = change.after if other is None or change.after is not None else other.after
        there = change.before if other is None else other.after
        if canonical(target) != canonical(there):
            result[change.key] = target
    return result


def _without_git(entry: Entry | None) -> Entry | None:
    return None if entry is None else {n: v for n, v in entry.items() if n not in SOURCES}


def _variables(
    base: Mapping[str, object],
    ours: Mapping[str, object],
    theirs: Mapping[str, object],
    conflicts: list[Conflict],
) -> dict[str, object] | None:
    old, left, right = dict(base), dict(ours), dict(theirs)
    merged, clashing = merge_values(old, left, right)
    for name in clashing:
        conflicts.append(
            make_conflict(
                ConflictKind.VARIABLE,
                field=name,
                base=old.get(name),
                ours=left.get(name),
                theirs=right.get(name),
            )
        )
    return None if canonical(merged) == canonical(right) else merged
