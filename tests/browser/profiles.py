"""Browsers that tests of one file use one after the other."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page


@dataclass
class Profile:
    """What a browser keeps of somebody, for one test after the other, which open tabs of their own.

    A tab loads the application in half of the time where its process has done so before, so one
    that shows nothing stays open meanwhile.
    """

    context: BrowserContext
    origin: str
    cookies: list[Any]
    _idle: Page = field(init=False)
    _storage: CDPSession = field(init=False)

    def __post_init__(self) -> None:
        self._idle = self.context.new_page()
        self._idle.goto(f"{self.origin}/livez")
        self._storage = self.context.new_cdp_session(self._idle)

    def clear(self) -> None:
        """Be as in the beginning, but for what the network has brought."""
        for page in self.context.pages:
            if page is not self._idle:
                page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_permissions()
        everything = {"origin": self.origin, "storageTypes": "all"}
        self._storage.send("Storage.clearDataForOrigin", everything)
        self.context.clear_cookies()
        self.context.add_cookies(self.cookies)
