"""The Workbench as it is shipped: built from its sources, small, licensed, on the public graph."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate
from starlette.applications import Starlette
from starlette.testclient import TestClient

from account_pages.html import Frame
from content.documents.schema import typescript_text
from content.html.markup import element, escape
from docstead.settings import Settings
from docstead.workbench import ENTRY, STATIC, built_workbench, first_chunks, workbench_routes
from schema.build import build_schema as graph_schema
from schema.cost_table import CostTable
from schema.documents import Documents, DocumentSettings
from schema.limits import Limits
from tests.node_packages import run_node

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
SOURCES = APP / "src"
# Folders and files that no build depends on.
LEFT_OUT = {"node_modules", "generated", "README.md"}
FIRST_LOAD = 250_000
# The editor, beside what a page of a space has loaded by then.
EDITOR = 136_000
OPERATION = re.compile(r"graphql\(`(.*?)`\)", re.DOTALL)
NAMED = re.compile(r"const (\w+) = graphql\(`\s*(query .*?)`\)", re.DOTALL)
FRAGMENT = re.compile(r"fragment (\w+) on .*", re.DOTALL)
# Lists that are read on, how far at most, and the reads with these numbers.
MORE = re.compile(r"const (\w+) = useMore\((?:[\w.]+(?:, ([\d_]+))?)?")
READ = re.compile(r"useRead\((\w+), \{([^{}]*)\}")


def manifest() -> dict[str, dict[str, object]]:
    text = (STATIC / "manifest.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, object]] = json.loads(text)
    return loaded


def compressed(*entries: str) -> int:
    """Bytes that a browser loads for these entries, as gzip writes them."""
    names: set[str] = set()
    for entry in entries:
        for chunk in first_chunks(manifest(), entry):
            names |= {str(chunk["file"]), *chunk.get("css", ())}
    return sum(len(gzip.compress((STATIC / name).read_bytes(), 9)) for name in names)


def source_files() -> list[Path]:
    return [
        path
        for path in sorted(SOURCES.rglob("*"))
        if path.suffix in {".ts", ".tsx"} and "generated" not in path.parts
    ]


def test_the_build_is_of_these_sources() -> None:
    whole = hashlib.sha256()
    files = {
        path.relative_to(APP).as_posix(): path
        for path in APP.rglob("*")
        if path.is_file() and not LEFT_OUT & set(path.relative_to(APP).parts)
    }
    for name in sorted(files):
        digest = hashlib.sha256(files[name].read_bytes()).hexdigest()
        whole.update(f"{digest}  {name}\n".encode())
    shipped = (STATIC / "sources.sha256").read_text(encoding="utf-8").strip()
    assert shipped == whole.hexdigest(), "app/ has changed: cd app && npm ci && npm run build"


def test_first_load_is_small() -> None:
    assert compressed(ENTRY) < FIRST_LOAD
    # A page of a space, and a change request: what is first shown where an address leads to one.
    assert compressed(ENTRY, "src/space/routes.tsx") < FIRST_LOAD
    assert compressed(ENTRY, "src/space/routes.tsx", "src/review/change.tsx") < FIRST_LOAD
    # The part that writes formulas is loaded with the first formula.
    assert not any("temml" in str(chunk["file"]) for chunk in first_chunks(manifest(), ENTRY))


# Rules that hold beside any element, and rules about what is somewhere inside of an element.
RESTYLING = re.compile(r"[*\])]\s*[+~]\s*[*:\[]|:has\((?!\s*>)")


def test_no_style_is_about_whatever_is_beside_it() -> None:
    """`> * + *` and `:has()` of what is deep inside have a browser work out the styles of a whole
    page anew for each element that is put in: of 2,000 blocks for each Enter."""
    styles = [*SOURCES.rglob("*.css")]
    assert len(styles) > 5
    found = [
        f"{path.name}: {one.group()}"
        for path in styles
        for one in RESTYLING.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found, found


def test_words_of_other_languages_stay_out() -> None:
    """React Aria speaks more than thirty languages; the application has texts in two."""
    written = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    assert "ausgew" in written
    assert not re.search("[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7a3]{4}", written)


def test_the_editor_is_loaded_when_it_is_needed() -> None:
    reading = (ENTRY, "src/space/routes.tsx", "src/editor/start.tsx")
    assert compressed(*reading, "src/editor/edit-page.tsx") - compressed(*reading) < EDITOR
    assert compressed(*reading) < FIRST_LOAD
    first = {name for entry in reading for name in chunk_files(entry)}
    assert not [name for name in first if "prosemirror" in (STATIC / name).read_text("utf-8")]


def chunk_files(entry: str) -> set[str]:
    return {str(chunk["file"]) for chunk in first_chunks(manifest(), entry)}


def test_operations_fit_the_schema() -> None:
    """Whatever the schema becomes, the operations that were built in stay valid."""
    schema = build_schema((ROOT / "schema" / "schema.graphql").read_text(encoding="utf-8"))
    texts = [text for path in source_files() for text in OPERATION.findall(path.read_text("utf-8"))]
    assert len(texts) > 40
    follow = (SOURCES / "live" / "follow.ts").read_text(encoding="utf-8")
    (events,) = re.findall(r"`(subscription .*?)`", follow, re.DOTALL)
    assert validate(schema, parse("\n".join([*texts, events]))) == []


def longest_lists() -> dict[str, tuple[str, dict[str, int]]]:
    """Queries of lists that are read on, with the most rows that each reads of every list."""
    found: dict[str, tuple[str, dict[str, int]]] = {}
    for path in source_files():
        text = path.read_text("utf-8")
        queries = dict(NAMED.findall(text))
        for read in READ.finditer(text):
            most = {
                name: int((most or "1000").replace("_", ""))
                for name, most in MORE.findall(text[: read.start()])
            }
            values = (part.strip().partition(": ") for part in read[2].split(","))
            lists = ((name, of.removesuffix(".first")) for name, _, of in values)
            sizes = {name: most[of] for name, of in lists if of in most}
            if sizes and read[1] in queries:
                found[f"{path.name} {read[1]}"] = (queries[read[1]], sizes)
    return found


def test_lists_are_read_to_their_end_within_the_cost_of_an_operation() -> None:
    texts = [text for path in source_files() for text in OPERATION.findall(path.read_text("utf-8"))]
    fragments = {match[1]: text for text in texts if (match := FRAGMENT.search(text))}
    settings = Settings()
    costs = CostTable(default_size=settings.page_size, by_id=frozenset({"Query.nodes"}))
    limits = Limits(depth=settings.query_depth, cost=1_000_000)
    limited = DocumentSettings(limits=limits, costs=costs, introspection=False)
    store = Documents(graph_schema()._schema, limited)
    dear: dict[str, int] = {}
    lists = longest_lists()
    assert len(lists) > 25
    for name, (query, sizes) in lists.items():
        text, missing = query, set(re.findall(r"\.\.\.(\w+)", query))
        used: set[str] = set()
        while missing - used:
            used |= {(one := (missing - used).pop())}
            text += fragments[one]
            missing |= set(re.findall(r"\.\.\.(\w+)", fragments[one]))
        values = dict.fromkeys(re.findall(r"\$(\w+): (?:ID|String)!", query), "x")
        values |= dict.fromkeys(re.findall(r"\$(\w+): Boolean!", query), True)
        document = store.document(text)
        found = store.operation(document, store.select(document, None), {**values, **sizes})
        if found.cost > settings.query_cost:
            dear[name] = found.cost
    assert dear == {}


def test_nothing_but_the_graph_is_asked() -> None:
    for path in source_files():
        text = path.read_text(encoding="utf-8")
        # One place asks, and ends what gets no answer.
        assert ("fetch(" in text) == (path.name == "in-time.ts"), path
        assert "/v1" not in text, path


def test_types_of_documents_are_those_of_the_server() -> None:
    assert (SOURCES / "document" / "model.ts").read_text(encoding="utf-8") == typescript_text()


def test_packages_are_pinned_run_nothing_and_name_no_registry() -> None:
    lock = (APP / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    packages = json.loads(lock)["packages"]
    wanted = json.loads((APP / "package.json").read_text(encoding="utf-8"))
    names = {**wanted["dependencies"], **wanted["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in names.values())
    # Programs that packages would run when they are installed: none that ends up in the build.
    shipped = [name for name, row in packages.items() if not row.get("dev")]
    assert [name for name in shipped if packages[name].get("hasInstallScript")] == []


def test_licences_of_what_is_bundled_are_shipped() -> None:
    text = (STATIC / "THIRD-PARTY-LICENCES.txt").read_text(encoding="utf-8")
    for name in (
        "react 19",
        "react-aria-components 1",
        "urql 5",
        "temml 0",
        "wouter 3",
        "prosemirror-view 1",
    ):
        assert re.search(rf"^{name}", text, re.MULTILINE), name
    assert not [path.name for path in STATIC.rglob("*.map")]


def test_page_allows_nothing_but_its_own_server() -> None:
    policy = dict(part.split(" ", 1) for part in built_workbench().policy.split("; "))
    for closed in ("default-src", "base-uri", "frame-ancestors"):
        assert policy[closed] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["frame-src"] == "'self'"
    assert "unsafe" not in built_workbench().policy
    assert "http" not in built_workbench().policy


@pytest.mark.parametrize("prefix", ["", "/docs"])
def test_page_names_its_assets_below_the_prefix(prefix: str) -> None:
    content = element("p", escape("A page without scripts"))
    built = built_workbench()
    plain = built.render(Frame(prefix, current="/o/x"), "Guide", content, narrow=False)
    # What a space needs besides is asked for at once.
    text = built.render(Frame(prefix, current="/s/x/page"), "Guide", content, narrow=False)
    assert text.count("modulepreload") > plain.count("modulepreload")
    assert "/routes-" in text
    assert "<noscript>" in text.partition("A page without scripts")[0]
    client = TestClient(Starlette(routes=workbench_routes()))
    addresses = re.findall(r'(?:href|src)="([^"]*/workbench/[^"]+)"', text)
    assert len(addresses) >= 3
    for address in addresses:
        assert address.startswith(f"{prefix}/workbench/assets/")
        answer = client.get(address.removeprefix(prefix))
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.get("/workbench/assets/../manifest.json").status_code == 404


async def test_what_it_works_out_by_itself() -> None:
    assert await run_node("workbench_units.js") == "fine"


async def test_the_newest_answer_of_a_query_stays() -> None:
    assert json.loads(await run_node("workbench_reading.js")) == "done"
