"""Whether an operation has asked the policy: the policy notes it, the runners verify it."""

import contextvars
from collections.abc import Iterator
from contextlib import contextmanager


class _Asked:
    """Set once the policy was asked; shared by all tasks that an operation starts."""

    def __init__(self) -> None:
        self.value = False


_asked: contextvars.ContextVar[_Asked | None] = contextvars.ContextVar("asked", default=None)


def policy_was_asked() -> None:
    """Called by the policy: the running operation has checked what the actor may see or do."""
    mark = _asked.get()
    if mark is not None:
        mark.value = True


def is_asking_policy() -> bool:
    """Whether an operation is running, which whatever is called now is a part of."""
    return _asked.get() is not None


@contextmanager
def asking_policy() -> Iterator[_Asked]:
    """Observe a block: `value` of the mark is then whether the policy was asked in it."""
    mark = _Asked()
    token = _asked.set(mark)
    try:
        yield mark
    finally:
        _asked.reset(token)
        outer = _asked.get()
        if mark.value and outer is not None:
            outer.value = True


class PolicyNotAskedError(RuntimeError):
    """An operation answered without asking the policy: a fault of ours, never the caller's."""
