"""Accounts of a site's owner elsewhere, as links."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from published.html.view import Link

# Name and address of each platform; {} is the handle.
_PLATFORMS: Mapping[str, tuple[str, str]] = {
    "twitter": ("X", "https://x.com/{}"),
    "instagram": ("Instagram", "https://www.instagram.com/{}"),
    "facebook": ("Facebook", "https://www.facebook.com/{}"),
    "linkedin": ("LinkedIn", "https://www.linkedin.com/company/{}"),
    "github": ("GitHub", "https://github.com/{}"),
    "discord": ("Discord", "https://discord.gg/{}"),
    "slack": ("Slack", "https://{}.slack.com"),
    "youtube": ("YouTube", "https://www.youtube.com/@{}"),
    "tiktok": ("TikTok", "https://www.tiktok.com/@{}"),
    "reddit": ("Reddit", "https://www.reddit.com/r/{}"),
    "bluesky": ("Bluesky", "https://bsky.app/profile/{}"),
    "mastodon": ("Mastodon", "https://mastodon.social/@{}"),
    "threads": ("Threads", "https://www.threads.net/@{}"),
    "medium": ("Medium", "https://medium.com/@{}"),
}
# Handles that say what they are the handle of: `in/ada`, `user/ada`.
_WITH_KIND = {
    "linkedin": "https://www.linkedin.com/{}",
    "reddit": "https://www.reddit.com/{}",
}


def account_links(accounts: Iterable[Mapping[str, Any]], place: str) -> list[Link]:
    """The links of the accounts that are displayed in the `header` or in the `footer`."""
    links = []
    for account in accounts:
        if not (account.get("display") or {}).get(place):
            continue
        platform, handle = str(account["platform"]), str(account["handle"])
        title, address = _PLATFORMS[platform]
        if "/" in handle.strip("/"):
            address = _WITH_KIND.get(platform, address)
        user, _, server = handle.lstrip("@").partition("@")
        if platform == "mastodon" and server:
            links.append(Link(title, f"https://{quote(server)}/@{quote(user)}", new_window=True))
            continue
        safe = quote(handle.strip("/"), safe="/-._~")
        links.append(Link(title, address.format(safe), new_window=True))
    return links
