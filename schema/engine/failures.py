"""Errors of fields: noted where they happen, located and spread afterwards.

While levels are executed, what fails leaves a `Failure` in its place and nothing else happens.
Only an answer with failures is gone through again, in the order of its fields as an executor for
one object at a time would, to find the path of each error and what becomes null by it
(GraphQL specification, "Handling Execution Errors").
"""

from collections.abc import Iterable
from typing import Any, NoReturn

from graphql import GraphQLError, GraphQLObjectType, located_error

from schema.engine.plan import (
    Abstract,
    Choice,
    Completion,
    Field,
    Listed,
    NonNull,
    Object,
    Selection,
)

Json = dict[str, Any]
Path = tuple[str | int, ...]


class Failure:
    """Stands for a value that could not be had.

    `items` are those of a list that came before the failure.
    """

    __slots__ = ("error", "items")

    def __init__(self, error: Exception, items: list[Any] | None = None) -> None:
        self.error = error
        self.items = items


class Settlement:
    """One walk through an answer with failures; `errors` are those that it reports."""

    def __init__(self, groups: Iterable[tuple[Selection, list[Json]]]) -> None:
        self.errors: list[GraphQLError] = []
        # Selections of objects whose type is known by the value only.
        self._selections = {
            id(object_): selection for selection, objects in groups for object_ in objects
        }

    def root(self, selection: Selection, data: Any) -> Json | None:
        """The answer without failures, null when one of them reached the top."""
        try:
            if isinstance(data, Failure):
                raise_located(data.error, None, ())
            return self._object(selection, data, ())
        except GraphQLError as error:
            self.errors.append(error)
            return None

    def field(self, field: Field, value: Any, path: Path) -> Any:
        """The value of a field without failures; GraphQLError when it makes its parent null."""
        return self._position(field, field.completion, value, path)

    def _object(self, selection: Selection, data: Json, path: Path) -> Json:
        return {
            field.name: self.field(field, data[field.name], (*path, field.name))
            for field in selection.fields
            if field.name in data
        }

    def _position(self, field: Field, completion: Completion, value: Any, path: Path) -> Any:
        """A place that can be null by itself: a field, or an item of a list."""
        try:
            return self._value(field, completion, value, path)
        except GraphQLError as error:
            if isinstance(completion, NonNull):
                raise
            self.errors.append(error)
            return None

    def _value(self, field: Field, completion: Completion, value: Any, path: Path) -> Any:
        inner = completion.inner if isinstance(completion, NonNull) else completion
        if isinstance(value, Failure):
            if value.items is not None and isinstance(inner, Listed):
                self._items(field, inner, value.items, path)
            raise_located(value.error, field, path)
        if value is None:
            return None
        if isinstance(inner, Listed):
            return self._items(field, inner, value, path)
        if isinstance(inner, Object):
            return self._object(inner.selection, value, path)
        if isinstance(inner, Abstract | Choice):
            return self._object(self._selections[id(value)], value, path)
        return value

    def _items(self, field: Field, listed: Listed, values: list[Any], path: Path) -> list[Any]:
        return [
            self._position(field, listed.item, value, (*path, index))
            for index, value in enumerate(values)
        ]


def reaches_parent(
    groups: Iterable[tuple[Selection, list[Json]]], field: Field, value: Any
) -> bool:
    """Whether failures in the value of a field make the object null that has the field."""
    try:
        Settlement(groups).field(field, value, (field.name,))
    except GraphQLError:
        return True
    return False


def first_error(value: Any) -> Exception:
    """The first error in an answer that has one."""
    error = _error_in(value)
    assert error is not None
    return error


def _error_in(value: Any) -> Exception | None:
    if isinstance(value, Failure):
        return value.error
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return None
    return next((error for item in value if (error := _error_in(item)) is not None), None)


def raise_located(error: Exception, field: Field | None, path: Path) -> NoReturn:
    """Raise the error with the field's nodes and the path; GraphQL errors keep their own."""
    if field is None or field.definition is None:
        if isinstance(error, GraphQLError):
            raise error
        raise located_error(error, None, list(path))
    raise located_error(error, field.definition.nodes, list(path))


def null_error(field: Field) -> TypeError:
    """The error of a null where the type allows none."""
    return TypeError(f"Cannot return null for non-nullable field {field.coordinate}.")


def wrong_type(type_: GraphQLObjectType, shown: str, field: Field) -> GraphQLError:
    """The error of a value that its type's `is_type_of` does not know."""
    nodes = field.definition.nodes if field.definition else None
    return GraphQLError(f"Expected value of type '{type_}' but got: {shown}.", nodes)
