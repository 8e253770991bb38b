"""Lists and captions of Word, which knows neither: paragraphs with levels, and with styles.

The converter gets rules for them, and what these make is put right in the tree.
"""

from __future__ import annotations

from content.imports.dom import Tag

LEVELS = 9
_LISTS = ("ul", "ol")
# Classes that the rules give to paragraphs.
_CONTINUED, _CAPTION = "docstead-continued", "docstead-caption"


def _rules() -> list[str]:
    rules: list[str] = []
    outer = "ul|ol > li > "
    for level in range(1, LEVELS + 1):
        above = outer * (level - 1)
        rules.append(f"p:unordered-list({level}) => {above}ul > li:fresh")
        rules.append(f"p:ordered-list({level}) => {above}ol > li:fresh")
    for level in range(1, 6):
        number = f" {level}" if level > 1 else ""
        rules.append(
            f"p[style-name='List Continue{number}'] => {outer * level}p.{_CONTINUED}:fresh"
        )
    rules.append(f"p[style-name='List Paragraph'] => {outer}p.{_CONTINUED}:fresh")
    rules += [
        f"p[style-name='{name}'] => p.{_CAPTION}:fresh"
        for name in ("Caption", "Figure", "Illustration", "Image Caption", "Table Caption")
    ]
    return rules


STYLES = "\n".join(_rules())


def settle(root: Tag) -> None:
    """Put items and captions in a tree where they belong."""
    for tag in list(root.walk()):
        _put_captions(tag)
    # From the innermost on.
    for tag in reversed(list(root.walk())):
        tag.children = [part for child in tag.children for part in _settled(child)]
        if tag.name in _LISTS:
            _lift_items(tag)


def _settled(child: Tag | str) -> list[Tag | str]:
    """A child; what goes on with an item where there is none stands for itself."""
    if isinstance(child, str) or child.name not in _LISTS:
        return [child]
    first = child.elements()[:1]
    if first and first[0].name == "li" and _CONTINUED in _first_classes(first[0]):
        rest = Tag(child.name, child.attributes, child.children[1:])
        alone: list[Tag | str] = list(first[0].children)
        return [*alone, rest] if rest.children else alone
    return [child]


def _first_classes(item: Tag) -> list[str]:
    inner = item.elements()
    return inner[0].classes() if inner and item.children[0] is inner[0] else []


def _lift_items(tag: Tag) -> None:
    """Items that only hold lists are levels that their author has skipped."""
    items: list[Tag | str] = []
    for child in tag.children:
        inner = child.elements() if isinstance(child, Tag) and child.name == "li" else []
        skipped = bool(inner) and all(part.name in _LISTS for part in inner)
        if not isinstance(child, Tag) or not skipped or child.has_text():
            items.append(child)
            continue
        above = next((item for item in reversed(items) if isinstance(item, Tag)), None)
        if above is not None:
            above.children.extend(inner)
            continue
        # The first items are of one list, which has numbers if the first of them has.
        tag.name = inner[0].name
        items.extend(part for inner_item in inner for part in inner_item.children)
    tag.children = items


def _put_captions(tag: Tag) -> None:
    """Put captions to the pictures right above them, also at the end of a list, or right below."""
    children = tag.children
    for place, child in enumerate(children):
        if not isinstance(child, Tag) or _CAPTION not in child.classes():
            continue
        before = children[place - 1] if place else None
        behind = children[place + 1] if place + 1 < len(children) else None
        picture = next(
            (
                candidate
                for candidate in (_picture_at_end(before), behind)
                if _is_picture(candidate)
            ),
            None,
        )
        if not isinstance(picture, Tag):
            continue
        picture.children = [*picture.children, Tag("figcaption", {}, child.children)]
        picture.name = "figure"
        children[place] = ""
        if not isinstance(before, Tag) or not isinstance(behind, Tag):
            continue
        if before.name in _LISTS and before.name == behind.name:
            # The caption has cut the list in two.
            behind.children = [*before.children, *behind.children]
            children[place - 1] = ""


def _picture_at_end(block: Tag | str | None) -> Tag | str | None:
    """A block; the last one in the last item of a list."""
    while isinstance(block, Tag) and block.name in (*_LISTS, "li") and block.elements():
        block = block.elements()[-1]
    return block


def _is_picture(block: Tag | str | None) -> bool:
    """Whether there is one picture in a paragraph, and nothing else."""
    if not isinstance(block, Tag) or block.name != "p":
        return False
    return len(list(block.all("img"))) == 1 and not block.words()
