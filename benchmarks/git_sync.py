"""`python -m benchmarks.git_sync`: imports and exports of a repository, all or a little of it.

A real Git server on loopback with a repository of so many pages; the installation is a server with
SQLite whose jobs are done in this process. CPU time is that of this process and of those that it
has started, those of the Git server among them.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from random import Random

from strawberry import ID

from benchmarks.content_merges import WORDS
from benchmarks.merges import new_space, own_organization
from benchmarks.servers import migrated
from content.git.page_files import KnownPageFiles
from db.job_enums import JobState
from docstead.server import Server
from docstead.settings import Settings
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.git import exporting, importing
from jobs.table import KINDS
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import UpdatePageInput
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.git.operations import (
    ExportToGitRepositoryInput,
    ImportGitRepositoryInput,
    export_to_git_repository,
    import_git_repository,
)
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import Step, write_steps
from resolvers.writing.received_files import Place
from tests.git.server import GitServer, git_server
from tests.jobs.queue import Queue

NAME, EMPTY, MAIN = "docs", "empty", "refs/heads/main"


def _text(random: Random, title: str) -> str:
    paragraphs = [" ".join(random.choices(WORDS, k=60)) for _ in range(8)]
    return f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"


def files_of(random: Random, number: int) -> dict[str, str | bytes]:
    """A repository of so many pages."""
    paths = [f"part-{one // 50}/page-{one}.md" for one in range(number)]
    summary = "".join(f"* [Page {path}]({path})\n" for path in paths)
    files = {path: _text(random, f"Page {path}") for path in paths}
    return {**files, "README.md": "# Home\n", "SUMMARY.md": f"* [Home](README.md)\n{summary}"}


async def _prepare(ctx: Context) -> str:
    must_be_operator(ctx)
    ctx.actor = Actor("0" * 20)
    return await new_space(ctx, await own_organization(ctx))


async def _measured(name: str, work: Awaitable[None]) -> None:
    before, began = _cpu(), time.perf_counter()
    await work
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:28} {time.perf_counter() - began:7.2f} s  {_cpu() - before:7.2f} s CPU"
          f"  {peak:5} MB at most so far")  # fmt: skip


def _cpu() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _forget_pages() -> None:
    """Know no pages, as a process that has just started."""
    importing.PAGES = exporting.PAGES = KnownPageFiles(100_000_000, 2_000_000)


class Bench:
    """An installation with one space, and a repository."""

    def __init__(self, server: Server, remote: GitServer, space_id: str) -> None:
        self.server, self.remote, self.space_id = server, remote, space_id

    async def _do(self) -> None:
        queue = Queue(self.server)
        await queue.work(KINDS)
        job = (await queue.jobs())[-1]
        if job.state is not JobState.SUCCEEDED:
            raise SystemExit(f"{job.kind.value} has failed: {job.error}")

    async def bring(self) -> None:
        wanted = ImportGitRepositoryInput(url=self.remote.url(NAME), ref=MAIN)
        async with self.server.context_of(OPERATOR) as ctx:
            await run(ctx, import_git_repository, ID(self.space_id), wanted)
        await self._do()

    async def take(self, name: str = NAME) -> None:
        wanted = ExportToGitRepositoryInput(
            url=self.remote.url(name), ref=MAIN, commit_message="Changed", force=name != NAME
        )
        async with self.server.context_of(OPERATOR) as ctx:
            await run(ctx, export_to_git_repository, ID(self.space_id), wanted)
        await self._do()

    async def edit(self, number: int, text: str) -> None:
        """Give some pages another text."""
        async with self.server.context_of(OPERATOR) as ctx:

            async def ids(ctx: Context) -> list[str]:
                target = await open_target(ctx, self.space_id)
                (pages,) = await all_pages(ctx, [target.revision])
                return [page.id for page in pages if page.title.startswith("Page")][:number]

            body = PageBodyInput(markdown=text)
            steps = [
                Step("update_page", UpdatePageInput(page=ID(id), body=body), "operation")
                for id in await run(ctx, ids)
            ]
            await run(ctx, write_steps, Place(self.space_id), steps)


async def _run(pages: int, changed: int, folder: Path) -> None:
    random = Random(1)
    files = files_of(random, pages)
    (folder / "git").mkdir()
    with git_server(folder / "git") as remote:
        remote.make(NAME, files)
        async with migrated(f"sqlite:///{folder / 'docstead.sqlite3'}") as database:
            server = Server(Settings(data_dir=folder / "data"), database)
            fetcher = Fetcher(Allowance(frozenset({("127.0.0.1", remote.port)})))
            server.git = replace(server.git, fetcher=fetcher, http=True)
            async with server.context_of(OPERATOR) as ctx:
                space_id = await run(ctx, _prepare)
            bench = Bench(server, remote, space_id)
            some = [path for path in files if path.startswith("part")][:changed]
            await _measured(f"import of {pages}", bench.bring())
            remote.commit(NAME, {path: _text(random, "Changed") for path in some})
            await _measured(f"import of {changed} of them", bench.bring())
            await bench.edit(changed, "Another text.\n")
            await _measured(f"export of {changed} of them", bench.take())
            remote.commit(NAME, {path: _text(random, "Again") for path in some})
            _forget_pages()
            await _measured(f"import of {changed}, new process", bench.bring())
            await bench.edit(changed, "Another one.\n")
            _forget_pages()
            await _measured(f"export of {changed}, new process", bench.take())
            remote.make(EMPTY)
            await _measured(f"export of all {pages}", bench.take(EMPTY))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--changed", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-git-") as folder:
        asyncio.run(_run(options.pages, options.changed, Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
