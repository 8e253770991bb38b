"""Names of Python as callers write them."""


def camel(name: str) -> str:
    """created_at -> createdAt."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
