"""Examples of the documentation do what they say: they run as a reader would run them.

A server with the demo answers them. What cannot run is in `NOT_RUN`, with a reason; an example in
neither fails.
"""

import base64
import hashlib
import hmac
import json
import re
import shlex
import shutil
import string
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.docs.test_documents import GUIDE, PAGES, ROOT
from tests.docstead.command_line import docstead
from tests.docstead.demo_data import demo_folder
from tests.docstead.test_serve import environment, run, serving
from tests.importing.documents import docx

BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
# What would run on other machines, or needs what no test has; by words that stand in them.
NOT_RUN = {
    "docker compose": "needs Docker; tests/docstead/test_deploy.py reads its files",
    "systemctl": "changes the machine; tests/docstead/test_deploy.py reads the unit",
    "sudo -u": "changes the machine",
    "make demo": "installs; what it starts runs here",
    "uvx --from": "installs; tests/docstead/test_wheel.py does so",
    "sqlite3 data": "other programs; tests/docstead/test_backups.py covers our own commands",
    "DOCSTEAD_DATABASE_URL=": "needs a server of PostgreSQL; tests/test_postgres.py has it",
    "copy-database": "needs a server of PostgreSQL; tests/docstead/test_backups.py has it",
    "DOCSTEAD_S3_ENDPOINT": "needs a bucket; tests/docstead/test_lasting_files.py has one",
    "OTEL_EXPORTER": "needs a collector; tests/docstead/monitoring/test_spans.py has one",
    "worker --at-once": "does not end; tests/docstead/test_jobs_commands.py runs its commands",
    "DOCSTEAD_TRANSLATION_PROVIDER": "settings, which tests/jobs/test_translators.py has",
    "npm install": "installs; tests/docstead/test_example_integrations.py runs the whole guide",
    "$BASE": "needs what the guide has made; run by the same test",
    "dev-server.mjs dev": "needs what the guide has made; run by the same test",
    "api.kelpline.example": "content of an example: an interface that does not exist",
}
# Examples of requests that are refused, and their status.
REFUSED = {"defaultLevl": "422"}
# As the reader's curl, but what is refused ends an example, and nothing waits for ever.
PRELUDE = """
set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 30 "$@"; }
jq() { "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[2][1:]])' "$@"; }
"""
SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
# What shows that a program works, behind its own source.
PROGRAMS = {
    "docs/webhooks.md": "print(is_genuine(*sys.argv[1:5], sys.argv[5].encode()))",
    "examples/data-api/endpoints/verify.md": (
        "print(genuine(b'x', hmac.new(b'k', b'x', hashlib.sha256).hexdigest(), b'k'))"
    ),
}
SCRIPTS = {
    "docs/webhooks.md": (
        "console.log(isGenuine(...process.argv.slice(2, 6), Buffer.from(process.argv[6])))"
    )
}


@dataclass(frozen=True)
class Example:
    """One block of code, and where it stands."""

    page: str
    source: str

    @property
    def is_run(self) -> bool:
        return not any(words in self.source for words in NOT_RUN)


def examples(*kinds: str) -> list[Example]:
    """All blocks of these kinds that run."""
    return [
        example
        for page in sorted({*PAGES, *GUIDE})
        for indent, kind, source in BLOCK.findall(page.read_text())
        if kind in kinds
        for example in [
            Example(
                str(page.relative_to(ROOT)), re.sub(f"^{indent}", "", source, flags=re.MULTILINE)
            )
        ]
        if example.is_run
    ]


def name_of(value: Any) -> str:
    return value.page if isinstance(value, Example) else str(value)


@dataclass(frozen=True)
class Place:
    """A folder with the demo in `data`, its server, and what readers put into examples."""

    folder: Path
    base: str
    # Host and port of what stands for servers of others.
    other: str
    token: str
    names: dict[str, str]

    def filled(self, source: str) -> str:
        """An example with what it leaves to its reader; nothing leaves this machine."""
        for pattern, value in (
            (r"http://127\.0\.0\.1:8000", self.base),
            (r"https?://(ada:[^@]*@)?[\w.]+\.example\.com", rf"http://\g<1>{self.other}"),
            (
                r"\bORGANIZATION_ID\b|(?<= )ORGANIZATION(?= )|(?<=--organization )ID\b",
                self.names["organization"],
            ),
            (r"\bSPACE_ID\b|(?<=[ \"])SPACE(?=[ \"]|$)", self.names["space"]),
            (r"\bCHANGE_REQUEST_ID\b", self.names["changeRequest"]),
            (r"(?<=\")(REVISION|PAGE|BLOCK)(?=\")", lambda match: self.names[match[1]]),
            (r"\bada@example\.com", self.names["email"]),
            (r"/backups/", f"{self.folder}/"),
            (r"^\S*docstead serve.*$", "# It runs already."),
            (r"(?m)^\.venv/bin/docstead", "docstead"),
        ):
            source = re.sub(pattern, value, source, flags=re.MULTILINE)
        return source

    @property
    def variables(self) -> dict[str, str]:
        """What readers have in their shells."""
        return {
            "DOCSTEAD_DATA_DIR": str(self.folder / "data"), "TOKEN": self.token,
            "PASSWORD": "secret", "SPACE": self.names["space"], "TEAM": self.names["team"],
            "ORGANIZATION": self.names["organization"], "PYTHON": sys.executable,
        }  # fmt: skip

    def shell(self, source: str) -> subprocess.CompletedProcess[str]:
        """What came of the commands of an example."""
        variables = self.variables
        if "sync_markdown" in source:
            # It makes the content of its space that of a folder, and others read the guide.
            variables["SPACE"] = self.names["manual"]
        return subprocess.run(
            ["bash", "-c", PRELUDE + self.filled(source)],
            cwd=self.folder, env=environment(variables), text=True, capture_output=True,
            timeout=120, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    @contextmanager
    def as_before(self) -> Iterator[None]:
        """What fails leaves no files in the folder, so that it can be tried once more."""
        before = set(self.folder.iterdir())
        try:
            yield
        except BaseException:
            for path in set(self.folder.iterdir()) - before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            raise

    def lines(self, source: str) -> Iterator[list[str]]:
        """The words of each command of an example, as a shell would hand them over."""
        for line in self.filled(source).splitlines():
            command, _, _ = string.Template(line).substitute(self.variables).partition(" > ")
            if words := shlex.split(command, comments=True):
                yield words

    def graphql(self, query: str, **variables: Any) -> Any:
        """The data of a request that must succeed."""
        answer = httpx2.post(
            f"{self.base}/graphql",
            json={"query": query, "variables": variables},
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=30,
        ).json()
        assert "errors" not in answer, (query, answer)
        return answer["data"]

    def begun(self, query: str, variables: dict[str, Any]) -> str:
        """What a subscription answers at once: nothing that ends it."""
        answer = ""
        with (
            suppress(httpx2.ReadTimeout),
            httpx2.stream(
                "POST",
                f"{self.base}/graphql",
                json={"query": query, "variables": variables},
                headers={
                    "Authorization": f"Bearer {self.token}",
                    "Accept": "text/event-stream",
                },
                timeout=1,
            ) as stream,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                answer += line
        return answer


VIEWER = """{ viewer { email organizations(first: 1) { nodes {
  id spaces(first: 20) { nodes { id title } } } } } }"""
CHANGE = """mutation ($space: ID!) { createChangeRequest(spaceId: $space, input: {subject: "One"}) {
  id number revision { id } } }"""
API = {
    "openapi": "3.1.0", "info": {"title": "Planets", "version": "1"},
    "paths": {"/planets": {"get": {"responses": {"200": {"description": "All"}}}}},
}  # fmt: skip
PLANETS = """mutation ($organization: ID!, $input: PutSpecificationInput!) {
  putSpecification(organizationId: $organization, slug: "planets", input: $input) { id } }"""
STATE = """query ($organization: ID!) {
  specification(organizationId: $organization, slug: "planets") { processingState } }"""
# Others may be gone as soon as they are done.
JOBS = """query ($id: ID!) {
  organization(id: $id) { jobs(first: 1, kind: IMPORT) { nodes { id } } }
}"""
PAGE = """query ($space: ID!, $path: String!) { pageByPath(spaceId: $space, path: $path) {
  id ... on DocumentPage { document } } }"""


@contextmanager
def others(folder: Path) -> Iterator[str]:
    """A server of files, which stands for those of others: its host and port."""
    folder.mkdir()
    (folder / "handbook.docx").write_bytes(docx())
    shutil.make_archive(str(folder / "docs"), "zip", ROOT / "examples" / "data-api")
    (folder / "openapi.json").write_text(json.dumps(API))
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("examples")
    data = folder / "data"
    demo_folder(data)
    for name, target in (("team-handbook", "handbook"), ("gauge-manual", "path/to/docs"),
                         ("gauge-manual", "docs")):  # fmt: skip
        shutil.copytree(ROOT / "examples" / name, folder / target)
    (folder / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "sync_markdown.py", folder / "examples")
    (folder / "plan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    with others(folder / "others") as other:
        settings = {
            "DOCSTEAD_FETCH_ALLOW": other, "DOCSTEAD_GIT_HTTP": "true",
            "DOCSTEAD_TRANSLATION_PROVIDER": "command", "DOCSTEAD_TRANSLATION_COMMAND": "cat",
        }  # fmt: skip
        with serving(data, settings=settings) as (base, _):
            token = (data / "demo-token").read_text().strip()
            place = Place(folder, base, other, token, {})
            place.names.update(names(place))
            yield place


def names(place: Place) -> dict[str, str]:
    """What examples leave to their readers, in the demo."""
    viewer = place.graphql(VIEWER)["viewer"]
    [organization] = viewer["organizations"]["nodes"]
    spaces = {space["title"]: space["id"] for space in organization["spaces"]["nodes"]}
    guide = spaces["Docstead user guide"]
    # Numbers that examples name are among these.
    changes = [place.graphql(CHANGE, space=guide)["createChangeRequest"] for _ in range(12)]
    twelfth = next(change for change in changes if change["number"] == 12)
    page = place.graphql(PAGE, space=guide, path="start/first-query")["pageByPath"]
    team = run("team", "create", "--organization", organization["id"], "--title", "Readers",
               "--data-dir", str(place.folder / "data"))  # fmt: skip
    put_planets(place, organization["id"])
    return {
        "organization": organization["id"], "email": viewer["email"], "space": guide,
        "changeRequest": changes[0]["id"], "REVISION": twelfth["revision"]["id"],
        "manual": spaces["Gauge G2 manual"], "PAGE": page["id"], "team": team["id"],
        "BLOCK": page["document"]["nodes"][0]["key"],
    }  # fmt: skip


def put_planets(place: Place, organization: str) -> None:
    """A specification, until it is there."""
    source = {"source": {"text": json.dumps(API)}}
    place.graphql(PLANETS, organization=organization, input=source)
    deadline = time.monotonic() + 60
    while True:
        specification = place.graphql(STATE, organization=organization)["specification"]
        if specification["processingState"] == "COMPLETE":
            return
        assert time.monotonic() < deadline, specification
        time.sleep(0.2)


def is_ours(example: Example) -> bool:
    """Whether it has nothing but our own commands, which need no process each."""
    lines = [line for line in example.source.splitlines() if line.strip()]
    return all(line.startswith(("docstead ", ".venv/bin/docstead ")) for line in lines)


SHELLS = examples("bash", "sh")
OURS = [example for example in SHELLS if is_ours(example)]
OTHERS = [example for example in SHELLS if not is_ours(example)]


def job_of(place: Place) -> str:
    """A job: of the import that the page of jobs begins."""
    [example] = [example for example in OTHERS if example.page == "docs/jobs.md"]
    assert place.shell(example.source).returncode == 0
    organization = place.graphql(JOBS, id=place.names["organization"])["organization"]
    id: str = organization["jobs"]["nodes"][0]["id"]
    return id


def test_all_that_does_not_run_is_there() -> None:
    sources = [page.read_text() for page in (*PAGES, *GUIDE)]
    assert [words for words in NOT_RUN if not any(words in source for source in sources)] == []


@pytest.mark.parametrize("example", OURS, ids=name_of)
def test_commands(example: Example, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    monkeypatch.setenv("DOCSTEAD_DATA_DIR", place.variables["DOCSTEAD_DATA_DIR"])
    with place.as_before():
        for words in place.lines(example.source):
            assert words[0] == "docstead"
            done = docstead(*words[1:])
            assert done.status == 0, (words, done.out[-2000:], done.err[-2000:])


@pytest.mark.parametrize(
    "example", [example for example in SHELLS if example not in OURS], ids=name_of
)
def test_shells(example: Example, place: Place) -> None:
    done = place.shell(example.source)
    for words, status in REFUSED.items():
        if words in example.source:
            assert f" {status} " in done.stdout
            return
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])


@pytest.mark.parametrize("example", examples("graphql"), ids=name_of)
def test_requests(example: Example, place: Place) -> None:
    variables: dict[str, Any] = {
        "space": place.names["space"], "organization": place.names["organization"],
        "path": "start/first-query",
        "input": {
            "source": {"space": place.names["space"], "language": "EN"}, "language": "DE"
        },
    }  # fmt: skip
    if example.source.lstrip().startswith("subscription"):
        variables["id"] = job_of(place) if "job(" in example.source else place.names["space"]
        assert '"errors"' not in place.begun(place.filled(example.source), variables)
    else:
        place.graphql(place.filled(example.source), **variables)


def genuine() -> list[str]:
    """A delivery of a webhook as it is signed: the arguments of what checks it."""
    id, moment, body = "msg_1", str(int(time.time())), "{}"
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{moment}.{body}".encode(), hashlib.sha256).digest()
    return [SECRET, id, moment, f"v1,{base64.b64encode(digest).decode()}", body]


def program(place: Place, command: list[str]) -> str:
    """What a program prints that a reader wrote down."""
    done = subprocess.run(
        [*command, *genuine()], env=environment({"TOKEN": place.token}), text=True,
        capture_output=True, timeout=60, cwd=place.folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("example", examples("python"), ids=name_of)
def test_python(example: Example, place: Place) -> None:
    if example.page == "CONTRIBUTING.md":
        # Parts of our own code: tests/docs/test_recipe.py.
        return
    source = place.filled(example.source) + "\nimport sys\n" + PROGRAMS.get(example.page, "")
    assert program(place, [sys.executable, "-c", source]) in ("True", "Ada Okafor")


@pytest.mark.parametrize("example", examples("js", "javascript"), ids=name_of)
def test_javascript(example: Example, place: Place) -> None:
    if example.page == "docs/front-ends.md":
        # These are run by tests/docstead/graphql/test_front_ends.py.
        return
    file = place.folder / ("example.mjs" if "await" in example.source else "example.cjs")
    file.write_text(place.filled(example.source) + SCRIPTS.get(example.page, ""))
    assert program(place, ["node", str(file)]) in ("true", "Ada Okafor")
