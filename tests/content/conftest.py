from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dulwich.objects import Blob, Commit, Tree
from dulwich.repo import Repo

FIXTURES = Path(__file__).parent / "fixtures"
Files = dict[bytes, tuple[int, bytes]]
MakeRepository = Callable[[Path, Files], str]


@pytest.fixture
def space_folder() -> Path:
    return FIXTURES / "space"


def commit_files(place: Path, files: Files) -> str:
    """A bare repository at `place` with one commit of `files` ({path: (mode, content)}) on main."""
    place.mkdir(parents=True, exist_ok=True)
    with Repo.init_bare(str(place)) as repository:
        store = repository.object_store

        def tree_of(entries: Files) -> bytes:
            tree = Tree()
            folders: dict[bytes, Files] = {}
            for path, (mode, content) in entries.items():
                head, _, rest = path.partition(b"/")
                if rest:
                    folders.setdefault(head, {})[rest] = (mode, content)
                elif mode == 0o160000:
                    tree.add(head, mode, content)
                else:
                    blob = Blob.from_string(content)
                    store.add_object(blob)
                    tree.add(head, mode, blob.id)
            for name, inner in folders.items():
                tree.add(name, 0o040000, tree_of(inner))
            store.add_object(tree)
            return tree.id

        commit = Commit()
        commit.tree = tree_of(files)
        commit.author = commit.committer = b"Ada <ada@example.org>"
        commit.commit_time = commit.author_time = 1_700_000_000
        commit.commit_timezone = commit.author_timezone = 0
        commit.message = b"First version\n"
        store.add_object(commit)
        repository.refs[b"refs/heads/main"] = commit.id
        repository.refs.set_symbolic_ref(b"HEAD", b"refs/heads/main")
        return commit.id.decode()


@pytest.fixture
def make_repository() -> MakeRepository:
    return commit_files
