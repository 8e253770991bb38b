"""Inputs about pages: fields, places and bodies."""

from typing import Any

import strawberry
from strawberry import Maybe

from content.emoji import ALLOWED, EMOJI, LENGTH as EMOJI_LENGTH
from content.links.redirect_paths import MAX_SOURCE
from content.pages.front_matter import ICON, ICON_ALLOWED
from db.content_enums import CoverMask, CoverSize, PageWidth
from resolvers.core import inputs
from resolvers.core.json_schemas import BLOCKS_SCHEMA, DOCUMENT_SCHEMA, REFERENCE_SCHEMA
from resolvers.core.scalars import URL_LENGTH, JsonObject
from resolvers.revisions import limits as content_limits

# What a batch calls something that it makes; `ref:NAME` stands for its id in the same batch.
REF = "[A-Za-z0-9._-]{1,64}"
# Characters of the anchor of a heading.
ANCHOR = 255


def ref_field() -> Any:
    """The input field of a name within the batch."""
    return inputs.text(
        "A name for it: `ref:NAME` stands for its id in this batch, in links, too, where "
        "`./NAME.md` leads to a page as well and `./NAME` to a file.",
        pattern=REF,
        allowed="1 to 64 letters, digits, dots, hyphens and underscores",
    )


def file_address() -> Any:
    """The input field of an address that the bytes of a file are fetched from."""
    return inputs.text(
        "An http or https address that the server can reach on the public internet; the bytes "
        "are fetched from there.",
        min=1,
        max=URL_LENGTH,
    )


def old_path_field(*, required: bool = False) -> Any:
    """The input field of a path that a redirect leads on from."""
    return inputs.text(
        "The old path below the space, such as old/page; capitals, percent-encoding and outer "
        "slashes do not count.",
        required=required,
        min=1,
        max=MAX_SOURCE,
    )


def anchor_field() -> Any:
    """The input field of the heading that a redirect leads to."""
    return inputs.text(
        "Anchor of a heading of the page, without `#`; the page itself when absent.",
        min=1,
        max=ANCHOR,
        pattern=r"[^\s#]+",
        allowed="an anchor without # and blanks",
    )


@strawberry.input(description="A place among siblings; at the end when nothing is given.")
class PagePositionInput:
    before: strawberry.ID | None = inputs.text("Directly before this page.")
    after: strawberry.ID | None = inputs.text(
        "Directly after this page; with `before`, both must be adjacent."
    )
    index: int | None = inputs.field(
        "Number of siblings before it, 0 to all of them; not together with the others."
    )


@strawberry.input(description="Where blocks go: one of `before`, `after` and `inside`.")
class BlockPlaceInput:
    before: str | None = inputs.text("Key of the block they go before.")
    after: str | None = inputs.text("Key of the block they go behind.")
    inside: str | None = inputs.text(
        "Key of the block or fragment they go into; with none of the three, the document."
    )
    index: int | None = inputs.field(
        "Number of children before them, for `inside` or the document; the end when absent."
    )


@strawberry.input(description="New blocks: `markdown` or `blocks`, one of the two.")
class BlocksInput:
    markdown: str | None = inputs.text("Blocks as Markdown.", max=content_limits.BODY)
    blocks: list[JsonObject] | None = inputs.items(
        f"Blocks as nodes of a JSON document. {BLOCKS_SCHEMA}"
    )


@strawberry.input(description="Put new blocks into a body.")
class InsertBlocksInput:
    content: BlocksInput = inputs.field("The blocks.", required=True)
    place: BlockPlaceInput | None = inputs.field("Where; at the end when absent.")


@strawberry.input(description="Replace one block of a body.")
class ReplaceBlockInput:
    key: str = inputs.text("Key of the block.", required=True)
    content: BlocksInput = inputs.field("What stands there instead.", required=True)


@strawberry.input(description="Take blocks out of a body.")
class DeleteBlocksInput:
    keys: list[str] = inputs.items(
        "Keys of the blocks.", required=True, min=1, max=content_limits.BLOCK_KEYS
    )


@strawberry.input(description="Move blocks of a body.")
class MoveBlocksInput:
    keys: list[str] = inputs.items(
        "Keys of the blocks, in their new order.",
        required=True,
        min=1,
        max=content_limits.BLOCK_KEYS,
    )
    place: BlockPlaceInput = inputs.field("Where they go.", required=True)


@strawberry.input(description="One edit of a body: exactly one of these.", one_of=True)
class BlockEditInput(inputs.OneOf):
    insert: InsertBlocksInput | None = inputs.field("Put new blocks into it.", one_of=True)
    replace: ReplaceBlockInput | None = inputs.field("Replace one block.", one_of=True)
    delete: DeleteBlocksInput | None = inputs.field("Take blocks out.", one_of=True)
    move: MoveBlocksInput | None = inputs.field("Move blocks.", one_of=True)


@strawberry.input(description="A body, or changes to one: exactly one of these.", one_of=True)
class PageBodyInput(inputs.OneOf):
    markdown: str | None = inputs.text(
        "The whole body as Markdown. A leading level-1 heading is the title of the page; front "
        "matter wins over fields.",
        max=content_limits.BODY,
        one_of=True,
    )
    document: JsonObject | None = inputs.field(
        f"The whole body as a JSON document. {DOCUMENT_SCHEMA}", one_of=True
    )
    edits: list[BlockEditInput] | None = inputs.items(
        "Edits of single blocks, one after the other.",
        min=1,
        max=content_limits.OPERATIONS,
        one_of=True,
    )


@strawberry.input(description="Which parts of a page are shown; absent ones stay as they are.")
class PageLayoutInput:
    width: Maybe[PageWidth] = inputs.field("How wide it is.")
    cover: Maybe[bool] = inputs.field("The cover picture.")
    cover_size: Maybe[CoverSize] = inputs.field("Size of the cover.")
    title: Maybe[bool] = inputs.field("The title.")
    description: Maybe[bool] = inputs.field("The description.")
    table_of_contents: Maybe[bool] = inputs.field("The table of contents.")
    outline: Maybe[bool] = inputs.field("The outline of the page.")
    pagination: Maybe[bool] = inputs.field("Links to the previous and the next page.")
    metadata: Maybe[bool] = inputs.field("When the page was changed.")
    cover_mask: Maybe[CoverMask] = inputs.field("How the edge of the cover fades.")
    tags: Maybe[bool] = inputs.field("The tags of the page.")
    actions: Maybe[bool] = inputs.field("What readers can do with the page, such as copying it.")
    anchors: Maybe[bool] = inputs.field("Links at headings to themselves.")


@strawberry.input(description="The picture above a page.")
class PageCoverInput:
    ref: JsonObject | None = inputs.field(
        f"Content reference of the kind `file` or `url`. {REFERENCE_SCHEMA}"
    )
    ref_dark: JsonObject | None = inputs.field(f"The same, for dark themes. {REFERENCE_SCHEMA}")
    y_pos: float | None = inputs.field("Vertical position of the part that is shown; 0 if absent.")


@strawberry.input(description="Fields of a page.")
class PageFieldsInput:
    slug: Maybe[str | None] = inputs.text(
        "Its part of the path: 1 to 100 letters, digits, `-`, `_`, `.` and `~`, unlike those of "
        "its siblings; it stays when the title changes. Null = made from the title."
    )
    emoji: Maybe[str | None] = inputs.text(
        "Emoji in front of the title, or its code points in hexadecimal; null or an empty text "
        "removes it.",
        max=EMOJI_LENGTH,
        pattern=f"(?:{EMOJI})?",
        allowed=ALLOWED,
    )
    icon: Maybe[str | None] = inputs.text(
        "Name of the icon in front of the title; null or an empty text removes it.",
        pattern=f"(?:{ICON})?",
        allowed=ICON_ALLOWED,
    )
    description: Maybe[str | None] = inputs.text(
        "A sentence about the page; null removes it.", max=content_limits.DESCRIPTION
    )
    hidden: Maybe[bool] = inputs.field("Whether the navigation leaves it out.")
    no_index: Maybe[bool] = inputs.field("Whether search leaves it out.")
    no_robots_index: Maybe[bool] = inputs.field("Whether it is closed to crawlers.")
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides whether a visitor sees the page; null removes it.",
        max=content_limits.CONDITION,
    )
    variables: Maybe[JsonObject] = inputs.field(
        "All variables of the page: names to text of at most 256 characters, numbers, booleans."
    )
    cover: Maybe[PageCoverInput | None] = inputs.field("Its cover; null removes it.")
    layout: Maybe[PageLayoutInput | None] = inputs.field("What is shown; null = the usual.")
    target: Maybe[JsonObject] = inputs.field(
        "Where a link page leads to: a content reference, such as `kind: url` with `url`. "
        f"{REFERENCE_SCHEMA}"
    )
