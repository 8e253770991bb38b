"""Requests to translators over HTTP. Where they are, the operator has said: also in a network that
nobody else's addresses may lead to."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from fetching.errors import FetchError
from fetching.locations import read_location
from fetching.translation.provider import ANSWER_BYTES, ProviderSettings, TranslationError

Json = dict[str, Any]
log = logging.getLogger("docstead.translations")
# Answers after which another try may succeed.
_PASSING = frozenset({408, 409, 425, 429})


class JsonServer:
    """The server of a translator: takes JSON and answers with JSON."""

    def __init__(self, settings: ProviderSettings) -> None:
        location = read_location(settings.url)
        allowance = Allowance(frozenset({(location.host, location.port)}))
        limits = FetchLimits(settings.seconds, settings.seconds, ANSWER_BYTES, redirects=0)
        self._fetcher = Fetcher(allowance, limits)
        self._settings = settings

    async def post(self, path: str, body: Json, headers: Mapping[str, str]) -> Any:
        """The JSON of the answer; TranslationError without one."""
        url = f"{self._settings.url}/{path}"
        try:
            status, data, _ = await self._fetcher.send(
                url,
                json.dumps(body).encode(),
                {"Content-Type": "application/json", **headers},
                max_bytes=ANSWER_BYTES,
                seconds=self._settings.seconds,
            )
        except FetchError as error:
            # Where the translator is, is for the operator.
            log.warning("the translator gave no answer: %s", error)
            raise TranslationError("the translator gave no answer") from error
        if status != 200:
            said = data[:500].decode("utf-8", "replace")
            log.warning("the translator answered with status %d: %s", status, said)
            lasting = status not in _PASSING and status < 500
            raise TranslationError(f"the translator answered with status {status}", lasting=lasting)
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise TranslationError("the translator answered with what is no JSON") from error
