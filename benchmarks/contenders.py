"""Who takes part: how each is started, and which request of a workload it gets."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.http import Request
from benchmarks.node_packages import FOLDER, node
from benchmarks.servers import Store, uvicorn
from benchmarks.workloads import Workload

BOTH = frozenset({"sqlite", "postgresql"})
Command = Callable[[int, Store], list[str]]
Chosen = Callable[[Workload], Request | None]


def _python(application: str) -> Command:
    return lambda port, store: uvicorn(application, port)


def _node(script: str) -> Command:
    return lambda port, store: [
        node() or "node",
        str(FOLDER / script),
        str(port),
        store.node_url,
    ]


@dataclass(frozen=True, slots=True)
class Contender:
    """One server. `compared`: its `data` must be that of the others."""

    key: str
    title: str
    command: Command
    chosen: Chosen
    databases: frozenset[str] = BOTH
    compared: bool = True

    def request(self, workload: Workload) -> Request | None:
        """Its request for the workload; None when it does not take part."""
        if workload.contenders and self.key not in workload.contenders:
            return None
        return self.chosen(workload)


PRODUCT = _python("docstead.asgi:create_app")
POSTGRESQL_ONLY = frozenset({"postgresql"})

CONTENDERS = (
    Contender("graphql", "GraphQL", PRODUCT, lambda one: one.graphql),
    Contender("v1", "/v1", PRODUCT, lambda one: one.v1, compared=False),
    Contender(
        "stock",
        "stock Strawberry",
        _python("benchmarks.stock:create_app"),
        lambda one: one.graphql,
    ),
    Contender(
        "hand",
        "hand-written",
        _python("benchmarks.hand_written:create_app"),
        lambda one: one.route,
    ),
    Contender(
        "json",
        "hand-written, JSON by the database",
        _python("benchmarks.hand_json:create_app"),
        lambda one: one.route,
    ),
    Contender(
        "postgraphile",
        "PostGraphile 5",
        _node("postgraphile.mjs"),
        lambda one: one.tables,
        POSTGRESQL_ONLY,
    ),
    Contender(
        "mercurius",
        "Mercurius, JIT, loaders",
        _node("mercurius.mjs"),
        lambda one: one.graphql,
        POSTGRESQL_ONLY,
    ),
)
NODE = frozenset({"postgraphile", "mercurius"})
