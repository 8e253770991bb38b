"""By what lists can be sorted: the argument `order_by` of lists that people sort.

Such a list has an enumeration of its fields (db/order_enums.py), an input with the field and the
direction, and an `Orders`: what each field means. Each order is total, has no nulls, and sorts
alike in Python and on every database (db/text_order.py).
"""

import enum
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import strawberry

from db.enums import SortOrder
from db.order_enums import (
    AuditOrderField,
    ChangeRequestOrderField,
    CollectionOrderField,
    CommentOrderField,
    FileOrderField,
    MemberOrderField,
    OrganizationOrderField,
    PageOrderField,
    ReusableContentOrderField,
    ShareLinkOrderField,
    SiteOrderField,
    SiteRedirectOrderField,
    SpaceOrderField,
    TeamMemberOrderField,
    TeamOrderField,
)
from db.text_order import sort_key
from resolvers.core import inputs
from resolvers.core.errors import invalid
from resolvers.core.naming import camel
from resolvers.core.pagination import Order, SortColumn

_FIELD = "By what; what is equal there is sorted by id."


@strawberry.input
class Ordering:
    """What all inputs of `order_by` have. Arguments are keys of caches, so they have a hash."""

    # Each has an enumeration of its own in place of this.
    field: Any = inputs.field(_FIELD, required=True)
    direction: SortOrder = strawberry.field(
        default=SortOrder.ASC, description="Direction; ascending when absent."
    )

    def __init_subclass__(cls) -> None:
        cls.__hash__ = _hash  # type: ignore[method-assign, assignment]


def _hash(ordering: Ordering) -> int:
    return hash((ordering.field, ordering.direction))


@strawberry.input(description="How to sort a list of organizations.")
class OrganizationOrder(Ordering):
    field: OrganizationOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of collections.")
class CollectionOrder(Ordering):
    field: CollectionOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of spaces.")
class SpaceOrder(Ordering):
    field: SpaceOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of sites.")
class SiteOrder(Ordering):
    field: SiteOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of members.")
class MemberOrder(Ordering):
    field: MemberOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of teams.")
class TeamOrder(Ordering):
    field: TeamOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of the members of a team.")
class TeamMemberOrder(Ordering):
    field: TeamMemberOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of change requests.")
class ChangeRequestOrder(Ordering):
    field: ChangeRequestOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of comments.")
class CommentOrder(Ordering):
    field: CommentOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of redirects of a site.")
class SiteRedirectOrder(Ordering):
    field: SiteRedirectOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of share links.")
class ShareLinkOrder(Ordering):
    field: ShareLinkOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of pages.")
class PageOrder(Ordering):
    field: PageOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of files.")
class FileOrder(Ordering):
    field: FileOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort a list of reusable contents.")
class ReusableContentOrder(Ordering):
    field: ReusableContentOrderField = inputs.field(_FIELD, required=True)


@strawberry.input(description="How to sort the audit log.")
class AuditOrder(Ordering):
    field: AuditOrderField = inputs.field(_FIELD, required=True)


# ------------------------------------------------------------------ what the fields mean


class Orders:
    """The orders of a list by its fields; what is equal in a field is sorted by `last`.

    The direction holds for both, so that one index is read in either.
    """

    def __init__(self, last: SortColumn, fields: Mapping[enum.Enum, SortColumn]) -> None:
        self._orders = {field: Order((part, last)) for field, part in fields.items()}

    def by(self, field: enum.Enum, direction: SortOrder = SortOrder.ASC) -> Order:
        """The order by a field."""
        order = self._orders[field]
        return order.reversed if direction is SortOrder.DESC else order

    def or_else(
        self, default: Order | Callable[[Any], Order], *without: str
    ) -> Callable[[Any], Order]:
        """Chooses the order by the arguments of a list, `default` without `order_by`.

        Invalid beside one of the arguments `without`, which choose an order in another way.
        """

        def chosen(arguments: Any) -> Order:
            order = self.wanted(arguments)
            if order is None:
                return default if isinstance(default, Order) else default(arguments)
            beside = [name for name in without if getattr(arguments, name) is not None]
            if beside:
                problem = f"is not allowed beside `{camel(beside[0])}`; give one of them"
                raise invalid("orderBy", problem)
            return order

        return chosen

    def wanted(self, arguments: Any) -> Order | None:
        """The order that the arguments of a list ask for; None for that of the list itself."""
        # Lists that are read whole, and those of /v1, have no such argument.
        order: Ordering | None = getattr(arguments, "order_by", None)
        return None if order is None else self.by(order.field, order.direction)


def in_memory(name: str, key: Callable[[Any], Any] | None = None) -> SortColumn:
    """The order of an attribute of rows that are read whole, or of a key by that name."""
    return SortColumn(name, key or attrgetter(name), reads=(name,))


def titled(name: str) -> SortColumn:
    """The order of an attribute that people read, by its sort key."""
    return in_memory(name, lambda row: sort_key(getattr(row, name)))


def by(column: Any) -> SortColumn:
    """The order of a column of a model."""
    return SortColumn(column, attrgetter(column.key))
