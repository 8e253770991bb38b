"""Arguments of built-in scalars reach the operations as Strawberry's own conversion gives them."""

from itertools import product
from typing import Any

from graphql import GraphQLNonNull, is_object_type
from strawberry.types.arguments import convert_arguments

from schema.build import build_schema
from schema.sources import DEFINITION, _converter, _is_plain

VALUES: dict[str, Any] = {"ID": "a", "String": "b", "Int": 3, "Float": 1.5, "Boolean": False}


def test_plain_arguments_need_no_conversion() -> None:
    schema = build_schema()
    registry, config = schema.schema_converter.scalar_registry, schema.config
    compared = 0
    for type_ in filter(is_object_type, schema._schema.type_map.values()):
        for name, field in type_.fields.items():
            definition = field.extensions.get(DEFINITION)
            if definition is None or not all(map(_is_plain, definition.arguments)):
                continue
            convert = _converter(schema, definition)
            choices = []
            for argument in field.args.values():
                required = isinstance(argument.type, GraphQLNonNull)
                value = VALUES[str(argument.type).rstrip("!")]
                choices.append([value] if required else [value, None, ...])
            for chosen in product(*choices):
                given = {
                    argument: value
                    for argument, value in zip(field.args, chosen, strict=True)
                    if value is not ...
                }
                expected = convert_arguments(given, definition.arguments, registry, config)
                assert convert(given) == expected, f"{type_.name}.{name}"
                compared += bool(given)
    assert compared > 50
