"""Languages by their codes: what models call them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ENGLISH_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian",
        "pt": "Portuguese", "pt-br": "Brazilian Portuguese", "ru": "Russian", "ja": "Japanese",
        "zh": "Simplified Chinese", "zh-tw": "Traditional Chinese", "yue": "Cantonese",
        "ko": "Korean", "ar": "Arabic", "hi": "Hindi", "nl": "Dutch", "pl": "Polish",
        "tr": "Turkish", "sv": "Swedish", "no": "Norwegian", "da": "Danish", "fi": "Finnish",
        "el": "Greek", "cs": "Czech", "hu": "Hungarian", "ro": "Romanian", "th": "Thai",
        "vi": "Vietnamese", "id": "Indonesian", "ms": "Malay", "he": "Hebrew", "uk": "Ukrainian",
        "sk": "Slovak", "bg": "Bulgarian", "hr": "Croatian", "lt": "Lithuanian", "lv": "Latvian",
        "et": "Estonian", "sl": "Slovenian",
    }
)  # fmt: skip
