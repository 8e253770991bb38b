"""When the files of a source were changed for the last time, as far as it says so."""

from __future__ import annotations

import datetime as dt
import io
import random
import zipfile
from pathlib import Path

import pytest
from dulwich.index import commit_tree
from dulwich.objects import Blob, Commit, ObjectID
from dulwich.refs import Ref
from dulwich.repo import Repo

from content.git.layout import read_space
from content.sources import history
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
            assert {page.git_path: seconds(space.changed_at(page.git_path or "")) for page in space.walk()
                    if page.git_path in times} == times  # fmt: skip


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
