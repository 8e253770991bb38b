"""Who works at the demo organization and what they have said: data only, no behaviour.

Kelpline, which builds tide gauges, is invented. `docstead/demo/filling.py` makes it happen.
"""

from dataclasses import dataclass

from db.content_enums import ChangeRequestStatus as Status
from db.enums import DefaultLevel, Role, SitePreviews, SiteVisibility

ORGANIZATION = "Kelpline"
DOMAIN = "kelpline.example"
ADMIN = "ada"
# The specification that the guide to Docstead names: that of the server itself.
SPECIFICATION = "docstead"


@dataclass(frozen=True, slots=True)
class Person:
    """A member; without a role a guest."""

    name: str
    role: Role | None


PEOPLE = {
    "ada": Person("Ada Okafor", Role.ADMIN),
    "bruno": Person("Bruno Lindqvist", Role.CREATE),
    "chidi": Person("Chidi Marais", Role.REVIEW),
    "dana": Person("Dana Petrov", Role.EDIT),
    "eli": Person("Eli Watanabe", Role.EDIT),
    "farah": Person("Farah Haddad", Role.COMMENT),
    "grete": Person("Grete Jansen", Role.READ),
    "hugo": Person("Hugo Silva", None),
}

# Title -> owner and other members.
TEAMS = {
    "Docs": ("bruno", ("dana", "eli")),
    "Platform": ("chidi", ("eli",)),
    "Field": ("grete", ("farah",)),
}


@dataclass(frozen=True, slots=True)
class Shelf:
    """A collection: its parent by title, its default level, and grants to teams by title."""

    title: str
    parent: str | None = None
    description: str | None = None
    level: DefaultLevel | None = DefaultLevel.INHERIT
    teams: tuple[tuple[str, Role], ...] = ()


SHELVES = (
    Shelf("Product docs", description="What customers read", teams=(("Docs", Role.REVIEW),)),
    Shelf("Hardware", "Product docs", "Manuals of our gauges", teams=(("Field", Role.COMMENT),)),
    Shelf("Developers", "Product docs", "For those who build on our data"),
    Shelf(
        "Internal",
        description="Ours alone",
        level=DefaultLevel.COMMENT,
        teams=(("Docs", Role.EDIT),),
    ),
    Shelf("Incidents", "Internal", "For incident leads", None, (("Platform", Role.EDIT),)),
)


@dataclass(frozen=True, slots=True)
class Book:
    """A space, from the folder of this name in examples/; `people` are direct grants."""

    folder: str
    title: str
    emoji: str
    shelf: str | None = None
    people: tuple[tuple[str, Role], ...] = ()


BOOKS = (
    Book("docstead-guide", "Docstead user guide", "1f4d7", people=(("hugo", Role.COMMENT),)),
    Book("gauge-manual", "Gauge G2 manual", "1f30a", "Hardware", (("hugo", Role.COMMENT),)),
    Book("data-api", "Data API", "1f50c", "Developers"),
    Book("team-handbook", "Team handbook", "1f9ed", "Internal"),
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment or reply; `days` ago. `page` is a file, `block` the type of block on it."""

    by: str
    text: str
    days: float
    page: str | None = None
    block: str | None = None
    reactions: tuple[tuple[str, str], ...] = ()
    resolved_by: str | None = None
    replies: tuple["Remark", ...] = ()


@dataclass(frozen=True, slots=True)
class Rewording:
    """Words of a page that a change request replaces."""

    page: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change request."""

    folder: str
    by: str
    subject: str
    status: Status
    days: float
    description: str | None = None
    remarks: tuple[Remark, ...] = ()
    edits: tuple[Rewording, ...] = ()


PROPOSALS = (
    Proposal(
        "gauge-manual",
        "bruno",
        "Merge the two pages on mounting",
        Status.ARCHIVED,
        20,
        remarks=(Remark("grete", "On a pier I need only the second one. Please keep both.", 19),),
    ),
    Proposal(
        "gauge-manual",
        "dana",
        "Explain the battery test",
        Status.OPEN,
        12,
        "Customers call because `LOAD` does not appear. Say how long to hold the key.",
        (
            Remark(
                "chidi",
                "Can we have a picture of the display, too?",
                11,
                page="use/battery.md",
                reactions=(("eli", "👍"), ("farah", "👍"), ("dana", "👀")),
                replies=(
                    Remark("dana", "Field takes one on Thursday.", 10.5),
                    Remark("grete", "Will do, if the weather holds.", 10),
                ),
            ),
            Remark("eli", "Ten seconds, not five: I have timed it.", 9, resolved_by="dana"),
        ),
        (
            Rewording(
                "use/battery.md",
                "Hold the key until `LOAD` appears.",
                "Hold the key for **ten seconds**. `LOAD` appears on the display.",
            ),
            Rewording("use/battery.md", "Wait ten seconds and note", "Let go of it and note"),
            Rewording(
                "use/battery.md", "| more | change it today |", "| more | change it at once |"
            ),
        ),
    ),
    Proposal("gauge-manual", "eli", "Photographs of the wall bracket", Status.DRAFT, 3),
    Proposal(
        "data-api",
        "eli",
        "Document `every=10m`",
        Status.OPEN,
        6,
        "Released in 2.3, missing in the table.",
        (Remark("bruno", "Please say that means are weighted.", 5, reactions=(("eli", "✅"),)),),
        (
            Rewording(
                "endpoints/levels.md",
                "`1m`, `10m` or `1h`; means are weighted",
                "`1m`, `10m` (since 2.3) or `1h`; means are weighted by time",
            ),
        ),
    ),
    Proposal("data-api", "dana", "One example for each error", Status.DRAFT, 2),
    Proposal(
        "team-handbook",
        "dana",
        "Lunch in the first week",
        Status.OPEN,
        8,
        edits=(
            Rewording(
                "first-week.md",
                "Lunch with somebody from another team",
                "Lunch with somebody from another team: Farah knows who has time",
            ),
        ),
    ),
    Proposal("docstead-guide", "bruno", "How to back up", Status.DRAFT, 1),
)

# Comments on spaces themselves, by folder.
REMARKS = {
    "docstead-guide": (
        Remark(
            "farah",
            "This is where I finally understood roles. Thank you!",
            15,
            page="work/roles.md",
            reactions=(("bruno", "❤️"), ("ada", "🎉"), ("dana", "❤️")),
        ),
        Remark("hugo", "Shall I translate this one first?", 4, replies=(
            Remark("bruno", "Yes, then the manual.", 3.5),
        )),
    ),
    "gauge-manual": (
        Remark(
            "hugo",
            "Is that 20 Nm for the wall bracket as well?",
            14,
            page="install/mount.md",
            block="stepper",
            replies=(Remark("grete", "Yes, for all six bolts.", 13, reactions=(("hugo", "🙏"),)),),
            resolved_by="bruno",
        ),
        Remark(
            "farah",
            "Add that life jackets need a test every year.",
            7,
            page="README.md",
            block="hint",
            reactions=(("grete", "👍"),),
        ),
    ),
    "data-api": (
        Remark("chidi", "`Retry-After` is in seconds, always.", 9, page="start/errors.md"),
    ),
    "team-handbook": (
        Remark("grete", "The pier is closed in January.", 5, page="first-week.md",
               reactions=(("ada", "👀"),)),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Published:
    """A published site; `sections` are folders with the titles of their sections, in order.

    A site of one space has no sections. Its first space is the default.
    """

    title: str
    folders: tuple[str, ...]
    sections: tuple[str, ...] = ()
    visibility: SiteVisibility = SiteVisibility.PUBLIC
    previews: SitePreviews = SitePreviews.MEMBERS
    # Names of share links.
    links: tuple[str, ...] = ()
    # A path of the site -> folder and file of the page that it leads to.
    redirects: tuple[tuple[str, str, str], ...] = ()
    # The colour of links and of what is chosen: on light, on dark.
    colour: tuple[str, str] | None = None
    announcement: str | None = None
    # Title and address, in the header; below that titles of groups with such links, in the footer.
    header: tuple[tuple[str, str], ...] = ()
    footer: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    copyright: str | None = None


SITES = (
    Published(
        "Kelpline documentation",
        ("gauge-manual", "data-api"),
        ("Gauge G2", "Data API"),
        # Nothing in the demo is a secret.
        previews=SitePreviews.ANYBODY,
        links=("Dealers",),
        redirects=(("/battery", "gauge-manual", "use/battery.md"),),
        colour=("#0b6e8a", "#5ec4de"),
        announcement="Firmware 2.3 is out: readings every ten minutes.",
        header=(
            ("Changes", "data-api/changes.md"),
            ("Get a key", "data-api/start/keys.md"),
        ),
        footer=(
            (
                "Gauge G2",
                (
                    ("Mount the gauge", "gauge-manual/install/mount.md"),
                    ("When something is wrong", "gauge-manual/use/troubleshooting.md"),
                ),
            ),
            (
                "Data API",
                (
                    ("Quickstart", "data-api/start/quickstart.md"),
                    ("Status", "https://status.kelpline.example"),
                ),
            ),
        ),
        copyright="© Kelpline",
    ),
    Published(
        "Docstead guide",
        ("docstead-guide",),
        visibility=SiteVisibility.SHARE_LINK,
        links=("Translators",),
    ),
)
# The site that a newcomer is shown.
SHOWN = SITES[0]
