"""The data of the demo on SQLite: filled once for all test processes, and each test has a copy."""

import fcntl
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.docstead.test_serve import run

# Processes that a test process starts inherit it.
FOLDER = "DOCSTEAD_TEST_DEMO"
DATABASE = "docstead.sqlite3"


def share_demo() -> TemporaryDirectory[str]:
    """Where this process and those it starts have the demo; it goes when this process ends."""
    folder = TemporaryDirectory(prefix="docstead-demo-")
    os.environ[FOLDER] = folder.name
    return folder


def demo_folder(data_dir: Path, database: Path | None = None) -> Any:
    """What `docstead demo` prints, with the data in a new folder; the database may be elsewhere."""
    folder = Path(os.environ[FOLDER])
    filled, printed = folder / "data", folder / "printed.json"
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not printed.exists():
            printed.write_text(json.dumps(run("demo", "--no-serve", "--data-dir", str(filled))))
    shutil.copytree(filled, data_dir)
    if database is not None:
        # Somebody may be connected to it.
        own = closing(sqlite3.connect(data_dir / DATABASE))
        with own as source, closing(sqlite3.connect(database)) as target:
            source.backup(target)
        (data_dir / DATABASE).unlink()
    return json.loads(printed.read_text())
