"""Images, drawings, files, embedded pages and links to pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from content.documents.nodes import children_of, data_of, flag_of, fragment_of, object_of, text_of
from content.documents.plain_text import plain_text
from content.html.block_words import BlockWords
from content.html.containers import share_class
from content.html.inlines import anchor, image_of, name_of
from content.html.markup import (
    EMPTY,
    Html,
    classes,
    element,
    escape,
    escape_breakable,
    joined,
    safe_address,
)
from content.html.rendering import Rendering, Target
from content.json_types import Json, JsonObject
from content.media.players import SANDBOX, Player, player_of

_UNITS = ("B", "kB", "MB", "GB")
PIXELS = 10_000
# Characters of the title of a frame.
TITLE = 200


def images(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    align = text_of(data, "align")
    name = classes(
        "images",
        f"align-{align}" if align in ("left", "center", "right") else "",
        "framed" if flag_of(data, "withFrame") else "",
    )
    return element("div", rendering.blocks(children_of(node)), class_=name)


def image(rendering: Rendering, node: JsonObject) -> Html:
    """An image or drawing with its caption; a note in its place when there is nothing to show."""
    data = data_of(node)
    target = rendering.target(data)
    alt = text_of(data, "alt")
    caption = _caption(rendering, node)
    if target.image is None:
        label = escape(alt) or name_of(target) or escape(rendering.options.words.image)
        shown = element("p", anchor(target, label), class_="missing-image")
        return element("figure", joined([shown, caption]), class_="image")
    dark = object_of(data, "refDark")
    other = rendering.target_of(dark) if dark and not rendering.options.paper else Target()
    if other.image is None:
        shown = _sized(rendering, data, target, alt, "")
    else:
        # Not `<picture>`: which one is shown follows the theme of the page, not only the system.
        # The other one is not loaded.
        light = _sized(rendering, data, target, alt, "for-light", loading="lazy")
        shown = joined([light, _sized(rendering, data, other, alt, "for-dark", loading="lazy")])
    return element("figure", joined([shown, caption]), class_="image")


def _sized(
    rendering: Rendering, data: JsonObject, target: Target, alt: str, name: str, **more: str
) -> Html:
    """An image in the size that its block says; the place for it is there before it is loaded."""
    share = share_class(data.get("width"))
    width, height = _pixels(data.get("width")), _pixels(data.get("height"))
    if rendering.options.paper:
        width = width or (target.width if data.get("width") is None else None)
    elif share or (width is None and height is None):
        # Classes say the width; the browser takes the proportions from the numbers.
        width, height = target.width, target.height
    elif target.width and target.height and (width is None or height is None):
        # One length and the proportions give the other.
        width = width or round((height or 0) * target.width / target.height)
        height = height or round(width * target.height / target.width)
    sizes: dict[str, int | str | None] = {"width": width or None, "height": height or None}
    return image_of(rendering, target, alt, class_=classes(share, name), **sizes, **more)


def _pixels(length: Json) -> int | None:
    """A length in pixels; None where none is given."""
    value = length
    if isinstance(length, dict):
        value = length.get("value") if length.get("unit", "px") == "px" else None
    if isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= PIXELS:
        return round(value)
    return None


def _caption(rendering: Rendering, node: JsonObject) -> Html:
    blocks = rendering.blocks(fragment_of(node, "caption") or [])
    return element("figcaption", blocks) if blocks else EMPTY


def file(rendering: Rendering, node: JsonObject) -> Html:
    target = rendering.target(data_of(node))
    name = name_of(target) or escape(rendering.options.words.file)
    size = EMPTY
    if target.size is not None:
        size = element("span", escape(file_size(target.size)), class_="file-size")
    line = element("p", joined([anchor(target, name), size]), class_="file-name")
    return element("figure", joined([line, _caption(rendering, node)]), class_="file")


def file_size(size: int) -> str:
    """A number of bytes for people, such as `1.4 MB`."""
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"


def embed(rendering: Rendering, node: JsonObject) -> Html:
    """A page of somebody else's, as a link: nothing of it is loaded.

    Where a known service plays it, a script can put its frame there when the reader asks for it.
    """
    url = text_of(data_of(node), "url")
    address = safe_address(url)
    label = joined(
        [element("span", escape(_host(url)), class_="embed-host"), escape_breakable(url)]
    )
    line = element("p", anchor(Target(href=address), label), class_="embed-link")
    caption = _caption(rendering, node)
    player = None if rendering.options.paper or address is None else player_of(address)
    if player is not None:
        rendering.uses.players.add(player.origin)
        written = " ".join(map(plain_text, fragment_of(node, "caption") or []))
        line = _player(player, line, written, rendering.options.words.blocks)
    return element("figure", joined([line, caption]), class_="embed")


def _player(player: Player, link: Html, caption: str, words: BlockWords) -> Html:
    """The place of a player: the link, and in attributes what a script makes of it: a button that
    asks for the frame, and the frame.
    """
    title = " ".join(caption.split())[:TITLE]
    content = words.content_from.format(service=player.service)
    return element(
        "div",
        link,
        class_="player",
        data_src=player.src,
        data_title=f"{title} ({player.service})" if title else content,
        data_height=player.height,
        data_sandbox=SANDBOX,
        data_offer=words.load_from.format(service=player.service),
        data_note=words.host_learns.format(host=_host(player.src)),
    )


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def content_ref(rendering: Rendering, node: JsonObject) -> Html:
    target = rendering.target(data_of(node))
    return element("p", anchor(target, name_of(target)), class_="content-ref")
