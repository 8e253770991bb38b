"""Bounds of scripts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a script may use; what an operator may change is in docs/configuration.md.

    `cpu_milliseconds`, `wall_seconds` and `megabytes` are for one event; a script has
    `load_milliseconds` of computing time to be loaded once. `preparers` scripts are ready at a
    time. So many events run at once of an installation and in all, and so many more of each may
    wait, for `waiting_seconds` at most.
    """

    cpu_milliseconds: int = 50
    wall_seconds: float = 30
    megabytes: int = 128
    load_milliseconds: int = 1_000
    address_space: int = 1_024
    preparers: int = 8
    events_at_once: int = 8
    events_of_installation: int = 4
    events_waiting: int = 200
    events_of_installation_waiting: int = 20
    waiting_seconds: float = 10
    # Whether scripts run where the kernel cannot filter system calls.
    unfiltered: bool = False


# Bytes of a script, of what an event brings with it, and of an answer.
SCRIPT_BYTES = 5_000_000
BODY_BYTES = 10_000_000
ANSWER_BYTES = 10_000_000
# Of one event: fetches, of them at once; bytes of the body of one, and of all they bring.
FETCHES, FETCHES_AT_ONCE = 50, 6
FETCH_BYTES, FETCHED_BYTES = 10_000_000, 30_000_000
REDIRECTS = 5
# Of one event: entries of the log, characters of one and of all.
LOG_ENTRIES, LOG_ENTRY, LOG_CHARACTERS = 200, 4_000, 65_536
# Headers of an answer or a request, and their characters together.
HEADERS, HEADER_CHARACTERS = 100, 32_768
