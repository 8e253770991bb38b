"""Which class speaks to which kind of translator."""

from collections.abc import Callable, Mapping

from fetching.translation.command import Command
from fetching.translation.libretranslate import LibreTranslate
from fetching.translation.openai import OpenAI
from fetching.translation.provider import Provider, ProviderSettings, Translator

PROVIDERS: Mapping[str, Callable[[ProviderSettings], Provider]] = {
    "openai": OpenAI,
    "libretranslate": LibreTranslate,
    "command": Command,
}


def translator_of(settings: ProviderSettings) -> Translator:
    """The translator that settings mean."""
    return Translator(PROVIDERS[settings.kind](settings), settings)
