"""A process that does the jobs of Git until there are none, or it is killed."""

from dataclasses import replace
from pathlib import Path

from db.session import Database
from docstead.server import Server
from docstead.settings import Settings
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.table import KINDS
from tests.jobs.queue import Queue


async def main(url: str, data_dir: str, port: str) -> None:
    database = Database(url, durable=False)
    server = Server(Settings(data_dir=Path(data_dir), public_url="http://docs.test"), database)
    fetcher = Fetcher(Allowance(frozenset({("127.0.0.1", int(port))})))
    server.git = replace(server.git, fetcher=fetcher, http=True)
    await Queue(server).work(KINDS)
    await database.close()
