"""`python -m benchmarks`: both interfaces beside hand-written routes, on the same data, as ratios.

Every contender is a process of its own; each round asks all of them for every read, and the
medians of the rounds are shown. Absolute figures depend on the machine; the ratios less so.
"""

import argparse
import asyncio
import dataclasses
import sys

import orjson

from benchmarks.data import Lists, Reads, fill_lists, fill_reads
from benchmarks.http import Client, Request
from benchmarks.measure import Figures, Run, measure, median
from benchmarks.reads import Read, check_same_answer, reads
from benchmarks.servers import HAND_WRITTEN, OURS, database_url, migrated, server

GRAPHQL, V1, BY_HAND = "GraphQL", "/v1", "hand-written"
LISTED = "query($id: ID!) { organization(id: $id) { spaces { totalCount nodes { id title } } } }"
Results = dict[str, dict[str, Figures]]


async def measure_reads(url: str, data: Reads, options: argparse.Namespace) -> Results:
    """Figures of each read by contender."""
    rounds: dict[str, dict[str, list[Figures]]] = {}
    async with server(OURS, url) as ours, server(HAND_WRITTEN, url) as by_hand:
        wanted = reads(data)
        client, other = await Client(ours).open(), await Client(by_hand).open()
        for read in wanted:
            await check_same_answer(read, client, other)
        await client.close()
        await other.close()
        for number in range(options.rounds):
            for read in wanted:
                for name, port, run in _contenders(read, ours, by_hand):
                    # A read of hundreds of requests is shown by one client, once.
                    long = name == V1 and read.v1_requests > 1
                    if long and number:
                        continue
                    connections = 1 if long else options.connections
                    found = await measure(port, run, options.seconds, connections)
                    rounds.setdefault(read.name, {}).setdefault(name, []).append(found)
    return {
        read: {name: median(found) for name, found in by_name.items()}
        for read, by_name in rounds.items()
    }


def _contenders(read: Read, ours: int, by_hand: int) -> list[tuple[str, int, Run]]:
    return [
        (GRAPHQL, ours, lambda client: client.send(read.graphql)),
        (V1, ours, read.v1),
        (BY_HAND, by_hand, lambda client: client.send(read.hand_written)),
    ]


async def measure_lists(url: str, data: Lists, options: argparse.Namespace) -> Results:
    """Figures of the first page with its count, by person and interface."""
    rounds: dict[str, dict[str, list[Figures]]] = {}
    body = orjson.dumps({"query": LISTED, "variables": {"id": data.organization_id}})
    async with server(OURS, url) as port:
        for _ in range(options.rounds):
            for person, token in data.tokens.items():
                for name, request in (
                    (GRAPHQL, Request("POST", "/graphql", token, body)),
                    (V1, Request("GET", f"/v1/orgs/{data.organization_id}/spaces", token)),
                ):
                    run = _asking(request)
                    found = await measure(port, run, options.seconds, 1)
                    rounds.setdefault(person, {}).setdefault(name, []).append(found)
    return {
        person: {name: median(found) for name, found in by_name.items()}
        for person, by_name in rounds.items()
    }


def _asking(request: Request) -> Run:
    return lambda client: client.send(request)


def show(results: Results, beside: str | None) -> None:
    """A table of figures, with the ratio to the contender `beside`."""
    ratio = f"  of {beside}" if beside else ""
    print(f"{'':22}{'':14}{'reads/s':>10}{'p50 ms':>10}{'p99 ms':>10}{ratio}")
    for read, by_name in results.items():
        for name, found in by_name.items():
            line = f"{read:22}{name:14}{found.per_second:10.1f}{found.p50:10.2f}{found.p99:10.2f}"
            if beside:
                line += f"{found.per_second / by_name[beside].per_second:9.3f}"
            print(line)


async def run(options: argparse.Namespace) -> dict[str, Results]:
    """All benchmarks on one kind of database."""
    results: dict[str, Results] = {}
    with database_url(options.database) as url:
        async with migrated(url) as database:
            small = await fill_reads(database)
        results["reads"] = await measure_reads(url, small, options)
    with database_url(options.database) as url:
        async with migrated(url) as database:
            large = await fill_lists(database)
        results["lists"] = await measure_lists(url, large, options)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    results = asyncio.run(run(options))
    if options.json:
        plain = {
            kind: {
                read: {name: dataclasses.asdict(found) for name, found in by_name.items()}
                for read, by_name in found_by_read.items()
            }
            for kind, found_by_read in results.items()
        }
        sys.stdout.write(orjson.dumps(plain, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    print(f"Reads on {options.database}, {options.connections} connections; medians.\n")
    show(results["reads"], BY_HAND)
    print("\nA nested read through /v1 is one request for each parent, sent by one client.")
    print("\n10,000 spaces in nested collections, 1,000 members: first page with its count.\n")
    show(results["lists"], None)


if __name__ == "__main__":
    main()
