"""Values of a level become parts of the answer ("Value Completion" in the specification).

The values are those of one field for all rows of a level, with nulls and exceptions among them; for
each there is what stands in the answer.
"""

from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from graphql import GraphQLError, GraphQLObjectType, Undefined, is_object_type
from graphql.pyutils import Path, inspect, is_iterable

from schema.engine.failures import Failure, null_error, wrong_type
from schema.engine.gathering import gather_values
from schema.engine.leaves import coerce_all
from schema.engine.plan import (
    Abstract,
    Choice,
    Completion,
    Field,
    Leaf,
    Listed,
    NonNull,
    Object,
    Selection,
)
from schema.engine.run import Run, named_types, type_resolver_of
from schema.engine.sources import Batch, Resolver

Paths = Sequence[Path] | None
Select = Callable[..., Awaitable[list[Any]]]


@dataclass(slots=True, eq=False)
class Completer:
    """Completes the values of one field; `select` makes the dictionaries of objects."""

    run: Run
    select: Select
    field: Field

    async def complete(
        self, completion: Completion, values: Sequence[Any], paths: Paths
    ) -> Sequence[Any]:
        """The completed values: objects, lists and leaves as the response holds them."""
        required = isinstance(completion, NonNull)
        inner = completion.inner if isinstance(completion, NonNull) else completion
        completed: Sequence[Any]
        if isinstance(inner, Leaf):
            completed = coerce_all(inner, values)
            if completed is not values and Failure in set(map(type, completed)):
                self.run.failed = True
        elif isinstance(inner, Listed):
            completed = await self._lists(inner, values, paths)
        elif isinstance(inner, NonNull):
            raise TypeError(f"{self.field.coordinate} is required twice")
        else:
            completed = await self._objects(inner, values, paths)
        if required and None in completed:
            self.run.failed = True
            field = self.field
            return [Failure(null_error(field)) if value is None else value for value in completed]
        return completed

    async def _objects(
        self, completion: Object | Abstract | Choice, values: Sequence[Any], paths: Paths
    ) -> list[Any]:
        kinds = set(map(type, values))
        if len(kinds) == 1:
            (kind,) = kinds
            if kind is type(None):
                return [None] * len(values)
            if not issubclass(kind, Exception | Failure | type(Undefined)):
                return await self._present(completion, values, paths)
        completed: list[Any] = [None] * len(values)
        places = []
        for index, value in enumerate(values):
            if isinstance(value, Exception):
                completed[index] = Failure(value)
                self.run.failed = True
            elif isinstance(value, Failure):
                completed[index] = value
                self.run.failed = True
            elif value is not None and value is not Undefined:
                places.append(index)
        if places:
            present = [values[index] for index in places]
            own = None if paths is None else [paths[index] for index in places]
            done = await self._present(completion, present, own)
            for index, item in zip(places, done, strict=True):
                completed[index] = item
        return completed

    async def _present(
        self, completion: Object | Abstract | Choice, values: Sequence[Any], paths: Paths
    ) -> list[Any]:
        """Objects that are there."""
        match completion:
            case Object(selection, None):
                shared = len(values) > 1 and isinstance(self.field.source, Batch)
                if shared and not selection.positional:
                    return await self._select_unique(selection, values)
                return await self.select(self.run, selection, values, paths)
            case Object(selection, _):
                assert self.field.definition is not None
                types: list[Any] = [completion.type] * len(values)
                return await self._select_typed(types, lambda _: selection, values, paths)
            case Abstract():
                named = named_types(self.run, completion.type, values)
                if named is not None:
                    chosen = [completion.selection_on(type_) for type_ in named]
                    return await self._select_groups(chosen, values, paths)
                types = await self._types(completion, values, paths)
                return await self._select_typed(types, completion.selection_on, values, paths)
            case Choice(choose):
                selections = [choose(value) for value in values]
                return await self._select_groups(selections, values, paths)

    async def _select_unique(self, selection: Selection, values: Sequence[Any]) -> list[Any]:
        """Rows that several parents share, such as an author, are shown once and used often."""
        unique = dict(zip(map(id, values), values, strict=True))
        if len(unique) == len(values):
            return await self.select(self.run, selection, values)
        shown = await self.select(self.run, selection, list(unique.values()))
        completed = dict(zip(unique, shown, strict=True))
        return list(map(completed.__getitem__, map(id, values)))

    async def _select_typed(
        self,
        types: Sequence[Any],
        selection_on: Callable[[GraphQLObjectType], Selection],
        values: Sequence[Any],
        paths: Paths,
    ) -> list[Any]:
        """Objects of these types (or Failures), each asked whether it is of its type."""
        answers: list[Any] = []
        for index, (type_, value) in enumerate(zip(types, values, strict=True)):
            if isinstance(type_, Failure) or type_.is_type_of is None:
                answers.append(True)
                continue
            try:
                info = self._info(paths, index)
                answers.append(type_.is_type_of(value, info))
            except Exception as error:
                answers.append(Failure(error))
        chosen: list[Selection | Failure] = []
        for type_, value, answer in zip(types, values, await gather_values(answers), strict=True):
            if isinstance(type_, Failure):
                chosen.append(type_)
            elif isinstance(answer, Failure):
                chosen.append(answer)
            elif not answer:
                chosen.append(Failure(wrong_type(type_, inspect(value), self.field)))
            else:
                chosen.append(selection_on(type_))
        return await self._select_groups(chosen, values, paths)

    def _info(self, paths: Paths, index: int) -> Any:
        """The `info` of the field that a value belongs to; the path of items is their list's."""
        path = None if paths is None else paths[index]
        while path is not None and isinstance(path.key, int):
            path = path.prev
        return self.run.info(self.field, path)

    async def _select_groups(
        self, chosen: Sequence[Selection | Failure], values: Sequence[Any], paths: Paths
    ) -> list[Any]:
        """Each selection is executed once, for all the values that it was chosen for."""
        completed: list[Any] = [None] * len(values)
        groups: dict[int, tuple[Selection, list[int]]] = {}
        for index, choice in enumerate(chosen):
            if isinstance(choice, Failure):
                self.run.failed = True
                completed[index] = choice
            else:
                groups.setdefault(id(choice), (choice, []))[1].append(index)
        for selection, places in groups.values():
            rows = [values[index] for index in places]
            own = None if paths is None else [paths[index] for index in places]
            objects = await self.select(self.run, selection, rows, own)
            self.run.groups.append((selection, objects))
            for index, value in zip(places, objects, strict=True):
                completed[index] = value
        return completed

    async def _types(self, completion: Abstract, values: Sequence[Any], paths: Paths) -> list[Any]:
        """The object type of each value of an abstract type, or a Failure."""
        resolve = type_resolver_of(completion.type)
        names: list[Any] = []
        for index, value in enumerate(values):
            try:
                info = self._info(paths, index)
                names.append(resolve(value, info, completion.type))
            except Exception as error:
                names.append(Failure(error))
        return [
            name if isinstance(name, Failure) else self._valid_type(completion, name, value)
            for name, value in zip(await gather_values(names), values, strict=True)
        ]

    def _valid_type(self, completion: Abstract, name: Any, value: Any) -> Any:
        """The object type of this name, or the Failure that tells what is wrong with it."""
        abstract = completion.type
        must = f"Abstract type '{abstract}' must resolve to an Object type at runtime"
        of_field = f"for field '{self.field.coordinate}'"
        schema = self.run.schema
        assert schema is not None
        assert self.field.definition is not None
        if name is None:
            problem = (
                f"{must} {of_field}. Either the '{abstract}' type should provide a 'resolve_type' "
                "function or each possible type should provide an 'is_type_of' function."
            )
        elif not isinstance(name, str):
            problem = (
                f"{must} {of_field} with value {inspect(value)}, received '{inspect(name)}',"
                " which is not a valid Object type name."
            )
        else:
            type_ = schema.get_type(name)
            if type_ is None:
                problem = (
                    f"Abstract type '{abstract}' was resolved to a type '{name}'"
                    " that does not exist inside the schema."
                )
            elif not is_object_type(type_):
                problem = f"Abstract type '{abstract}' was resolved to a non-object type '{name}'."
            elif not schema.is_sub_type(abstract, type_):
                problem = f"Runtime Object type '{type_}' is not a possible type for '{abstract}'."
            else:
                return type_
        return Failure(GraphQLError(problem, self.field.definition.nodes))

    async def _lists(self, completion: Listed, values: Sequence[Any], paths: Paths) -> list[Any]:
        """Lists: the items of all of them are completed together."""
        resolved = isinstance(self.field.source, Resolver)
        simple = paths is None and completion.items is None and not resolved
        if simple and set(map(type, values)) == {list}:
            if len(values) == 1:
                return [await self.complete(completion.item, values[0], None)]
            items = list(chain.from_iterable(values))
            done = iter(await self.complete(completion.item, items, None))
            return [list(islice(done, len(value))) for value in values]
        return await self._any_lists(completion, values, paths)

    async def _any_lists(
        self, completion: Listed, values: Sequence[Any], paths: Paths
    ) -> list[Any]:
        """Lists of any kind, with nulls and failures among them."""
        flat: list[Any] = []
        flat_paths: list[Path] | None = None if paths is None else []
        # For each value where its items are, or what stands for it.
        spans: list[Any] = []
        for index, value in enumerate(values):
            listed: Any = value
            failure: Failure | None = None
            if value is None or value is Undefined:
                spans.append(None)
                continue
            if isinstance(value, Exception | Failure):
                self.run.failed = True
                spans.append(value if isinstance(value, Failure) else Failure(value))
                continue
            if completion.items is not None:
                listed = completion.items(value)
            if type(listed) not in (list, tuple):
                listed, failure = await _items_of(self.field, listed)
            start = len(flat)
            flat.extend(listed)
            if flat_paths is not None:
                assert paths is not None
                flat_paths.extend(paths[index].add_key(place, None) for place in range(len(listed)))
            spans.append((start, len(flat), failure))
        items: Sequence[Any] = flat
        if isinstance(self.field.source, Resolver):
            items = await gather_values(flat)
        completed = await self.complete(completion.item, items, flat_paths)
        return [self._list_of(completed, span) for span in spans]

    def _list_of(self, items: Sequence[Any], span: Any) -> Any:
        if span is None or isinstance(span, Failure):
            return span
        start, end, failure = span
        if failure is None:
            return items[start:end]
        self.run.failed = True
        return Failure(failure.error, list(items[start:end]))


async def _items_of(field: Field, value: Any) -> tuple[list[Any], Failure | None]:
    """The items of something that is no list, and why there are no more of them."""
    items: list[Any] = []
    try:
        if isinstance(value, AsyncIterable):
            async for item in value:
                items.append(item)
        elif is_iterable(value):
            for item in value:
                items.append(item)
        else:
            message = f"Expected Iterable, but did not find one for field '{field.coordinate}'."
            return [], Failure(GraphQLError(message))
    except Exception as error:
        return items, Failure(error)
    return items, None
