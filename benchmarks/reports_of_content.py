"""The tables of published pages, of what renderers ask for, and of writes."""

from collections.abc import Iterator

from benchmarks.published import NGINX_NAME, PRODUCT_NAME, PublishedResults
from benchmarks.report import goal, number, table
from benchmarks.writes import WriteResults

# Requests per second that are wanted of one process with 16 connections.
RATES = {
    "published page, HTML": 4_000,
    "published page, HTML, gzip": 4_000,
    "published page, Markdown": 4_000,
    "published page, known (304)": 4_000,
    "urls/published": 3_000,
    "page document, /v1": 3_000,
    "page document, GraphQL": 3_000,
    "page tree of 50, /v1": 3_000,
    "page tree of 50, GraphQL": 3_000,
    "search of 50 pages, /v1": 300,
}
CRAWLED_MILLISECONDS = 10.0
WAITING_MILLISECONDS = 100.0


def published_report(kind: str, results: PublishedResults) -> str:
    """All tables of published pages on one database."""
    return "\n".join(_published(kind, results))


def _published(kind: str, results: PublishedResults) -> Iterator[str]:
    yield f"\n{kind}: published pages, addresses, page documents; 16 connections, warm\n"
    rows, goals = [], []
    for name, by_contender in results.figures.items():
        for contender, found in by_contender.items():
            figures = (found.per_second, found.p50, found.p99, found.cpu)
            row = [name, contender, *map(number, figures)]
            row.append(number(found.database_cpu) if contender == PRODUCT_NAME else "")
            product = by_contender[PRODUCT_NAME]
            same = contender == PRODUCT_NAME
            row.append("" if same else f"{number(product.per_second / found.per_second)} x")
            rows.append(row)
        if name in RATES:
            rate = by_contender[PRODUCT_NAME].per_second
            goals.append(goal(f"{name}: requests/s", rate, f">= {RATES[name]}"))
    head = ["what", "contender", "requests/s", "p50 ms", "p99 ms", "CPU us", "PostgreSQL CPU us",
            f"{PRODUCT_NAME} is"]  # fmt: skip
    yield from table(head, rows)
    if not any(NGINX_NAME in by_contender for by_contender in results.figures.values()):
        yield f"\nwithout {NGINX_NAME}: it is not installed"
    crawl = results.crawl
    if crawl is not None:
        yield f"\n{kind}: {crawl.pages:,} pages of a space of {crawl.of:,}, each once, in turn\n"
        figures = (crawl.cpu, crawl.mean, crawl.slowest, crawl.megabytes)
        yield from table(
            ["CPU ms a page", "ms a page", "slowest ms", "MB afterwards"],
            [[number(figure) for figure in figures]],
        )
        goals.append(goal("crawl: CPU ms a page", crawl.cpu, f"<= {CRAWLED_MILLISECONDS:g}"))
    yield f"\n{kind}: what is to be reached by published pages\n"
    yield from table(["what", "measured", "by CPU", "wanted", "reached"], goals)


def writes_report(kind: str, results: WriteResults) -> str:
    """All tables of writes on one database."""
    return "\n".join(_writes(kind, results))


def _writes(kind: str, results: WriteResults) -> Iterator[str]:
    yield f"\n{kind}: writes of one writer, through /v1\n"
    rows = [
        [name, beside, *map(number, (found.per_second, found.p50, found.p99, found.cpu))]
        for name, by_side in results.figures.items()
        for beside, found in by_side.items()
    ]
    yield from table(["write", "", "writes/s", "p50 ms", "p99 ms", "CPU us"], rows)
    yield f"\n{kind}: merges of a page whose paragraphs both sides changed, beside a writer\n"
    rows = [
        [f"{merged.size:,}", merged.name, merged.outcome,
         *map(number, (merged.took, merged.cpu, merged.locked, merged.waited, merged.refused))]
        for merged in results.merges
    ]  # fmt: skip
    head = ["paragraphs", "both sides", "result", "ms", "CPU ms", "longest lock ms",
            "others waited at most, ms", "refused"]  # fmt: skip
    yield from table(head, rows)
    if results.imported is not None:
        imported = results.imported
        yield f"\n`docstead import-docs`, {imported.pages:,} pages\n"
        cpu = 1000 * imported.cpu / imported.pages
        yield from table(["pages/s", "CPU ms a page"], [[number(imported.per_second), number(cpu)]])
    yield f"\n{kind}: what is to be reached by writes\n"
    yield from table(
        ["what", "measured", "by CPU", "wanted", "reached"],
        [
            goal(
                f"merge of {merged.size:,}, {merged.name}: ms others waited", merged.waited,
                f"<= {WAITING_MILLISECONDS:g}",
            )
            for merged in results.merges
        ],
    )  # fmt: skip
