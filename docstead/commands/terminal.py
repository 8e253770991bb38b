"""What commands write to the terminal: results, progress, and one line for a fault."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


class CommandError(Exception):
    """A fault of the person at the command line; its text is the one line that is printed."""


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Shows what is under way, how much of it is done and how much there is, to who watches."""
    if not sys.stderr.isatty():
        yield lambda description, done, total: None
        return
    # Servers are started by a command, too, and stay: they need none of it.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda description, done, total: bar.update(
            task, description=description, completed=done, total=total
        )


def complain(line: str) -> None:
    """Print a line for people, beside the results."""
    typer.echo(line, err=True)


def printable(text: str) -> str:
    """Text of unknown origin for a terminal: on one line, without control characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def show(value: Any, as_json: bool, text: str) -> None:
    """Print a result: as JSON for programs, else as text for people."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False) if as_json else text)
