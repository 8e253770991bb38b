"""The runners: `read` runs a query and `run` a write.

Both verify that the operation asked the policy, so that a forgotten check fails closed
(docs/decisions/0003-policy-as-sql.md). `run` owns the transaction: it commits before the answer is
made, and repeats the operation when the database asked for it. What it has to know of an operation
is declared (resolvers/core/declarations.py).
"""

from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, TypeVar

from db.failures import is_lost
from resolvers.core.actors import Actor
from resolvers.core.audit import record_write
from resolvers.core.audit_notes import noting
from resolvers.core.context import Context
from resolvers.core.database_errors import expected, is_locked, not_written, worth_repeating
from resolvers.core.declarations import Declaration, Transactions, declaration_of
from resolvers.core.errors import Conflict, Forbidden, Unauthenticated
from resolvers.core.events import rows_of, write_events
from resolvers.core.integration_records import follow_places, places_of
from resolvers.core.operation_scopes import scope_of
from resolvers.core.policy_asked import PolicyNotAskedError, asking_policy, is_asking_policy
from resolvers.core.scopes import must_hold
from resolvers.core.transactions import transaction_of

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 4
# SQLite waits five seconds for another writer; twice that is what edits of content wait.
TURN_ATTEMPTS = 2


async def read(
    ctx: Context,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a query; PolicyNotAskedError if it answered without asking the policy.

    Forbidden where the token lacks the operation's scope.
    """
    must_hold_scope(ctx.actor, operation, writes=False)
    return await _observed(ctx, operation, *args, **kwargs)


async def _observed(
    ctx: Context,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    with asking_policy() as mark:
        result = await operation(ctx, *args, **kwargs)
    if not mark.value:
        raise PolicyNotAskedError(operation.__name__)
    return result


async def run(
    ctx: Context,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a write in one transaction and commit it; on any error nothing of it remains.

    What it has changed is written into the audit log and leaves events, in the same transaction.
    A write in steps opens its transactions itself; where one is held, it is committed later.
    A write of a job is committed only while the job is the worker's that does it.
    Conflict when a constraint refused it; Unavailable when the database stayed locked.
    """
    declaration = declaration_of(operation)
    _check_may_write(ctx.actor, declaration)
    must_hold_scope(ctx.actor, operation, writes=True)
    if ctx.quota is not None and ctx.action is None:
        # Steps of an operation are part of it.
        ctx.quota.begin_write()
    action = ctx.action or declaration.action or operation.__name__
    if declaration.transactions is Transactions.IN_STEPS:
        return await _in_steps(ctx, action, operation, *args, **kwargs)
    transaction = transaction_of(declaration, ctx.held)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await ctx.begin_write(transaction)
            with noting(ctx.session) as notes:
                ctx.writing = True
                try:
                    result = await _observed(ctx, operation, *args, **kwargs)
                finally:
                    ctx.writing = False
                await ctx.session.flush()
                await follow_places(ctx, places_of(notes))
                if declaration.audited:
                    await record_write(ctx, notes, action, result)
                events = rows_of(ctx, notes, action)
            if ctx.lease is not None:
                await ctx.lease.confirm(ctx.session, ctx.now())
            # The last statement: it holds the turn of the organization's writers.
            if transaction is not ctx.held:
                await write_events(ctx, events)
            await transaction.end(ctx.session)
            if transaction is ctx.held:
                ctx.events.held += events
        except BaseException as error:
            if ctx.lease is not None:
                ctx.lease.undone()
            ctx.session.expunge_all()
            await transaction.undo(ctx.session)
            waited = declaration.takes_turns and is_locked(error)
            # With the connection the earlier writes of a held transaction are gone, too.
            alone = ctx.held is None or not ctx.held.open
            repeats = worth_repeating(error) and (alone or not is_lost(error))
            if repeats and attempt < (TURN_ATTEMPTS if waited else ATTEMPTS):
                continue
            if waited:
                raise Conflict("somebody else is changing content; try again") from error
            _refuse(error)
            raise
        ctx.written = ctx.written or ctx.held is None
        if ctx.lease is not None:
            ctx.lease.committed()
            ctx.announce_job(ctx.lease.organization_id, ctx.lease.job_id)
        ctx.announce_events()
        return result
    raise AssertionError("unreachable: the last attempt returns or raises")


def _refuse(error: BaseException) -> None:
    """Raise what a failure means to the caller of a write, if it means something."""
    refusal = expected(error)
    if refusal is not None and (refusal := not_written(refusal)) is not error:
        raise refusal from error


async def _in_steps(
    ctx: Context,
    action: str,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a write whose steps have their own transactions; the audit log names it in each."""
    outer, ctx.action = ctx.action, action
    try:
        return await _observed(ctx, operation, *args, **kwargs)
    finally:
        ctx.action = outer


def _check_may_write(actor: Actor, declaration: Declaration) -> None:
    if actor.visitor is not None:
        if not declaration.open_to_all:
            raise Forbidden("a content token only reads")
    elif actor.nobody and declaration.open_to_all:
        return
    elif not actor.operator and actor.user_id is None:
        raise Unauthenticated("a token is required")


def must_hold_scope(actor: Actor, operation: Callable[..., object], *, writes: bool) -> None:
    """Forbidden where the token of an account lacks the scope of an operation.

    Steps of an operation are part of it: they need no scope of their own.
    """
    if actor.user_id is None or is_asking_policy():
        return
    scope = scope_of(operation.__name__, writes=writes)
    if scope is not None:
        must_hold(actor, scope)
