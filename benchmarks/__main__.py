"""`python -m benchmarks`: the product beside other servers on the same data, in one run.

Linux only. Every contender is a process of its own on one core; the load and PostgreSQL have
another. docs/performance.md tells the method.
"""

import argparse
import asyncio
import dataclasses
import datetime as dt
import platform
import signal
import sys
from dataclasses import dataclass, field

import orjson

from benchmarks.contenders import CONTENDERS, NODE, Contender
from benchmarks.content import ContentResults, measure_content
from benchmarks.lists import ListResults, measure_lists
from benchmarks.measure import WRK
from benchmarks.node_packages import problem
from benchmarks.page_spaces import LARGE
from benchmarks.progress import progress
from benchmarks.published import PublishedResults, measure_published
from benchmarks.reads import Choice, Results, measure_reads
from benchmarks.report import content_report, lists_report, reads_report
from benchmarks.reports_of_content import published_report, writes_report
from benchmarks.servers import pin_load
from benchmarks.writes import WriteResults, measure_writes

DATABASES = ("sqlite", "postgresql")
WORKLOADS = (
    "W1", "W2", "W3", "W4", "V1", "V2", "V3", "P1", "P2", "P4", "W3x1", "known", "new", "inline",
    "spaces", "content", "published", "writes",
)  # fmt: skip
# Runs of their own on other data.
LARGE_LIST, CONTENT, PUBLISHED, WRITES = "spaces", "content", "published", "writes"
OWN_DATA = frozenset({LARGE_LIST, CONTENT, PUBLISHED, WRITES})


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the large space is, how much is crawled and imported (pages), and merged
    (paragraphs)."""

    large: int = LARGE
    crawled: int = 1_000
    imported: int = 500
    merged: tuple[int, ...] = (1_000, 4_000, 8_000)


QUICK_CONTENDERS = ("graphql", "v1", "hand")
QUICK_WORKLOADS = ("W1", "W2", "W3", "W4", "V1", "V3", "P1", "P4", "published", "writes")
QUICK, QUICK_SECONDS = Sizes(500, 100, 100, (500,)), 0.4


@dataclass(slots=True)
class Found:
    """Results of each part by kind of database."""

    reads: dict[str, Results] = field(default_factory=dict)
    lists: dict[str, ListResults] = field(default_factory=dict)
    contents: dict[str, ContentResults] = field(default_factory=dict)
    published: dict[str, PublishedResults] = field(default_factory=dict)
    writes: dict[str, WriteResults] = field(default_factory=dict)


async def run(options: argparse.Namespace) -> Found:
    """What was asked for, on each database; a signal to end ends the servers, too."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    pin_load()
    choice = Choice(
        options.rounds, options.seconds, frozenset(options.only), await _contenders(options)
    )
    found, sizes = Found(), QUICK if options.quick else Sizes()
    for kind in DATABASES if options.database == "both" else (options.database,):
        only = choice.only or frozenset(WORKLOADS)
        if only - OWN_DATA:
            found.reads[kind] = await measure_reads(kind, choice)
        if LARGE_LIST in only:
            found.lists[kind] = await measure_lists(kind)
        if CONTENT in only:
            found.contents[kind] = await measure_content(kind)
        if PUBLISHED in only:
            found.published[kind] = await measure_published(
                kind, options.seconds, sizes.crawled, sizes.large
            )
        if WRITES in only:
            found.writes[kind] = await measure_writes(
                kind, options.seconds, sizes.large, sizes.imported, sizes.merged
            )
    return found


async def _contenders(options: argparse.Namespace) -> tuple[Contender, ...]:
    chosen = [one for one in CONTENDERS if one.key in options.contenders]
    if options.database != "sqlite" and any(one.key in NODE for one in chosen):
        progress("installing the Node contenders, if they are not there yet")
        missing = await problem()
        if missing:
            progress(f"without the Node contenders: {missing}")
            chosen = [one for one in chosen if one.key not in NODE]
    return tuple(chosen)


def _names(allowed: tuple[str, ...]) -> "type[list[str]]":
    def read(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",")]
        unknown = sorted(set(names) - set(allowed))
        if unknown:
            problem = f"{', '.join(unknown)} is unknown; choose from {', '.join(allowed)}"
            raise argparse.ArgumentTypeError(problem)
        return names

    return read  # type: ignore[return-value]


def _arguments() -> argparse.Namespace:
    keys = tuple(one.key for one in CONTENDERS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--seconds",
        type=float,
        default=1.0,
        help="of each measurement; wrk rounds up to whole ones",
    )
    parser.add_argument("--only", type=_names(WORKLOADS), default=[], help=", ".join(WORKLOADS))
    parser.add_argument("--contenders", type=_names(keys), default=list(keys), help=", ".join(keys))
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a look at everything in less than 90 s: SQLite, one round, the product beside "
        "hand-written servers, small sizes",
    )
    parser.add_argument("--json", action="store_true", help="print JSON with every round")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.database = 1, "sqlite"
        options.seconds = min(options.seconds, QUICK_SECONDS)
        options.contenders = [key for key in options.contenders if key in QUICK_CONTENDERS]
        options.only = options.only or list(QUICK_WORKLOADS)
    return options


def main() -> None:
    options = _arguments()
    try:
        found = asyncio.run(run(options))
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise SystemExit("ended by a signal") from None
    if options.json:
        text = orjson.dumps(
            dataclasses.asdict(found), option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
        )
        sys.stdout.write(text.decode() + "\n")
        return
    day = dt.datetime.now(dt.UTC).strftime("%d %B %Y")
    load = "wrk" if WRK else "a client in Python"
    print(
        f"{day}, {platform.machine()}, Python {platform.python_version()}, {options.rounds} rounds "
        f"of {options.seconds:g} s, load by {load}. CPU is for each request; ratios of requests/s "
        "and of CPU are medians over the rounds."
    )
    for kind, reads in found.reads.items():
        print(reads_report(kind, reads))
    for kind, lists in found.lists.items():
        print(lists_report(kind, lists))
    for kind, contents in found.contents.items():
        print(content_report(kind, contents))
    for kind, published in found.published.items():
        print(published_report(kind, published))
    for kind, writes in found.writes.items():
        print(writes_report(kind, writes))


if __name__ == "__main__":
    main()
