"""Translators: which one a server has, what it is asked, and what is made of its answers.

The texts have tags (content/translation/tagged.py), which a translator has to leave where they
belong. Answers are checked twice: here, that there is one for each text, and by whoever asks, that
they can be used.
"""

import asyncio
import hashlib
import logging
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol
from urllib.parse import urlsplit

from fetching.errors import FetchError
from fetching.locations import read_location

log = logging.getLogger("docstead.translations")
KINDS = ("openai", "libretranslate", "command")
# Texts of one request, requests at once of one run, tries of each request.
MOST_TEXTS, AT_ONCE, TRIES = 40, 4, 3
# Bytes of an answer.
ANSWER_BYTES = 20_000_000


class TranslationError(Exception):
    """A translator that cannot be asked, or gives no answer; `lasting` when asking again is no
    use."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


class AnswerError(TranslationError):
    """An answer that has not one translation for each text."""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """The translator of a server: its kind, and what its kind needs."""

    kind: str
    url: str = ""
    key: str = ""
    model: str = ""
    command: tuple[str, ...] = ()
    # What one request may take, and characters of the texts of one request.
    seconds: float = 60
    characters: int = 4_000
    # Before a request is repeated; each time twice as long.
    pause: float = 1

    @classmethod
    def read(
        cls, kind: str, url: str, key: str, model: str, command: str, seconds: int, characters: int
    ) -> "ProviderSettings | None":
        """Of settings as they are written; None without a kind. ValueError says what is missing."""
        if not kind:
            return None
        if kind == "command":
            words = tuple(shlex.split(command))
            if not words:
                raise ValueError("the kind 'command' needs DOCSTEAD_TRANSLATION_COMMAND")
            return cls(kind, command=words, seconds=seconds, characters=characters)
        try:
            location = read_location(url)
        except FetchError as error:
            raise ValueError(f"the kind {kind!r} needs DOCSTEAD_TRANSLATION_URL: {error}") from None
        if urlsplit(url).query:
            raise ValueError(f"DOCSTEAD_TRANSLATION_URL: {location.url} must have no parameters")
        if kind == "openai" and not model:
            raise ValueError("the kind 'openai' needs DOCSTEAD_TRANSLATION_MODEL")
        return cls(kind, url.rstrip("/"), key, model, seconds=seconds, characters=characters)

    @property
    def digest(self) -> str:
        """What of it translations follow from; nothing secret can be read from it."""
        parts = (self.kind, self.url, self.model, *self.command)
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Request:
    """Texts to translate; `terms` are those of the glossary that stand in them, which are kept in
    tags and only shown here."""

    source: str
    target: str
    texts: Sequence[str]
    instructions: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A translation for each text, None where there is none; what it cost, where that is said."""

    texts: Sequence[str | None]
    tokens: int = 0
    characters: int = 0


class Provider(Protocol):
    """One way to translate. TranslationError when there is no answer."""

    async def translate(self, request: Request) -> Answer:
        """The answer to one request: as many texts, in the same order."""
        ...


def checked(texts: object, number: int) -> list[str | None]:
    """The texts of an answer; AnswerError unless there are so many."""
    if not isinstance(texts, list) or len(texts) != number:
        count = len(texts) if isinstance(texts, list) else "no list of"
        raise AnswerError(f"the translator gave {count} texts for {number}")
    return [text if isinstance(text, str) else None for text in texts]


class Translator:
    """Asks a provider for many texts: in portions, several at once, again after failures."""

    def __init__(self, provider: Provider, settings: ProviderSettings) -> None:
        self._provider, self._settings = provider, settings
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def translate(self, request: Request) -> Answer:
        """The translations of texts, in order; None for those that got no usable answer.

        TranslationError when the provider cannot be asked.
        """
        portions = self._portions(request)
        try:
            async with asyncio.TaskGroup() as tasks:
                running = [tasks.create_task(self._take_turn(portion)) for portion in portions]
        except ExceptionGroup as failures:
            # Its first failure has ended the others.
            raise failures.exceptions[0] from None
        answers = [task.result() for task in running]
        return _joined(answers)

    def _portions(self, request: Request) -> list[Request]:
        portions: list[Request] = []
        texts: list[str] = []
        size = 0
        for text in request.texts:
            if texts and (size + len(text) > self._settings.characters or len(texts) == MOST_TEXTS):
                portions.append(replace(request, texts=texts))
                texts, size = [], 0
            texts.append(text)
            size += len(text)
        return [*portions, replace(request, texts=texts)] if texts else portions

    async def _take_turn(self, request: Request) -> Answer:
        async with self._turns:
            return await self._ask(request)

    async def _ask(self, request: Request) -> Answer:
        """The answer to one portion; one of the wrong length is asked for in halves."""
        characters = sum(map(len, request.texts))
        for attempt in range(TRIES):
            try:
                answer = await self._provider.translate(request)
            except AnswerError as error:
                log.info("%s", error)
                if len(request.texts) == 1:
                    return Answer([None], characters=characters)
                half = len(request.texts) // 2
                parts = request.texts[:half], request.texts[half:]
                return _joined([await self._ask(replace(request, texts=part)) for part in parts])
            except TranslationError as error:
                if error.lasting or attempt + 1 == TRIES:
                    raise
                log.info("the translator is asked again: %s", error)
                await asyncio.sleep(self._settings.pause * 2**attempt)
            else:
                return replace(answer, characters=characters)
        raise AssertionError("unreachable: the last attempt returns or raises")


def _joined(answers: Sequence[Answer]) -> Answer:
    return Answer(
        [text for answer in answers for text in answer.texts],
        sum(answer.tokens for answer in answers),
        sum(answer.characters for answer in answers),
    )
