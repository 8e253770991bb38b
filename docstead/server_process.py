"""What each process of `docstead serve` runs."""

from starlette.types import ASGIApp

from docstead.garbage import share_arenas, without_collections


def create_app() -> ASGIApp:
    """The application; while it is imported, nothing becomes garbage."""
    share_arenas()
    with without_collections():
        from docstead.asgi import create_app as create
    return create()
