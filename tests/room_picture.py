"""docs/images/rooms.svg: the packages and rooms in their order. `python -m tests.room_picture`
writes it from pyproject.toml."""

import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
# What rooms are made of: they have no door.
FLOORS = {"core", "access", "lists", "addresses", "revisions", "drafts"}
LEFT, WIDTH, GAP, HEIGHT, STEP = 40, 820, 12, 34, 44
# Above the first rectangle, around the rooms of resolvers.
TOP, MARGIN, CAPTION = 20, 16, 34


def rows_of(name: str) -> list[list[str]]:
    """The rows of a contract of import-linter, top to bottom."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        one for one in project["tool"]["importlinter"]["contracts"] if one["name"] == name
    )
    return [row.split(" | ") for row in contract["layers"]]


def _row(names: list[str], y: int, kind: str) -> list[str]:
    width = (WIDTH - GAP * (len(names) - 1)) / len(names)
    lines = []
    for number, name in enumerate(names):
        x = LEFT + number * (width + GAP)
        one = "y" if kind == "g" and name in FLOORS else kind
        lines.append(
            f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{HEIGHT}" rx="6" '
            f'class="{one}"/>'
        )
        lines.append(
            f'<text x="{x + width / 2:.0f}" y="{y + 22}" text-anchor="middle">{escape(name)}</text>'
        )
    return lines


def picture() -> str:
    """The picture as it has to be; its head, with the colours, stays as it is written there."""
    head = PICTURE.read_text(encoding="utf-8").partition("</defs>")[0]
    lines: list[str] = []
    y = TOP
    zone = ""
    for names in rows_of("Dependency direction"):
        if names != ["resolvers"]:
            doors = {"schema", "rest_compat", "published", "account_pages"}
            lines += _row(names, y, "d" if doors & {*names} else "")
            y += STEP
            continue
        begin, y = y, y + CAPTION
        lines.append(
            f'<text class="s" x="{LEFT}" y="{y - 12}">'
            "resolvers: a room imports from the rows below it</text>"
        )
        for number, rooms in enumerate(rows_of("Order of the rooms")):
            lines += _row(rooms, y, "" if number == 0 else "g")
            y += STEP
        zone = f'<rect x="20" y="{begin}" width="860" height="{y - begin}" rx="8" class="zone"/>'
        y += MARGIN
    lines.append(
        f'<text class="s" x="{LEFT}" y="{y + 10}">'
        "green: rooms with a door; yellow: floors, open to all rooms above</text>"
    )
    _, _, rest = head.partition(">")
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {y + 24}" role="img" '
        'aria-label="The packages and the rooms of resolvers, each above what it may import">'
    )
    return "\n".join([f"{start}{rest}</defs>", zone, *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
