"""Images and text of PDFs: as large as paper shows them, and copied as they were written."""

import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader

from content.pdf.images import HIGHEST, WIDEST
from content.pdf.job import IMAGES, JOB_FILE, PrintedFile, PrintJob, write_job
from jobs.print_process import run_print_process
from tests.jobs.test_printing import GENEROUS, make_job

RED, BLUE, HALF = (220, 20, 30), (20, 40, 200), (20, 40, 200, 128)
POINTS = 72 / 96


def painted(size: tuple[int, int], mode: str = "RGB") -> Image.Image:
    """The left half red, the right half blue, half transparent where the mode allows."""
    image = Image.new("RGBA", size, (*RED, 255))
    image.paste(HALF if mode == "RGBA" else (*BLUE, 255), (size[0] // 2, 0, *size))
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def turned() -> bytes:
    """A JPEG that stands on its side, and says so."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return saved(painted((300, 600)).transpose(Image.Transpose.ROTATE_90), "JPEG", exif=exif)


FILES = {
    "large.png": saved(painted((2000, 1000)), "PNG"),
    "seen.png": saved(painted((400, 200), "RGBA"), "PNG"),
    "palette.png": saved(painted((400, 200)).quantize(8), "PNG"),
    "a.webp": saved(painted((400, 200)), "WEBP", lossless=True),
    "a.gif": saved(painted((400, 200)), "GIF"),
    "a.jpg": saved(painted((400, 200)), "JPEG", quality=95),
    "large.jpg": saved(painted((4000, 2000)), "JPEG", quality=95),
    "turned.jpg": turned(),
    "tall.png": saved(painted((800, 4000)), "PNG"),
    "cut.png": saved(painted((900, 900)), "PNG")[:400],
}
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">'
    b'<rect width="100" height="50" fill="#00ff00"/></svg>'
)
TYPES = {"svg": "image/svg+xml", "jpg": "image/jpeg"}


def job_of(names: list[str]) -> PrintJob:
    files = {}
    nodes = []
    for name in names:
        kind = name.rpartition(".")[2]
        files[name] = PrintedFile(
            name, 1, image=name, content_type=TYPES.get(kind, f"image/{kind}")
        )
        ref = {"kind": "file", "file": name}
        nodes.append({"object": "block", "type": "image", "data": {"ref": ref}})
    job = make_job("", files=files)
    job.pages[0].document["nodes"] = nodes  # type: ignore[index]
    return job


async def drawn(job: PrintJob, folder: Path, data: dict[str, bytes]) -> bytes:
    (folder / IMAGES).mkdir()
    (folder / JOB_FILE).write_bytes(write_job(job))
    for name, content in data.items():
        (folder / IMAGES / name).write_bytes(content)
    return (await run_print_process(folder, GENEROUS)).read_bytes()


async def test_images_are_as_large_as_paper_shows_and_look_the_same(tmp_path: Path) -> None:
    data = {**FILES, "a.svg": SVG}
    pdf = await drawn(job_of(list(data)), tmp_path, data)
    embedded = [image for sheet in PdfReader(io.BytesIO(pdf)).pages for image in sheet.images]
    sizes = [image.image.size for image in embedded if image.image is not None]
    assert all(width <= WIDEST and height <= HIGHEST for width, height in sizes)
    # The damaged one is a gap, the drawing no image.
    assert sorted(sizes) == sorted(
        [(1050, 525), (400, 200), (400, 200), (400, 200), (400, 200), (400, 200), (1050, 525),
         (300, 600), (250, 1250), (1, 1)]
    )  # fmt: skip
    shown: list[tuple[float, float]] = []
    document = pypdfium2.PdfDocument(pdf)
    colours = set()
    for sheet in document:
        for item in sheet.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]):
            left, bottom, right, top = item.get_bounds()
            shown.append(((right - left) / POINTS, (top - bottom) / POINTS))
        picture = sheet.render(scale=1).to_pil().convert("RGB")
        colours |= {colour for _, colour in picture.getcolors(1 << 20) or ()}
    for near in (RED, BLUE, (137, 147, 227), (0, 255, 0)):
        assert any(max(abs(a - b) for a, b in zip(near, c, strict=True)) < 12 for c in colours), (
            near
        )
    for width, height in ((400, 200), (300, 600)):
        assert any(abs(w - width) < 4 and abs(h - height) < 4 for w, h in shown)
    assert max(height for _, height in shown) <= 200 / 25.4 * 96 + 4
    assert any(abs(h / w - 5) < 0.1 for w, h in shown)


@pytest.mark.parametrize("mark", ["", "`"])
async def test_text_is_copied_as_it_is_written(mark: str, tmp_path: Path) -> None:
    text = "2x4 10x20 1920x1080 -> => <- != === fi fl ffi office 0x1F 12:30 A-B www (c) 1/2 ..."
    words = text.split()
    pdf = await drawn(make_job("\n\n".join(f"{mark}{word}{mark}" for word in words)), tmp_path, {})
    (sheet,) = pypdfium2.PdfDocument(pdf)
    copied = sheet.get_textpage().get_text_range().split()
    assert [word for word in words if word not in copied] == []


async def test_blocks_in_cells_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    cells = (
        "<ul><li>Unlimited traffic</li><li>Basic customization</li></ul>",
        "<h4>Title</h4><p>First paragraph</p><p>Second paragraph</p>",
        "<pre><code>x = 1\ny = 2</code></pre>",
    )
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    head = "<th>a</th><th>b</th><th>c</th>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>"
    pdf = await drawn(make_job(table), tmp_path, {})
    (sheet,) = pypdfium2.PdfDocument(pdf)
    page = sheet.get_textpage()

    def place(text: str) -> tuple[float, float]:
        """The left and lower edge of the first character of a text."""
        found = page.search(text).get_next()
        assert found is not None, text
        left, bottom, *_ = page.get_charbox(found[0])
        return left, bottom

    for cell in (("Unlimited", "Basic"), ("Title", "First", "Second"), ("x = 1", "y = 2")):
        places = [place(text) for text in cell]
        assert max(left for left, _ in places) - min(left for left, _ in places) < 3
        assert all(upper[1] - lower[1] > 8 for upper, lower in pairwise(places))
