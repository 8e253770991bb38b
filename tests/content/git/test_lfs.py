"""Pointers of Git LFS, and the files that attributes say it keeps, as Git itself reads them."""

import itertools
import os
import re
import subprocess

import pytest
from hypothesis import given, settings, strategies as st

from content.git.layout import read_space
from content.git.lfs import Pointer, PointerError, pointer_at, read_pointer, tracked
from content.sources.opening import SourceLimits, open_folder
from content.sources.tree import SourceEntry, SourceTree
from tests.growth import Work, assert_growth, assert_ratio

OID = "7" * 64


@given(st.text("0123456789abcdef", min_size=64, max_size=64), st.integers(0, 10**12))
def test_pointers_are_read_as_they_are_written(oid: str, size: int) -> None:
    data = Pointer(oid, size).data
    assert read_pointer(data) == (oid, size)
    assert read_pointer(data.replace(b"\n", b"\r\n")) == (oid, size)
    assert read_pointer(data + b"x") is None


@pytest.mark.parametrize(
    "lines",
    [
        [], ["oid sha256:" + OID], [f"oid sha256:{OID}", "size -5"], [f"oid md5:{OID}", "size 5"],
        [f"oid sha256:{OID}", f"size 1{'0' * 15}"], [f"oid sha256:{OID[1:]}", "size 5"],
        [f"ext-0-a sha256:{OID}", f"oid sha256:{OID}", "size 5"],
    ],
)  # fmt: skip
def test_what_is_no_pointer(lines: list[str]) -> None:
    version = "version https://git-lfs.github.com/spec/v1"
    assert read_pointer("".join(f"{line}\n" for line in [version, *lines]).encode()) is None


def test_long_files_are_not_read() -> None:
    def load(path: str) -> bytes:
        raise AssertionError

    tree = SourceTree("x", {"a": SourceEntry(1024)}, load)
    assert pointer_at(tree, "a") is None


NAMES = st.text("ab.-", min_size=1, max_size=3).filter(lambda name: name.strip("."))
PIECES = st.sampled_from(["a", "b", ".", "*", "?", "**", "[ab]", "[!a]", "[a-b]", "\\a", "-"])
PARTS = st.lists(PIECES, min_size=1, max_size=3).map("".join)
PATTERNS = st.builds(
    lambda parts, start, end: start + "/".join(parts) + end,
    st.lists(PARTS | st.just("**"), min_size=1, max_size=3), st.sampled_from(["", "", "/"]),
    st.sampled_from(["", "", "", "/"]),
)  # fmt: skip
LINES = st.builds(
    lambda pattern, value: f"{pattern} {value}",
    PATTERNS,
    st.sampled_from(["filter=lfs diff=lfs -text", "-filter", "filter=other", "!filter", "text"]),
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["", "a/", "b/", "a/b/"]), st.lists(LINES, max_size=4)),
    st.sets(PATHS, min_size=1, max_size=12),
)
def test_attributes_mean_what_they_mean_to_git(
    tmp_path_factory: pytest.TempPathFactory,
    attributes: dict[str, list[str]],
    paths: set[str],
) -> None:
    folder = tmp_path_factory.mktemp("attributes")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", str(folder)], check=True, env=environment)
    for place, lines in attributes.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / ".gitattributes").write_text("".join(f"{line}\n" for line in lines))
    said = subprocess.run(
        ["git", "-C", str(folder), "check-attr", "--stdin", "-z", "filter"], check=True,
        input="\0".join(sorted(paths)), capture_output=True, text=True, env=environment,
    ).stdout.split("\0")  # fmt: skip
    theirs = {path for path, value in zip(said[::3], said[2::3], strict=False) if value == "lfs"}
    assert tracked(open_folder(folder, SourceLimits()), paths) == theirs


def test_no_pattern_takes_long() -> None:
    data = ("*a" * 40 + "b filter=lfs\n").encode()
    tree = SourceTree("x", {".gitattributes": SourceEntry(len(data))}, lambda path: data)

    def matching(size: int) -> Work:
        return lambda: tracked(tree, ["a" * size])

    assert_growth(matching, 100)


NUMBERS = itertools.count()


@pytest.mark.parametrize("pattern", ["[", "[a", "*[a-z]", "*a?", "*a", "**"])
def test_long_patterns_take_as_long_as_they_are(pattern: str) -> None:
    def matching(length: int) -> Work:
        # None that was read before.
        lines = [f"{pattern * (length // len(pattern))}{next(NUMBERS)} filter=lfs\n"
                 for _ in range(48)]  # fmt: skip
        data = "".join(lines).encode()
        tree = SourceTree("x", {".gitattributes": SourceEntry(len(data))}, lambda path: data)
        return lambda: tracked(tree, ["a" * 200])

    assert_ratio(lambda: matching(200), lambda: matching(1_600), 40)


def test_lines_that_git_leaves_out_are_left_out() -> None:
    def tree(length: int) -> SourceTree:
        data = f"*.png {'x' * (length - 17)} filter=lfs\n".encode()
        return SourceTree("x", {".gitattributes": SourceEntry(len(data))}, lambda path: data)

    assert tracked(tree(2_000), ["a.png"]) == {"a.png"}
    assert tracked(tree(2_100), ["a.png"]) == set()


@pytest.mark.parametrize("path", ["README.md", "SUMMARY.md", ".gitbook/includes/a.md",
                                  ".gitbook/vars.yaml", ".gitbook.yaml"])  # fmt: skip
def test_a_pointer_is_no_text(path: str) -> None:
    pointer = Pointer("0" * 64, 7)
    files = {"README.md": b"# Home\n", path: pointer.data}
    tree = SourceTree("docs", {p: SourceEntry(len(d)) for p, d in files.items()}, files.__getitem__)
    with pytest.raises(PointerError, match=f"^{re.escape(path)}: is a pointer of Git LFS"):
        read_space(tree)
