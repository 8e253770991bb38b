"""The results as Markdown tables: figures, ratios, and what was to be reached."""

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.contenders import CONTENDERS
from benchmarks.content import ContentResults
from benchmarks.lists import ListResults
from benchmarks.measure import Figures, median, ratio
from benchmarks.reads import Results

TITLES = {one.key: one.title for one in CONTENDERS}
# Where every request is another person's.
BY_PEOPLE = {name: {"hand": 1.0, "json": 0.85} for name in ("P1", "P2", "P4")}
# Requests per second of GraphQL as a multiple of each contender's, at least.
GOALS: dict[str, dict[str, dict[str, float]]] = {
    "postgresql": {
        "W1": {"stock": 8, "hand": 1, "postgraphile": 1.3, "mercurius": 1},
        "W2": {"stock": 12, "hand": 1, "postgraphile": 1.5, "mercurius": 1},
        "W3": {"stock": 35, "hand": 1, "postgraphile": 3, "mercurius": 2.5},
        "W4": {"stock": 18, "hand": 1, "postgraphile": 1.8, "mercurius": 1.8},
        **BY_PEOPLE,
    },
    # By hand: the better of the two servers.
    "sqlite": {
        "W1": {"stock": 12, "hand": 0.85, "json": 0.85},
        "W2": {"stock": 20, "hand": 0.85, "json": 0.85},
        "W3": {"stock": 40, "hand": 0.85, "json": 0.85},
        "W4": {"stock": 40, "hand": 0.85, "json": 0.85},
        **BY_PEOPLE,
    },
}
LATENCY_GOAL = 25.0
NEW_DOCUMENT_GOAL = 10.0
MEMORY_GOAL = 150.0


def _rate(one: Figures) -> float:
    return one.per_second


def _cpu(one: Figures) -> float:
    return one.cpu


def _p50(one: Figures) -> float:
    return one.p50


def number(value: float) -> str:
    if value != value:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _figures(results: Results, kind: str) -> Iterator[str]:
    head = ["contender", "requests/s", "p50 ms", "p99 ms", "CPU us"]
    head += ["PostgreSQL CPU us"] if kind == "postgresql" else []
    head += ["1,000 instructions"]
    head += ["GraphQL is", "/v1 is", "GraphQL's CPU is", "/v1's CPU is"]
    for name, title in results.titles.items():
        by_contender = results.rounds[name]
        rows = []
        for key in TITLES:
            if key not in by_contender:
                continue
            own = by_contender[key]
            found = median(own)
            row = [TITLES[key], *map(number, (found.per_second, found.p50, found.p99, found.cpu))]
            row += [number(found.database_cpu)] if kind == "postgresql" else []
            row.append(number(found.instructions))
            for of in (_rate, _cpu):
                for product in ("graphql", "v1"):
                    measured = by_contender.get(product)
                    same = product == key or measured is None
                    row.append("" if same else f"{number(ratio(measured or [], own, of))} x")
            rows.append(row)
        yield f"\n{kind}, {name}: {title}\n"
        yield from table(head, rows)


def _goals(results: Results, kind: str) -> Iterator[str]:
    rows = []
    for name, wanted in GOALS[kind].items():
        by_contender = results.rounds.get(name, {})
        product = by_contender.get("graphql")
        for key, least in wanted.items():
            other = by_contender.get(key)
            if product and other:
                what = f"{name}: GraphQL against {TITLES[key]}"
                by_cpu = number(ratio(other, product, _cpu))
                rows.append(goal(what, ratio(product, other, _rate), f">= {least:g}", by_cpu))
        other = by_contender.get("v1")
        if product and other:
            rows.append(
                goal(f"{name}: CPU of /v1, of GraphQL", ratio(other, product, _cpu), "<= 1")
            )
    whole = results.rounds.get("V3", {})
    if "v1" in whole and "hand" in whole:
        rate, by_cpu = (
            ratio(whole["v1"], whole["hand"], _rate), ratio(whole["hand"], whole["v1"], _cpu)
        )  # fmt: skip
        rows.append(goal("V3: /v1 against hand-written", rate, ">= 1", number(by_cpu)))
    single = results.rounds.get("W3x1", {})
    if "graphql" in single and "stock" in single:
        found = ratio(single["stock"], single["graphql"], _p50)
        rows.append(
            goal("W3x1: p50 of stock Strawberry, of GraphQL", found, f">= {LATENCY_GOAL:g}")
        )
    known, new = (results.rounds.get(name, {}).get("graphql") for name in ("known", "new"))
    if known and new:
        found = median(new).p50 - median(known).p50
        rows.append(goal("new: ms more than known, GraphQL", found, f"<= {NEW_DOCUMENT_GOAL:g}"))
    if "graphql" in results.memory:
        found = results.memory["graphql"]
        rows.append(goal("resident MB after the run, GraphQL", found, f"<= {MEMORY_GOAL:g}"))
    yield f"\n{kind}: what is to be reached (in requests/s; beside it the same ratio of CPU)\n"
    yield from table(["what", "measured", "by CPU", "wanted", "reached"], rows)


def goal(what: str, found: float, wanted: str, by_cpu: str = "") -> list[str]:
    sign, _, bound = wanted.partition(" ")
    reached = found >= float(bound) if sign == ">=" else found <= float(bound)
    return [what, number(found), by_cpu, wanted, "yes" if reached else "no"]


def _memory(results: Results, kind: str) -> Iterator[str]:
    yield f"\n{kind}: resident memory after the run\n"
    rows = [[TITLES[key], number(megabytes)] for key, megabytes in results.memory.items()]
    yield from table(["contender", "MB"], rows)


def reads_report(kind: str, results: Results) -> str:
    """All tables of one database."""
    parts = (_figures, _memory, _goals)
    return "\n".join(line for part in parts for line in part(results, kind))


def lists_report(kind: str, results: ListResults) -> str:
    """The table of the large list."""
    rows = [
        [person, name, number(found.p50), number(found.p99), number(found.cpu)]
        for person, by_name in results.figures.items()
        for name, found in by_name.items()
    ]
    title = f"\n{kind}: first page with its count of 10,000 spaces, one connection\n"
    head = ["person", "interface", "p50 ms", "p99 ms", "CPU us"]
    return "\n".join([title, *table(head, rows)])


def content_report(kind: str, results: ContentResults) -> str:
    """The table of reads of content, with what the larger space costs more."""
    rows = []
    for name, by_pages in results.figures.items():
        small, large = (by_pages[pages] for pages in sorted(by_pages))
        rows.append(
            [name, number(small.p50), number(large.p50), number(large.p50 / small.p50),
             number(small.cpu), number(large.cpu)]
        )  # fmt: skip
    sizes = [f"{pages:,}" for pages in sorted(next(iter(results.figures.values())))]
    title = f"\n{kind}: content of spaces of {' and '.join(sizes)} pages, warm, one connection\n"
    head = ["read", *(f"p50 ms, {size}" for size in sizes), "ratio",
            *(f"CPU us, {size}" for size in sizes)]  # fmt: skip
    return "\n".join([title, *table(head, rows)])
