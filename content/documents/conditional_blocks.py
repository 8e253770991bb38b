"""Blocks of a document that only some readers see."""

from __future__ import annotations

from content.markdown.nodes import Node, child_lists


def drop_conditional_blocks(document: Node) -> bool:
    """Take the `if` blocks out of a document, with all that is in them; whether there were some.

    The document itself is changed. What is in a block whose condition is always true goes as
    well: nothing is worked out.
    """
    dropped = False
    stack: list[Node] = [document]
    while stack:
        for children in child_lists(stack.pop()):
            kept = [child for child in children if child.get("type") != "if"]
            if len(kept) != len(children):
                children[:] = kept
                dropped = True
            stack.extend(kept)
    return dropped
