"""The folder in which commands find a database."""

import shutil
from pathlib import Path

import pytest

from tests.docstead.demo_data import DATABASE


@pytest.fixture
def migrated_data(sqlite_template: Path, tmp_path: Path) -> Path:
    """The folder `data` with a migrated database, for commands that run beside it: migrating takes
    half a second of a processor."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    shutil.copy(sqlite_template, folder / DATABASE)
    return folder
