"""Items of task lists, as programs mark them."""

from __future__ import annotations

from content.imports.dom import Tag


def take_check(item: Tag) -> bool | None:
    """Whether a list item is checked; None when it is no task. Its box is taken out."""
    if item.name == "ac:task":
        return _stored_task(item)
    classes = item.classes()
    if "data-inline-task-id" in item.attributes:
        return "checked" in classes
    box = _box(item)
    if box is None:
        return None
    item.without(lambda one: one is box)
    for one in item.walk():
        # Notion strikes through what is done.
        if "to-do-children-checked" in one.classes():
            one.attributes.pop("style", None)
    return _is_checked(box)


def _box(item: Tag) -> Tag | None:
    """The check box that the item begins with."""
    stack: list[Tag | str] = list(reversed(item.children))
    while stack:
        current = stack.pop()
        if isinstance(current, str):
            if current.strip():
                return None
        elif _is_box(current):
            return current
        elif current.name in ("p", "label", "span", "div"):
            stack.extend(reversed(current.children))
        else:
            return None
    return None


def _is_box(tag: Tag) -> bool:
    if tag.name == "input":
        return tag.get("type").lower() == "checkbox"
    return "checkbox" in tag.classes() and not tag.words()


def _is_checked(box: Tag) -> bool:
    return "checked" in box.attributes or "checkbox-on" in box.classes()


def _stored_task(item: Tag) -> bool:
    """`ac:task` with its status and body."""
    status = next((one for one in item.elements() if one.name == "ac:task-status"), None)
    body = next((one for one in item.elements() if one.name == "ac:task-body"), None)
    item.children = list(body.children) if body is not None else []
    return status is not None and status.words() == "complete"
