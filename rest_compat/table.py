"""Rows of the route table: a documented path, the operation behind it and the shape of its answer.

A row holds no rule. It says where the operation's parameters come from (path, query, body) and
what the answer looks like; `rest_compat/endpoint.py` does the rest, the same for every row.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import Any

from resolvers.access.versions import Lasting
from resolvers.core.context import Batch
from resolvers.core.declarations import check_runs, declaration_of
from resolvers.core.naming import camel
from rest_compat.shape import Form, Shape

Operation = Callable[..., Any]
# A shape, or a choice of one by a query parameter (such as `format`).
Answer = Form | Callable[[Mapping[str, Any]], Form]


class Reply(Enum):
    """The kind of response of a row."""

    ITEM = "item"
    PAGE = "page"
    ARRAY = "array"  # all of a list, bare
    REMOVED = "removed"  # 205, or 204 where there was nothing to delete
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One documented operation of /v1."""

    method: str
    path: str
    operation_id: str
    tag: str
    operation: Operation
    answer: Answer | None
    reply: Reply
    status: int = 200
    # Operation parameter -> path parameter: `site_id` is `{siteId}`, `id` what no other one is.
    path_parameters: Mapping[str, str] = field(default_factory=dict)
    # Operation parameter (or argument of `children`) -> query parameter, where names differ, and
    # for parameters of the operation that have to be given.
    query_names: Mapping[str, str] = field(default_factory=dict)
    # Values of parameters that the query leaves out.
    defaults: Mapping[str, Any] = field(default_factory=dict)
    # Parameters of the operation and of the list that this path leaves at their defaults, or at
    # those of the row: they are not readable from the query.
    unused: tuple[str, ...] = ()
    # Query parameters that only choose the answer's shape: name -> enumeration.
    choices: Mapping[str, Any] = field(default_factory=dict)
    # A list is a batch function on the row that `operation` finds.
    children: Batch | None = None
    arguments: type[Any] | None = None
    # Members of a list's envelope beside its items: a batch function on the same row, and a shape.
    beside: Mapping[str, tuple[Batch, Shape]] = field(default_factory=dict)
    # Template of the Location header of a 201: path parameters and `{id}` of the new object, or
    # the `{revision}` that the answer names.
    location: str | None = None
    # Gives those of `arguments` that do not say which page of the list is wanted, from a body: the
    # list is asked for by POST.
    body_arguments: Callable[[Any], Mapping[str, Any]] | None = None
    # The body may be left out.
    body_optional: bool = False
    # The specification answers a body that breaks its schema with 400 here, elsewhere with 422.
    bad_request: bool = False
    # The operation's parameter that the header If-Match gives: the id of a revision.
    if_match: str | None = None
    # A read that is asked with a body, and so by POST.
    reading: bool = False
    # The attribute of the operation's result with the id of the revision that is answered: the
    # answer carries it as its ETag.
    revision: str | None = None
    # The answer has no such attribute and may be kept all the same, while what it follows from is
    # the same.
    kept: bool = False
    # The answer holds signed addresses, which go out of date while the revision stays.
    signed: bool = False
    # Until when an answer holds that is the same for all who may ask: a function of the context and
    # the operation's result. Without it nothing of the kind is known.
    lasts: Callable[[Any, Any], Awaitable[Lasting | None]] | None = None
    # What to say beside the answer of a write, in the header Warning: a function of the context and
    # the operation's result, None for nothing.
    warns: Callable[[Any, Any], str | None] | None = None
    # What an answer says of keeping it, by the operation's result; None for nothing.
    cache_control: Callable[[Any], str | None] | None = None
    # Whether a write has made what it answers with, by the operation's result: 201 then.
    created: Callable[[Any], bool] | None = None
    # Browsers send it from pages of any origin, without credentials: they need no permission, and
    # what `navigator.sendBeacon` sends says that it is plain text.
    beacon: bool = False
    # A list of which `Accept: application/x-ndjson` gets all pages, as lines of JSON.
    streams: bool = False
    # Kept for the clients of the published contract; another operation replaces it.
    deprecated: bool = False

    def __post_init__(self) -> None:
        check_runs(self.operation, writes=not self.reads)

    @property
    def reads(self) -> bool:
        """Whether the row is a read, whatever its method."""
        return self.method == "GET" or self.reading

    @property
    def open_to_all(self) -> bool:
        """Whether calls without a token are let through to the policy."""
        return declaration_of(self.operation).open_to_all


def get(path: str, operation_id: str, tag: str, operation: Operation, answer: Answer, /,
        **options: Any) -> Row:  # fmt: skip
    """A read of one object."""
    return _row("GET", path, operation_id, tag, operation, answer, Reply.ITEM, **options)


def page(path: str, operation_id: str, tag: str, parent: Operation, children: Batch,
         arguments: type[Any], answer: Answer, /, **options: Any) -> Row:  # fmt: skip
    """A paged list: `children` of the row that `parent` finds."""
    reading = options.get("body_arguments") is not None
    return _row(
        "POST" if reading else "GET", path, operation_id, tag, parent, answer, Reply.PAGE,
        children=children, arguments=arguments, reading=reading, **options,
    )  # fmt: skip


def array(path: str, operation_id: str, tag: str, parent: Operation, children: Batch,
          answer: Answer, /, **options: Any) -> Row:  # fmt: skip
    """A list without pages or an envelope: `children` of the row that `parent` finds."""
    return _row("GET", path, operation_id, tag, parent, answer, Reply.ARRAY, children=children,
                **options)  # fmt: skip


def post(path: str, operation_id: str, tag: str, operation: Operation, answer: Answer, /,
        **options: Any) -> Row:  # fmt: skip
    """A write that answers with an object; 200 unless `status` says otherwise."""
    return _row("POST", path, operation_id, tag, operation, answer, Reply.ITEM, **options)


def patch(path: str, operation_id: str, tag: str, operation: Operation, answer: Answer, /,
        **options: Any) -> Row:  # fmt: skip
    """A partial update that answers with the object."""
    return _row("PATCH", path, operation_id, tag, operation, answer, Reply.ITEM, **options)


def put(path: str, operation_id: str, tag: str, operation: Operation, answer: Answer, /,
        **options: Any) -> Row:  # fmt: skip
    """A write under PUT that answers with the object."""
    return _row("PUT", path, operation_id, tag, operation, answer, Reply.ITEM, **options)


def done(path: str, operation_id: str, tag: str, operation: Operation, /,
         method: str = "POST", **options: Any) -> Row:  # fmt: skip
    """A write that answers with its `status` and no body."""
    return _row(method, path, operation_id, tag, operation, None, Reply.NOTHING, **options)


def delete(path: str, operation_id: str, tag: str, operation: Operation, /,
           **options: Any) -> Row:  # fmt: skip
    """A delete: 205 when the operation removed something, 204 when there was nothing."""
    return _row("DELETE", path, operation_id, tag, operation, None, Reply.REMOVED, **options)


def _row(method: str, path: str, operation_id: str, tag: str, operation: Operation,
         answer: Answer | None, reply: Reply, /, **options: Any) -> Row:  # fmt: skip
    # Everything that is not about the row itself says where a parameter comes from.
    attributes = {part.name for part in fields(Row)
         if part.default is not MISSING or part.default_factory is not MISSING}  # fmt: skip
    named = {name: value for name, value in options.items() if name not in attributes}
    rest = {name: value for name, value in options.items() if name in attributes}
    return Row(
        method, path, operation_id, tag, operation, answer, reply,
        path_parameters=_path_parameters(path, operation, named), **rest,
    )  # fmt: skip


def _path_parameters(path: str, operation: Operation, named: Mapping[str, str]) -> dict[str, str]:
    """Which parameter of an operation each one of a path is, where a row does not name it."""
    taken = inspect.signature(operation).parameters
    by_path_name = {camel(name): name for name in taken}
    parameters = dict(named)
    for path_name in re.findall(r"{(\w+)", path):
        if path_name not in named.values():
            name = by_path_name.get(path_name, "id")
            if name in parameters:
                raise LookupError(f"{path}: {parameters[name]} and {path_name} are both {name!r}")
            parameters[name] = path_name
    for name in parameters.keys() - taken.keys():
        raise LookupError(f"{path}: {operation.__name__} has no parameter {name!r}")
    return parameters
