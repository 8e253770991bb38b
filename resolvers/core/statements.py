"""Reads written once: each is compiled to text for a database and a kind of actor.

    @statement
    def _titles(viewer: Viewer) -> Select[Any]:
        return visible(viewer, Space).with_only_columns(Space.id, Space.title).where(
            among(Space.id, "ids")
        )

    rows = await _titles.rows(ctx, ids=ids)

The text never depends on values: they are named parameters (`among`, `bindparam`). The id of who
asks is one of them, so that the text with the policy in it is the same for everybody.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from sqlalchemy import Select, bindparam, inspect

from db.prepared import KEY, Prepared, Template
from db.sharing import PointReads
from resolvers.core.context import (
    NOBODY,
    OPERATOR,
    Actor,
    Context,
    Visitor,
    asking_policy,
    policy_was_asked,
)

# Names of the attributes that will be read of rows; None = all of them.
Columns = frozenset[str] | None
# A statement, whatever its columns.
Written = Select[*tuple[Any, ...]]
Build = Callable[..., Written]
T = TypeVar("T")
ACTOR_ID = "actor_id"
# A person who is not known yet: rules only compare the id.
_SOMEBODY: Any = bindparam(ACTOR_ID, type_=KEY)
PERSON = Actor(_SOMEBODY)
# A visitor who is not known yet. What it may see are list parameters with these names.
SITE_ID = "actor_site_id"
SECTIONS, SITE_SPACES, SPACES = "actor_section_ids", "actor_site_space_ids", "actor_space_ids"
PREVIEWED, PREVIEW = "actor_change_request_id", "actor_revision_id"
PREVIEW_SPACES = "actor_preview_space_ids"
_VISITING: Any = {name: bindparam(name, type_=KEY) for name in (SITE_ID, PREVIEWED, PREVIEW)}
_LISTED: Any = {
    "section_ids": SECTIONS,
    "site_space_ids": SITE_SPACES,
    "space_ids": SPACES,
    "preview_space_ids": PREVIEW_SPACES,
}
VISITOR = Actor(
    visitor=Visitor(
        _VISITING[SITE_ID],
        "",
        **_LISTED,
        change_request_id=_VISITING[PREVIEWED],
        revision_id=_VISITING[PREVIEW],
    )
)
KEPT = 4096
# Statements of one way to ask, which are kept with it.
KEPT_APART = 16
Kept = dict[Hashable, Any]


class Viewer(Protocol):
    """Whom a statement is for: the context of a request, or an actor without a name."""

    @property
    def actor(self) -> Actor: ...


class ViewerKind:
    """What a prepared statement is written for: a kind of actor and a database."""

    __slots__ = ("actor", "dialect")

    def __init__(self, actor: Actor, dialect: str) -> None:
        self.actor = actor
        self.dialect = dialect


class Statement:
    """A read: `build(viewer, *variant)` writes it; the rows may count as rows of a `model`."""

    def __init__(self, build: Build, model: Any = None) -> None:
        self.build = build
        self.model = model

    async def rows(
        self,
        ctx: Context,
        *variant: Hashable,
        columns: Columns = None,
        kept: Kept | None = None,
        **values: Any,
    ) -> list[Any]:
        """The rows, with `values` for the named parameters.

        `variant` goes to `build`: everything that changes the text. Of each model that is
        selected as a whole, only `columns` are read. `kept` is where the compiled statement is
        kept, if it is not one for everybody.
        """
        prepared = self._asked_by(ctx, ctx.reader.dialect, variant, columns, kept)
        values.update(_values(ctx.actor))
        return await ctx.reader.fetch(prepared, values, alone=ctx.alone)

    async def once(self, ctx: Context, made: Callable[[list[Any]], T], **lists: Sequence[str]) -> T:
        """What `made` makes of the rows for lists of values, read and made once in a request.

        Several batch functions of a level may ask for the same, with the same lists in order.
        """
        key = self, made, tuple([(name, tuple(values)) for name, values in lists.items()])
        found: T | None = ctx.remembered.get(key)
        if found is None:
            found = made(await self.rows(ctx, columns=None, kept=None, **lists))
            if not ctx.writing:
                ctx.remembered[key] = found
        return found

    async def one(
        self,
        ctx: Context,
        points: PointReads,
        key: str,
        *variant: Hashable,
        columns: Columns = None,
        kept: Kept | None = None,
        **values: Any,
    ) -> Any | None:
        """The row for `key` of a statement that may be shared with other requests."""
        prepared = self._asked_by(ctx, points.dialect, variant, columns, kept)
        values.update(_values(ctx.actor))
        return await points.one(prepared, key, tuple(values.items()))

    async def read(self, points: PointReads, key: str) -> Any | None:
        """The row for `key` when it is not known yet who asks."""
        prepared, _ = self.prepared(NOBODY, points.dialect, (), None)
        return await points.one(prepared, key)

    def _asked_by(
        self,
        ctx: Context,
        dialect: str,
        variant: tuple[Hashable, ...],
        columns: Columns,
        kept: Kept | None,
    ) -> Prepared:
        """The compiled statement for a request, which has asked the policy by it."""
        prepared, asks_policy = self.prepared(ctx.actor, dialect, variant, columns, kept)
        if asks_policy:
            policy_was_asked()
        return prepared

    def prepared(
        self,
        actor: Actor,
        dialect: str,
        variant: tuple[Hashable, ...],
        columns: Columns,
        kept: Kept | None = None,
    ) -> tuple[Prepared, bool]:
        """The compiled statement, and whether it asks the policy."""
        kind = _kind(actor)
        if kept is None:
            return _prepare(self, kind, dialect, variant, columns)
        key = (self, kind, dialect, variant, columns)
        found = kept.get(key)
        if found is None:
            found = _compile_once(self, kind, dialect, variant, columns)
            if len(kept) >= KEPT_APART:
                kept.clear()
            kept[key] = found
        return found


def _kind(actor: Actor) -> Actor:
    """What stands for everybody who is asked for in the same words."""
    if actor.operator:
        return OPERATOR
    if actor.visitor is not None:
        return VISITOR
    return NOBODY if actor.user_id is None else PERSON


def _values(actor: Actor) -> dict[str, Any]:
    """The parameters that say who asks."""
    visitor = actor.visitor
    if visitor is None:
        return {ACTOR_ID: actor.user_id}
    return {
        SITE_ID: visitor.site_id,
        SECTIONS: visitor.section_ids,
        SITE_SPACES: visitor.site_space_ids,
        SPACES: visitor.space_ids,
        PREVIEWED: visitor.change_request_id,
        PREVIEW: visitor.revision_id,
        PREVIEW_SPACES: visitor.preview_space_ids,
    }


def statement(build: Build) -> Statement:
    """Make a Statement of the function that writes it."""
    return Statement(build)


@lru_cache(maxsize=KEPT)
def _prepare(
    what: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...], columns: Columns
) -> tuple[Prepared, bool]:
    compiled, asks_policy = _compile(what, actor, dialect, variant)
    if isinstance(compiled, Template):
        compiled = compiled.prepared(columns)
    return compiled, asks_policy


def _compile_once(
    what: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...], columns: Columns
) -> tuple[Prepared, bool]:
    compiled, asks_policy = _compile.__wrapped__(what, actor, dialect, variant)
    if isinstance(compiled, Template):
        compiled = compiled.prepared(columns)
    return compiled, asks_policy


@lru_cache(maxsize=KEPT)
def _compile(
    what: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...]
) -> tuple[Template | Prepared, bool]:
    with asking_policy() as mark:
        written = what.build(ViewerKind(actor, dialect), *variant)
    model, columns, others = _parts(written, what.model)
    if columns:
        return Template(written, dialect, model, columns, others), mark.value
    return Prepared(written, dialect, None, list(others)), mark.value


def _parts(written: Written, model: Any) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The model whose rows are selected, its columns, and what else is selected, by name.

    That is the model that is selected as a whole, or else `model`, by the names of its columns.
    """
    known = frozenset() if model is None else frozenset(_keys(model))
    columns: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for one in written.column_descriptions:
        expression, name = one["expr"], one["name"]
        if isinstance(expression, type):
            if columns:
                raise ValueError("a prepared statement selects one model as a whole")
            model = expression
            columns = {key: getattr(expression, key) for key in _keys(expression)}
        elif name in known:
            columns[name] = expression
        else:
            others[name] = expression
    return model, columns, others


def _keys(model: Any) -> list[str]:
    return [attribute.key for attribute in inspect(model).column_attrs]
