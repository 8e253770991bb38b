"""The look of a site around one of its spaces: what all of its pages share, as plain values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from content.html.markup import safe_address
from published.addresses import Addresses, addresses_of
from published.html.icons import icon_name
from published.html.scripts import SiteScript, site_script
from published.html.styles import SiteStyle, looks_of, site_style
from published.html.translations import words_for
from published.html.view import Announcement, Link, Script, Site
from published.html.words import Words
from published.social import account_links
from published.visits import Visit
from resolvers.core.context import Context
from resolvers.customization.defaults import DEFAULTS
from resolvers.customization.operations import settings_as_json
from resolvers.published.frames import SiteFrame, read_site_frame
from resolvers.published.urls import PublishedContent

# Nothing else of a site can have this path. Below it: style sheet, script, icon, results.
OWN = "~docs"
RESULTS = f"{OWN}/search"
_COLOURS = ("primaryColor", "infoColor", "successColor", "warningColor", "dangerColor")
SOFTWARE = "Docstead"


@dataclass(frozen=True, slots=True)
class Look:
    """The frame of a site around one of its spaces, with its settings."""

    frame: SiteFrame
    content: PublishedContent
    addresses: Addresses
    settings: Mapping[str, Any]
    # Paths of the page in the other variants, by space; None where it is not there.
    counterparts: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name of the site."""
        return self.settings.get("title") or self.frame.site.title

    @property
    def style(self) -> SiteStyle:
        """The style sheet: colours that were left at their defaults are those of the sheet."""
        styling = dict(self.settings["styling"])
        for name in _COLOURS:
            if styling.get(name) == DEFAULTS["styling"][name]:
                del styling[name]
        return site_style(styling, self.settings.get("header"))

    @property
    def script(self) -> SiteScript:
        """The script, in the language of the pages."""
        return site_script(self.words)

    @property
    def language(self) -> str:
        """The language of the pages that are shown: that of their space, else of the site."""
        language = self.frame.languages.get(self.content.space)
        return self._locale if language is None else language.value

    @property
    def _locale(self) -> str:
        return str((self.settings.get("internationalization") or {}).get("locale") or "en")

    @property
    def words(self) -> Words:
        """The site's own words, in the language of the pages where they are known in it."""
        return words_for(self.language, self._locale)

    @property
    def base(self) -> str:
        """The path of the space as it is published, without a slash at the end."""
        return self.addresses.published.get(self.content.space, self.addresses.root)

    def own(self, name: str) -> str:
        """The path of something that is no page, as the space that is shown has it."""
        return f"{self.base}/{OWN}/{name}"

    def is_on(self, section: str, unless_set: bool = True) -> bool:
        """Whether a switch of the settings is on."""
        return bool((self.settings.get(section) or {}).get("enabled", unless_set))


async def read_look(ctx: Context, visit: Visit, content: PublishedContent) -> Look:
    """The look of the site that a visit leads to; the caller is its visitor."""
    frame = await read_site_frame(ctx, content)
    addresses = addresses_of(visit, content, frame)
    return Look(frame, content, addresses, settings_as_json(frame.settings))


def site_view(look: Look) -> Site:
    """The part of the view that all pages of the site share."""
    settings, addresses = look.settings, look.addresses
    header, footer = settings.get("header") or {}, settings.get("footer") or {}
    themes = settings.get("themes") or {}
    may_choose = bool(themes.get("toggeable", True))
    # Light is what sites have unless they say otherwise: where readers may choose, it is their
    # system that does so first.
    theme = themes.get("default") or "light"
    favicon, accounts = settings.get("favicon") or {}, settings.get("socialAccounts") or ()
    icon = favicon.get("icon")
    return Site(
        title=look.title,
        home=addresses.root or "/",
        style=look.own(f"{look.style.name}.css"),
        script=Script(look.own(f"{look.script.name}.js"), look.script.digest),
        language=look.language,
        words=look.words,
        theme=None if may_choose and theme == "light" else theme,
        may_choose_theme=may_choose,
        looks=looks_of(settings["styling"], header),
        logo=_both(header.get("logo")),
        favicon=icon["light"] if icon else look.own(icon_name(favicon.get("emoji"))),
        dark_favicon=icon["dark"] if icon and icon["dark"] != icon["light"] else None,
        header=[_header_link(look, link) for link in header.get("links") or ()],
        sections=_sections(look),
        variants=_variants(look),
        footer=[
            Link(group["title"], links=tuple(_content_links(look, group.get("links") or ())))
            for group in footer.get("groups") or ()
        ],
        footer_logo=_both(footer.get("logo")),
        header_accounts=account_links(accounts, "header"),
        footer_accounts=account_links(accounts, "footer"),
        published_with=Link(look.words.published_with.format(name=SOFTWARE))
        if look.is_on("trademark", False)
        else None,
        copyright=footer.get("copyright") or "",
        privacy=(settings.get("privacyPolicy") or {}).get("url"),
        announcement=_announcement(look),
        # From here, for a search prefers the language that is read.
        search=look.base or "/",
        results=f"{look.base}/{RESULTS}",
        external_in_new_tab=(settings.get("externalLinks") or {}).get("target") == "blank",
    )


def _both(picture: Mapping[str, str] | None) -> tuple[str, str] | None:
    return (picture["light"], picture["dark"]) if picture else None


# ------------------------------------------------------------------ links of the settings


def _target(look: Look, reference: Mapping[str, Any] | None) -> str | None:
    """Where a link of the settings leads; None where it leads nowhere any more."""
    if not reference:
        return None
    kind, space = reference.get("kind"), str(reference.get("space") or look.content.space)
    if kind == "url":
        return safe_address(str(reference.get("url")))
    if kind in ("page", "anchor"):
        page = look.frame.linked.get((space, str(reference.get("page"))))
        if page is None:
            return None
        return look.addresses.page(space, page.path, str(reference.get("anchor") or ""))
    if kind == "space" and space in look.addresses.spaces:
        return look.addresses.spaces[space] or "/"
    return None


def _content_links(look: Look, links: Iterable[Mapping[str, Any]]) -> Iterable[Link]:
    """Links that cannot be resolved are left out."""
    for link in links:
        href = _target(look, link.get("to"))
        if href is not None:
            yield Link(link["title"], href)


def _header_link(look: Look, item: Mapping[str, Any]) -> Link:
    return Link(
        item["title"],
        _target(look, item.get("to")),
        style=item.get("style") or "link",
        links=tuple(_content_links(look, item.get("links") or ())),
    )


def _announcement(look: Look) -> Announcement | None:
    announcement = look.settings.get("announcement")
    if not announcement or not announcement.get("enabled"):
        return None
    links = list(_content_links(look, [announcement["link"]] if announcement.get("link") else []))
    return Announcement(
        announcement["message"], announcement.get("style") or "info", links[0] if links else None
    )


# ------------------------------------------------------------------ structure


def _address_of(look: Look, section: Any) -> str | None:
    """Where a section begins: at the first of its spaces that is served there."""
    segments = look.frame.map.path_of(section.id, None)
    return None if segments is None else _below(look, segments)


def _below(look: Look, segments: Sequence[str]) -> str:
    return look.addresses.root + "".join(f"/{segment}" for segment in segments) or "/"


def _sections(look: Look) -> list[Link]:
    """Sections in their order, those of a group below its title; none where there is one."""
    order: list[Link | str] = []
    of_group: dict[str, list[Link]] = {}
    sections = look.frame.sections()
    for section in sections if len(sections) > 1 else ():
        current = section.id == look.content.site_section
        link = Link(section.title, _address_of(look, section), current)
        group = _top_group(look, section.group_id)
        if group is None:
            order.append(link)
        else:
            if group.id not in of_group:
                order.append(group.id)
            of_group.setdefault(group.id, []).append(link)
    return [item if isinstance(item, Link) else _menu(look, item, of_group[item]) for item in order]


def _menu(look: Look, group_id: str, links: Sequence[Link]) -> Link:
    current = any(link.current for link in links)
    return Link(look.frame.groups[group_id].title, None, current, links=tuple(links))


def _top_group(look: Look, group_id: str | None) -> Any | None:
    group = look.frame.groups.get(group_id or "")
    while group is not None and group.parent_id in look.frame.groups:
        group = look.frame.groups[group.parent_id]
    return group


def _variant(look: Look, space_id: str) -> str:
    """Where another variant begins, or where it has the page that is shown."""
    path = look.counterparts.get(space_id)
    if path:
        return look.addresses.page(space_id, path)
    return look.addresses.spaces.get(space_id, "") or "/"


def _variants(look: Look) -> list[Link]:
    """The other spaces of the section: versions, languages."""
    rows = look.frame.site_spaces(look.content.site_section)
    if len(rows) < 2:
        return []
    links = []
    for row in rows:
        language = look.frame.languages.get(row.space_id)
        links.append(
            Link(
                row.title,
                _variant(look, row.space_id),
                row.id == look.content.site_space,
                language=None if language is None else language.value,
            )
        )
    title = next((link.title for link in links if link.current), links[0].title)
    return [Link(title, None, True, links=tuple(links))]
