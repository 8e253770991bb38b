"""What links in texts mean: files of the folder of assets, wherever the link looks for that."""

from __future__ import annotations

import pytest

from content.links.meaning import FilePaths, Standing, asset_key, file_key, meaning_of

PATHS = (".gitbook/assets/Plan A.png", ".gitbook/assets/sub/x.png", "guide/.gitbook/assets/own.png")


def led(url: str, file: str, root: str = "") -> object:
    """The file that a link leads to; things stand at paths in the repository."""
    places = FilePaths()
    for path in PATHS:
        places.add("file", f"{root}/{path}".strip("/"), path)
    places.add("page", f"{root}/guide/page.md".strip("/"), "page")
    meaning = meaning_of(url, Standing("guide/page", file, root))
    if meaning is None:
        return None
    reference = meaning.lead(
        lambda key: places.at(file_key(f"{root}/{key}".strip("/"))), lambda address: None
    )
    return None if reference is None else reference.get("file", reference.get("page"))


@pytest.mark.parametrize("root", ["", "docs", "docs/en"])
@pytest.mark.parametrize("file", ["README.md", "guide/page.md", "a/b/c/deep.md"])
@pytest.mark.parametrize("steps", ["", "./", "/", *("../" * count for count in range(1, 7))])
@pytest.mark.parametrize(
    ("url", "path"),
    [
        (".gitbook/assets/Plan%20A.png", PATHS[0]),
        (".gitbook/assets/plan a.PNG", PATHS[0]),
        (".GitBook/Assets/PLAN%20a.png", PATHS[0]),
        ("docs/.gitbook/assets/Plan A.png?raw=true", PATHS[0]),
        (".gitbook/assets/sub/X.png", PATHS[1]),
        (".gitbook/assets/x.png", None),
        (".gitbook/assets/", None),
        ("assets/Plan A.png", None),
    ],
)
def test_assets_are_there_at_any_depth_and_in_any_case(
    url: str, path: str | None, steps: str, file: str, root: str
) -> None:
    assert led(steps + url, file, root) == path


def test_the_very_path_comes_first() -> None:
    places = FilePaths()
    for path in ("a/.gitbook/assets/x.png", ".gitbook/assets/X.png", ".gitbook/assets/x.png"):
        places.add("file", path, path)
    for path in (".gitbook/assets/X.png", ".gitbook/assets/x.png"):
        meaning = meaning_of(f"/{path}", Standing("", "page.md"))
        assert meaning is not None
        assert meaning.lead(places.at, lambda address: None) == {"kind": "file", "file": path}


def test_other_files_have_no_such_key() -> None:
    assert asset_key("images/x.png") is None
    assert asset_key("/.gitbook/assets/A/x.PNG") == asset_key(".gitbook/assets/a/X.png")
