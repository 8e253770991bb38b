"""The state of rendering one document, and the options of callers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from content.documents.anchors import HeadingAnchors
from content.documents.heading_aliases import own_aliases
from content.documents.named_places import tab_name
from content.documents.nodes import children_of, data_of, object_of, text_of
from content.documents.plain_text import plain_text
from content.html.formulas import mathml
from content.html.markup import EMPTY, Html, element, escape, joined, old_anchors, safe_address
from content.html.words import ENGLISH, DocumentWords
from content.json_types import JsonObject
from content.slugs import slug_from_title

# Documents that nest deeper show the text of what is below.
DEPTH_LIMIT = 100
# Reusable contents may hold each other; so deep, and so many in one document.
INSERTION_DEPTH = 5
INSERTIONS = 200
# Characters of HTML of all of them, one more that exceeds it aside.
INSERTED = 2_000_000
# What stays on the sheet of its heading: characters and lines.
SHORT_TEXT = 1_000
SHORT_LINES = 25


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a content reference. Without `href` there is no link."""

    href: str | None = None
    # Its own name: the title of a page, the name of a file or person.
    title: str = ""
    # Where an image is to be loaded from; None when it cannot be shown.
    image: str | None = None
    # In pixels, where they are known.
    width: int | None = None
    height: int | None = None
    # In bytes, of files.
    size: int | None = None
    broken: bool = False
    # Whether it is opened in a window of its own.
    new_window: bool = False


BROKEN = Target(broken=True)
Resolve = Callable[[JsonObject], Target]


def plain_target(reference: JsonObject) -> Target:
    """The target of a reference without pages and files at hand: URLs only."""
    url = text_of(reference, "url")
    return Target(href=url, image=url) if reference.get("kind") == "url" else BROKEN


@dataclass(frozen=True, slots=True)
class Options:
    """The caller's part in the HTML of a document."""

    resolve: Resolve = plain_target
    # The document of a reusable content.
    reusable: Callable[[JsonObject], JsonObject | None] = lambda reference: None
    # The value of an expression; without one it is shown as it is written.
    evaluate: Callable[[str], str | None] = lambda expression: None
    condition: Callable[[str], bool] = lambda expression: True
    # TeX, whether it stands on its own -> HTML.
    formula: Callable[[str, bool], Html] = mathml
    # Makes ids of names, so that several documents can share one HTML page.
    identify: Callable[[str], str] = lambda name: name
    # Nothing is folded away, and no second image for dark screens.
    paper: bool = False
    # Where the requests of operations are sent from: an address that ends in a parameter, to which
    # those of an operation are added; "" for nowhere.
    requests: str = ""
    # Where readers act in blocks of integrations: an address; "" where they cannot.
    blocks: str = ""
    words: DocumentWords = ENGLISH


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document: level 1 to 3, its id in the HTML, its text."""

    level: int
    id: str
    text: str


@dataclass(slots=True)
class Uses:
    """What a document has that its page makes room for, beside HTML."""

    # Origins of the players that can be loaded, such as `https://player.vimeo.com`.
    players: set[str] = field(default_factory=set)
    # Origins of the pages that integrations show in frames.
    frames: set[str] = field(default_factory=set)
    # Whether there are diagrams to draw, and dated updates.
    diagrams: bool = False
    updates: bool = False
    # Whether there are forms that send requests, and blocks in which readers act.
    requests: bool = False
    blocks: bool = False


Render = Callable[["Rendering", JsonObject], Html]


def _is_heading(node: JsonObject) -> bool:
    return str(node.get("type", "")).startswith("heading-")


def _is_short(node: JsonObject) -> bool:
    """Whether a block takes a part of a sheet only; of one that shows what something else has made
    nobody knows."""
    if object_of(data_of(node), "shown"):
        return False
    text = plain_text(node)
    return len(text) <= SHORT_TEXT and text.count("\n") <= SHORT_LINES


@dataclass(slots=True)
class HighlightingTime:
    """CPU seconds that may go into the colours of all code of a page; beyond them code is plain."""

    left: float = 1.0


@dataclass(slots=True)
class Rendering:
    """One document on its way to HTML."""

    options: Options
    block_table: Mapping[str, Render]
    inline_table: Mapping[str, Render]
    # For headings that come in with reusable contents.
    anchors: HeadingAnchors
    # Those of the document's own headings, by id() of the heading.
    own_anchors: Mapping[int, str]
    # What else leads to these: anchors of before, and other spellings.
    own_aliases: Mapping[int, list[str]] = field(default_factory=dict)
    # Anchors by which links mean tabs, by the name of the tab.
    tab_links: dict[str, list[str]] = field(default_factory=dict)
    # Of dated updates that have not been shown yet, by id() of the block.
    update_anchors: dict[int, str] = field(default_factory=dict)
    uses: Uses = field(default_factory=Uses)
    # Names of places that are no headings, which each stand once: all that leads to them.
    places: dict[str, list[str]] = field(default_factory=dict)
    headings: list[Heading] = field(default_factory=list)
    highlighting: HighlightingTime = field(default_factory=HighlightingTime)
    # Bodies of annotations, as HTML, in the order of their numbers.
    notes: list[Html] = field(default_factory=list)
    insertions: int = 0
    # Descriptions of APIs that were shown already: a schema stands in many places.
    descriptions: dict[str, Html] = field(default_factory=dict)
    # Diagrams so far.
    diagrams: int = 0
    # Elements of foreign HTML, and characters of HTML of reusable contents, so far.
    foreign_elements: int = 0
    inserted_size: int = 0
    # Images so far: those behind the first are loaded when they come near.
    images: int = 0
    # How many tabs have each title.
    tab_titles: dict[str, int] = field(default_factory=dict)
    _depth: int = 0
    _inserted: list[JsonObject] = field(default_factory=list)

    def blocks(self, nodes: Iterable[JsonObject]) -> Html:
        """Blocks one after the other; what is no known block shows its children."""
        if self.options.paper:
            return self._blocks_on_paper(list(nodes))
        return joined(self._node(node) for node in nodes)

    def _blocks_on_paper(self, nodes: list[JsonObject]) -> Html:
        """Blocks, headings with what follows them in a box that is not broken."""
        parts: list[Html] = []
        position = 0
        while position < len(nodes):
            end = position
            while end < len(nodes) and _is_heading(nodes[end]):
                end += 1
            together = nodes[position : end + 1]
            content = joined(self._node(node) for node in together)
            if end > position and (end == len(nodes) or _is_short(nodes[end])):
                content = element("div", content, class_="together")
            parts.append(content)
            position = end + 1
        return joined(parts)

    def inlines(self, nodes: Iterable[JsonObject]) -> Html:
        """Text and inlines one after the other."""
        return joined(self._node(node) for node in nodes)

    def _node(self, node: JsonObject) -> Html:
        kind = node.get("object")
        if self._depth >= DEPTH_LIMIT:
            return escape(plain_text(node))
        self._depth += 1
        try:
            name = node.get("type")
            table = self.inline_table if kind in ("inline", "text") else self.block_table
            render = table.get("text" if kind == "text" else name if isinstance(name, str) else "")
            return self.blocks(children_of(node)) if render is None else render(self, node)
        finally:
            self._depth -= 1

    def inserted(self, reference: JsonObject, document: JsonObject) -> Html:
        """The blocks of a reusable content; nothing where contents hold each other too deep."""
        if len(self._inserted) >= INSERTION_DEPTH or self.insertions >= INSERTIONS:
            return EMPTY
        if self.inserted_size >= INSERTED:
            return EMPTY
        if reference in self._inserted:
            return EMPTY
        self.insertions += 1
        self._inserted.append(reference)
        try:
            html = self.blocks(children_of(document))
        finally:
            self._inserted.pop()
        self.inserted_size += len(html)
        return html

    def target(self, data: JsonObject) -> Target:
        """The target of the reference in the data, with a safe address."""
        return self.target_of(object_of(data, "ref"))

    def target_of(self, reference: JsonObject) -> Target:
        """The target of a reference, with safe addresses only."""
        target = self.options.resolve(reference)
        return replace(
            target,
            href=safe_address(target.href) if target.href is not None else None,
            image=safe_address(target.image) if target.image is not None else None,
        )

    def id(self, name: str) -> str:
        """An id in the page that the document becomes part of."""
        return self.options.identify(name)

    def anchor(self, heading: JsonObject, text: str) -> str:
        """The anchor of a heading, which no other one of the page has."""
        own = self.own_anchors.get(id(heading))
        if own is not None:
            return own
        own_id = text_of(data_of(heading), "id")
        return self.anchors.assign(text, own_id if self.anchors.is_free(own_id) else None)

    def aliases(self, heading: JsonObject) -> list[str]:
        """What else leads to a heading, and no other one of the page has as its anchor."""
        if id(heading) in self.own_anchors:
            return self.own_aliases.get(id(heading), [])
        free = [alias for alias in own_aliases(heading) if self.anchors.is_free(alias)]
        for alias in free:
            self.anchors.take(alias)
        return free

    def tab(self, title: str) -> tuple[str, list[Html]]:
        """The id of a tab, like those of notes no heading has one, and places in it by which links
        mean it."""
        slug = slug_from_title(title)
        number = self.tab_titles.get(slug, 0) + 1
        self.tab_titles[slug] = number
        name = tab_name(title, number)
        free = [link for link in self.tab_links.pop(name, ()) if self.anchors.is_free(link)]
        for link in free:
            self.anchors.take(link)
        return self.id(name), old_anchors(map(self.id, free))

    def places_named(self, names: Iterable[str]) -> list[Html]:
        """Elements to which links lead that say one of these names; nothing to see or to focus."""
        return old_anchors(self.id(other) for name in names for other in self.places.pop(name, ()))

    def note_id(self, number: int, part: str = "body") -> str:
        """An id of a note; no heading has one with a colon."""
        return self.id(f"note:{number}:{part}")
