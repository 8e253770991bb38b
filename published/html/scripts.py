"""The script of a published site, with the site's words, under a name that changes with both."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from published.html.words import Words

_SITE = (Path(__file__).parent / "script" / "site.js").read_text(encoding="utf-8")
# Those that the script uses; all others are in the pages.
_USED = (
    "search", "results", "see_all_results", "nothing_found", "search_failed", "search_limited",
    "copy", "copied", "copy_failed", "enlarge_image", "close",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SiteScript:
    """A script, a name for it that changes with it, and its digest as policies write it."""

    text: str
    name: str
    digest: str


@lru_cache(maxsize=64)
def site_script(words: Words) -> SiteScript:
    """The script for sites in the language of these words."""
    table = asdict(words)
    used = json.dumps({name: table[name] for name in _USED}, ensure_ascii=False)
    text = _SITE.replace("words = WORDS;", f"words = {used};", 1)
    data = text.encode()
    return SiteScript(text, hashlib.sha256(data).hexdigest()[:16], integrity_of(data))


def integrity_of(script: bytes) -> str:
    """The digest of a script as policies and the attribute `integrity` write it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}"
