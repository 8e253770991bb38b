"""The structure of one site as rules on its rows (docs/sites.md, "Structure"); no database.

A site has sections, or site spaces at its root (flat), never both. Sections stand at the top or in
groups, and a group may stand in another one. `Structure` holds all rows of a locked site. An
operation changes them, and `settle` makes what every write must leave behind:

* positions are 0, 1, 2 ... among siblings; sections and groups of one level share one order;
* `place` is 0, 1, 2 ... in the order in which the whole site is shown, for each kind of row;
* a site with sections has one default section, and what holds site spaces has one default of
  them; when a default goes, the next one takes over, else the one before it.

What one site may hold is bounded, so that all of it can be read at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from db.ids import new_id
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from resolvers.core.errors import BadRequest, Conflict, NotFound, PreconditionFailed, invalid
from resolvers.sites.paths import Located, check_path, free_path, live_keys, standing

Headed = SiteSection | SiteSectionGroup
Item = SiteSection | SiteSectionGroup | SiteSpace
AnyItem = TypeVar("AnyItem", SiteSection, SiteSectionGroup, SiteSpace, Headed, Item)

SPACES_LIMIT = 1000
# Sections and groups together.
SECTIONS_LIMIT = 500
SECTION_TITLE_LENGTH = (2, 128)
# How each kind is called in messages.
WORDS: dict[type[Item], str] = {
    SiteSection: "section",
    SiteSectionGroup: "section group",
    SiteSpace: "site space",
}


def above(item: Item) -> str | None:
    """The id of what an item stands in; None at the top of the site."""
    if isinstance(item, SiteSpace):
        return item.section_id
    return item.group_id if isinstance(item, SiteSection) else item.parent_id


def number(order: Sequence[Item], name: str = "position") -> None:
    """Give the items 0, 1, 2 ... as their position, or as their place."""
    for position, item in enumerate(order):
        if getattr(item, name) != position:
            setattr(item, name, position)


def successor(before: Sequence[str], now: Sequence[str], default: str | None) -> str | None:
    """The id that is the default of `now`, when it was `default` among those of `before`."""
    if default in now:
        return default
    staying = set(now)
    start = before.index(default) if default in before else 0
    following = [id for id in before[start:] if id in staying]
    preceding = [id for id in before[:start] if id in staying]
    return next(iter([*following, *reversed(preceding), *now]), None)


def _in_order(items: Iterable[AnyItem]) -> list[AnyItem]:
    return sorted(items, key=lambda item: (item.position, item.id))


@dataclass(slots=True)
class _Display:
    """A structure in the order in which it is shown."""

    levels: list[Sequence[Item]]
    sections: list[SiteSection]
    groups: list[SiteSectionGroup]
    spaces: list[SiteSpace]
    # Site spaces by the id of their section, None for the root of the site.
    under: dict[str | None, list[SiteSpace]]


@dataclass(slots=True)
class _Before:
    """The order and keys of a structure before a change, which `settle` compares with."""

    sections: list[str]
    spaces: dict[str | None, list[str]]
    keys: dict[str, Located]
    own: dict[str, tuple[str | None, str]]


@dataclass
class Structure:
    """A locked site with everything that stands on it."""

    site: Site
    groups: list[SiteSectionGroup] = field(default_factory=list)
    sections: list[SiteSection] = field(default_factory=list)
    spaces: list[SiteSpace] = field(default_factory=list)
    # What was taken out: its rows are to be deleted.
    removed: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._remember()

    def _remember(self) -> None:
        shown = self._display()
        self._before = _Before(
            [section.id for section in shown.sections],
            {id: [space.id for space in spaces] for id, spaces in shown.under.items()},
            self._keys(shown),
            standing(self.sections, self.spaces),
        )

    # ------------------------------------------------------------ looking

    def spaces_of(self, section_id: str | None) -> list[SiteSpace]:
        """The site spaces of a section, or of the root, in their order."""
        return _in_order(space for space in self.spaces if space.section_id == section_id)

    def headed(self, group_id: str | None) -> list[Headed]:
        """The sections and groups in a group, or at the top, in their order."""
        items: list[Headed] = [*self.sections, *self.groups]
        return _in_order(item for item in items if above(item) == group_id)

    def siblings(self, item: Item) -> list[Item]:
        """The items of one level in their order, with this one."""
        if isinstance(item, SiteSpace):
            return list(self.spaces_of(item.section_id))
        return list(self.headed(above(item)))

    def everything(self) -> Iterator[Item]:
        """All items of all kinds."""
        yield from self.groups
        yield from self.sections
        yield from self.spaces

    def find(self, kind: type[AnyItem], id: str, name: str) -> AnyItem:
        """The item of a kind with this id; NotFound names the field that says it."""
        for item in self.everything():
            if isinstance(item, kind) and item.id == id:
                return item
        where = "" if self.sections or kind is SiteSpace else ", which has no sections"
        raise NotFound(f"{name}: {WORDS[kind]} {id!r} does not exist on this site{where}")

    def _display(self) -> _Display:
        levels: dict[str | None, list[Headed]] = {}
        items: list[Headed] = [*self.sections, *self.groups]
        for item in _in_order(items):
            levels.setdefault(above(item), []).append(item)
        under: dict[str | None, list[SiteSpace]] = {}
        for space in _in_order(self.spaces):
            under.setdefault(space.section_id, []).append(space)
        shown = _Display([*levels.values(), *under.values()], [], [], [], under)

        def walk(group_id: str | None) -> None:
            for item in levels.get(group_id, ()):
                if isinstance(item, SiteSection):
                    shown.sections.append(item)
                    shown.spaces += under.get(item.id, ())
                else:
                    shown.groups.append(item)
                    walk(item.id)

        walk(None)
        shown.spaces += under.get(None, ())
        return shown

    # ------------------------------------------------------------ adding

    def add_space(self, space: Space, section: SiteSection | None = None) -> SiteSpace:
        """Put a space at the end of a section, or of the root, under a path of its title."""
        self._check_room("spaceId", len(self.spaces), SPACES_LIMIT, "site spaces")
        if any(other.space_id == space.id for other in self.spaces):
            raise Conflict(f"spaceId: {space.id!r} is already on this site")
        under = self.spaces_of(None if section is None else section.id)
        added = SiteSpace(
            id=new_id(SiteSpace.id_prefix),
            site_id=self.site.id,
            section_id=None if section is None else section.id,
            space_id=space.id,
            path=free_path(space.title, under),
            position=len(under),
        )
        self.spaces.append(added)
        return added

    def add_section(self, space: Space, title: str | None, icon: str | None) -> SiteSection:
        """Add a section with one space at the end of the top level.

        The site spaces of a flat site go into a section of their own first.
        """
        if not self.sections and self.spaces:
            wrapped = self._new_section(self.site.title)
            wrapped.default_site_space_id = self.site.default_site_space_id
            for site_space in self.spaces:
                site_space.section_id = wrapped.id
        shortest, longest = SECTION_TITLE_LENGTH
        section = self._new_section(
            space.title[:longest].ljust(shortest) if title is None else title
        )
        section.icon = icon
        self.add_space(space, section)
        return section

    def _new_section(self, title: str) -> SiteSection:
        self._check_sections_room("spaceId")
        section = SiteSection(
            id=new_id(SiteSection.id_prefix),
            site_id=self.site.id,
            title=title[: SECTION_TITLE_LENGTH[1]],
            path=free_path(title, self.sections),
            position=len(self.headed(None)),
        )
        self.sections.append(section)
        return section

    def add_group(self, title: str, icon: str | None, parent: str | None) -> SiteSectionGroup:
        """Add an empty group at the end of the top level, or of the group `parent`."""
        if not self.sections:
            raise PreconditionFailed("the site has no sections that a group could hold")
        if parent is not None:
            self._outer_group(parent, "parent")
        self._check_sections_room("title")
        group = SiteSectionGroup(
            id=new_id(SiteSectionGroup.id_prefix),
            site_id=self.site.id,
            parent_id=parent,
            title=title,
            icon=icon,
            position=len(self.headed(parent)),
        )
        self.groups.append(group)
        return group

    def _outer_group(self, id: str, name: str) -> SiteSectionGroup:
        group = self.find(SiteSectionGroup, id, name)
        if group.parent_id is not None:
            raise BadRequest(f"{name}: {id!r} is in a group itself; groups nest one deep")
        return group

    def _check_sections_room(self, name: str) -> None:
        held = len(self.sections) + len(self.groups)
        self._check_room(name, held, SECTIONS_LIMIT, "sections and section groups together")

    def _check_room(self, name: str, held: int, limit: int, what: str) -> None:
        if held >= limit:
            raise invalid(name, f"the site holds {held} {what}; at most {limit} are allowed")

    # ------------------------------------------------------------ moving

    def put_space(self, space: SiteSpace, section_id: str | None, path: str) -> None:
        """Give a site space a path and, at the end of it, a section."""
        if space.section_id != section_id:
            space.position = len(self.spaces_of(section_id))
        space.section_id, space.path = section_id, path

    def into_group(self, section: SiteSection, group: SiteSectionGroup) -> None:
        """Put a section at the end of a group."""
        section.position = len(self.headed(group.id))
        section.group_id = group.id

    def put(self, item: Item, kind: type[Item] | None, parent_id: str | None) -> None:
        """Put an item at the end of the section or group `parent_id`, of this kind, or of the top,
        unless it stands on that level.

        BadRequest where it cannot stand there, Conflict where a site space has its path there.
        """
        holder = SiteSection if isinstance(item, SiteSpace) else SiteSectionGroup
        if parent_id is None and isinstance(item, SiteSpace) and self.sections:
            raise BadRequest("parent: a site space of a site with sections stands in one of them")
        if parent_id is not None and kind is not holder:
            raise BadRequest(f"parent: a {WORDS[type(item)]} stands in a {WORDS[holder]} only")
        if parent_id is not None and isinstance(item, SiteSpace):
            self.find(SiteSection, parent_id, "parent")
        elif parent_id is not None:
            self.find(SiteSectionGroup, parent_id, "parent")
        if above(item) == parent_id:
            return
        if isinstance(item, SiteSpace):
            check_path(item.path, self.spaces_of(parent_id), "site space there")
            self.put_space(item, parent_id, item.path)
            return
        end = len(self.headed(parent_id))
        if isinstance(item, SiteSection):
            item.group_id, item.position = parent_id, end
            return
        if parent_id is not None:
            self._outer_group(parent_id, "parent")
            if parent_id == item.id or any(other.parent_id == item.id for other in self.groups):
                raise BadRequest("parent: groups nest one deep, and this one would hold another")
        item.parent_id, item.position = parent_id, end

    def out_of_group(self, section: SiteSection, group: SiteSectionGroup) -> None:
        """Put a section directly behind its group."""
        order = self.siblings(group)
        order.insert(order.index(group) + 1, section)
        section.group_id = group.parent_id
        number(order)

    # ------------------------------------------------------------ removing

    def remove(self, items: Iterable[Item]) -> None:
        """Take items out: a section with its site spaces, a group with what it holds lifted.

        No group stays when the last section goes.
        """
        for item in items:
            self.removed.append(item)
            if isinstance(item, SiteSpace):
                self.spaces.remove(item)
            elif isinstance(item, SiteSection):
                self.remove(self.spaces_of(item.id))
                self.sections.remove(item)
            else:
                self._lift(item)
                self.groups.remove(item)
        if not self.sections:
            self.removed += self.groups
            self.groups = []

    def _lift(self, group: SiteSectionGroup) -> None:
        order = self.siblings(group)
        place = order.index(group)
        held = self.headed(group.id)
        for item in held:
            if isinstance(item, SiteSection):
                item.group_id = group.parent_id
            else:
                item.parent_id = group.parent_id
        order[place : place + 1] = held
        number(order)

    # ------------------------------------------------------------ defaults and order

    def choose_default_space(self, id: str, section: SiteSection | None, name: str) -> None:
        """Make a site space the default of a section, or of the root; BadRequest if elsewhere."""
        owner: Site | SiteSection = self.site if section is None else section
        where = "at the root of this site" if section is None else f"in the section {section.id!r}"
        if all(
            site_space.id != id
            for site_space in self.spaces_of(None if section is None else section.id)
        ):
            raise BadRequest(f"{name}: {id!r} is not a site space {where}")
        owner.default_site_space_id = id

    def choose_default_section(self, id: str, name: str) -> None:
        """Make a section the one that is served at the site's root; BadRequest if there is none."""
        if all(section.id != id for section in self.sections):
            without = "" if self.sections else ", which has no sections; set defaultSiteSpace"
            raise BadRequest(f"{name}: {id!r} is not a section of this site{without}")
        self.site.default_section_id = id

    @property
    def default_section(self) -> SiteSection | None:
        """The section that is served at the root; None on a flat site."""
        for section in self.sections:
            if section.id == self.site.default_section_id:
                return section
        return None

    def settle(self) -> None:
        """Number everything and see to the defaults."""
        shown = self._display()
        for level in shown.levels:
            number(level)
        for order in (shown.sections, shown.groups, shown.spaces):
            number(order, "place")
        before = self._before
        self.site.default_section_id = successor(
            before.sections,
            [section.id for section in shown.sections],
            self.site.default_section_id,
        )
        owners: list[Site | SiteSection] = [self.site, *self.sections]
        for owner in owners:
            key = None if isinstance(owner, Site) else owner.id
            now = [site_space.id for site_space in shown.under.get(key, ())]
            was = before.spaces.get(key, [])
            owner.default_site_space_id = successor(was, now, owner.default_site_space_id)

    # ------------------------------------------------------------ paths

    def moved_paths(self) -> tuple[dict[str, Located], set[str]]:
        """Keys that lead nowhere now, with what stood there and has another path; new keys.

        Asked after `settle`; the next one compares with the state of now.
        """
        before, own = self._before, standing(self.sections, self.spaces)
        keys = self._keys(self._display())
        gone = {
            key: item
            for key, item in before.keys.items()
            if key not in keys and item.id in own and own[item.id] != before.own[item.id]
        }
        self._remember()
        return gone, keys.keys() - before.keys.keys()

    def _keys(self, shown: _Display) -> dict[str, Located]:
        root = None if not self.sections else self.site.default_section_id
        return live_keys(self.sections, shown.under, root)
