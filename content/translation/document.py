"""The texts of a document that are translated, each by itself, and the document with translations.

What is no text stays as it is: blocks, their data and their order, code, formulas, expressions,
targets of links, ids, kept Markdown. Within a block marks and inlines are tags (`tagged`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from content.documents.keys import derived_key
from content.documents.nodes import Node, children_of, data_of, leaves_of, walk
from content.json_types import Json
from content.translation.tagged import Tag, Writer, read_answer
from content.translation.terms import Terms

# Blocks whose content is no text of a language.
_KEPT_BLOCKS = frozenset({"code", "markdown", "math", "integration"})
# Texts in the data of nodes.
_IN_DATA = {
    "tabs-item": ("title",),
    "stepper-step": ("title",),
    "image": ("alt",),
    "drawing": ("alt",),
    "inline-image": ("alt", "caption"),
    "link": ("title",),
    "prompt": ("description",),
    "button": ("label",),
}
_CODE_MARKS = frozenset({"code", "keyboard"})
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
# Of what a tag holds that stays as it is, so much is shown to the translator.
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Text:
    """One text: as translators get it, and what to do with the answer.

    `take` puts an answer in; False when it is none that can be used: then nothing has changed.
    """

    tagged: str
    take: Callable[[str], bool]

    def digest(self, context: str) -> str:
        """What a translation of it is remembered by; `context` is all else that it follows from."""
        text = f"{context}\0{self.tagged}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=16).hexdigest()

    @property
    def words(self) -> int:
        """The number of its words."""
        return len(_WORD.findall(re.sub(r"</?x\d+>", " ", self.tagged)))


def plain_text(text: str, terms: Terms, put: Callable[[str], None]) -> Text | None:
    """A text without marks, such as a title; None for one without words."""
    if not _LETTER.search(text):
        return None
    writer = Writer()
    fixed: dict[int, str] = {}
    _write(text.strip(), writer, terms, fixed)
    template = writer.written()

    def take(answer: str) -> bool:
        tree = read_answer(template, writer.rules, answer)
        if tree is None:
            return False
        line = " ".join(_flat(tree, fixed).split())
        if not line:
            return False
        put(line)
        return True

    return _text_of(template, writer, take)


def _flat(tag: Tag, fixed: dict[int, str]) -> str:
    return "".join(part if isinstance(part, str) else fixed[part.number] for part in tag.parts)


def _text_of(template: str, writer: Writer, take: Callable[[str], bool]) -> Text | None:
    """None where nothing is left to translate: only what stays as it is."""
    whole = read_answer(template, writer.rules, template)
    if whole is None or not any(_LETTER.search(piece) for piece in _loose(whole, writer)):
        return None
    return Text(template, take)


def _loose(tag: Tag, writer: Writer) -> Iterator[str]:
    """The pieces that are translated."""
    for part in tag.parts:
        if isinstance(part, str):
            yield part
        elif not writer.rules[part.number].fixed:
            yield from _loose(part, writer)


def texts_of(document: Node, terms: Terms) -> Iterator[Text]:
    """The texts of a document in reading order; answers change the document itself."""
    stack: list[Node] = [document]
    while stack:
        node = stack.pop()
        kind = node.get("type")
        if kind in _KEPT_BLOCKS and node.get("object") == "block":
            continue
        yield from _texts_in_data(node, terms)
        children = children_of(node)
        if node.get("object") == "block" and any("leaves" in child for child in children):
            text = _Inlines(node, terms).text()
            if text is not None:
                yield text
        below = [child for child in children if "leaves" not in child]
        fragments = node.get("fragments")
        if isinstance(fragments, list):
            below += [item for item in fragments if isinstance(item, dict)]
        stack.extend(reversed(below))


def _texts_in_data(node: Node, terms: Terms) -> Iterator[Text]:
    data, kind = data_of(node), node.get("type")
    for holder, name in [(data, name) for name in _IN_DATA.get(str(kind), ())] + (
        list(_labels(data)) if kind == "table" else []
    ):
        value = holder.get(name)
        if isinstance(value, str):
            text = plain_text(value, terms, _setter(holder, name))
            if text is not None:
                yield text


def _setter(holder: Node, name: str) -> Callable[[str], None]:
    def put(value: str) -> None:
        holder[name] = value

    return put


def _labels(data: Node) -> Iterator[tuple[Node, str]]:
    """Where the titles of columns and the labels of their options stand."""
    definition = data.get("definition")
    for column in definition.values() if isinstance(definition, dict) else ():
        if isinstance(column, dict):
            yield column, "title"
            options = column.get("options")
            for option in options if isinstance(options, list) else ():
                if isinstance(option, dict):
                    yield option, "label"


def _write(text: str, writer: Writer, terms: Terms, fixed: dict[int, str]) -> None:
    """Write text of one leaf; what stays as it is becomes tags."""
    for index, line in enumerate(text.split("\n")):
        if index:
            fixed[writer.fixed("\n")] = "\n"
        for piece in terms.pieces(line):
            if piece.becomes is None:
                writer.text(piece.text)
            else:
                fixed[writer.fixed(piece.text)] = piece.becomes


class _Inlines:
    """The inlines of one block as a text, and inlines made of its translation."""

    def __init__(self, block: Node, terms: Terms) -> None:
        self._block, self._terms = block, terms
        self._writer = Writer()
        # By the number of their tags: texts that stay, leaves that stay, marks, inlines.
        self._fixed: dict[int, str] = {}
        self._leaves: dict[int, Node] = {}
        self._marks: dict[int, Json] = {}
        self._inlines: dict[int, Node] = {}

    def text(self) -> Text | None:
        """The text; None where there is nothing to translate."""
        self._write_nodes(children_of(self._block))
        written = self._writer.written()
        template = written.strip()
        if not template:
            return None
        start = written[: len(written) - len(written.lstrip())]
        end = written[len(written.rstrip()) :]

        def take(answer: str) -> bool:
            tree = read_answer(template, self._writer.rules, answer.strip())
            if tree is None or not tree.text().strip():
                return False
            self._put(tree, start, end)
            return True

        return _text_of(template, self._writer, take)

    def _write_nodes(self, nodes: list[Node]) -> None:
        for node in nodes:
            leaves = leaves_of(node)
            if leaves is not None:
                for leaf in leaves:
                    self._write_leaf(leaf)
                continue
            children = children_of(node)
            if node.get("isVoid") is True or not children or _is_address(node):
                shown = " ".join(_words_of(node).split())[:_SHOWN]
                self._inlines[self._writer.fixed(shown)] = node
                continue
            number = self._writer.begin(words=bool(_words_of(node).strip()))
            self._inlines[number] = node
            self._write_nodes(children)
            self._writer.end()

    def _write_leaf(self, leaf: Node) -> None:
        text, marks = leaf.get("text"), leaf.get("marks")
        if not isinstance(text, str) or not text:
            return
        kinds = (
            {item.get("type") for item in marks if isinstance(item, dict)}
            if isinstance(marks, list)
            else set()
        )
        if kinds & _CODE_MARKS:
            self._leaves[self._writer.fixed(text[:_SHOWN])] = leaf
            return
        if not kinds:
            _write(text, self._writer, self._terms, self._fixed)
            return
        number = self._writer.begin(words=bool(text.strip()))
        self._marks[number] = marks
        _write(text, self._writer, self._terms, self._fixed)
        self._writer.end()

    def _put(self, tree: Tag, start: str, end: str) -> None:
        """Put the translation into the block."""
        if start:
            tree.parts.insert(0, start)
        if end:
            tree.parts.append(end)
        self._fill(self._block, tree)
        style = self._block.get("style")
        if isinstance(style, dict):
            # How the lines of the text were written that is not there any more.
            left = {k: v for k, v in style.items() if k not in ("source", "words")}
            if left:
                self._block["style"] = left
            else:
                del self._block["style"]

    def _fill(self, node: Node, tag: Tag) -> None:
        keys = [str(child["key"]) for child in children_of(node) if "leaves" in child
                and "key" in child]  # fmt: skip
        nodes: list[Node] = []
        for part in tag.parts:
            if isinstance(part, str):
                _add_leaf(nodes, part, [])
            elif part.number in self._inlines:
                inline = self._inlines[part.number]
                if not self._writer.rules[part.number].fixed:
                    self._fill(inline, part)
                nodes.append(inline)
            elif part.number in self._leaves:
                leaf = self._leaves[part.number]
                _add_leaf(nodes, str(leaf["text"]), leaf.get("marks"))
            elif part.number in self._fixed:
                _add_leaf(nodes, self._fixed[part.number], [])
            else:
                marks = self._marks[part.number]
                for piece in part.parts:
                    text = piece if isinstance(piece, str) else self._fixed[piece.number]
                    _add_leaf(nodes, text, marks)
        seed = keys[0] if keys else str(node.get("key", ""))
        turn = 0
        for child in nodes:
            if "leaves" in child:
                child["key"] = keys.pop(0) if keys else derived_key(seed, turn := turn + 1)
        node["nodes"] = list[Json](nodes)


def _add_leaf(nodes: list[Node], text: str, marks: Json) -> None:
    """Add text; what has the same marks as the text before it is one leaf with it."""
    if not text:
        return
    if not nodes or "leaves" not in nodes[-1]:
        nodes.append({"object": "text", "leaves": []})
    leaves = nodes[-1]["leaves"]
    assert isinstance(leaves, list)
    last = leaves[-1] if leaves else None
    if isinstance(last, dict) and last["marks"] == marks:
        last["text"] = f"{last['text']}{text}"
    else:
        leaves.append({"object": "leaf", "text": text, "marks": marks})


def _words_of(node: Node) -> str:
    """The text of an inline, without that of its fragments."""
    pieces: list[str] = []
    for child in walk(children_of(node)):
        for leaf in leaves_of(child) or ():
            pieces.append(str(leaf.get("text", "")))
    return "".join(pieces)


def _is_address(node: Node) -> bool:
    """Whether a link shows nothing but its address."""
    if node.get("type") != "link":
        return False
    reference = data_of(node).get("ref")
    shown = _words_of(node).strip()
    target = reference.get("url") if isinstance(reference, dict) else None
    return isinstance(target, str) and target.removeprefix("mailto:") == shown
