"""The Workbench around a page: an application in the browser that works on the public GraphQL.

It begins at addresses that have a page without scripts, too. That page stands in `noscript`: people
whose browser runs no scripts, and programs that read addresses, see what was there before.
"""

from dataclasses import dataclass

from account_pages.html import PRODUCT, Frame, body_of, style_address
from content.html.markup import Html, element, escape, joined

# Where its scripts and styles are served, below the prefix of the service.
ASSETS = "/workbench/assets"
# What addresses of spaces begin with.
SPACES = "/s/"
# A keyboard on the screen takes its place from the page, where browsers can, and covers nothing.
VIEWPORT = "width=device-width, initial-scale=1, interactive-widget=resizes-content"


@dataclass(frozen=True, slots=True)
class Workbench:
    """What a page loads, as the build has named it, and the styles that a part of it writes."""

    # The first one begins; it imports the others.
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    # Digests of `<style>` elements that the library of its controls inserts.
    style_digests: tuple[str, ...]
    # What a view of a space needs besides: it is loaded at the same time, not behind the first.
    space_scripts: tuple[str, ...] = ()
    space_styles: tuple[str, ...] = ()

    @property
    def policy(self) -> str:
        """What the page may load: its own server, and nothing else. In its frames are previews of
        sites, without scripts; nothing else of this server may stand in one but their pages."""
        digests = "".join(f" '{digest}'" for digest in self.style_digests)
        return (
            f"default-src 'none'; script-src 'self'; style-src 'self'{digests}; img-src 'self' "
            "data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )

    def render(self, frame: Frame, title: str, content: Html, *, narrow: bool) -> str:
        """The HTML file: the application, and the page for who has no scripts."""
        in_space = frame.current.startswith(SPACES)
        styles = self.styles + (self.space_styles if in_space else ())
        ahead = self.scripts[1:] + (self.space_scripts if in_space else ())
        assets = f"{frame.prefix}{ASSETS}"
        plain = element("link", rel="stylesheet", href=style_address(frame))
        head = [
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content=VIEWPORT),
            element("title", escape(PRODUCT if title == PRODUCT else f"{title} | {PRODUCT}")),
            element("meta", name="robots", content="noindex"),
            element("meta", name="docstead-prefix", content=frame.prefix),
            element("link", rel="icon", href=f"{frame.prefix}/favicon.ico"),
            *(element("link", rel="stylesheet", href=f"{assets}/{name}") for name in styles),
            *(element("link", rel="modulepreload", href=f"{assets}/{name}") for name in ahead),
            element("script", type="module", src=f"{assets}/{self.scripts[0]}"),
            element("noscript", plain),
        ]
        body = [
            element("div", id="workbench"),
            element("noscript", body_of(frame, content, narrow=narrow)),
        ]
        whole = [element("head", joined(head)), element("body", joined(body))]
        return f"<!doctype html>{element('html', joined(whole), lang='en')}"
