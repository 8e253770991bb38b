"""A tree of HTML as Markdown of the dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import groupby

from content.imports.callouts import Box, read_box
from content.imports.code_blocks import read_code, write_code
from content.imports.dom import FRAME, Tag
from content.imports.footnotes import take_footnotes
from content.imports.html_inlines import (
    image_source,
    inline_markdown,
    is_safe,
    line_markdown,
    read_formula,
)
from content.imports.html_tables import (
    between_cells,
    captions_of,
    cells_of,
    is_layout,
    table_markdown,
)
from content.markdown.writer.lists import indented
from content.slugs import slug_from_title


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
    item.without(lambda tag: tag is box)
    for tag in item.walk():
        # Notion strikes through what is done.
        if "to-do-children-checked" in tag.classes():
            tag.attributes.pop("style", None)
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
    status, body = item.child("ac:task-status"), item.child("ac:task-body")
    item.children = list(body.children) if body is not None else []
    return status is not None and status.words() == "complete"


_INLINE = frozenset(
    """
    a abbr b bdi bdo big br cite code data del dfn em font footnote-reference i img input ins kbd
    label mark math q s samp small span strike strong sub sup time tt u var wbr ac:link button
    select textarea svg
    """.split()  # noqa: SIM905 (one word a line is no easier to read)
)
_LISTS, _ITEMS = ("ul", "ol"), ("li", "ac:task")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_IGNORED = frozenset(
    ("head nav form dialog menu canvas audio video svg title ac:parameter").split()  # noqa: SIM905 (a list of one word a line is no easier to read)
)


def _members(tag: Tag) -> list[list[Tag | str]]:
    """The children of a list: items and lists each alone, all else in runs."""
    members: list[list[Tag | str]] = []
    for in_list, run in groupby(
        tag.children, lambda child: isinstance(child, Tag) and child.name in (*_LISTS, *_ITEMS)
    ):
        children = list(run)
        members += [[child] for child in children] if in_list else [children]
    return members


def html_markdown(root: Tag) -> str:
    """Markdown of everything below `root`, without a line end after the last line.

    The tree is used up. Headings are moved so that the highest is a block heading of level 1.
    """
    notes = take_footnotes(root)
    for link in root.all("a"):
        if link.get("href").startswith("#"):
            link.attributes["href"] = "#" + anchor_of(link.get("href")[1:])
    levels = [_HEADINGS[tag.name] for tag in root.walk() if tag.name in _HEADINGS]
    writer = _Writer(shift=1 if 1 in levels else 0)
    blocks = writer.blocks(root.children)
    for label, body in notes.items():
        text = "\n\n".join(writer.blocks(body.children)) or "…"
        blocks.append(indented(text, f"[^{label}]: ", "    "))
    return "\n\n".join(blocks)


class _Writer:
    def __init__(self, shift: int) -> None:
        self._shift = shift

    def blocks(self, items: Iterable[Tag | str]) -> list[str]:
        """Markdown of each block; text between blocks becomes paragraphs."""
        written: list[str] = []
        run: list[Tag | str] = []
        for item in items:
            if isinstance(item, str) or (item.name in _INLINE and not _holds_blocks(item)):
                run.append(item)
                continue
            written += _paragraph(run)
            run = []
            written += self._block(item)
        written += _paragraph(run)
        return [block for block in written if block.strip()]

    def _block(self, tag: Tag) -> list[str]:
        if tag.name in _IGNORED:
            return []
        code = read_code(tag)
        if code is not None:
            return [write_code(code)] if code.text.strip() else []
        box = read_box(tag)
        if box is not None:
            return self._box(box)
        if tag.name in _HEADINGS:
            return self._heading(tag)
        if tag.name in ("ul", "ol", "ac:task-list"):
            return self._list(tag)
        if tag.name == "hr":
            return ["***"]
        if tag.name == FRAME:
            return _frame(tag)
        if tag.name == "blockquote":
            return self._quote(tag)
        if tag.name == "table":
            return self._table(tag)
        if tag.name == "figure":
            return self._figure(tag)
        if tag.name == "dl":
            return self._definitions(tag)
        if "column-list" in tag.classes():
            return self._columns(tag)
        return self.blocks(tag.children)

    def _box(self, box: Box) -> list[str]:
        inner = self.blocks(box.body)
        title = " ".join(box.title.split())
        if box.style is None:
            body = "\n\n".join(inner)
            summary = escape(title, quote=False)
            return [f"<details>\n\n<summary>{summary}</summary>\n\n{body}\n\n</details>"]
        if title:
            inner.insert(0, inline_markdown([Tag("strong", {}, [title])]))
        if not inner:
            return []
        body = "\n\n".join(inner)
        return [f'{{% hint style="{box.style}" %}}\n{body}\n{{% endhint %}}']

    def _heading(self, tag: Tag) -> list[str]:
        text = line_markdown(tag.children).replace("<br>", " ")
        if not text:
            return self.blocks([element for element in tag.elements() if element.name == "img"])
        # `#` at the end would be taken for the end of the heading.
        text = re.sub(r"#+\Z", lambda match: "\\#" * len(match.group(0)), text)
        level = min(max(_HEADINGS[tag.name] + self._shift, 2), 4)
        anchor = anchor_of(_own_id(tag))
        if anchor and anchor != slug_from_title(tag.words()):
            text += f' <a href="#{anchor}" id="{anchor}"></a>'
        return [f"{'#' * level} {text}"]

    def _list(self, tag: Tag) -> list[str]:
        items: list[str] = []
        start = tag.get("start").strip()
        number = int(start[:8]) if start.isascii() and start.isdecimal() else 1
        if not any(element.name in _ITEMS for element in tag.elements()):
            return self.blocks(tag.children)
        for children in _members(tag):
            child, checked = children[0], None
            if isinstance(child, Tag) and child.name in _LISTS:
                # A list directly in a list belongs to the item before it.
                inner = "\n".join(self._list(child))
                items += [indented(inner, "  ", "  ")] if items else [inner]
                continue
            if isinstance(child, Tag) and child.name in _ITEMS:
                if "inline-task-list" in tag.classes():
                    # Not every export numbers its tasks.
                    child.attributes.setdefault("data-inline-task-id", "")
                checked = take_check(child)
                body = _tight(self.blocks(child.children))
            else:
                # What is in no item is shown like one.
                body = _tight(self.blocks(children))
                if not body:
                    continue
            marker = f"{number}. " if tag.name == "ol" and checked is None else "* "
            number += 1
            if checked is not None:
                body = f"[{'x' if checked else ' '}] {body}"
            items.append(indented(body, marker, " " * len(marker)))
        return ["\n".join(items)] if items else []

    def _quote(self, tag: Tag) -> list[str]:
        inner = "\n\n".join(self.blocks(tag.children))
        return [indented(inner, "> ", "> ")] if inner else []

    def _table(self, tag: Tag) -> list[str]:
        # What stands between cells is shown in front of the table, as browsers do.
        before = self.blocks(between_cells(tag))
        if is_layout(tag):
            parts = (*captions_of(tag), *cells_of(tag))
            return before + [block for part in parts for block in self.blocks(part.children)]
        return [*before, table_markdown(tag)]

    def _figure(self, tag: Tag) -> list[str]:
        caption = next(tag.all("figcaption"), None)
        formula = read_formula(tag) if "equation" in tag.classes() else ""
        if formula:
            return [f"$$\n{formula}\n$$"]
        link = tag.find(lambda element: element.name == "a" and "bookmark" in element.classes())
        if link is not None and is_safe(link.get("href")):
            return [_embed(link.get("href"))]
        rest = [child for child in tag.children if child is not caption]
        images = _only_images(rest)
        if len(images) == 1:
            text = escape(caption.words(), quote=False) if caption is not None else ""
            return _image_block(images[0], text)
        return self.blocks(rest) + (_paragraph(caption.children) if caption is not None else [])

    def _definitions(self, tag: Tag) -> list[str]:
        """Terms in bold, what they mean as paragraphs below."""
        written: list[str] = []
        for child in tag.walk():
            if child.name == "dt" and child.words():
                written.append(inline_markdown([Tag("strong", {}, child.children)]))
            elif child.name == "dd":
                written += self.blocks(child.children)
        return written

    def _columns(self, tag: Tag) -> list[str]:
        columns = [self.blocks(element.children) for element in tag.elements()]
        filled = ["\n\n".join(column) for column in columns if column]
        if len(filled) < 2:
            return filled
        inner = "\n\n".join(f"{{% column %}}\n{column}\n{{% endcolumn %}}" for column in filled)
        return [f"{{% columns %}}\n{inner}\n{{% endcolumns %}}"]


def anchor_of(fragment: str) -> str:
    """The id of a heading, or the fragment of a link to it, in the characters that ids may have."""
    return re.sub(r"[^-a-z0-9.+_]+", "-", fragment.lower()).strip("-")[:200]


def _frame(tag: Tag) -> list[str]:
    """An `<iframe>` as an embed: players, maps. Frames that nobody sees are left out."""
    url = tag.get("src").strip() or tag.get("data-src").strip()
    if url.startswith("//"):
        url = f"https:{url}"
    unseen = "0" in (tag.get("width").strip(), tag.get("height").strip())
    if unseen or "hidden" in tag.attributes or not url.lower().startswith(("http://", "https://")):
        return []
    return [_embed(url)]


def _embed(url: str) -> str:
    """The tag; in tags entities mean nothing, so what would end one is percent-encoded."""
    safe = "".join(url.split("\n")).strip().replace(" ", "%20").replace('"', "%22")
    return f'{{% embed url="{safe.replace("{", "%7B").replace("}", "%7D")}" %}}'


def _own_id(tag: Tag) -> str:
    """The id of a heading: its own, or that of an anchor within it."""
    if tag.get("id"):
        return tag.get("id")
    inner = tag.find(
        lambda element: element.name == "a" and bool(element.get("id") or element.get("name"))
    )
    return (inner.get("id") or inner.get("name")) if inner is not None else ""


def _holds_blocks(tag: Tag) -> bool:
    """Whether there is a block in an inline element; a formula is one thing."""
    stack = [tag]
    while stack:
        node = stack.pop()
        if node.name not in _INLINE:
            return True
        if node.name not in ("math", "svg") and "katex" not in node.classes():
            stack.extend(node.elements())
    return False


def _paragraph(items: list[Tag | str]) -> list[str]:
    images = _only_images(items)
    if images:
        return [block for image in images for block in _image_block(image, "")]
    text = inline_markdown(items)
    return [text] if text.strip() else []


def _only_images(items: Iterable[Tag | str]) -> list[Tag]:
    """The images, where there is nothing else but links around them."""
    images: list[Tag] = []
    for item in items:
        if isinstance(item, str):
            if item.strip():
                return []
        elif item.name == "img":
            if not image_source(item) or "emoticon" in item.classes():
                return []
            images.append(item)
        elif item.name in ("a", "picture", "span", "div", "p", "center"):
            inner = _only_images(item.children)
            if not inner and (item.words() or item.elements()):
                return []
            images += inner
        elif item.name not in ("br", "source"):
            return []
    return images


def _image_block(tag: Tag, caption: str) -> list[str]:
    url = image_source(tag)
    alt = escape(" ".join(tag.get("alt").split()))
    width = tag.get("width").removesuffix("px").strip()
    size = f' width="{width}"' if width.isascii() and width.isdecimal() and int(width[:6]) else ""
    below = f"<figcaption><p>{caption}</p></figcaption>" if caption else ""
    return [f'<figure><img src="{_quoted(url)}" alt="{alt}"{size}>{below}</figure>']


def _quoted(url: str) -> str:
    return escape("".join(url.split("\n")).strip()).replace(" ", "%20")


def _tight(blocks: list[str]) -> str:
    """The blocks of a list item: a list follows its text without an empty line."""
    text = ""
    for block in blocks:
        is_list = re.match(r"(?:\* |[0-9]+\. )", block) is not None
        text += ("" if not text else "\n" if is_list else "\n\n") + block
    return text
