"""Registers the domain's enumerations with GraphQL: names are GraphQL's, values are /v1's."""

import enum
import inspect

import strawberry

from db import enums

for _value in vars(enums).values():
    if inspect.isclass(_value) and issubclass(_value, enum.Enum) and _value is not enum.Enum:
        strawberry.enum(_value, description=(_value.__doc__ or "").strip())
