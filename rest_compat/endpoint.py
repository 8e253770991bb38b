"""Serves one row of the route table: authenticate, read parameters, run, project, answer."""

import asyncio
import inspect
import typing
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from typing import Any
from urllib.parse import quote

import orjson
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from resolvers.access.idempotency import Answer
from resolvers.core import inputs
from resolvers.core.actors import Actor
from resolvers.core.batch_functions import Projection, declared
from resolvers.core.context import Context
from resolvers.core.database_errors import unanswered
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    DeadlineExceeded,
    FieldError,
    Invalid,
    NothingToDelete,
    invalid,
)
from resolvers.core.inputs import BOUNDS, Bounds
from resolvers.core.naming import camel
from resolvers.core.pagination import Slice, total_counts
from resolvers.core.runners import read, run
from rest_compat.entity_tags import entity_tag, expected_revision, is_known
from rest_compat.keeping import keeping_of_content, keeping_of_question
from rest_compat.preferences import (
    NO_HEADERS,
    PREFERENCE_HEADERS,
    STRICT,
    handling_of,
    preference_headers,
)
from rest_compat.replays import answer_of, idempotent_request, response_of
from rest_compat.selections import project, projection_of
from rest_compat.server_port import ServerPort, server_of
from rest_compat.shape import Form, Json
from rest_compat.table import Reply, Row
from rest_compat.values import FromText, Kind, Problems, from_text, kind_of
from schema.wiring import PROJECTION

# Names of the page arguments in /v1.
PAGE_NAMES = {"first": "limit", "after": "page"}
# Lists of /v1 are read forwards, in the one order that each of them has there.
NOT_IN_V1 = frozenset({"last", "before", "order_by"})
JSON_TYPE = "application/json"
LINES_TYPE = "application/x-ndjson"
LINES_PER_READ = 1000
# Query strings that one row caches parsed, and the length up to which.
MAX_CACHED_QUERIES, MAX_CACHED_QUERY = 32, 200


@dataclass(frozen=True, slots=True)
class Plan:
    """A row of the table with types of its parameters and its body, computed once."""

    row: Row
    # Query parameter -> (argument, type, belongs to the children's arguments).
    query: Mapping[str, tuple[str, Any, bool]]
    body: Kind | None
    # Whether the operation, and the batch function of the list, take a projection.
    operation_takes_projection: bool = False
    children_take_projection: bool = False
    # Query parameters that have to be there, and the bounds of those that have some.
    required: frozenset[str] = frozenset()
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    # What reads the text of a query parameter or a choice, by its name.
    from_text: Mapping[str, FromText] = field(default_factory=dict)
    # Whether answers about primary content may be kept.
    kept: bool = False


@cache
def plan_of(row: Row) -> Plan:
    """The plan of a row; TypeError when nothing provides a parameter."""
    hints = typing.get_type_hints(row.operation, include_extras=True)
    query: dict[str, tuple[str, Any, bool]] = {}
    required: set[str] = set()
    bounds: dict[str, Bounds] = {}
    body = None
    for parameter in list(inspect.signature(row.operation).parameters.values())[1:]:
        name = parameter.name
        if name in row.path_parameters or name in row.unused or name in (PROJECTION, row.if_match):
            continue
        if name == "input":
            body = kind_of(hints[name])
        elif parameter.default is not inspect.Parameter.empty:
            query[row.query_names.get(name, camel(name))] = (name, hints[name], False)
        elif name in row.query_names:
            query[row.query_names[name]] = (name, hints[name], False)
            required.add(row.query_names[name])
        elif name not in row.defaults:
            raise TypeError(f"{row.operation_id}: nothing provides {name!r}")
    if row.body_arguments is not None:
        body = kind_of(typing.get_type_hints(row.body_arguments)["input"])
    if row.arguments is not None:
        argument_hints = typing.get_type_hints(row.arguments, include_extras=True)
        for argument in fields(row.arguments):
            name = argument.name
            if name in NOT_IN_V1 or name in row.unused:
                continue
            if row.body_arguments is not None and name not in PAGE_NAMES:
                continue
            public = row.query_names.get(name, PAGE_NAMES.get(name, camel(name)))
            query[public] = (name, argument_hints[name], True)
            if argument.default is MISSING and argument.default_factory is MISSING:
                required.add(public)
            if argument.metadata.get(BOUNDS) is not None:
                bounds[public] = argument.metadata[BOUNDS]
    takes_projection = PROJECTION in inspect.signature(row.operation).parameters
    children_take_projection = declared(row.children).takes_projection
    from_texts = {name: from_text(hint) for name, (_, hint, _) in query.items()}
    from_texts |= {name: from_text(hint) for name, hint in row.choices.items()}
    return Plan(
        row,
        query,
        body,
        takes_projection,
        children_take_projection,
        frozenset(required),
        bounds,
        from_texts,
        row.kept or (row.method == "GET" and row.revision is not None and not row.signed),
    )


class Endpoint:
    """The request handler of one row."""

    def __init__(self, row: Row) -> None:
        self._row = row
        # Clients send few query strings; what is parsed of them is immutable.
        self._read_query_once = lru_cache(MAX_CACHED_QUERIES)(self._read_query)

    @cached_property
    def _plan(self) -> Plan:
        """Made by the first request: what bodies and parameters may be takes room for hundreds of
        rows, of which a server is asked for few."""
        return plan_of(self._row)

    async def __call__(self, request: Request) -> Response:
        server = server_of(request)
        deadline = asyncio.timeout(server.seconds)
        try:
            async with deadline:
                return await self._respond(request, server)
        except Invalid as error:
            if self._row.bad_request:
                raise BadRequest(error.message, error.fields) from error
            raise
        except TimeoutError:
            if not deadline.expired():
                raise
            raise DeadlineExceeded(
                f"the request did not finish within {server.seconds:g} seconds"
            ) from None

    async def _respond(self, request: Request, server: ServerPort) -> Response:
        row = self._row
        # First, so that a bad token is reported before a bad body.
        actor = await server.authenticate(request, row.open_to_all)
        keeping = keeping_of_content(server, actor, request) if self._plan.kept else None
        if keeping is not None and (answer := await keeping.found(row)) is not None:
            if row.kept:
                # What others of its kind count for.
                _charge(server, request, self._parameters(request)[1])
            return answer
        values, arguments, choices = self._parameters(request)
        body, headers = None, NO_HEADERS
        if self._plan.body is not None:
            body = await server.read_body(request, actor, row.beacon)
            handling = handling_of(request)
            if row.lasts is not None:
                # The same body had nothing wrong with it when it was answered.
                keeping = keeping_of_question(server, actor, request, body, handling)
                if keeping is not None and (answer := await keeping.found(row)) is not None:
                    return answer
            problems = Problems(strict=handling == STRICT)
            try:
                values["input"] = self._input(body, problems)
            finally:
                # Errors say so as well.
                headers = preference_headers(handling, problems.ignored)
                request.scope[PREFERENCE_HEADERS] = headers
        inputs.check(values)
        if row.body_arguments is not None:
            arguments = self._arguments(arguments | row.body_arguments(values.pop("input")))
        in_lines = row.streams and accepts_lines(request)
        if in_lines:
            server.charge(request, LINES_PER_READ)
        else:
            _charge(server, request, arguments)
        form = self._form(choices)
        if self._plan.operation_takes_projection:
            values[PROJECTION] = self._projection(form)
        if in_lines:
            return await self._lines(server, actor, request, values, arguments)
        reads = row.reads
        keyed = idempotent_request(request, row, body)

        async def work() -> Response:
            async with server.open_context(actor, request) as ctx:
                if keeping is not None:
                    ctx.dependencies = keeping.dependencies

                async def carry_out() -> Response:
                    try:
                        result = await (read if reads else run)(ctx, row.operation, **values)
                    except NothingToDelete:
                        return Response(status_code=204)
                    if keeping is not None and row.lasts is not None:
                        keeping.lasting = await row.lasts(ctx, result)
                    try:
                        return await self._answer(ctx, request, result, arguments, form)
                    except Exception as error:
                        if ctx.written and (lost := unanswered(error)) is not error:
                            raise lost from error
                        raise

                async def carry_out_once() -> Answer:
                    return answer_of(await carry_out())

                if keyed is None:
                    return await carry_out()
                return response_of(await server.answers.answer(ctx, keyed, carry_out_once))

        response = await (server.read_in_place(work) if reads else work())
        response.headers.update(headers)
        return response if keeping is None else keeping.keep(response)

    async def _lines(
        self, server: ServerPort, actor: Actor, request: Request, values: Json, arguments: Any
    ) -> Response:
        """All pages of a list from the asked one on, a line for each row.

        Each page is a read of its own: nothing is held while the client takes its time, and whoever
        loses the right to read gets no more. What fails behind the first page ends the connection.
        """
        form = self._form({})
        assert form is not None

        def page_after(cursor: str | None) -> Coroutine[Any, Any, tuple[bytes, str | None]]:
            page_arguments = replace(arguments, first=LINES_PER_READ, after=cursor)

            async def work() -> tuple[bytes, str | None]:
                async with server.open_context(actor, request) as ctx:
                    result = await read(ctx, self._row.operation, **values)
                    page = await self._page(ctx, result, page_arguments, form)
                    rows = await project(ctx, form, page.rows)
                    return b"".join(orjson.dumps(row) + b"\n" for row in rows), page.next_cursor

            return server.read_in_place(work)

        lines, cursor = await page_after(arguments.after)

        async def all_lines() -> AsyncIterator[bytes]:
            part, following = lines, cursor
            yield part
            while following is not None:
                part, following = await page_after(following)
                yield part

        return StreamingResponse(all_lines(), media_type=LINES_TYPE)

    async def _page(self, ctx: Context, result: Any, arguments: Any, form: Form) -> Slice[Any]:
        """A page of the list below the row that the operation has found."""
        children = self._row.children
        assert children is not None
        if self._plan.children_take_projection:
            pages = await children(ctx, [result], arguments, projection_of(form))  # type: ignore[call-arg]
        else:
            pages = await children(ctx, [result], arguments)
        page: Slice[Any] | ApiError = pages[0]
        if isinstance(page, ApiError):
            raise page
        return page

    def _parameters(self, request: Request) -> tuple[Json, Any, Json]:
        """Parameters of the operation, arguments of the list, and choices of the shape."""
        row = self._row
        values: Json = {}
        for argument, name in row.path_parameters.items():
            values[argument] = request.path_params[name]
        if row.if_match is not None:
            values[row.if_match] = expected_revision(request)
        text = request.scope["query_string"]
        read = self._read_query if len(text) > MAX_CACHED_QUERY else self._read_query_once
        queried, arguments, choices = read(text)
        return queried | values, arguments, choices

    def _read_query(self, query: bytes) -> tuple[Json, Any, Json]:
        """The arguments of the operation and of the list, and the choices, in a query string."""
        row, problems = self._row, Problems()
        values: Json = dict(row.defaults) if row.arguments is None else {}
        arguments: Json = dict(row.defaults) if row.arguments is not None else {}
        parameters: dict[str, list[str]] = {}
        for name, text in QueryParams(query).multi_items():
            # An optional parameter without a value is absent: clients send those they do not use.
            if text or name in self._plan.required:
                parameters.setdefault(name, []).append(text)
        readers = self._plan.from_text
        for name, (argument, _, of_children) in self._plan.query.items():
            if name in parameters:
                target = arguments if of_children else values
                target[argument] = readers[name](parameters[name], name, problems)
            elif name in self._plan.required:
                problems.append(FieldError(name, "is required"))
        choices: Json = {}
        for name in row.choices:
            texts = parameters.get(name)
            choices[name] = None if texts is None else readers[name](texts, name, problems)
        first = arguments.get("first")
        if "limit" in parameters and isinstance(first, int) and not 1 <= first <= 1000:
            limit = parameters["limit"][-1]
            problems.append(FieldError("limit", f"{limit} is not allowed; it must be 1 to 1000"))
        if problems:
            raise problems.error()
        # The body may hold further arguments.
        checked = arguments if row.body_arguments is not None else self._arguments(arguments)
        return values, checked, choices

    def _arguments(self, values: Json) -> Any:
        """The checked arguments of the list; None where the row has no list."""
        if self._row.arguments is None:
            return None
        arguments = self._row.arguments(**values)
        try:
            inputs.check({"": arguments})
        except Invalid as error:
            raise self._public(error.fields) from error
        return arguments

    def _public(self, problems: Iterable[FieldError]) -> Invalid:
        """Problems by the names of the query parameters in /v1."""
        names = {camel(argument): public for public, (argument, *_) in self._plan.query.items()}
        public = Problems()
        public.extend(
            replace(problem, path=names.get(problem.path, problem.path)) for problem in problems
        )
        return public.error()

    def _input(self, body: Any, problems: Problems) -> Any:
        row = self._row
        if body is None:
            if not row.body_optional:
                raise invalid("body", "a JSON object is required")
            body = {}
        assert self._plan.body is not None
        value = self._plan.body.parse(body, "", problems)
        if problems:
            raise problems.error()
        return value

    def _form(self, choices: Json) -> Form | None:
        """The shape of the answer; None when it has no body."""
        answer = self._row.answer
        return answer(choices) if callable(answer) else answer

    def _projection(self, form: Form | None) -> Projection:
        """What will be read of the row that the operation returns."""
        row, columns = self._row, None
        if row.reply in (Reply.PAGE, Reply.ARRAY):
            columns = declared(row.children).reads
            for batch, _ in row.beside.values():
                more = declared(batch).reads
                columns = None if columns is None or more is None else columns | more
        elif form is not None and row.location is None:
            columns = projection_of(form).columns
        if columns is not None and row.revision is not None:
            columns |= {row.revision}
        return Projection(columns)

    async def _answer(
        self, ctx: Context, request: Request, result: Any, arguments: Any, form: Form | None
    ) -> Response:
        row = self._row
        tag = None if row.revision is None else entity_tag(ctx, getattr(result, row.revision), row)
        if tag is not None and is_known(request, tag):
            return Response(status_code=304, headers={"ETag": tag})
        response = await self._body(ctx, request, result, arguments, form)
        if tag is not None:
            response.headers["ETag"] = tag
        return response

    async def _body(
        self, ctx: Context, request: Request, result: Any, arguments: Any, form: Form | None
    ) -> Response:
        row = self._row
        if row.reply is Reply.REMOVED:
            return Response(status_code=205)
        if row.reply is Reply.NOTHING:
            return Response(status_code=row.status)
        assert form is not None
        if row.reply is Reply.PAGE:
            body = await envelope(ctx, form, await self._page(ctx, result, arguments, form))
            for name, (batch, shape) in row.beside.items():
                (body[name],) = await project(ctx, shape, await batch(ctx, [result], None))
            return json_response(body)
        if row.reply is Reply.ARRAY:
            assert row.children is not None
            (listed,) = await row.children(ctx, [result], None)
            return json_response(await project(ctx, form, listed))
        (body,) = await project(ctx, form, [result])
        headers = {}
        if row.location is not None:
            named = {name: body.get(name) for name in ("id", "revision", "space", "site")}
            parts = {**request.path_params, **{name: _id(part) for name, part in named.items()}}
            quoted = {name: quote(str(value), safe="") for name, value in parts.items()}
            path = row.location.format(**quoted)
            headers["Location"] = f"{ctx.settings.public_url}/v1{path}"
        if row.cache_control is not None and (keeping := row.cache_control(result)) is not None:
            headers["Cache-Control"] = keeping
        if row.warns is not None and (warning := row.warns(ctx, result)) is not None:
            headers["Warning"] = f'299 - "{warning}"'
        created = row.created is not None and row.created(result)
        return json_response(body, 201 if created else row.status, headers)


def _charge(server: ServerPort, request: Request, arguments: Any) -> None:
    """Count a list by the objects that it may read, if so many are asked for."""
    if arguments is not None and arguments.first is not None:
        server.charge(request, arguments.first)


def _id(part: Any) -> Any:
    """The id of what an answer names, or shows as a whole."""
    return part.get("id") if isinstance(part, dict) else part


def accepts_lines(request: Request) -> bool:
    """Whether a client asks for lines of JSON."""
    accepted = request.headers.get("accept", "").lower().split(",")
    return any(kind.partition(";")[0].strip() == LINES_TYPE for kind in accepted)


async def envelope(ctx: Context, form: Form, page: Slice[Any]) -> Json:
    """The list envelope of a page: items, the count over all pages, and the next page."""
    body: Json = {"items": await project(ctx, form, page.rows)}
    (body["count"],) = await total_counts(ctx, [page], None)
    following = page.next_cursor
    if following is not None:
        body["next"] = {"page": following}
    return body


def json_response(
    body: Json | list[Json], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
    return Response(orjson.dumps(body), status, headers, JSON_TYPE)
