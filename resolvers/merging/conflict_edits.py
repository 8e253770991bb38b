"""Custom decisions on conflicts outside of documents: the same operations that edit content."""

from collections.abc import Callable, Mapping
from typing import Any

import strawberry
from strawberry import Some

from content.merge.conflict import Conflict, ConflictKind
from resolvers.core import inputs
from resolvers.core.errors import invalid
from resolvers.core.scalars import JsonObject
from resolvers.drafts.operation_inputs import (
    DeleteFileInput,
    DeletePageInput,
    DeleteReusableContentInput,
    MovePageInput,
    RenamePageInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.writing.operations import Step

WHERE = "value"
# Fields of pages that can be given as a value, and the type of that; others are edited.
TEXTS = ("title", "slug", "description", "emoji", "icon", "condition")
FLAGS = ("hidden", "no_index", "no_robots_index")
NULLABLE = ("slug", "description", "emoji", "icon", "condition")


def delete_step(conflict: Conflict) -> Step:
    """The operation that removes the page of a conflict."""
    return Step("delete_page", DeletePageInput(page=strawberry.ID(conflict.page or "")), WHERE)


def custom_step(conflict: Conflict, value: Any) -> Step:
    """The operation that makes a conflict's content a value; Invalid when it cannot be that."""
    step = _STEPS[conflict.kind](conflict, value)
    inputs.check({WHERE: step.input})
    return step


def _field(conflict: Conflict, value: Any) -> Step:
    page, name = strawberry.ID(conflict.page or ""), conflict.field or ""
    if name in FLAGS:
        _must_be(isinstance(value, bool), "true or false")
    elif name in TEXTS:
        _must_be(isinstance(value, str) or (value is None and name in NULLABLE), "text")
    else:
        raise _edit_instead(f"the field {name!r} of a page")
    if name == "slug":
        return Step("rename_page", RenamePageInput(page=page, slug=Some(value)), WHERE)
    changes: dict[str, Any] = {name: Some(value)}
    return Step("update_page", UpdatePageInput(page=page, **changes), WHERE)


def _place(conflict: Conflict, value: Any) -> Step:
    allowed = isinstance(value, dict) and value.keys() <= {"parent", "order"} and "parent" in value
    _must_be(allowed, "an object with `parent`")
    parent = value["parent"]
    _must_be(parent is None or isinstance(parent, str), "an object whose `parent` is an id or null")
    page = strawberry.ID(conflict.page or "")
    return Step("move_page", MovePageInput(page=page, parent=Some(parent)), WHERE)


def _page(conflict: Conflict, value: Any) -> Step:
    if value is not None:
        raise _edit_instead("a page")
    return delete_step(conflict)


def _file(conflict: Conflict, value: Any) -> Step:
    if value is not None:
        raise _edit_instead("a file")
    file = strawberry.ID(conflict.file or "")
    return Step("delete_file", DeleteFileInput(file=file), WHERE)


def _content(conflict: Conflict, value: Any) -> Step:
    id = strawberry.ID(conflict.content or "")
    if conflict.field == "title":
        _must_be(isinstance(value, str), "text")
        changed = UpdateReusableContentInput(reusable_content=id, title=Some(value))
        return Step("update_reusable_content", changed, WHERE)
    if value is not None or conflict.field is not None:
        raise _edit_instead("a reusable content")
    return Step("delete_reusable_content", DeleteReusableContentInput(reusable_content=id), WHERE)


def _variable(conflict: Conflict, value: Any) -> Step:
    name = conflict.field or ""
    if value is None:
        return Step("set_variables", SetVariablesInput(remove=[name]), WHERE)
    return Step("set_variables", SetVariablesInput(set=JsonObject({name: value})), WHERE)


def _must_be(right: bool, what: str) -> None:
    if not right:
        raise invalid(WHERE, f"must hold {what}")


def _edit_instead(what: str) -> Exception:
    return invalid(
        WHERE,
        f"{what} is not given here: edit it, which settles the conflict, or resolve it with "
        "'ours' or 'theirs'",
    )


_STEPS: Mapping[ConflictKind, Callable[[Conflict, Any], Step]] = {
    ConflictKind.FIELD: _field,
    ConflictKind.PAGE_MOVED_TWICE: _place,
    ConflictKind.PAGE_CYCLE: _place,
    ConflictKind.PAGE_DELETED_EDITED: _page,
    ConflictKind.FILE: _file,
    ConflictKind.REUSABLE_CONTENT: _content,
    ConflictKind.VARIABLE: _variable,
}
