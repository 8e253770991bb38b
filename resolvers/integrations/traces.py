"""The log of an event as it is stored: no secret of the integration is in it."""

import datetime as dt
import re
from collections.abc import Collection
from urllib.parse import quote

import orjson

from resolvers.core.scalars import write_time
from resolvers.integrations.environments import SHORTEST_SECRET
from runtime.calls import Answer, LogEntry
from runtime.limits import LOG_CHARACTERS, LOG_ENTRY

# Characters that an entry counts for beside its text.
ENTRY = 50
_HIDDEN = "***"
# NUL and lone surrogates, which a script can send, are in no text of a database.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Tokens of this server, and signed ones of anybody.
_TOKENS = re.compile(r"docstead_[0-9A-Za-z]{20,}|eyJ[\w-]{10,}(?:\.[\w-]*){0,2}")


def trace(
    answer: Answer, secrets: Collection[str], most: int = 2 * LOG_CHARACTERS
) -> list[dict[str, str]]:
    """The entries of the log, and behind them why the event has failed; of more than `most`
    characters the last entries."""
    entries: list[LogEntry] = []
    for entry in reversed(answer.log):
        most -= len(entry.text) + ENTRY
        if most < 0:
            break
        entries.insert(0, entry)
    if answer.error or answer.failed:
        words = answer.error or f"answered with status {answer.response and answer.response.status}"
        at = entries[-1].at if entries else None
        entries.append(LogEntry("error", f"{answer.outcome.value}: {words}", at or 0))
    forms = _forms(secrets)
    return [_line(entry, forms) for entry in entries]


def _forms(secrets: Collection[str]) -> list[str]:
    """Secrets as they are, and as they stand in JSON and in addresses; the longest ones first."""
    forms = {
        form
        for secret in secrets
        for form in (secret, orjson.dumps(secret).decode()[1:-1], quote(secret, safe=""))
    }
    return sorted(forms, key=len, reverse=True)


def _line(entry: LogEntry, forms: Collection[str]) -> dict[str, str]:
    text = _UNSTORABLE.sub("\ufffd", entry.text)
    # Scripts count characters in UTF-16: of such a text there may be more that is not here.
    was_cut = len(text) >= LOG_ENTRY // 2
    for form in forms:
        text = text.replace(form, _HIDDEN)
    if was_cut:
        for form in forms:
            text = _without_beginning(text, form)
    text = _TOKENS.sub(_HIDDEN, text)
    try:
        moment = dt.datetime.fromtimestamp(entry.at / 1000, dt.UTC)
    except (ValueError, OverflowError, OSError):
        moment = dt.datetime.fromtimestamp(0, dt.UTC)
    return {"message": text, "timestamp": write_time(moment), "level": entry.level}


def _without_beginning(text: str, secret: str) -> str:
    """A text that may end with the beginning of a secret, without that."""
    beginning = secret[:SHORTEST_SECRET]
    at = text.find(beginning, max(0, len(text) - len(secret)))
    while at >= 0:
        if secret.startswith(text[at:]):
            return text[:at] + _HIDDEN
        at = text.find(beginning, at + 1)
    return text
