"""The HTML of a whole book: title sheet, contents with numbers of sheets, pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from content.documents.evaluation import Evaluation, variables_context
from content.documents.nodes import text_of
from content.expressions.evaluation import display, holds
from content.html.directions import direction_of
from content.html.document import Rendered, render_document
from content.html.inlines import emoji_text
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.html.rendering import Options
from content.html.styles import print_style
from content.json_types import Json, JsonObject, values_in
from content.links.references import normal_target
from content.pdf.fonts import font_faces
from content.pdf.formulas import drawn_formula
from content.pdf.job import PrintedPage, PrintJob
from content.pdf.references import References, page_anchor

# Hears of the stage, how much of it is done, and how much there is.
Report = Callable[[str, int, int], None]
PAGES = "rendering pages"


class Expressions:
    """What expressions and conditions of a page say to everybody."""

    def __init__(self, space: JsonObject, page: JsonObject) -> None:
        self._context = variables_context(space, page)
        self._everybody = Evaluation(self._context, deterministic_only=True)

    def text(self, expression: str) -> str | None:
        """The text of an expression; empty when it fails or asks for the visitor."""
        return display(expression, self._context) if self._everybody.takes(expression) else ""

    def holds(self, condition: str) -> bool:
        """Whether content with a condition is printed: what only some visitors see is, too."""
        return not self._everybody.takes(condition) or holds(condition, self._context)


# Deeper pages are set as far in as these.
DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline: the id in the HTML, how deep it stands, its text."""

    id: str
    depth: int
    text: str


@dataclass(frozen=True, slots=True)
class Book:
    """A book without its contents, which need the numbers of sheets that printing finds out."""

    job: PrintJob
    body: Html
    entries: tuple[Entry, ...]

    def draft(self) -> str:
        """The HTML file to find out the sheets of pages: laid out alike, drawn in half the time."""
        return self.html({}, ".document { visibility: hidden; }")

    def html(self, sheets: Mapping[str, int], style: str = "") -> str:
        """The HTML file; `sheets` are numbers by id, absent as long as they are not known."""
        content = joined(
            [
                _title_sheet(self.job),
                _contents(self.job, sheets),
                self.body,
                # Only places that something links to are found again in the PDF.
                element("div", joined(element("a", href=f"#{entry.id}") for entry in self.entries)),
            ]
        )
        head = joined(
            [
                Html('<meta charset="utf-8">'),
                element("title", escape(self.job.title)),
                # Not escaped: `_style` holds no end of the element.
                Html(f"<style>{_style(self.job)}{style}</style>"),
            ]
        )
        page = joined([element("head", head), element("body", content)])
        return f"<!doctype html>{element('html', page, lang=self.job.language)}"


def make_book(job: PrintJob, report: Report) -> Book:
    """The pages of a job as HTML."""
    numbers = {
        page.id: number
        for number, page in enumerate(job.pages, start=1)
        if page.document is not None
    }
    titles = {page.id: page.title for page in job.pages}
    parts: list[Html] = []
    entries: list[Entry] = []
    alone = len(numbers) == 1
    said = _said_anchors(job)
    for page in job.pages:
        if page.document is None:
            continue
        references = References(job, numbers, page.id)
        meta: JsonObject = {"title": page.title, "linked": list[Json](said.get(page.id, ()))}
        rendered = _rendered(job, page, {**page.document, "meta": meta}, references)
        body = rendered.html
        if not body.strip() and page.children:
            body = _list_of_pages(page.children, references, titles)
        anchor = page_anchor(numbers[page.id])
        parts.append(_page(page, (anchor, *rendered.title_ids), body))
        report(PAGES, len(parts), len(numbers))
        entries.append(Entry(anchor, page.depth, page.title))
        # The outline of a single page is that of its headings; of a book, that of its pages and
        # their main headings.
        entries.extend(
            Entry(heading.id, page.depth + heading.level, heading.text)
            for heading in rendered.headings
            if heading.text and (alone or heading.level == 1)
        )
    return Book(job, joined(parts), tuple(entries))


def _said_anchors(job: PrintJob) -> dict[str, list[str]]:
    """The anchors that links of the book say, by the page that they lead to."""
    said: dict[str, dict[str, None]] = {}
    texts = [(page.id, page.document) for page in job.pages if page.document is not None]
    for own, text in [*texts, *(("", content) for content in job.contents.values())]:
        for value in values_in([text]):
            target = normal_target(value, own)
            if target is not None and target["kind"] == "anchor" and target["anchor"]:
                said.setdefault(text_of(target, "page"), {})[text_of(target, "anchor")] = None
    return {page: list(anchors) for page, anchors in said.items()}


def _rendered(
    job: PrintJob, page: PrintedPage, document: JsonObject, references: References
) -> Rendered:
    expressions = Expressions(job.variables, page.variables)

    def content_of(reference: JsonObject) -> JsonObject | None:
        if text_of(reference, "space") not in ("", job.space_id):
            return None
        return job.contents.get(text_of(reference, "reusableContent"))

    return render_document(
        document,
        Options(
            resolve=references.resolve,
            reusable=content_of,
            evaluate=expressions.text,
            condition=expressions.holds,
            formula=drawn_formula,
            identify=references.identify,
            paper=True,
        ),
    )


def _list_of_pages(ids: Iterable[str], references: References, titles: Mapping[str, str]) -> Html:
    """The body of a page without content: links to the pages below it."""
    items = []
    for id in ids:
        target = references.resolve({"kind": "page", "page": id})
        if target.href is not None:
            link = element("a", escape(titles.get(id, "")), href=target.href)
            items.append(element("li", element("p", link)))
    return element("ul", joined(items)) if items else EMPTY


def _page(page: PrintedPage, ids: Iterable[str], body: Html) -> Html:
    above = " › ".join(page.above)
    header = joined(
        [
            # A box of several sheets would be found at its end, and a tall letter in a title at
            # the end of the sheet before: so the place is a box of its own.
            *(element("div", id=id, class_="place") for id in ids),
            element("p", escape(above), class_="above") if above else EMPTY,
            element("h1", escape(_titled(page)), dir=direction_of(page.title)),
            element(
                "p",
                escape(page.description),
                dir=direction_of(page.description),
                class_="description",
            )
            if page.description
            else EMPTY,
        ]
    )
    content = joined([element("header", header), element("div", body, class_="document")])
    return element("article", content, class_="page")


def _titled(page: PrintedPage) -> str:
    """The title with its emoji, which may be given by its code points."""
    emoji = emoji_text(page.emoji) if len(page.emoji) >= 4 else ""
    return f"{emoji or page.emoji} {page.title}".strip()


def _title_sheet(job: PrintJob) -> Html:
    if not job.lines:
        return EMPTY
    lines = joined(element("p", escape(line), dir=direction_of(line)) for line in job.lines)
    rule = element("div", class_="rule")
    return element(
        "section",
        joined([rule, element("h1", escape(job.title), dir=direction_of(job.title)), lines]),
        class_="cover",
    )


def _contents(job: PrintJob, sheets: Mapping[str, int]) -> Html:
    if len(job.pages) < 2:
        return EMPTY
    rows = []
    for number, page in enumerate(job.pages, start=1):
        anchor = page_anchor(number)
        title = escape(_titled(page))
        sheet = EMPTY
        if page.document is not None:
            title = element("a", title, href=f"#{anchor}")
            if anchor in sheets:
                sheet = element("a", escape(str(sheets[anchor])), href=f"#{anchor}")
        elif page.href and (address := safe_address(page.href)) is not None:
            title = element("a", title, href=address)
        cells = [
            element(
                "td",
                title,
                dir=direction_of(page.title),
                class_=f"depth-{min(page.depth, DEEPEST)}",
            ),
            element("td", sheet, class_="number"),
        ]
        kind = "group" if page.kind == "group" else "top" if page.depth == 0 else None
        rows.append(element("tr", joined(cells), class_=kind))
    table = element("table", element("tbody", joined(rows)))
    return element("section", joined([element("h1", escape("Contents")), table]), class_="contents")


def _style(job: PrintJob) -> str:
    footer = f":root {{ --footer: {css_text(job.title)}; }}\n"
    return f"{font_faces()}\n{print_style()}\n{footer}"


def css_text(text: str) -> str:
    """Text as a CSS string; all but letters, digits and blanks by their code points."""
    letters = (
        letter if letter == " " or letter.isalnum() else f"\\{ord(letter):x} " for letter in text
    )
    return f'"{"".join(letters)}"'
