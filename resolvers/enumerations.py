"""Registers the domain's enumerations with GraphQL: names are GraphQL's, values are /v1's.

Whatever declares inputs or types imports this first: an input class that meets an enumeration
before it is registered would give it a definition of its own.
"""

import enum
import inspect

import strawberry

from db import content_enums, enums, site_enums

for _value in (
    *vars(enums).values(),
    *vars(content_enums).values(),
    *vars(site_enums).values(),
):
    if inspect.isclass(_value) and issubclass(_value, enum.Enum) and _value is not enum.Enum:
        strawberry.enum(_value, description=(_value.__doc__ or "").strip())
