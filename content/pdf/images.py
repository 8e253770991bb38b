"""Images of a book: the layout sees small ones of the same shape, the PDF gets what paper shows.

The layout engine keeps every image decoded until the end: some hundred screenshots take more
memory than a server has. So it gets, for each, a small image in one colour that says which one it
is; afterwards these are replaced, one decoded at a time.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject

# Pixels that an image has at most: about 150 for an inch of the widest and highest that is shown.
WIDEST, HIGHEST = 1_050, 1_250
# An image with more pixels is not decoded.
MOST_PIXELS = 120_000_000
# The longer side of what the layout sees.
PLACEHOLDER = 256
# In pixels of CSS; print.css shows an image at most 200 mm high.
HIGHEST_SHOWN = 200 * 96 / 25.4
# Bytes up to which an image is stored without loss; photographs take more.
LOSSLESS = 400_000
QUALITY = 85
# Orientations of EXIF in which width and height change places.
SIDEWAYS = (5, 6, 7, 8)


@dataclass(frozen=True, slots=True)
class _Picture:
    """An image by its number, from 1, and its size in pixels as it is shown."""

    path: Path
    number: int
    width: int
    height: int


class Pictures:
    """The images of a job that can be made smaller; others are given to the layout as they are."""

    def __init__(self, folder: Path, names: Collection[str]) -> None:
        self._by_name: dict[str, _Picture] = {}
        for name in sorted(names):
            size = _size(folder / name)
            if size is not None:
                number = len(self._by_name) + 1
                self._by_name[name] = _Picture(folder / name, number, *size)
        self._by_number = {picture.number: picture for picture in self._by_name.values()}

    def placeholder(self, name: str) -> bytes | None:
        """What the layout sees: an image of about the same shape in the colour of its number."""
        picture = self._by_name.get(name)
        if picture is None:
            return None
        scale = min(1.0, PLACEHOLDER / max(picture.width, picture.height))
        size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        colour = tuple(picture.number.to_bytes(3, "big"))
        stream = io.BytesIO()
        Image.new("RGB", size, colour).save(stream, "PNG")
        return stream.getvalue()

    def style(self, address: str) -> str:
        """CSS that gives images the width that they have; `address` stands before their names."""
        rules = []
        for name, picture in self._by_name.items():
            widest = HIGHEST_SHOWN * picture.width / picture.height
            width = max(1, round(min(picture.width, widest)))
            image = f'img[src="{address}{name}"]'
            shown = f".image {image}:not([width]), {image}.inline-image.original"
            rules.append(f"{shown} {{ width: {width}px; }}")
        return "\n".join(rules)

    def put_into(self, writer: PdfWriter) -> None:
        """Replace what the layout has seen."""
        embedded: set[int] = set()
        for image in _images(writer):
            if id(image) in embedded or image.get("/ColorSpace") != "/DeviceRGB":
                continue
            embedded.add(id(image))
            data = image.get_data()
            colour = bytes(data[:3])
            picture = self._by_number.get(int.from_bytes(colour, "big"))
            if picture is None or len(colour) < 3 or bytes(data) != colour * (len(data) // 3):
                continue
            _embed(writer, image, picture)


def _size(path: Path) -> tuple[int, int] | None:
    """The size of an image as it is shown; None for what Pillow does not read, or too large."""
    try:
        with Image.open(path) as image:
            width, height = image.size
            turned = _orientation(image) in SIDEWAYS
    except Exception:
        # Damaged images end in many kinds of errors; the layout decides about them.
        return None
    if not 0 < width * height <= MOST_PIXELS:
        return None
    return (height, width) if turned else (width, height)


def _orientation(image: Image.Image) -> int:
    """How a photograph has to be turned, 1 to 8 as in EXIF; others would be decoded for it."""
    if image.format not in ("JPEG", "MPO", "WEBP"):
        return 1
    return int(image.getexif().get(0x0112, 1))


def _images(writer: PdfWriter) -> Iterator[Any]:
    seen: set[int] = set()
    holders: list[Any] = list(writer.pages)
    while holders:
        resources = holders.pop().get("/Resources")
        objects = None if resources is None else resources.get_object().get("/XObject")
        for reference in () if objects is None else objects.get_object().values():
            value = reference.get_object()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if value.get("/Subtype") == "/Image":
                yield value
            elif value.get("/Subtype") == "/Form":
                holders.append(value)


def _embed(writer: PdfWriter, image: Any, picture: _Picture) -> None:
    try:
        colours, mask, size = _encoded(picture.path)
    except Exception:
        # Damaged: a gap is left.
        colours, mask, size = _Encoded(zlib.compress(b"\xff")), zlib.compress(b"\0"), (1, 1)
    image._data = colours.data
    image.pop("/DecodeParms", None)
    image[NameObject("/Filter")] = NameObject("/DCTDecode" if colours.is_jpeg else "/FlateDecode")
    space = "/DeviceRGB" if colours.has_colours else "/DeviceGray"
    image[NameObject("/ColorSpace")] = NameObject(space)
    _set_size(image, size)
    if mask is not None:
        alpha = StreamObject()
        alpha.set_data(mask)
        alpha.update(
            {
                NameObject("/Type"): NameObject("/XObject"),
                NameObject("/Subtype"): NameObject("/Image"),
                NameObject("/ColorSpace"): NameObject("/DeviceGray"),
                NameObject("/BitsPerComponent"): NumberObject(8),
                NameObject("/Filter"): NameObject("/FlateDecode"),
            }
        )
        _set_size(alpha, size)
        image[NameObject("/SMask")] = writer._add_object(alpha)


def _set_size(image: DictionaryObject, size: tuple[int, int]) -> None:
    image[NameObject("/Width")] = NumberObject(size[0])
    image[NameObject("/Height")] = NumberObject(size[1])


@dataclass(frozen=True, slots=True)
class _Encoded:
    """The bytes of an image in a PDF: JPEG, or compressed pixels."""

    data: bytes
    is_jpeg: bool = False
    has_colours: bool = False


def _encoded(path: Path) -> tuple[_Encoded, bytes | None, tuple[int, int]]:
    """An image at the size that paper shows, its opacity if it has any, and that size."""
    with Image.open(path) as opened:
        fits = opened.width <= WIDEST and opened.height <= HIGHEST
        upright = _orientation(opened) == 1
        if opened.format == "JPEG" and opened.mode in ("L", "RGB") and fits and upright:
            opened.load()
            return _Encoded(path.read_bytes(), True, opened.mode == "RGB"), None, opened.size
        if opened.format == "JPEG":
            # Decoded at a half, a quarter or an eighth of its size.
            opened.draft("RGB", (WIDEST, HIGHEST))
        opened.load()
        image: Image.Image = opened if upright else ImageOps.exif_transpose(opened)
    see_through = "A" in image.getbands() or "transparency" in image.info
    image = image.convert("RGBA" if see_through else "L" if image.mode in ("1", "L") else "RGB")
    image.thumbnail((WIDEST, HIGHEST), Image.Resampling.BOX, reducing_gap=None)
    mask = None
    if see_through:
        alpha = image.getchannel("A")
        mask = None if alpha.getextrema() == (255, 255) else zlib.compress(alpha.tobytes(), 6)
        image = image.convert("RGB")
    data = zlib.compress(image.tobytes(), 6)
    if len(data) > LOSSLESS:
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=QUALITY)
        return _Encoded(stream.getvalue(), True, image.mode == "RGB"), mask, image.size
    return _Encoded(data, False, image.mode == "RGB"), mask, image.size
