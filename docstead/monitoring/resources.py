"""Figures of what a process has only so much of: connections, caches, processes for content."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from content.recent_cache import RecentCache
from db.session import Database
from docstead.monitoring.exposition import family
from docstead.server import Server
from resolvers.revisions.store import NODES
from resolvers.revisions.tree import TREES
from rest_compat.cached_json import CACHE

Caches = Mapping[str, RecentCache[Any, Any]]


def caches_of(live: Server, pages: RecentCache[Any, Any] | None) -> Caches:
    """The caches of a process by the names that its figures have; `pages`: of published sites."""
    caches: dict[str, RecentCache[Any, Any]] = {"nodes": NODES, "trees": TREES, "json": CACHE}
    if live.kept_answers is not None:
        caches["answers"] = live.kept_answers.cache
    if pages is not None:
        caches["pages"] = pages
    return caches


def resource_figures(live: Server, caches: Caches) -> Callable[[], Iterator[str]]:
    """The lines of the figures as they are when it is called."""

    def lines() -> Iterator[str]:
        yield from _of_connections(live.database)
        yield from _of_caches(caches)
        work = {"pages": live.renderer.running, "pdfs": live.printer.running}
        yield from family(
            "docstead_renderings_running",
            "gauge",
            "Pages and PDFs that are made in processes of their own, or wait for one.",
            (({"kind": kind}, count) for kind, count in work.items()),
        )

    return lines


def _of_connections(database: Database) -> Iterator[str]:
    usage = {"writes": database.write_connections(), "reads": database.reads.in_use}
    yield from family(
        "docstead_database_connections_used",
        "gauge",
        "Connections to the database that a request or a job uses.",
        (({"for": kind}, count) for kind, count in usage.items()),
    )
    yield from family(
        "docstead_database_connections_limit",
        "gauge",
        "Connections of each kind that a process has at most.",
        [({}, database.pool_size)],
    )


def _of_caches(caches: Caches) -> Iterator[str]:
    yield from family(
        "docstead_cache_lookups_total",
        "counter",
        "Lookups in caches, by what came of them.",
        (
            ({"cache": name, "outcome": outcome}, count)
            for name, cache in caches.items()
            for outcome, count in (("hit", cache.hits), ("miss", cache.misses))
        ),
    )
    for figure, help_ in (
        ("entries", "Values that a cache has"),
        ("fill", "How full a cache is, from 0 to 1"),
    ):
        yield from family(
            f"docstead_cache_{figure}",
            "gauge",
            f"{help_}.",
            (
                ({"cache": name}, len(cache) if figure == "entries" else cache.fill)
                for name, cache in caches.items()
            ),
        )
