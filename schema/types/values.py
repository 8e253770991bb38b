"""Small values with types, which stand beside the same as JSON."""

from functools import partial
from typing import Annotated, Union

import strawberry

from resolvers import typed_fields
from resolvers.core.scalars import JsonObject, JsonValue
from resolvers.revisions import typed_values
from schema.types.above import User
from schema.types.references import ContentReference
from schema.wiring import batch, column, of_kind

is_value = partial(of_kind, typed_values.TypedValue)


@strawberry.type(description="A text.")
class TextValue:
    is_type_of = is_value(typed_values.TEXT)
    text: str = column("The text.", attribute="value")


@strawberry.type(description="A number.")
class NumberValue:
    is_type_of = is_value(typed_values.NUMBER)
    number: float = column("The number.", attribute="value")


@strawberry.type(description="True or false.")
class BooleanValue:
    is_type_of = is_value(typed_values.BOOLEAN)
    boolean: bool = column("True or false.", attribute="value")


@strawberry.type(description="A list, an object, or a number that is too large for `Float`.")
class OtherValue:
    is_type_of = is_value(typed_values.OTHER)
    json: JsonValue = column("The value as JSON.", attribute="value")


TypedValue = Annotated[
    Union[TextValue, NumberValue, BooleanValue, OtherValue],  # noqa: UP007 (Strawberry names the union)
    strawberry.union("TypedValue", description="A JSON value other than null."),
]


@strawberry.type(description="A variable of a page or a space.")
class Variable:
    name: str = column("Its name.")
    value: TypedValue | None = column("Its value.")


@strawberry.type(description="A variable before and after.")
class VariableChange:
    name: str = column("Its name.")
    before: TypedValue | None = column("Its value before; null where it was not set.")
    after: TypedValue | None = column("Its value now; null where it is not set.")


@strawberry.type(description="A header of an HTTP request.")
class HttpHeader:
    name: str = column("Its name.")
    value: str = column("Its value.")


@strawberry.type(description="The picture above a page.")
class PageCover:
    ref: ContentReference | None = column("The picture: a file or a URL.")
    ref_dark: ContentReference | None = column("The picture in dark surroundings, if another.")
    y_pos: float | None = column("Vertical position of the part that is shown.")


@strawberry.type(description="Which parts of a page are shown.")
class PageLayout:
    width: str = column("`default` or `wide`.")
    cover: bool = column("The cover picture.")
    cover_size: str = column("`hero` or `full`.")
    title: bool = column("The title.")
    description: bool = column("The description.")
    table_of_contents: bool = column("The table of contents.")
    outline: bool = column("The outline of the page.")
    pagination: bool = column("Links to the previous and the next page.")
    metadata: bool = column("When the page was changed.")
    cover_mask: str = column("How the edge of the cover fades: `none` or `radial`.")
    tags: bool = column("The tags of the page.")
    actions: bool = column("What readers can do with the page, such as copying it.")
    anchors: bool = column("Links at headings to themselves.")


@strawberry.type(description="Something that a source of computed content reads.")
class ComputedDependency:
    name: str = column("The name by which the source knows it.")
    reference: ContentReference = column("What it is.")


@strawberry.type(description="A source of computed content.")
class ComputedSource:
    type: str | None = column("Its kind: `builtin:NAME` or `integration:NAME:SOURCE`.")
    props: JsonObject = column("What it was given; each kind of source has its own.")
    dependencies: list[ComputedDependency] = column("What it reads.")


@strawberry.type(description="One condition that a merge must meet.")
class MergeRule:
    rule: str = column("Name of the rule, such as `require_at_least_one_review`.")
    user_ids: list[strawberry.ID] = column("Ids of the people of a rule about some.")
    users: list[User] = batch(typed_fields.users_of_rules, "Those of them whom the caller may see.")
    expression: str | None = column("The condition of a `custom` rule.")


@strawberry.type(description="When change requests may be merged.")
class MergeRules:
    type: str = column("`none`, `rules`, or for spaces `inherit`: the organization's rules.")
    rules: list[MergeRule] = column("The conditions, all of which must hold.")
