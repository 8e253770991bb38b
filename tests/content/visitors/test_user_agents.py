"""User agents: what real browsers and bots say, in the words of the contract."""

import pytest

from content.visitors import user_agents
from content.visitors.user_agents import UserAgent, read_user_agent
from db.site_enums import (
    InsightsVisitorBot,
    InsightsVisitorBrowser,
    InsightsVisitorDevice,
    InsightsVisitorSystem,
)

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) "
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 "
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
KNOWN = (
    (WINDOWS + "Chrome/126.0.0.0 Safari/537.36", ("desktop", "chrome", "windows", None)),
    (WINDOWS + "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
     ("desktop", "edge", "windows", None)),
    (WINDOWS + "Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0",
     ("desktop", "opera", "windows", None)),
    ("Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
     ("desktop", "ie", "windows", None)),
    (MAC + "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
     ("desktop", "safari", "macos", None)),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0",
     ("desktop", "firefox", "macos", None)),
    ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
     ("desktop", "firefox", "linux", None)),
    ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/126.0.0.0 Safari/537.36", ("desktop", "chrome", "linux", None)),
    (IPHONE + "(KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
     ("mobile", "safari", "ios", None)),
    (IPHONE + "(KHTML, like Gecko) CriOS/126.0.0.0 Mobile/15E148 Safari/604.1",
     ("mobile", "chrome", "ios", None)),
    ("Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "FxiOS/127.0 Mobile/15E148 Safari/605.1.15", ("tablet", "firefox", "ios", None)),
    (ANDROID + "Chrome/126.0.0.0 Mobile Safari/537.36", ("mobile", "chrome", "android", None)),
    ("Mozilla/5.0 (Linux; Android 13; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/126.0.0.0 Safari/537.36", ("tablet", "chrome", "android", None)),
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
     ("unknown", "unknown", "unknown", "googlebot")),
    ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
     ("unknown", "unknown", "unknown", "bingbot")),
    ("DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
     ("unknown", "unknown", "unknown", "duckduckbot")),
    ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
     ("unknown", "unknown", "unknown", "facebookbot")),
    (MAC + "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 "
     "(Applebot/0.1; +http://www.apple.com/go/applebot)",
     ("desktop", "safari", "macos", "applebot")),
    ("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)",
     ("unknown", "unknown", "unknown", "chatgpt")),
    ("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +a@b.example)",
     ("unknown", "unknown", "unknown", "anthropic")),
    ("SomeBot", ("unknown", "unknown", "unknown", "unknown")),
    ("curl/8.5.0", ("unknown", "unknown", "unknown", "unknown")),
    ("", ("unknown", "unknown", "unknown", None)),
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), KNOWN, ids=[text[-40:] for text, _ in KNOWN])
def test_known_browsers_and_bots(text: str, expected: tuple[str, str, str, str | None]) -> None:
    assert read_user_agent(text) == UserAgent(*expected)


def test_tables_have_the_words_of_the_contract() -> None:
    def words(rules: user_agents.Rules) -> set[str]:
        return {word for word, _ in rules} | {"unknown"}

    assert words(user_agents._BROWSERS) == {one.value for one in InsightsVisitorBrowser}
    assert words(user_agents._SYSTEMS) == {one.value for one in InsightsVisitorSystem}
    assert words(user_agents._BOTS) == {one.value for one in InsightsVisitorBot}
    devices = {one.value for one in InsightsVisitorDevice}
    assert {read_user_agent(text).device for text, _ in KNOWN} == devices
