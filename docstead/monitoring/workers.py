"""The figures of all processes of a server in one answer.

Each process listens on a socket in a folder that the first one has made, and says there what it has
counted; whichever is asked for the metrics asks the others. Nothing is shared while they count, and
a process that ends takes its figures along: samples name their process, so no sum falls.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

# The variable in which processes find the folder.
FOLDER = "_DOCSTEAD_WORKERS"
ANSWER_SECONDS = 2.0


@contextmanager
def shared_folder() -> Iterator[None]:
    """A folder for the sockets of processes that are started meanwhile; their user's alone."""
    with TemporaryDirectory(prefix="docstead-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


class Workers:
    """This process among those of its server; alone where there is no folder."""

    def __init__(
        self, text: Callable[[], str], environment: Mapping[str, str] = os.environ
    ) -> None:
        """`text` is what this process has counted, in the format of Prometheus."""
        folder = environment.get(FOLDER)
        self._folder = Path(folder) if folder else None
        self._text = text

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Answer the others."""
        if self._folder is None:
            yield
            return
        path = self._folder / str(os.getpid())
        server = await asyncio.start_unix_server(self._answer, path)
        try:
            yield
        finally:
            server.close()
            path.unlink(missing_ok=True)

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(self._text().encode())
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    async def text(self) -> str:
        """The figures of all processes, with the label `worker`; of this one alone without it."""
        if self._folder is None:
            return self._text()
        own = str(os.getpid())
        others = sorted(path for path in self._folder.iterdir() if path.name != own)
        answers = await asyncio.gather(*map(_ask, others))
        texts = {own: self._text()} | {
            path.name: text for path, text in zip(others, answers, strict=True) if text is not None
        }
        return merged(texts)


async def _ask(path: Path) -> str | None:
    """What a process has counted; None when it has ended, or has no time."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_unix_connection(path)
            try:
                return (await reader.read()).decode()
            finally:
                writer.close()
    except ConnectionRefusedError:
        with contextlib.suppress(OSError):
            os.unlink(path)  # nobody listens any more
    except (OSError, TimeoutError):
        pass
    return None


def merged(texts: Mapping[str, str]) -> str:
    """Figures of several processes, by their names, as one text: each family once."""
    families: dict[str, list[str]] = {}
    for worker, text in texts.items():
        samples: list[str] = []
        for line in text.splitlines():
            if line.startswith("# HELP "):
                samples = families.setdefault(line.split(" ", 3)[2], [line])
            elif line.startswith("# "):
                if len(samples) == 1:
                    samples.append(line)
            elif line:
                samples.append(_labelled(line, worker))
    return "\n".join([*(line for lines in families.values() for line in lines), ""])


def _labelled(sample: str, worker: str) -> str:
    name, _, value = sample.rpartition(" ")
    name, brace, labels = name.partition("{")
    return f'{name}{{worker="{worker}"{f",{labels}" if brace else "}"} {value}'
