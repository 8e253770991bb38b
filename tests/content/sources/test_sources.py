from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from dulwich.bundle import create_bundle_from_repo, write_bundle
from dulwich.objects import Blob
from dulwich.repo import Repo

from content.errors import (
    SourceError,
    SourceLimitError,
    UnsafePathError,
)
from content.git.layout import read_space
from content.sources.git import check_pack
from content.sources.opening import SourceLimits, open_source

Files = dict[bytes, tuple[int, bytes]]
MakeRepository = Callable[[Path, Files], str]

FILE = 0o100644
# The id `git hash-object` gives the text "hello\n".
HELLO_OID = "ce013625030ba8dba906f756967f9e9ca394464a"


def bundle_of(repository: Path, bundle: Path, refs: list[bytes] | None = None) -> Path:
    with Repo(str(repository)) as repo:
        made = create_bundle_from_repo(repo, refs=refs)
        with bundle.open("wb") as file:
            write_bundle(file, made)
        made.close()
    return bundle


def test_folder(tmp_path: Path) -> None:
    (tmp_path / "b" / ".git").mkdir(parents=True)
    (tmp_path / "b" / ".git" / "config").write_text("secret")
    (tmp_path / "b" / "a.md").write_text("hello\n")
    (tmp_path / "z.md").write_text("z")
    (tmp_path / "link.md").symlink_to("z.md")
    (tmp_path / "up").symlink_to("..", target_is_directory=True)
    with open_source(tmp_path) as source:
        assert source.paths() == ["b/a.md", "z.md"]
        assert source.read("b/a.md") == b"hello\n"
        assert source.blob_oid("b/a.md") == HELLO_OID
        assert source.blob_oid("nope") is None
        assert source.commit is None
        with pytest.raises(SourceError, match="no such file"):
            source.read("../z.md")


def test_file_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    secret = tmp_path.parent / f"{tmp_path.name}-secret"
    secret.write_text("secret")
    with open_source(tmp_path) as source:
        (tmp_path / "a.md").unlink()
        (tmp_path / "a.md").symlink_to(secret)
        with pytest.raises(SourceError, match=r"a\.md"):
            source.read("a.md")


def test_bare_repository_and_bundle_give_the_commit(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    files: Files = {
        b"dir/a.md": (FILE, b"hello\n"),
        b"run.sh": (0o100755, b"x"),
        b"link": (0o120000, b"/etc/passwd"),
        b"module": (0o160000, b"a" * 40),
    }
    oid = make_repository(tmp_path / "docs.git", files)
    bundle = bundle_of(tmp_path / "docs.git", tmp_path / "docs.bundle")
    for place in (tmp_path / "docs.git", bundle):
        with open_source(place) as source:
            assert source.name == "docs"
            assert source.paths() == ["dir/a.md", "run.sh"]
            assert source.read("dir/a.md") == b"hello\n"
            assert source.blob_oid("dir/a.md") == HELLO_OID
            assert source.size("dir/a.md") == 6
            commit = source.commit
            assert commit is not None
            assert (commit.oid, commit.ref) == (oid, "refs/heads/main")
            assert commit.message == "First version\n"


def test_checkout_is_read_from_its_commit_not_its_work_tree(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    make_repository(tmp_path / "work" / ".git", {b"a.md": (FILE, b"committed")})
    (tmp_path / "work" / "a.md").write_text("changed")
    (tmp_path / "work" / "b.md").write_text("new")
    with open_source(tmp_path / "work") as source:
        assert source.paths() == ["a.md"]
        assert source.read("a.md") == b"committed"


def test_bundle_branch_is_head_then_main_then_the_only_one(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    make_repository(tmp_path / "r", {b"a.md": (FILE, b"a")})
    with Repo(str(tmp_path / "r")) as repo:
        repo.refs[b"refs/heads/other"] = repo.refs[b"refs/heads/main"]
        repo.refs[b"refs/heads/third"] = repo.refs[b"refs/heads/main"]
    only = bundle_of(tmp_path / "r", tmp_path / "only.bundle", [b"refs/heads/other"])
    with open_source(only) as source:
        assert source.commit is not None
        assert source.commit.ref == "refs/heads/other"
    two = bundle_of(
        tmp_path / "r", tmp_path / "two.bundle", [b"refs/heads/other", b"refs/heads/third"]
    )
    with pytest.raises(SourceError, match=r"refs/heads/other, refs/heads/third"):
        open_source(two)


@pytest.mark.parametrize(
    "path", [b"a/../b.md", b"a\\b.md", b"x/.GIT/config", b"a\x01.md", b"\xff.md"]
)
def test_unsafe_paths_in_git_are_refused(
    tmp_path: Path, make_repository: MakeRepository, path: bytes
) -> None:
    make_repository(tmp_path / "r", {path: (FILE, b"x")})
    with pytest.raises(UnsafePathError):
        open_source(tmp_path / "r")


def test_paths_that_differ_in_case_are_all_there(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    names = [b"Guide/A.md", b"c\xcc\xa7.md", b"guide/a.md", b"\xc3\xa7.md"]
    make_repository(tmp_path / "r", {name: (FILE, name) for name in names})
    with open_source(tmp_path / "r") as source:
        assert [source.read(path) for path in source.paths()] == names


def test_assets_whose_names_differ_in_case_are_two(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    make_repository(
        tmp_path / "r",
        {
            b"README.md": (
                FILE,
                b"# R\n\n![](.gitbook/assets/Logo.png) ![](.gitbook/assets/logo.png)",
            ),
            b".gitbook/assets/Logo.png": (FILE, b"one"),
            b".gitbook/assets/logo.png": (FILE, b"two"),
        },
    )
    with open_source(tmp_path / "r") as source:
        read = read_space(source)
        assert [file.path for file in read.files] == [
            ".gitbook/assets/Logo.png", ".gitbook/assets/logo.png"
        ]  # fmt: skip
    (warning,) = read.warnings
    assert "differs from '.gitbook/assets/Logo.png' only in upper and lower case" in warning


def test_limits(tmp_path: Path, make_repository: MakeRepository) -> None:
    files: Files = {b"a.md": (FILE, b"x" * 50), b"b.md": (FILE, b"y" * 50)}
    make_repository(tmp_path / "r", files)
    folder = tmp_path / "f"
    folder.mkdir()
    for name, (_, content) in files.items():
        (folder / name.decode()).write_bytes(content)
    for place in (folder, tmp_path / "r"):
        with pytest.raises(SourceLimitError, match=r"a\.md: has 50 bytes"):
            open_source(place, SourceLimits(max_file_bytes=49))
        with pytest.raises(SourceLimitError, match="more than 1 files"):
            open_source(place, SourceLimits(max_files=1))
        with pytest.raises(SourceLimitError, match="more than 99 bytes"):
            open_source(place, SourceLimits(max_total_bytes=99))
        open_source(place, SourceLimits(max_total_bytes=100)).close()


def test_tree_of_trees_that_never_ends_is_refused(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    from dulwich.objects import Tree

    make_repository(tmp_path / "r", {b"a.md": (FILE, b"")})
    with Repo(str(tmp_path / "r")) as repo:
        inner = repo[repo.head()].tree
        for _ in range(20):
            tree = Tree()
            tree.add(b"a", 0o040000, inner)
            tree.add(b"b", 0o040000, inner)
            repo.object_store.add_object(tree)
            inner = tree.id
        commit = repo[repo.head()].copy()
        commit.tree = inner
        repo.object_store.add_object(commit)
        repo.refs[b"refs/heads/main"] = commit.id
    with pytest.raises(SourceError, match=r"more than 500 (files|folders)"):
        open_source(tmp_path / "r", SourceLimits(max_files=500))


def test_pack_bomb_is_refused_before_it_is_unpacked() -> None:
    size, header = 50_000_000, bytearray()
    value = size >> 4
    header.append(0x80 | (3 << 4) | (size & 15))
    while value > 0x7F:
        header.append(0x80 | (value & 0x7F))
        value >>= 7
    header.append(value)
    body = bytes(header) + zlib.compress(b"\x00" * size)
    pack = b"PACK" + (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + body + b"\x00" * 20
    with pytest.raises(SourceLimitError, match="50000000 bytes"):
        check_pack(pack, max_object_bytes=1_000_000, max_total_bytes=10**9)
    with pytest.raises(SourceLimitError, match="unpacks to more"):
        check_pack(pack, max_object_bytes=10**8, max_total_bytes=1_000_000)
    check_pack(pack, max_object_bytes=10**8, max_total_bytes=10**8)


def test_damaged_bundles_are_source_errors(tmp_path: Path, make_repository: MakeRepository) -> None:
    make_repository(tmp_path / "r", {b"a.md": (FILE, os.urandom(2000))})
    whole = bundle_of(tmp_path / "r", tmp_path / "r.bundle").read_bytes()
    broken = tmp_path / "broken.bundle"
    variants = [whole[:cut] for cut in range(5, len(whole), 97)]
    variants += [
        whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(20, 600, 7)
    ]
    refused = 0
    for variant in variants:
        broken.write_bytes(variant)
        try:
            open_source(broken).close()
        except SourceError:
            refused += 1
    assert refused > len(variants) / 2


def test_a_partial_clone_names_what_it_lacks(
    tmp_path: Path, make_repository: MakeRepository
) -> None:
    path = tmp_path / "r"
    make_repository(path, {b"README.md": (FILE, b"# Docs"), b"images/a.png": (FILE, b"picture")})
    oid = Blob.from_string(b"picture").id.decode()
    (path / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(SourceError) as caught:
        open_source(path)
    assert str(caught.value) == (
        f"{path}, images/a.png: the Git object {oid} is missing: the clone does not have all "
        "objects; fetch them first, without a filter"
    )


def test_places_that_are_no_source(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    Repo.init_bare(str(tmp_path / "unborn"), mkdir=True).close()
    for name in ("text", "absent", "empty", "unborn", "nul\x00"):
        with pytest.raises(SourceError):
            open_source(tmp_path / name)
