"""How far a run is, beside what it prints."""

import sys
import time


def progress(text: str) -> None:
    """A line that tells how far the run is."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()
