"""LibreTranslate, and what speaks like it."""

from typing import Any

from fetching.translation.http import JsonServer
from fetching.translation.provider import (
    Answer,
    ProviderSettings,
    Request,
    TranslationError,
    checked,
)

# What it calls languages, where that is something else: it is tried in this order, and once a
# server has taken one of them that one is used.
_CODES = {
    "pt-br": ("pt-BR", "pb", "pt"),
    "zh": ("zh-Hans", "zh"),
    "zh-tw": ("zh-Hant", "zt"),
    "no": ("nb", "no"),
}


class LibreTranslate:
    """A server with `POST /translate`; tags pass through it as HTML."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._key = settings.key
        self._server = JsonServer(settings)
        self._codes: dict[str, str] = {}

    async def translate(self, request: Request) -> Answer:
        """One request for all texts."""
        failure: TranslationError | None = None
        for source in self._names(request.source):
            for target in self._names(request.target):
                try:
                    answer = await self._post(source, target, request.texts)
                except TranslationError as error:
                    if not error.lasting:
                        raise
                    failure = failure or error
                    continue
                self._codes |= {request.source: source, request.target: target}
                return Answer(checked(_texts(answer), len(request.texts)))
        assert failure is not None
        raise failure

    def _names(self, language: str) -> tuple[str, ...]:
        if language in self._codes:
            return (self._codes[language],)
        return _CODES.get(language, (language,))

    async def _post(self, source: str, target: str, texts: Any) -> Any:
        body = {"q": list(texts), "source": source, "target": target, "format": "html"}
        if self._key:
            body["api_key"] = self._key
        return await self._server.post("translate", body, {})


def _texts(answer: Any) -> Any:
    return answer.get("translatedText") if isinstance(answer, dict) else None
