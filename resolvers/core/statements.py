"""Reads written once: each is compiled to text for a database and a kind of actor.

    @statement
    def _titles(viewer: Viewer) -> Select[Any]:
        return visible(viewer, Space).with_only_columns(Space.id, Space.title).where(
            among(Space.id, "ids")
        )

    rows = await _titles.rows(ctx, ids=ids)

The text never depends on values: they are named parameters (`among`, `bindparam`). The id of the
viewer is one of them, so that the text with the policy in it is the same for all people.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from sqlalchemy import ColumnElement, Select, bindparam, inspect, select

from db.prepared import KEY, Prepared, Template, among
from db.sharing import PointReads
from resolvers.core.actors import NOBODY, OPERATOR, Actor, Program, Visitor
from resolvers.core.batch_functions import Columns
from resolvers.core.context import Context
from resolvers.core.policy_asked import asking_policy, policy_was_asked

# A statement, whatever its columns.
Written = Select[*tuple[Any, ...]]
Build = Callable[..., Written]
T = TypeVar("T")
ACTOR_ID = "actor_id"
# Stands for any person: the id is a parameter, and rules only compare it.
_UNKNOWN_PERSON: Any = bindparam(ACTOR_ID, type_=KEY)
PERSON = Actor(_UNKNOWN_PERSON)
# Stands for any person to whom organizations are closed; which they are is a list parameter.
CLOSED = "actor_closed_organization_ids"
_CLOSED_IDS: Any = CLOSED
PERSON_IN_PART = Actor(_UNKNOWN_PERSON, closed=_CLOSED_IDS)
# Stand for any integration and any installation: the id is that of its account.
PROGRAMS = {kind: Actor(_UNKNOWN_PERSON, program=kind) for kind in Program}
# Stands for any visitor; what it may see are list parameters with these names.
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
MAX_CACHED = 4096
# Statements cached for one shape of nesting, beside those that are cached for all.
MAX_CACHED_PER_SHAPE = 16
StatementCache = dict[Hashable, Any]


class Viewer(Protocol):
    """Whoever a statement is executed for: the context of a request, or a kind of actor."""

    @property
    def actor(self) -> Actor: ...


class ViewerKind:
    """The kind of actor and the database that a prepared statement is written for."""

    __slots__ = ("actor", "dialect")

    def __init__(self, actor: Actor, dialect: str) -> None:
        self.actor = actor
        self.dialect = dialect


class Statement:
    """A read: `build(viewer, *variant)` writes it; the rows may count as rows of a `model`."""

    def __init__(self, build: Build, model: Any = None, *, lasting: bool = False) -> None:
        self.build = build
        self.model = model
        self._lasting = lasting

    async def rows(
        self,
        ctx: Context,
        *variant: Hashable,
        columns: Columns = None,
        cache: StatementCache | None = None,
        lasting: bool = False,
        **values: Any,
    ) -> list[Any]:
        """The rows, with `values` for the named parameters.

        `variant` goes to `build`: everything that changes the text. Of each model that is
        selected as a whole, only `columns` are read. `cache` holds the compiled statement in place
        of the cache of this module. With `lasting` the caller notes in `ctx.dependencies` what
        these rows follow from.
        """
        prepared = self._prepared_for(ctx, ctx.dialect, variant, columns, cache)
        values.update(_values(ctx.actor))
        reader = ctx.lasting_reader if lasting or self._lasting else ctx.reader
        return await reader.fetch(prepared, values, alone=ctx.take_alone())

    async def once(
        self,
        ctx: Context,
        transform: Callable[[list[Any]], T],
        *,
        lasting: bool = False,
        **lists: Sequence[str],
    ) -> T:
        """`transform` of the rows for lists of values, computed once in a request.

        Several batch functions of a level share the result when their lists are equal, in order.
        """
        key = self, transform, tuple([(name, tuple(values)) for name, values in lists.items()])
        result: T | None = ctx.cache.get(key)
        if result is None:
            result = transform(
                await self.rows(ctx, columns=None, cache=None, lasting=lasting, **lists)
            )
            if not ctx.writing:
                ctx.cache[key] = result
        return result

    async def shared_row(
        self,
        ctx: Context,
        points: PointReads,
        key: str,
        *variant: Hashable,
        columns: Columns = None,
        cache: StatementCache | None = None,
        **values: Any,
    ) -> Any | None:
        """The row for `key` of a statement that may be shared with other requests."""
        prepared = self._prepared_for(ctx, points.dialect, variant, columns, cache)
        ctx.depend_on_more()
        ctx.take_alone()
        values.update(_values(ctx.actor))
        return await points.one(prepared, key, tuple(values.items()))

    async def row_of(
        self, points: PointReads, actor: Actor, key: str, *variant: Hashable
    ) -> Any | None:
        """The row for `key` before there is a context, as an actor sees it."""
        prepared, _ = self.prepared(actor, points.dialect, variant, None)
        return await points.one(prepared, key, tuple(_values(actor).items()))

    async def read(self, points: PointReads, key: str) -> Any | None:
        """The row for `key` before the actor is known, as when a token is looked up."""
        prepared, _ = self.prepared(NOBODY, points.dialect, (), None)
        return await points.one(prepared, key)

    def _prepared_for(
        self,
        ctx: Context,
        dialect: str,
        variant: tuple[Hashable, ...],
        columns: Columns,
        cache: StatementCache | None,
    ) -> Prepared:
        """The compiled statement for the actor of a request, which has asked the policy by it."""
        prepared, asks_policy = self.prepared(ctx.actor, dialect, variant, columns, cache)
        if asks_policy:
            policy_was_asked()
        return prepared

    def for_session(self, ctx: Context, *variant: Hashable) -> tuple[Written, dict[str, Any]]:
        """The statement as a session executes it, and the parameters that identify the actor."""
        if ctx.actor.closed or ctx.actor.visitor is not None:
            # Sessions know no list parameters.
            return self.build(ctx, *variant), {}
        written, asks_policy = _write(self, _kind(ctx.actor), ctx.dialect, variant)
        if asks_policy:
            policy_was_asked()
        return written, _values(ctx.actor)

    def prepared(
        self,
        actor: Actor,
        dialect: str,
        variant: tuple[Hashable, ...],
        columns: Columns,
        cache: StatementCache | None = None,
    ) -> tuple[Prepared, bool]:
        """The compiled statement, and whether the policy is part of it."""
        kind = _kind(actor)
        if cache is None:
            return _prepare(self, kind, dialect, variant, columns)
        key = (self, kind, dialect, variant, columns)
        compiled = cache.get(key)
        if compiled is None:
            compiled = _compile_uncached(self, kind, dialect, variant, columns)
            if len(cache) >= MAX_CACHED_PER_SHAPE:
                cache.clear()
            cache[key] = compiled
        return compiled


def _kind(actor: Actor) -> Actor:
    """The kind of an actor: one for all whose statements have the same text."""
    if actor.operator:
        return OPERATOR
    if actor.visitor is not None:
        return VISITOR
    if actor.user_id is None:
        return NOBODY
    if actor.program is not None:
        return PROGRAMS[actor.program]
    return PERSON_IN_PART if actor.closed else PERSON


def is_plain_person(actor: Actor) -> bool:
    """Whether rules know nothing of an actor but the id."""
    return _kind(actor) is PERSON


def _values(actor: Actor) -> dict[str, Any]:
    """The parameters that identify the actor."""
    visitor = actor.visitor
    if visitor is None:
        if actor.closed:
            return {ACTOR_ID: actor.user_id, CLOSED: actor.closed}
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


def one_of(column: Any, ids: Any) -> ColumnElement[bool]:
    """The condition that `column` is one of the ids, or of those in the parameter of that name."""
    return among(column, ids) if isinstance(ids, str) else column.in_(ids)


def statement(build: Build) -> Statement:
    """Decorate the function that writes a statement."""
    return Statement(build)


def lasting_statement(build: Build) -> Statement:
    """Decorate the function that writes a statement of rows that never change."""
    return Statement(build, lasting=True)


def rows_in(column: Any, name: str, *columns: Any, lasting: bool = False) -> Statement:
    """Reads the rows whose `column` is in the list parameter `name`, or some columns of them.

    No policy is asked: it is for rows that were found by it, or that follow such rows. `lasting`
    says that they never change.
    """
    rows = select(*columns or (column.class_,)).where(among(column, name))
    return Statement(lambda viewer: rows, lasting=lasting)


# To write one with a policy takes milliseconds, many times as long as to execute it.
@lru_cache(maxsize=MAX_CACHED)
def _write(
    read: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...]
) -> tuple[Written, bool]:
    with asking_policy() as mark:
        written = read.build(ViewerKind(actor, dialect), *variant)
    return written, mark.value


@lru_cache(maxsize=MAX_CACHED)
def _prepare(
    read: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...], columns: Columns
) -> tuple[Prepared, bool]:
    compiled, asks_policy = _compile(read, actor, dialect, variant)
    if isinstance(compiled, Template):
        compiled = compiled.prepared(columns)
    return compiled, asks_policy


def _compile_uncached(
    read: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...], columns: Columns
) -> tuple[Prepared, bool]:
    compiled, asks_policy = _compile.__wrapped__(read, actor, dialect, variant)
    if isinstance(compiled, Template):
        compiled = compiled.prepared(columns)
    return compiled, asks_policy


@lru_cache(maxsize=MAX_CACHED)
def _compile(
    read: Statement, actor: Actor, dialect: str, variant: tuple[Hashable, ...]
) -> tuple[Template | Prepared, bool]:
    with asking_policy() as mark:
        select = read.build(ViewerKind(actor, dialect), *variant)
    model, columns, others = _parts(select, read.model)
    if columns:
        return Template(select, dialect, model, columns, others), mark.value
    return Prepared(select, dialect, None, list(others)), mark.value


def _parts(select: Written, model: Any) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The model whose rows are selected, its columns, and what else is selected, by name.

    That is the model that is selected as a whole, or else `model`, by the names of its columns.
    """
    attributes = frozenset() if model is None else frozenset(_keys(model))
    columns: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for description in select.column_descriptions:
        expression, name = description["expr"], description["name"]
        if isinstance(expression, type):
            if columns:
                raise ValueError("a prepared statement selects one model as a whole")
            model = expression
            columns = {key: getattr(expression, key) for key in _keys(expression)}
        elif name in attributes:
            columns[name] = expression
        else:
            others[name] = expression
    return model, columns, others


def _keys(model: Any) -> list[str]:
    return [attribute.key for attribute in inspect(model).column_attrs]
