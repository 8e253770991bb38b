"""The picture of the rooms shows those of pyproject.toml."""

from tests.room_picture import PICTURE, picture


def test_the_picture_shows_the_rooms() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run python -m tests.room_picture"
