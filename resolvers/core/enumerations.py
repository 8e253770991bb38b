"""Registers the domain's enumerations with GraphQL: names are GraphQL's, values are /v1's.

Whatever declares inputs or types imports this first: an input class that meets an enumeration
before it is registered would give it a definition of its own.
"""

import enum
import inspect

import strawberry

from db import content_enums, customization_enums, enums, order_enums, site_enums
from resolvers.core.enumeration_values import value_descriptions

_MODULES = (enums, content_enums, customization_enums, order_enums, site_enums)

for _value in [value for module in _MODULES for value in vars(module).values()]:
    if inspect.isclass(_value) and issubclass(_value, enum.Enum) and _value is not enum.Enum:
        strawberry.enum(_value, description=(_value.__doc__ or "").strip())
        _descriptions = value_descriptions(_value)
        for _one in _value.__strawberry_definition__.values:  # type: ignore[attr-defined]
            _one.description = _descriptions.get(_one.name)
