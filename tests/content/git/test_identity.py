"""What was renamed is known again, as Git sees it, in linear time."""

from collections.abc import Mapping

from content.git.identity import Arrived, Trace, renamed_files
from content.sources.tree import git_blob_oid


def known_again(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Old paths by new ones; each old file has its path as its id."""
    blobs = {git_blob_oid(data): data for data in old.values()}
    gone = {path: Trace(path, git_blob_oid(data)) for path, data in old.items()}
    come = [Arrived(path, git_blob_oid(data), lambda data=data: data) for path, data in new.items()]
    return renamed_files(gone, come, blobs.get)


def test_the_same_bytes_are_the_same_file_the_same_name_first() -> None:
    same = b"# A\n"
    assert known_again({"x/a.md": same, "x/b.md": same}, {"y/b.md": same, "y/a.md": same}) == {
        "y/a.md": "x/a.md", "y/b.md": "x/b.md",
    }  # fmt: skip


def test_half_of_the_lines_make_a_file_the_same() -> None:
    lines = [b"line number %d\n" % number for number in range(10)]
    old = {"a.md": b"".join(lines)}
    half = b"".join(lines[:5] + [b"other word %d\n" % number for number in range(5)])
    less = b"".join(lines[:4] + [b"other word %d\n" % number for number in range(6)])
    assert known_again(old, {"b.md": half}) == {"b.md": "a.md"}
    assert known_again(old, {"b.md": less}) == {}


def test_the_more_similar_file_comes_first() -> None:
    old = {"a.md": b"one\ntwo\nthree\nfour\n"}
    new = {"b.md": b"one\ntwo\nthree\n", "c.md": b"one\ntwo\nthree\nfour\nfive\n"}
    assert known_again(old, new) == {"c.md": "a.md"}


def test_lines_that_all_files_have_make_none_the_same() -> None:
    head = b"---\nlayout: wide\n---\n"
    old = {f"a{number}.md": head + b"text %d\n" % number for number in range(40)}
    new = {f"b{number}.md": head + b"word %d\n" % (100 + number) for number in range(40)}
    assert known_again(old, new) == {}
