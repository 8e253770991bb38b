"""A report on documentation: what its Markdown becomes on the way through JSON documents."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from content.errors import ContentError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.markdown.kept_markdown import kept_markdown
from content.markdown.parser import parse_document
from content.markdown.round_trip import RoundTrip, round_trip
from content.sources.opening import open_source
from docstead.commands.terminal import AsJson, CommandError, printable, show

EXAMPLES = 2
PREVIEW = 100


def round_trip_report(
    source: Annotated[
        str, typer.Argument(help="Folder, Git repository or Git bundle with the documentation.")
    ],
    json: AsJson = False,
) -> None:
    """Report how the Markdown of pages comes back from JSON documents; nothing is stored.

    It also says what stays Markdown in the documents, and why.
    """
    try:
        bodies = page_bodies(source)
    except ContentError as error:
        raise CommandError(str(error)) from error
    value = summary([(path, round_trip(markdown)) for path, markdown in bodies])
    value["staysMarkdown"] = kept(bodies)
    show(value, json, _text(value))


def page_bodies(source: str) -> list[tuple[str, str]]:
    """(path, Markdown) of all that has a body in a folder, repository or bundle; ContentError for
    what is none."""
    with open_source(source) as tree:
        return list(_bodies(read_space(tree, repeated_as_links=True)))


def _bodies(space: SpaceImport) -> Iterator[tuple[str, str]]:
    """(path, Markdown without front matter and title) of everything that has a body."""
    for page in space.walk():
        if page.git_path is not None:
            yield page.git_path, page.markdown
    for content in space.reusable_contents:
        yield content.git_path, content.markdown


def summary(pages: list[tuple[str, RoundTrip]]) -> dict[str, Any]:
    """The figures of the report, with examples for each kind of difference."""
    counts: Counter[str] = Counter()
    affected: Counter[str] = Counter()
    examples: dict[str, list[dict[str, str]]] = {}
    for path, trip in pages:
        kinds = [kind for difference in trip.differences for kind in difference.kinds]
        counts.update(kinds)
        affected.update(set(kinds))
        for difference in trip.differences:
            for kind in difference.kinds:
                shown = examples.setdefault(kind, [])
                if len(shown) < EXAMPLES and all(example["path"] != path for example in shown):
                    shown.append(
                        {"path": path, "source": difference.source, "written": difference.written}
                    )
    return {
        "pages": len(pages),
        "identicalFromJson": sum(trip.alone for _, trip in pages),
        "identicalWithStoredMarkdown": sum(trip.kept for _, trip in pages),
        "sameDocument": sum(trip.same_document for _, trip in pages),
        "editsLeaveTheRest": sum(trip.local for _, trip in pages),
        "notIdentical": [path for path, trip in pages if not trip.kept],
        "otherDocument": [path for path, trip in pages if not trip.same_document],
        "differences": [
            {"kind": kind, "count": count, "pages": affected[kind], "examples": examples[kind]}
            for kind, count in counts.most_common()
        ],
    }


def kept(bodies: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """What stays Markdown, by kind, the most frequent first, with places."""
    counts: Counter[tuple[str, str]] = Counter()
    paths: dict[tuple[str, str], dict[str, str]] = {}
    for path, markdown in bodies:
        for kind, reason, source in kept_markdown(parse_document(markdown)):
            counts[kind, reason] += 1
            paths.setdefault((kind, reason), {}).setdefault(path, source)
    return [
        {
            "kind": kind,
            "reason": reason,
            "count": count,
            "pages": len(paths[kind, reason]),
            "examples": [
                {"path": path, "source": source}
                for path, source in list(paths[kind, reason].items())[:EXAMPLES]
            ],
        }
        for (kind, reason), count in counts.most_common()
    ]


def _text(value: dict[str, Any]) -> str:
    total = value["pages"]
    rows = (
        ("identical from the JSON document alone", "identicalFromJson"),
        ("identical with the stored Markdown at hand", "identicalWithStoredMarkdown"),
        ("same document after a second pass", "sameDocument"),
        ("an added paragraph leaves all other lines", "editsLeaveTheRest"),
    )
    lines = [f"{total} pages"]
    for label, name in rows:
        share = 100 * value[name] / total if total else 100
        lines.append(f"  {label:<44} {value[name]:>6}  {share:5.1f} %")
    if value["differences"]:
        lines.append("what canonical Markdown has otherwise than the source")
    for entry in value["differences"]:
        lines.append(f"  {entry['kind']:<44} {entry['count']:>6}  on {entry['pages']} pages")
        for example in entry["examples"]:
            lines.append(f"      {printable(example['path'])}")
            lines.append(f"      - {_preview(example['source'])}")
            lines.append(f"      + {_preview(example['written'])}")
    if value["staysMarkdown"]:
        lines.append("what stays Markdown in the documents")
    for entry in value["staysMarkdown"]:
        lines.append(f"  {entry['kind']:<44} {entry['count']:>6}  on {entry['pages']} pages")
        lines.append(f"      {entry['reason']}")
        for example in entry["examples"]:
            lines.append(f"      {printable(example['path'])}: {_preview(example['source'])}")
    lines += [f"not identical: {printable(path)}" for path in value["notIdentical"]]
    lines += [f"another document: {printable(path)}" for path in value["otherDocument"]]
    return "\n".join(lines)


def _preview(text: str) -> str:
    shown = printable(text.replace("\n", "⏎"))
    return shown if len(shown) <= PREVIEW else f"{shown[:PREVIEW]}…"
