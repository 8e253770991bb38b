"""The transaction of a write: one of its own, or one that is held open for what comes behind it.

What is remembered of an answer (resolvers/access/idempotency.py) has to be committed with the write
that it answers, and is known only when the answer is made. So the write's transaction stays open
until then; further writes of the same request are parts of it, each of which can fail alone.
"""

from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSessionTransaction

from db.session import Session
from resolvers.core.declarations import Declaration, Transactions
from resolvers.core.errors import BadRequest, Unavailable

HEADER = "Idempotency-Key"


class Transaction(Protocol):
    """The transaction of a write: begin, commit, roll back."""

    async def begin(self, session: Session) -> bool:
        """Whether a new transaction was begun."""
        ...

    async def end(self, session: Session) -> None: ...

    async def undo(self, session: Session) -> None: ...


class OwnTransaction:
    """A transaction that is committed with its write."""

    async def begin(self, session: Session) -> bool:
        """Begin it."""
        await session.begin_write()
        return True

    async def end(self, session: Session) -> None:
        """Commit it."""
        await session.commit()

    async def undo(self, session: Session) -> None:
        """Roll it back."""
        await session.rollback()


OWN = OwnTransaction()


class HeldTransaction:
    """A transaction of all writes of a request, which somebody else commits.

    It is `open` once a write in it has succeeded; those after it have a savepoint each. Unavailable
    when the database has ended it meanwhile: then nothing of it is left.
    """

    def __init__(self) -> None:
        self.open = False
        self._savepoint: AsyncSessionTransaction | None = None

    async def begin(self, session: Session) -> bool:
        """Begin a write in it."""
        if self.open:
            await self.check(session)
            self._savepoint = await session.begin_nested()
            return False
        await session.begin_write()
        return True

    async def end(self, session: Session) -> None:
        """A write has succeeded: it stays if the whole does."""
        savepoint, self._savepoint = self._savepoint, None
        if savepoint is not None:
            await savepoint.commit()
        self.open = True

    async def check(self, session: Session) -> None:
        """Unavailable when the writes that have succeeded are lost."""
        if not await session.is_open():
            raise Unavailable("the database has taken back what was written; try again")

    async def undo(self, session: Session) -> None:
        """A write has failed: nothing of it stays, but what was before it."""
        savepoint, self._savepoint = self._savepoint, None
        await (session if savepoint is None else savepoint).rollback()


def transaction_of(declaration: Declaration, held: HeldTransaction | None) -> Transaction:
    """The transaction for a write of a request that holds one, or none."""
    if held is None:
        return OWN
    if declaration.transactions is not Transactions.BEFORE_SLOW_WORK:
        return held
    if held.open:
        # What is locked would stay locked while somebody else's server answers.
        raise BadRequest.at(
            HEADER,
            "a mutation that receives bytes, fetches addresses or checks host names has to be the "
            "first one of a request with this header",
        )
    return OWN
