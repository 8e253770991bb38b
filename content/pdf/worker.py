"""The process that draws one PDF: `python -m content.pdf.worker FOLDER`.

It reads the job in the folder and leaves the PDF and a result beside it. The result says how many
sheets there are, or what the problem is: `too-many-sheets` or `memory`. A process that ends
without a result has failed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import orjson

from content.isolation import limit_resources, refuse_sockets
from content.pdf.job import JOB_FILE, PDF_FILE, RESULT_FILE, Limits, read_job

# Of the PDF.
FILE_BYTES = 1_000_000_000


def _reporter() -> Callable[[str, int, int], None]:
    """Says on the standard output how far it is; what else writes there is not heard."""
    said = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)

    def report(stage: str, done: int, total: int) -> None:
        os.write(said, orjson.dumps([stage, done, total]) + b"\n")

    return report


def main(folder: Path) -> None:
    """Draw the job of a folder."""
    data = (folder / JOB_FILE).read_bytes()
    limits = Limits(**orjson.loads(data)["limits"])
    limit_resources(limits.seconds, limits.megabytes, file_bytes=FILE_BYTES)
    refuse_sockets()
    # The layout engine is loaded by a process that cannot open sockets any more.
    from content.pdf.draw import TooManySheetsError, draw

    try:
        pdf, sheets = draw(read_job(data), folder, _reporter())
    except TooManySheetsError as error:
        result: dict[str, object] = {"problem": "too-many-sheets", "sheets": error.sheets}
    except MemoryError:
        result = {"problem": "memory"}
    else:
        (folder / PDF_FILE).write_bytes(pdf)
        result = {"sheets": sheets}
    (folder / RESULT_FILE).write_bytes(orjson.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    # The engine keeps fonts that Python lent it; tearing both down in order is of no use here and
    # ends in a crash.
    os._exit(0)
