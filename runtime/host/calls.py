"""What scripts ask of Python: one function that takes and gives JSON.

Its answers are for the script that called it alone: each runs in a process of its own, so nothing
of this guards anything. Bytes are base64.
"""

import base64
import json
import os
from collections.abc import Callable
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm

from runtime.host import compression, cryptography_calls, texts, urls, zones
from runtime.multipart import read_multipart

MOST_RANDOM = 65_536


class HostError(Exception):
    """What the script gets as an error: TypeError or the name of a DOMException, and why."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def _random(arguments: dict[str, Any]) -> str:
    size = int(arguments["size"])
    if not 0 <= size <= MOST_RANDOM:
        raise HostError("QuotaExceededError", f"at most {MOST_RANDOM} bytes at once")
    return base64.b64encode(os.urandom(size)).decode()


def _form(arguments: dict[str, Any]) -> list[Any]:
    try:
        parts = read_multipart(base64.b64decode(arguments["body"]), arguments["boundary"])
    except ValueError as error:
        raise HostError("TypeError", str(error)) from error
    return [
        [part.name, part.file_name, part.content_type, base64.b64encode(part.data).decode()]
        for part in parts
    ]


_CALLS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "url": urls.parse,
    "urlWith": urls.replace,
    "encode": texts.encode,
    "decode": texts.decode,
    "form": _form,
    "random": _random,
    "zone": zones.zone,
    "clock": zones.clock,
    "compress": compression.compress,
    "decompress": compression.decompress,
    **cryptography_calls.CALLS,
}


def answer(name: str, arguments: str) -> str:
    """The answer to one call: `{"value": …}` or `{"error": [name, message]}`, as JSON."""
    try:
        return json.dumps({"value": _CALLS[name](json.loads(arguments))})
    except HostError as error:
        return json.dumps({"error": [error.name, str(error)]})
    except UnsupportedAlgorithm as error:
        return json.dumps({"error": ["NotSupportedError", str(error)]})
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        return json.dumps({"error": ["OperationError", str(error) or type(error).__name__]})


def warm_up(time_zones: dict[str, Any]) -> None:
    """Load all that calls need: once the process is confined, no file opens."""
    urls.parse({"url": "http://b\u00fccher.example/", "base": None})
    texts.decode({"data": "4pi6", "label": "utf-16le", "fatal": False})
    texts.decode({"data": "4pi6", "label": "windows-1252", "fatal": False})
    cryptography_calls.warm_up()
    answer("random", '{"size": 1}')
    zones.load(time_zones)
    zones.clock({"zone": "Europe/Berlin", "milliseconds": 0})
