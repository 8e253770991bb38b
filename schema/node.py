"""The Node interface: everything that has an id of its own."""

import strawberry


@strawberry.interface(description="An object with an identifier that no other object has.")
class Node:
    id: strawberry.ID = strawberry.field(
        description="Identifier: opaque text, sortable by creation time, the same in /v1."
    )
