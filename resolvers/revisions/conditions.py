"""Which pages a visitor does not see: those whose condition is not met, and all below them.

Whoever belongs to the organization sees all pages, and asking costs them nothing. For visitors the
readers of pages (resolvers/revisions/tree.py, resolvers/revisions/objects.py) leave these pages
out, so that they are nowhere, as if they did not exist.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

import orjson

from content.documents.evaluation import variables_context
from content.expressions.evaluation import Budget, holds
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.statements import rows_in
from resolvers.revisions.page_trees import PageTree
from resolvers.revisions.rows import Page

Json = dict[str, Any]
# All conditions of one revision together; each alone has the bound of the language. Conditions
# that are not reached count as not met.
REVISION_STEPS = 200_000


_revisions = rows_in(
    Revision.id, "ids", Revision.id, Revision.variables, Revision.conditional, lasting=True
)


async def variables_of(ctx: Context, revision_ids: Collection[str]) -> dict[str, Json]:
    """The variables of revisions that were found by the policy, by id: one statement."""
    rows = await _revisions.once(ctx, list, ids=sorted(revision_ids))
    return {row.id: row.variables for row in rows}


async def conditional_variables(ctx: Context, revision_ids: Collection[str]) -> dict[str, Json]:
    """The variables of revisions whose pages may have conditions that count for the viewer."""
    if ctx.actor.visitor is None or not revision_ids:
        return {}
    rows = await _revisions.once(ctx, list, ids=sorted(revision_ids))
    return {row.id: row.variables for row in rows if row.conditional}


def hidden_once(
    ctx: Context,
    revision_id: str,
    tree: Iterable[Page],
    variables: Mapping[str, Any],
    closed: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """The result of `hidden_pages` for the visitor, worked out once in a request."""
    key = (hidden_once, revision_id)
    cached = ctx.cache.get(key)
    if cached is None:
        claims = {} if ctx.actor.visitor is None else ctx.actor.visitor.claims
        cached = [hidden_pages(tree, variables, claims, closed)]
        if not ctx.writing:
            ctx.cache[key] = cached
    hidden: frozenset[str] = cached[0]
    return hidden


def hidden_pages(
    tree: Iterable[Page],
    variables: Mapping[str, Any],
    claims: Mapping[str, Any],
    closed: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """Ids of the pages that are not there for a visitor with these claims.

    `tree` holds every page of a revision behind the one above it. `closed` are ids of pages that
    are hidden whatever their condition says.
    """
    conditions = _Conditions(variables, claims)
    hidden: set[str] = set()
    for page in tree:
        if page.id in closed or page.parent_id in hidden or not conditions.hold(page):
            hidden.add(page.id)
    return frozenset(hidden)


class _Conditions:
    """The conditions of one revision, each worked out once for the same variables."""

    def __init__(self, variables: Mapping[str, Any], claims: Mapping[str, Any]) -> None:
        self._variables, self._claims = dict(variables), dict(claims)
        self._known: dict[tuple[str, bytes], bool] = {}
        self._steps = REVISION_STEPS

    def hold(self, page: Page) -> bool:
        """Whether the page's own condition is met."""
        if page.condition is None:
            return True
        key = (page.condition, orjson.dumps(page.variables))
        if key not in self._known:
            budget = Budget(min(Budget().steps, self._steps))
            before = budget.steps
            context = variables_context(self._variables, page.variables, self._claims)
            self._known[key] = holds(page.condition, context, budget=budget)
            self._steps -= before - max(budget.steps, 0)
        return self._known[key]


def without(tree: Sequence[Page], hidden: frozenset[str]) -> PageTree:
    """A tree without hidden pages: copies, because the pages may be those of everybody."""
    copies = {page.id: copy(page) for page in tree if page.id not in hidden}
    for page in tree:
        if page.id in copies and page.children is not None:
            below = [copies[child.id] for child in page.children if child.id in copies]
            copies[page.id].children = below
    return PageTree(copies.values())


# ------------------------------------------------------------------ masks

WHOLE = "w"


def mask_of(tree: Iterable[Page], hidden: frozenset[str]) -> str:
    """Which pages are hidden, for addresses: it tells nobody of them; empty when none is.

    The bits, as a hexadecimal number, stand for the pages with conditions in the order of `tree`;
    behind a `w` for all pages, where others are hidden by themselves.
    """
    pages = list(tree)
    chosen = [page for page in pages if page.condition is not None]
    mask = _bits(chosen, hidden)
    if hidden_by_mask(pages, mask) == hidden:
        return mask
    return f"{WHOLE}{_bits(pages, hidden)}"


def _bits(pages: Sequence[Page], hidden: frozenset[str]) -> str:
    text = "".join("1" if page.id in hidden else "0" for page in reversed(pages))
    return f"{int(text, 2):x}" if "1" in text else ""


def hidden_by_mask(tree: Iterable[Page], mask: str) -> frozenset[str]:
    """The pages that `mask_of` was given, from the same tree."""
    whole = mask.startswith(WHOLE)
    digits = int(mask.removeprefix(WHOLE) or "0", 16)
    # From the last one on; shifting a long number for each page would cost their square.
    bits = list(f"{digits:b}")
    hidden: set[str] = set()
    for page in tree:
        closed = False
        if (whole or page.condition is not None) and bits:
            closed = bits.pop() == "1"
        if closed or page.parent_id in hidden:
            hidden.add(page.id)
    return frozenset(hidden)
