"""Which blocks may stand where in a document.

Parts of a container (items, steps, cells) stand in it and nowhere else; every other block may
stand wherever blocks are: the dialect writes hints in list items and tables in tabs, and what can
be read has to be editable.
"""

from __future__ import annotations

# The one type of children that a container has.
PARTS = {
    "code": "code-line",
    "columns": "column",
    "images": "image",
    "list-ordered": "list-item",
    "list-tasks": "list-item",
    "list-unordered": "list-item",
    "stepper": "stepper-step",
    "tabs": "tabs-item",
    "updates": "update",
}
PART_TYPES = frozenset(PARTS.values())
# Blocks that hold blocks of any type but parts.
CONTAINERS = frozenset(
    {
        "blockquote",
        "column",
        "hint",
        "if",
        "list-item",
        "prompt",
        "stepper-step",
        "tabs-item",
        "update",
    }
)
# Blocks that hold text and inlines.
TEXTS = frozenset({"code-line", "heading-1", "heading-2", "heading-3", "paragraph"})
# Fragments that hold blocks; None is any type but parts.
FRAGMENTS: dict[str, str | None] = {
    "annotation-body": None,
    "caption": None,
    "expandable-body": None,
    "expandable-title": "paragraph",
    "table-cell": None,
}
# Containers that mean nothing without a child: they go with their last one.
NEVER_EMPTY = frozenset(PARTS)
MOST_CHILDREN = {"expandable-title": 1}
# Containers in which a paragraph takes the place of the last child.
PARAGRAPH_IF_EMPTY = frozenset(
    {"blockquote", "expandable-body", "expandable-title", "list-item", "table-cell"}
)


def refusal(parent: str, child: str) -> str | None:
    """Why a block of type `child` may not stand directly in `parent`; None when it may.

    `parent` is the type of a block or fragment, `document` for the top.
    """
    if parent in PARTS:
        only: str | None = PARTS[parent]
    elif parent in FRAGMENTS:
        only = FRAGMENTS[parent]
    elif parent in TEXTS:
        return f"{parent} holds text, no blocks"
    elif parent in CONTAINERS or parent == "document":
        only = None
    else:
        return f"{parent} is void: it holds no blocks"
    if only is not None:
        return None if child == only else f"{parent} holds {only} only, not {child}"
    if child in PART_TYPES:
        homes = sorted(name for name, part in PARTS.items() if part == child)
        return f"{child} stands in {' or '.join(homes)} only, not in {parent}"
    return None
