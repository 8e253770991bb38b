"""A document as HTML: the table of blocks and inlines, and the one function that callers need.

The HTML is escaped and sanitized: it holds no scripts, no styles, no handlers, and addresses of
allowed schemes only. It is meant to stand in a page with one of the style sheets of
`content/html/styles.py`, below a title that is a first-level heading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from content.documents.alerts import with_alerts, with_alerts_in
from content.documents.anchor_keys import AnchorNames, meant_by_links
from content.documents.anchor_spellings import all_heading_aliases, title_names
from content.documents.anchors import HeadingAnchors, block_anchors
from content.documents.named_places import (
    can_be_id,
    note_name,
    other_places,
    own_places,
    tab_spellings,
)
from content.documents.nodes import children_of, object_of, text_of
from content.documents.updates import updates_of
from content.html import (
    code,
    containers,
    diagrams,
    inlines,
    integration_blocks,
    media,
    openapi,
    tables,
    text_blocks,
    updates,
    verbatim,
)
from content.html.markup import EMPTY, Html, element, escape, joined
from content.html.rendering import Heading, Options, Render, Rendering, Uses
from content.json_types import JsonObject

BLOCKS: Mapping[str, Render] = {
    "paragraph": text_blocks.paragraph,
    "heading-1": text_blocks.heading(1),
    "heading-2": text_blocks.heading(2),
    "heading-3": text_blocks.heading(3),
    "list-ordered": text_blocks.list_block("ol"),
    "list-unordered": text_blocks.list_block("ul"),
    "list-tasks": text_blocks.list_block("ul", "tasks"),
    "list-item": text_blocks.list_item,
    "divider": text_blocks.divider,
    "blockquote": text_blocks.blockquote,
    "hint": containers.hint,
    "code": diagrams.code_or_diagram,
    "code-line": code.code_line,
    "math": code.math,
    "images": media.images,
    "image": media.image,
    "drawing": media.image,
    "file": media.file,
    "embed": media.embed,
    "content-ref": media.content_ref,
    "expandable": containers.expandable,
    "tabs": containers.tabs,
    "tabs-item": containers.tabs_item,
    "stepper": containers.stepper,
    "stepper-step": containers.stepper_step,
    "columns": containers.columns,
    "column": containers.column,
    "updates": updates.updates,
    "update": updates.update,
    "if": containers.condition,
    "reusable-content": containers.reusable_content,
    "table": tables.table,
    "swagger": openapi.operation,
    "openapi-operation": openapi.operation,
    "openapi-schemas": openapi.schemas,
    "openapi-webhook": openapi.webhook,
    "integration": integration_blocks.integration,
    "markdown": verbatim.block,
}
INLINES: Mapping[str, Render] = {
    "text": inlines.render_text,
    "link": inlines.link,
    "emoji": inlines.emoji,
    "icon": inlines.icon,
    "expression": inlines.expression,
    "inline-math": inlines.inline_math,
    "inline-image": inlines.inline_image,
    "annotation": inlines.annotation,
    "mention": inlines.mention,
    "button": inlines.button,
    "markdown": verbatim.inline,
}
DEFAULTS = Options()


@dataclass(frozen=True, slots=True)
class Rendered:
    """HTML of a document, its headings in the order in which they stand, and what it uses.

    `title_ids` are the ids that lead to the title of the page, which the caller shows.
    """

    html: Html
    headings: tuple[Heading, ...]
    uses: Uses = field(default_factory=Uses)
    title_ids: tuple[str, ...] = ()


def render_document(document: JsonObject, options: Options = DEFAULTS) -> Rendered:
    """The HTML of a document of any shape; never raises for what a document can hold.

    `meta.linked` of the document are anchors that links to it say. Those that mean a place of it
    in another spelling lead there, too. `meta.title` is the title of the page.
    """
    document = with_alerts(document)
    options = replace(options, reusable=with_alerts_in(options.reusable))
    own = block_anchors(document)
    title = text_of(object_of(document, "meta"), "title")
    aliases = all_heading_aliases(document, own, title)
    places = other_places(document)
    names = [*own.values(), *(alias for names in aliases.values() for alias in names)]
    of_title = title_names(title, {*names, *places})
    linked = _linked(document)
    all_names = [*names, *places, *of_title]
    meant = meant_by_links(linked, all_names)
    said = {*all_names, *(name for group in meant.values() for name in group)}
    tab_links = _tab_links(document, said, linked)
    of_title += [name for title_name in of_title for name in meant.pop(title_name, ())]
    for heading, anchor in own.items():
        others = aliases.get(heading, [])
        more = [name for linked_name in (anchor, *others) for name in meant.get(linked_name, ())]
        if more:
            aliases[heading] = [*others, *more]
    said = {name for group in meant.values() for name in group}
    rendering = Rendering(
        options,
        BLOCKS,
        INLINES,
        HeadingAnchors(frozenset((*names, *said))),
        own_anchors=own,
        own_aliases=aliases,
        tab_links=tab_links,
        places={name: [name, *meant.get(name, ())] for name in places if name not in names},
        update_anchors={
            id(update.node): update.anchor for update in updates_of(document, options.reusable)
        },
    )
    body = rendering.blocks(children_of(document))
    html = joined([body, _notes(rendering)])
    # Headings of reusable contents come before the title, too.
    free = filter(rendering.anchors.is_free, of_title)
    return Rendered(html, tuple(rendering.headings), rendering.uses, tuple(map(rendering.id, free)))


def _tab_links(
    document: JsonObject, taken: Collection[str], linked: Iterable[str]
) -> dict[str, list[str]]:
    """The anchors, but for what is `taken`, by which links mean tabs, by the name of the tab."""
    spellings = tab_spellings(own_places(document), taken)
    if not spellings:
        return {}
    links: dict[str, list[str]] = {}
    names = AnchorNames(spellings)
    for anchor in dict.fromkeys(linked):
        spelling = None if anchor in taken else names.find(anchor)
        if spelling is not None:
            links.setdefault(spellings[spelling], []).append(anchor)
    return links


def _linked(document: JsonObject) -> list[str]:
    linked = object_of(document, "meta").get("linked")
    names = linked if isinstance(linked, list) else []
    return [name for name in names if isinstance(name, str) and can_be_id(name)]


def _notes(rendering: Rendering) -> Html:
    """The bodies of annotations below the text, with links back to where they belong."""
    if not rendering.notes:
        return EMPTY
    items = []
    for number, body in enumerate(rendering.notes, start=1):
        back = element(
            "a",
            escape("↩"),
            href=f"#{rendering.note_id(number, 'reference')}",
            class_="note-back",
            role="doc-backlink",
            aria_label=rendering.options.words.back_to_reference.format(number=number),
        )
        places = rendering.places_named([note_name(number)])
        content = joined([*places, element("div", body, class_="note-body"), back])
        items.append(element("li", content, id=rendering.note_id(number)))
    return element("section", element("ol", joined(items)), class_="notes", role="doc-endnotes")
