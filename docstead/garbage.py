"""Fewer and smaller garbage collections in a server process.

Reference counting frees what requests leave behind; the collector is only there for cycles. With
Python's own settings it takes a quarter of the time of a large answer, mostly for walking over
the schema and the modules, which never go away.
"""

import gc


def settle(threshold: int) -> None:
    """Called when the process has started: leave alone what is there by now.

    The youngest generation is collected when `threshold` containers more were made than freed.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(threshold, 10, 10)
