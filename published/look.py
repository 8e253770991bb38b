"""The frame of a site around one of its spaces, with its settings: what all of its pages share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from published.addresses import Addresses
from published.html.styles import SiteStyle, site_style
from resolvers.customization.defaults import DEFAULTS
from resolvers.customization.json import to_json
from resolvers.published.frames import SiteFrame
from resolvers.published.urls import PublishedContent

COLOURS = ("primaryColor", "infoColor", "successColor", "warningColor", "dangerColor")
STYLE = "~style"
ICON_PATH = f"{STYLE}/icon.svg"


@dataclass(frozen=True, slots=True)
class Look:
    """The frame of a site around one of its spaces, with its settings."""

    frame: SiteFrame
    content: PublishedContent
    addresses: Addresses
    settings: Mapping[str, Any]

    @property
    def style(self) -> SiteStyle:
        """The style sheet: colours that were left at their defaults are those of the sheet."""
        styling = self.settings["styling"]
        chosen = {
            name: (styling[name]["light"], styling[name]["dark"])
            for name in COLOURS
            if styling.get(name) and styling[name] != DEFAULTS["styling"][name]
        }
        return site_style(chosen, styling.get("corners") or "rounded")


def look_of(frame: SiteFrame, content: PublishedContent, addresses: Addresses) -> Look:
    """The look of a site for one visit."""
    return Look(frame, content, addresses, to_json(frame.settings))
