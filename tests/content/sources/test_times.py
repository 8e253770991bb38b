"""When the files of a source were changed for the last time, as far as it says so."""

from __future__ import annotations

import datetime as dt
import io
import random
import zipfile
from pathlib import Path

import pytest
from dulwich.index import commit_tree
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from content.errors import SourceLimitError
from content.git.layout import read_space
from content.sources import history
from content.sources.git import open_commit
from content.sources.history import message_of_commit
from content.sources.opening import SourceLimits, open_source
from content.sources.zip import open_zip
from tests.content.sources.test_sources import bundle_of

Files = dict[str, bytes]
NAMES = ("a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "g.md", "b.md")


def commit(repo: Repo, files: Files, parents: list[ObjectID], time: int) -> ObjectID:
    """A commit with these files."""
    entries = []
    for path, text in files.items():
        blob = Blob.from_string(text)
        repo.object_store.add_object(blob)
        entries.append((path.encode(), blob.id, 0o100644))
    made = Commit()
    made.tree = commit_tree(repo.object_store, entries)
    made.parents = parents
    made.author = made.committer = b"A <a@example.com>"
    made.author_time = made.commit_time = time
    made.author_timezone = made.commit_timezone = 0
    made.encoding, made.message = b"UTF-8", b"Change"
    repo.object_store.add_object(made)
    return made.id


def random_history(repo: Repo, seed: int, commits: int) -> dict[str, int]:
    """A branch of random changes, some of them merges; the time of the last one of each path."""
    rng = random.Random(seed)
    files: Files = {}
    times: dict[str, int] = {}
    parents: list[ObjectID] = []
    for number in range(commits):
        time = 1_000_000 + 10 * number
        for path in rng.sample(NAMES, rng.randrange(4)):
            if path in files and rng.random() < 0.3:
                del files[path]
            else:
                text = rng.choice((b"one", b"two", b"three"))
                if files.get(path) != text:
                    files[path], times[path] = text, time
        if parents and rng.random() < 0.3:
            # The other side of a merge is of another time.
            parents.append(commit(repo, files, parents[:1], time - 5))
        parents = [commit(repo, files, parents, time)]
    repo.refs[Ref(b"refs/heads/main")] = parents[0]
    repo.refs.set_symbolic_ref(Ref(b"HEAD"), Ref(b"refs/heads/main"))
    return {path: times[path] for path in files}


def seconds(time: dt.datetime | None) -> int | None:
    return None if time is None else int(time.timestamp())


@pytest.mark.parametrize("seed", range(20))
def test_files_of_git_have_the_time_of_their_last_commit(seed: int, tmp_path: Path) -> None:
    folder = tmp_path / "docs.git"
    with Repo.init_bare(str(folder), mkdir=True) as repo:
        times = random_history(repo, seed, 25)
    for place in (folder, bundle_of(folder, tmp_path / "docs.bundle")):
        with open_source(place) as source:
            assert {path: seconds(source.changed_at(path)) for path in source.paths()} == times
            assert source.changed_at("gone.md") is None
            space = read_space(source)
            pages = {str(page.git_path) for page in space.walk()} & times.keys()
            assert {path: seconds(space.changed_at(path)) for path in pages} == times


def test_a_history_that_ends_says_when_its_end_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Repo.init_bare(str(tmp_path / "docs.git"), mkdir=True) as repo:
        first = commit(repo, {"a.md": b"a"}, [], 100)
        second = commit(repo, {"a.md": b"a", "b.md": b"b"}, [first], 200)
        third = commit(repo, {"a.md": b"a", "b.md": b"b", "c.md": b"c"}, [second], 300)
        head = repo[third]
        assert isinstance(head, Commit)
        paths = ["a.md", "b.md", "c.md"]

        def times() -> list[int | None]:
            made = history.change_times(repo.get_object, head, paths)
            return [seconds(made[path]) for path in paths]

        assert times() == [100, 200, 300]
        monkeypatch.setattr(history, "MOST_COMMITS", 2)
        assert times() == [200, 200, 300]
        monkeypatch.undo()
        # As a shallow copy has it.
        (tmp_path / "docs.git" / "objects" / first[:2].decode() / first[2:].decode()).unlink()
        assert times() == [200, 200, 300]


def bomb(repo: Repo, folders: int, depth: int) -> ObjectID:
    """A tree of so many folders that each are the same one, and so on."""
    blob = Blob.from_string(b"x")
    repo.object_store.add_object(blob)
    tree = Tree()
    tree.add(b"x.md", 0o100644, blob.id)
    for _ in range(depth):
        repo.object_store.add_object(tree)
        inner, tree = tree.id, Tree()
        for number in range(folders):
            tree.add(b"%d" % number, 0o040000, inner)
    repo.object_store.add_object(tree)
    return tree.id


def test_what_earlier_commits_had_elsewhere_is_not_opened(tmp_path: Path) -> None:
    with Repo.init_bare(str(tmp_path / "docs.git"), mkdir=True) as repo:
        texts = {"a.md": b"a", "b/c.md": b"c"}
        first = commit(repo, texts, [], 100)
        large = repo[commit(repo, texts, [first], 200)]
        assert isinstance(large, Commit)
        tree = repo[large.tree]
        assert isinstance(tree, Tree)
        # A billion paths.
        tree.add(b"bomb", 0o040000, bomb(repo, 1_000, 3))
        repo.object_store.add_object(tree)
        large.tree = tree.id
        repo.object_store.add_object(large)
        head = repo[commit(repo, texts, [large.id], 300)]
        assert isinstance(head, Commit)
        opened: list[ObjectID] = []

        def get_object(id: ObjectID) -> ShaFile:
            opened.append(id)
            assert len(opened) < 20
            return repo.get_object(id)

        made = history.change_times(get_object, head, texts)
        assert {path: seconds(time) for path, time in made.items()} == {"a.md": 100, "b/c.md": 100}


@pytest.mark.parametrize(("most", "time"), [(10**6, 100), (300, 350)])
def test_a_history_of_large_folders_ends_early(
    most: int, time: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_ENTRIES", most)
    with Repo.init_bare(str(tmp_path / "docs.git"), mkdir=True) as repo:
        texts = {f"{number}.md": b"x" for number in range(50)}
        parents: list[ObjectID] = []
        for number in range(6):
            texts["0.md"] = b"%d" % number
            parents = [commit(repo, texts, parents, 100 + 50 * number)]
        head = repo[parents[0]]
        assert isinstance(head, Commit)
        made = history.change_times(repo.get_object, head, texts)
        assert seconds(made["0.md"]) == 350
        # As old as the last commit that was looked at.
        assert (seconds(made["1.md"]) == 100) == (time == 100)
        assert made.keys() == texts.keys()


@pytest.mark.parametrize("mode", [0o100644, 0o120000])
def test_a_folder_of_many_files_in_many_places_is_not_listed(mode: int, tmp_path: Path) -> None:
    with Repo.init_bare(str(tmp_path / "docs.git"), mkdir=True) as repo:
        blob, leaf, root = Blob.from_string(b"x"), Tree(), Tree()
        for number in range(1_000):
            leaf.add(b"%d.txt" % number, mode, blob.id)
        for number in range(10_000):
            # Ten million paths.
            root.add(b"%d" % number, 0o040000, leaf.id)
        head = repo[commit(repo, {}, [], 100)]
        assert isinstance(head, Commit)
        head.tree = root.id
        for made in (blob, leaf, root, head):
            repo.object_store.add_object(made)
        reads: list[ObjectID] = []

        def get_object(id: ObjectID) -> ShaFile:
            reads.append(id)
            return repo.get_object(id)

        with pytest.raises(SourceLimitError, match="more than 20000 files"):
            open_commit(
                "docs", get_object, head.id, None, SourceLimits(max_files=20_000), repo.close,
                place="docs",
            )  # fmt: skip
        assert len(reads) < 30


def test_entries_of_archives_have_their_dates() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, date in (
            ("a.md", (2024, 5, 6, 7, 8, 10)),
            ("none.md", (1980, 1, 1, 0, 0, 0)),
            ("wrong.md", (2024, 13, 41, 0, 0, 0)),
        ):
            archive.writestr(zipfile.ZipInfo(name, date), b"x")
    source = open_zip(data.getvalue(), SourceLimits())
    assert source.changed_at("a.md") == dt.datetime(2024, 5, 6, 7, 8, 10, tzinfo=dt.UTC)
    assert source.changed_at("none.md") is None
    assert source.changed_at("wrong.md") is None


def test_folders_say_nothing(tmp_path: Path) -> None:
    """The times of copies are those of copying."""
    (tmp_path / "a.md").write_text("a")
    with open_source(tmp_path) as source:
        assert source.changed_at("a.md") is None


@pytest.mark.parametrize(
    ("message", "encoding", "text"),
    [
        ("Änderung\n".encode("latin-1"), b"ISO-8859-1", "Änderung\n"),
        ("変更".encode("shift_jis"), b"Shift_JIS", "変更"),
        ("変更".encode(), None, "変更"),
        ("変更".encode(), b"UTF-8", "変更"),
        (b"\xff", None, "\ufffd"),
        (b"a\0b", None, "a\ufffdb"),
        (b"61", b"hex", "61"),
        (b"a-", b"punycode", "a-"),
        (b"a", b"iso-8859-99", "a"),
        (b"a", b"\xff\0", "a"),
        (b"", None, ""),
        ("€".encode() * 1_000_000, None, "€" * 10_000),
    ],
)
def test_messages_of_commits(message: bytes, encoding: bytes | None, text: str) -> None:
    made = Commit()
    made.message, made.encoding = message, encoding
    assert message_of_commit(made) == text
