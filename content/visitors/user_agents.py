"""Device, browser, system and bot of a User-Agent header, as far as insights ask.

The words are those of the published contract. Browsers copy each other's marks, so the first rule
that fits decides: those with marks of others come before the others.
"""

from dataclasses import dataclass

UNKNOWN = "unknown"
Rules = tuple[tuple[str, tuple[str, ...]], ...]
_BOTS: Rules = (
    ("googlebot", ("googlebot", "google-inspectiontool", "googleother", "adsbot-google",
                   "mediapartners-google", "storebot-google")),
    ("bingbot", ("bingbot", "bingpreview", "adidxbot", "msnbot")),
    ("duckduckbot", ("duckduckbot", "duckassistbot")),
    ("facebookbot", ("facebookbot", "facebookexternalhit", "facebookcatalog", "meta-externalagent",
                     "meta-externalfetcher")),
    ("applebot", ("applebot",)),
    ("chatgpt", ("chatgpt-user", "gptbot", "oai-searchbot")),
    ("anthropic", ("anthropic-ai", "claudebot", "claude-web", "claude-user", "claude-searchbot")),
    (UNKNOWN, ("bot/", "bot;", "bot)", "bot ", "crawler", "spider", "crawling", "slurp", "headless",
               "lighthouse", "preview", "curl/", "wget/", "python-", "python/", "go-http-client",
               "node-fetch", "okhttp", "java/", "libwww", "httpclient", "axios/", "scrapy",
               "feedfetcher", "monitor", "perplexity")),
)  # fmt: skip
_BROWSERS: Rules = (
    ("edge", ("edg/", "edge/", "edga/", "edgios/")),
    ("opera", ("opr/", "opera", "opios/", "opt/")),
    ("firefox", ("firefox/", "fxios/", "focus/")),
    ("ie", ("msie ", "trident/")),
    ("chrome", ("chrome/", "crios/", "chromium/")),
    ("safari", ("safari/",)),
)
_SYSTEMS: Rules = (
    # A Windows phone calls itself Android, too.
    ("windows", ("windows",)),
    ("ios", ("iphone", "ipad", "ipod")),
    ("macos", ("macintosh", "mac os x", "darwin")),
    ("android", ("android",)),
    ("linux", ("linux", "cros ", "freebsd", "openbsd", "x11")),
)
_TABLETS = ("ipad", "tablet", "playbook", "silk/", "kindle")
_PHONES = ("mobi", "iphone", "ipod", "windows phone", "opera mini")
_DESKTOPS = frozenset({"windows", "macos", "linux"})


@dataclass(frozen=True, slots=True)
class UserAgent:
    """Words of the contract; `bot` is None for what seems to be a person."""

    device: str
    browser: str
    system: str
    bot: str | None


def read_user_agent(text: str) -> UserAgent:
    """What the header User-Agent says; `unknown` where it says nothing."""
    lower = text.lower()
    system = _first(_SYSTEMS, lower) or UNKNOWN
    # Some bots end in their name: behind it is nothing.
    bot = _first(_BOTS, f"{lower} ") if lower.strip() else None
    return UserAgent(_device(lower, system), _first(_BROWSERS, lower) or UNKNOWN, system, bot)


def _first(rules: Rules, lower: str) -> str | None:
    for word, marks in rules:
        if any(mark in lower for mark in marks):
            return word
    return None


def _device(lower: str, system: str) -> str:
    if any(mark in lower for mark in _TABLETS):
        return "tablet"
    if any(mark in lower for mark in _PHONES):
        return "mobile"
    if system == "android":
        # Browsers of phones say so; those of tablets do not.
        return "tablet"
    return "desktop" if system in _DESKTOPS else UNKNOWN
