"""The garbage collector of a server process."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from docstead.asgi import create_app
from docstead.settings import Settings


@pytest.fixture
def collector() -> Iterator[None]:
    """As in a new process; the tests' own settings come back."""
    before = gc.get_threshold()
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
async def test_a_server_that_has_started_leaves_alone_what_is_there(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path, public_url="http://docs.test", gc_threshold=1234))
    assert gc.get_freeze_count() == 0
    async with app.router.lifespan_context(app):
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[0] == 1234
