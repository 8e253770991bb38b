"""No list of the Workbench ends silently: it goes on, or a table says why it may end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLObjectType,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    TypeInfo,
    TypeInfoVisitor,
    VariableNode,
    Visitor,
    build_schema,
    get_named_type,
    parse,
    visit,
)

from resolvers.sites.structure import SECTIONS_LIMIT, SPACES_LIMIT
from tests.docstead.test_workbench import OPERATION, ROOT, source_files

# Lists of which a view shows the first rows and that there are more: how one gets to these.
SAYS = {
    "ChangeRequestView.space.changeRequest.conflictsOpen": "those that are resolved make room",
    "CollectionsToFill.organization.collections": "by words",
    "HeadOfPage.links": "read on by LinksOfPage",
    "FirstReplies.nodes.replies": "read on by Replies",
    "GitOfSpace.space.gitOperations.nodes.conflicts": "read on by ConflictsOfGit",
    "History.space.revisions.nodes.first": "the revision shows all",
    "MentionsOfMe.viewer.notifications": "a link to all notifications",
    "MyWork.organization.recent": "a link to all spaces",
    "OwnDrafts.space.changeRequests": "a link to all change requests",
    "PagesToChoose.space.revision.allPages": "by words",
    "PagesToChoose.space.search": "by more words",
    "PagesToLink.organization.search": "by more words",
    "PagesToLink.organization.search.nodes.pages": "by more words",
    "PeopleOfOrganization.organization.members": "by words",
    "PeopleToAsk.space.people": "by words",
    "Places.organization.collections": "a link to all of the organization",
    "Places.organization.spaces": "a link to all of the organization",
    "SearchEverything.organization.search": "by more words",
    "SearchEverything.organization.search.nodes.pages": "by more words",
    "SpacesByTitle.organization.spaces": "by more words",
    "SpacesToShow.organization.spaces": "by words",
    "TeamsOfOrganization.organization.teams": "by words",
    "WholePage.links": "read on by LinksOfPage",
    "WholePage.pages": "the page tree has all",
}
# Lists that cannot be longer, and those of which no more is needed: with the rows that are read.
ENDS = {
    "PagesToCopy.nodes.pages": (200, "more than 200 pages are not copied, and it says so"),
    "PlacesOnSite.site.siteSpaces": (SPACES_LIMIT, "a site has no more"),
    "RedirectTargets.site.sections": (SECTIONS_LIMIT, "a site has no more"),
    "RedirectTargets.site.siteSpaces": (SPACES_LIMIT, "a site has no more"),
    "SiteContent.site.sectionGroups": (SECTIONS_LIMIT, "a site has no more"),
    "SiteContent.site.sections": (SECTIONS_LIMIT, "a site has no more"),
    "SiteContent.site.siteSpaces": (SPACES_LIMIT, "a site has no more"),
    "TreePage.pages": (1, "whether there is any"),
}
DOCUMENT = re.compile(r"const (\w+) = graphql\(`(.*?)`\)", re.DOTALL)
# Rows that a view draws of a list that it has read; others are parts of texts.
CUT = re.compile(r"([\w.?]+)\.slice\(0, (\w+)\)(?:\.map\(|;)")
OF_TEXTS = {"EXCERPT", "1", "6", "8", "10"}


@dataclass(frozen=True)
class Listed:
    """A list that an operation or a fragment selects."""

    file: str
    place: str
    first: str | None
    names: frozenset[str]
    goes_on: bool


Fragments = dict[str, FragmentDefinitionNode]


def names_below(selections: SelectionSetNode | None, fragments: Fragments) -> set[str]:
    """Names of the fields right below, also those of fragments."""
    names: set[str] = set()
    for node in selections.selections if selections else ():
        if isinstance(node, FieldNode):
            names.add(node.name.value)
            if node.name.value == "pageInfo":
                names |= names_below(node.selection_set, fragments)
        elif isinstance(node, InlineFragmentNode):
            names |= names_below(node.selection_set, fragments)
        elif isinstance(node, FragmentSpreadNode):
            names |= names_below(fragments[node.name.value].selection_set, fragments)
    return names


def documents() -> Iterator[tuple[str, str, str, DocumentNode]]:
    """Every operation and fragment: its file, its name, and what the file has beside these."""
    for path in source_files():
        text = path.read_text("utf-8")
        rest = OPERATION.sub("", text)
        for name, one in DOCUMENT.findall(text):
            yield path.relative_to(ROOT / "app" / "src").as_posix(), name, rest, parse(one)


class Lists(Visitor):
    """Collects the lists that a document selects."""

    def __init__(
        self, of: tuple[str, str, str], begin: str, info: TypeInfo, fragments: Fragments
    ) -> None:
        super().__init__()
        self.rows: list[Listed] = []
        self._file, self._query, self._rest = of
        self._way, self._info, self._fragments = [begin], info, fragments

    def enter_field(self, node: FieldNode, *_: object) -> None:
        self._way.append((node.alias or node.name).value)
        field = self._info.get_field_def()
        assert field is not None
        kind = get_named_type(field.type)
        pages = isinstance(kind, GraphQLObjectType) and kind.name.endswith("Connection")
        if not pages and not {"first", "limit"} & set(field.args):
            return
        values = {one.name.value: one.value for one in node.arguments or ()}
        # The newest one is no list.
        if getattr(values.get("last"), "value", None) == "1":
            return
        first = values.get("first") or values.get("limit")
        names = names_below(node.selection_set, self._fragments)
        going = self._is_read_on(values.get("after")) and "endCursor" in names
        goes_on = bool(going and {"hasNextPage", "more"} & names)
        size = getattr(first, "value", None)
        self.rows.append(Listed(self._file, ".".join(self._way), size, frozenset(names), goes_on))

    def leave_field(self, *_: object) -> None:
        self._way.pop()

    def _is_read_on(self, after: object) -> bool:
        if not isinstance(after, VariableNode):
            return False
        used = re.search(rf"\b{after.name.value}\b", self._rest) is not None
        return used or f"query={{{self._query}}}" in self._rest


def listed() -> list[Listed]:
    schema = build_schema((ROOT / "schema" / "schema.graphql").read_text("utf-8"))
    every = list(documents())
    definitions = [one for *_, document in every for one in document.definitions]
    fragments = {
        one.name.value: one for one in definitions if isinstance(one, FragmentDefinitionNode)
    }
    rows: list[Listed] = []
    for *of, document in every:
        (definition,) = document.definitions
        assert isinstance(definition, FragmentDefinitionNode | OperationDefinitionNode)
        assert definition.name is not None
        info, (file, query, rest) = TypeInfo(schema), of
        lists = Lists((file, query, rest), definition.name.value, info, fragments)
        visit(document, TypeInfoVisitor(info, lists))
        rows += lists.rows
    return rows


def test_every_list_goes_on_or_says_that_there_is_more() -> None:
    rows = listed()
    assert len(rows) > 80
    ending = [row for row in rows if not row.goes_on]
    assert {row.place for row in ending} == {*SAYS, *ENDS}
    for row in ending:
        if row.place in SAYS:
            assert row.names & {"hasNextPage", "more"}, row
        else:
            assert row.first == str(ENDS[row.place][0]), row


def test_what_is_read_on_for_another_list_is_there() -> None:
    """Where another operation reads on, it is one, and it goes on."""
    going = {row.place.partition(".")[0] for row in listed() if row.goes_on}
    others = [reason.rpartition(" ")[2] for reason in SAYS.values() if "read on by" in reason]
    assert len(others) > 3
    assert set(others) <= going


def test_views_say_what_they_leave_out() -> None:
    """Rows that are cut off are counted, or asked for."""
    silent = []
    for path in source_files():
        text = path.read_text("utf-8")
        for whole, most in CUT.findall(text) if path.suffix == ".tsx" else ():
            length = rf"{re.escape(whole)}\.length (?:[->]|<=) (?:{most}\b|\w+\.length)"
            if most not in OF_TEXTS and not re.search(length, text):
                silent.append(f"{path.name}: {whole} {most}")
    assert silent == []
