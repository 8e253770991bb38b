"""`python -m benchmarks`: the product beside other servers on the same data, in one run.

Linux only. Every contender is a process of its own on one core; the load and PostgreSQL have
another. docs/performance.md tells the method.
"""

import argparse
import asyncio
import datetime as dt
import platform
import signal
import sys

import orjson

from benchmarks.contenders import CONTENDERS, NODE, Contender
from benchmarks.content import ContentResults, measure_content
from benchmarks.lists import ListResults, measure_lists
from benchmarks.measure import WRK
from benchmarks.node_packages import problem
from benchmarks.reads import Choice, Results, measure_reads, progress
from benchmarks.report import as_json, content_report, lists_report, reads_report
from benchmarks.servers import pin_load

DATABASES = ("sqlite", "postgresql")
WORKLOADS = (
    "W1", "W2", "W3", "W4", "V1", "V2", "V3", "P1", "P2", "P4", "W3x1", "known", "new", "inline",
    "spaces", "content",
)  # fmt: skip
# The large list and the large spaces are runs of their own on other data.
LARGE_LIST = "spaces"
CONTENT = "content"

Found = tuple[dict[str, Results], dict[str, ListResults], dict[str, ContentResults]]


async def run(options: argparse.Namespace) -> Found:
    """What was asked for, on each database; a signal to end ends the servers, too."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    pin_load()
    choice = Choice(
        options.rounds, options.seconds, frozenset(options.only), await _contenders(options)
    )
    reads: dict[str, Results] = {}
    lists: dict[str, ListResults] = {}
    contents: dict[str, ContentResults] = {}
    for kind in DATABASES if options.database == "both" else (options.database,):
        if not choice.only or choice.only - {LARGE_LIST, CONTENT}:
            reads[kind] = await measure_reads(kind, choice)
        if LARGE_LIST in (choice.only or {LARGE_LIST}):
            lists[kind] = await measure_lists(kind)
        if CONTENT in (choice.only or {CONTENT}):
            contents[kind] = await measure_content(kind)
    return reads, lists, contents


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
    parser.add_argument("--json", action="store_true", help="print JSON with every round")
    return parser.parse_args()


def main() -> None:
    options = _arguments()
    try:
        reads, lists, contents = asyncio.run(run(options))
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise SystemExit("ended by a signal") from None
    if options.json:
        found = orjson.dumps(
            as_json(reads, lists, contents), option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
        )
        sys.stdout.write(found.decode() + "\n")
        return
    day = dt.datetime.now(dt.UTC).strftime("%d %B %Y")
    load = "wrk" if WRK else "a client in Python"
    print(
        f"{day}, {platform.machine()}, Python {platform.python_version()}, {options.rounds} rounds "
        f"of {options.seconds:g} s, load by {load}. CPU is for each request; ratios of requests/s "
        "and of CPU are medians over the rounds."
    )
    for kind, found_reads in reads.items():
        print(reads_report(kind, found_reads))
    for kind, found_lists in lists.items():
        print(lists_report(kind, found_lists))
    for kind, found_contents in contents.items():
        print(content_report(kind, found_contents))


if __name__ == "__main__":
    main()
