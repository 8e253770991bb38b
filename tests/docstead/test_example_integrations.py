"""The example integrations, built and published by the public tool, run on a real server."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import jwt
import pytest

from tests.docstead.published_tool import Tool, modules
from tests.docstead.test_serve import run, serving
from tests.listeners import free_port

T = TypeVar("T")
CERTIFICATE = Path(__file__).parents[1] / "localhost.pem"
HOST, START = "docs.example.test", "/start"


def eventually(look: Callable[[], T]) -> T:
    """The first true answer of a function that is asked for two minutes."""
    for _ in range(1_200):
        if value := look():
            return value
        time.sleep(0.1)
    raise AssertionError("it did not come about")


@dataclass(frozen=True)
class Running:
    """A server with an organization, a published site of one space, and the tool for it."""

    tool: Tool
    site: str
    space: str
    # Where the server may send events of an integration in development mode.
    port: int = 0

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = httpx2.request(
            method, f"{self.tool.base}/v1{path}", json=body, timeout=60,
            headers={"Authorization": f"Bearer {self.tool.token}"},
        )  # fmt: skip
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def install(self, example: str, place: str, configuration: Any = None) -> str:
        """Publish and install an example on the space or the site; the path of its entry."""
        name = self.tool.publish(example)
        organization = {"organization": self.tool.organization}
        made = self.call("POST", f"/integrations/{name}/installations", organization)
        path = f"/integrations/{name}/installations/{made['id']}/{place}s"
        id = self.site if place == "site" else self.space
        self.call("POST", path, {"siteId": id} if place == "site" else {"space": id})
        if configuration is not None:
            self.call("PATCH", f"{path}/{id}", {"configuration": configuration})
        return f"{path}/{id}"

    def page(self, path: str = "/", **more: Any) -> httpx2.Response:
        """A page of the site on its own host, without following where it leads."""
        headers = {"Host": HOST, **more.pop("headers", {})}
        return httpx2.get(f"{self.tool.base}{path}", headers=headers, timeout=60, **more)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("integrations")
    made = run("init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
               "--data-dir", str(folder / "data"))  # fmt: skip
    port = free_port()
    allowed = {
        "DOCSTEAD_FETCH_ALLOW": f"127.0.0.1:{port},localhost:{port}",
        # That of the tunnel in place of the public one.
        "SSL_CERT_FILE": str(CERTIFICATE),
    }
    with serving(folder / "data", settings=allowed) as (base, _):
        first = Running(Tool(base, made["token"], "", folder), "", "")
        (organization,) = first.call("GET", "/orgs")["items"]
        tool = Tool(base, made["token"], organization["id"], folder)
        first = Running(tool, "", "")
        space = first.call("POST", f"/orgs/{tool.organization}/spaces", {"title": "Guide"})["id"]
        notice = '{% @docstead-notice/notice content="Mind the **gap**." %}'
        write_page(first, space, f"Before.\n\n{notice}\n")
        site = first.call(
            "POST", f"/orgs/{tool.organization}/sites",
            {"title": "Docs", "type": "basic", "visibility": "public", "spaces": [space]},
        )["id"]  # fmt: skip
        first.call("POST", f"/orgs/{tool.organization}/sites/{site}/publish")
        with sqlite3.connect(folder / "data" / "docstead.sqlite3") as database:
            database.execute("UPDATE site SET hostname = ? WHERE id = ?", (HOST, site))
        yield Running(tool, site, space, port)


def write_page(running: Running, space: str, markdown: str) -> None:
    """A page at the beginning of a space."""
    answer = httpx2.post(
        f"{running.tool.base}/graphql",
        headers={"Authorization": f"Bearer {running.tool.token}"},
        timeout=60,
        json={
            "query": """mutation ($space: ID!, $text: String!) {
              createPage(spaceId: $space, input: { title: "Start", body: { markdown: $text } })
                { __typename } }""",
            "variables": {"space": space, "text": markdown},
        },
    ).json()
    assert "errors" not in answer, answer


def test_a_comment_on_each_change_request(running: Running) -> None:
    entry = running.install("change-request-comments", "space", {"message": "Welcome!"})
    space = running.space
    request = running.call("POST", f"/spaces/{space}/change-requests", {"subject": "Better"})
    path = f"/spaces/{space}/change-requests/{request['id']}"
    running.call("PATCH", path, {"status": "open"})

    def comments() -> list[Any]:
        return list(running.call("GET", f"{path}/comments")["items"])

    (comment,) = eventually(comments)
    assert "Welcome!" in json.dumps(comment)
    # Opened again, it is greeted once.
    running.call("PATCH", path, {"status": "draft"})
    running.call("PATCH", path, {"status": "open"})
    name = entry.split("/")[2]

    def taken() -> bool:
        events = running.call("GET", f"/integrations/{name}/events")["items"]
        return sum(one["payload"]["type"] == "change_request_opened" for one in events) >= 2

    eventually(taken)
    assert len(comments()) == 1


def test_a_configurable_block(running: Running) -> None:
    entry = running.install("notice-block", "space")
    page = eventually(lambda: "kit-card" in (answer := running.page(START)).text and answer)
    assert "<strong>Please note</strong>" in page.text
    assert "Mind the <strong>gap</strong>." in page.text
    running.call("PATCH", entry, {"configuration": {"title": "Danger & care"}})
    eventually(lambda: "<strong>Danger &amp; care</strong>" in running.page(START).text)
    # For machines it is code in the language that stands for it.
    markdown = running.page(START, headers={"Accept": "text/markdown"}).text
    assert "```notice\nMind the **gap**.\n```" in markdown


def test_a_site_script(running: Running) -> None:
    """What a browser does with it is in tests/browser/test_site_scripts.py."""
    entry = running.install("site-script", "site", {"label": 'Read </script> "it"'})
    page = running.page()
    assert f"{entry.removeprefix('/integrations')}/script" in page.text
    assert "&quot;cookies&quot;: true" in page.text
    script = httpx2.get(f"{running.tool.base}/integration-endpoints{entry[13:]}/script")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert json.dumps('Read </script> "it"') in script.text
    running.call("DELETE", entry)


def test_visitors_sign_in(running: Running) -> None:
    running.install("visitor-sign-in", "site", {"passphrase_token": "open sesame"})
    site = f"/orgs/{running.tool.organization}/sites/{running.site}"
    running.call("PATCH", f"{site}/publishing/auth", {"backend": "integration"})
    auth = running.call("GET", f"{site}/publishing/auth")
    assert auth["integration"] == "docstead-visitor-sign-in"
    running.call("PATCH", site, {"visibility": "visitor-auth"})
    # Whoever has no token is sent to the form, and comes back to where they wanted to read.
    sent = running.page(START)
    assert sent.status_code in (302, 303, 307)
    form = sent.headers["location"]
    assert form.startswith(f"{running.tool.base}/integration-endpoints/")
    assert "Passphrase" in httpx2.get(form).text
    assert httpx2.post(form, data={"passphrase": "wrong"}).status_code == 403
    back = httpx2.post(form, data={"passphrase": "open sesame"})
    assert back.status_code == 303
    target = urlsplit(back.headers["location"])
    assert target.hostname == HOST
    token = target.query.removeprefix("jwt_token=")
    assert jwt.decode(token, options={"verify_signature": False})["exp"] > time.time()
    arrived = running.page(f"{target.path}?{target.query}")
    assert arrived.status_code == 303
    cookie = arrived.headers["set-cookie"].partition(";")[0]
    page = running.page(START, headers={"Cookie": cookie})
    assert page.status_code == 200
    assert "Before." in page.text
    # No other key is good: neither that of the site itself nor another.
    for key in (auth["privateKey"], "x" * 40):
        forged = jwt.encode({"exp": time.time() + 60}, key, "HS256")
        assert running.page(f"/?jwt_token={forged}").status_code == 403
    running.call("PATCH", site, {"visibility": "public"})


def test_the_tool_tails_and_unpublishes(running: Running) -> None:
    name = running.tool.publish("notice-block")
    tail = subprocess.Popen(
        running.tool.command("tail"), cwd=running.tool.example("notice-block"),
        env=running.tool.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert tail.stdout is not None
        lines = []
        for line in tail.stdout:
            lines.append(line)
            if "space_installation_setup" in line:
                break
        assert any("[success]" in line for line in lines), lines
    finally:
        tail.terminate()
        tail.communicate(timeout=30)
    running.tool.run("notice-block", "unpublish", name, stdin="y\n")
    listed = running.call("GET", f"/orgs/{running.tool.organization}/integrations")
    assert name not in [one["name"] for one in listed["items"]]


def test_the_tool_develops(running: Running) -> None:
    """`dev` has events sent to a worker of its own, by a tunnel."""
    running.install("notice-block", "space")
    environment = running.tool.environment() | {
        "TUNNEL_PEM": str(CERTIFICATE), "TUNNEL_PORT": str(running.port), "NODE_ENV": "test",
        "NODE_PATH": str(modules()),
    }  # fmt: skip
    example = running.tool.example("notice-block")
    source = example / "src" / "index.jsx"
    written = source.read_text()
    source.write_text(written.replace("Please note", "From the worker"))
    command = running.tool.command("dev", script=running.tool.with_tunnel())
    with (running.tool.folder / "dev.log").open("wb") as log:
        dev = subprocess.Popen(command, cwd=example, env=environment, stdout=log,
                               stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
        try:
            said = running.tool.folder / "dev.log"
            eventually(lambda: b"Development mode enabled" in said.read_bytes())
            write_page(running, running.space, '{% @docstead-notice/notice content="Dev" %}')
            eventually(lambda: "<strong>From the worker</strong>" in every_page(running))
            running.call("DELETE", "/integrations/docstead-notice/dev")
        finally:
            source.write_text(written)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(dev.pid, signal.SIGTERM)
            dev.wait(timeout=60)
    running.call("DELETE", "/integrations/docstead-notice")


def every_page(running: Running) -> str:
    """All pages of the site that this module has written."""
    paths = (START, *(f"{START}-{number}" for number in range(2, 5)))
    return "".join(running.page(path).text for path in paths)


GUIDE = Path(__file__).parents[2] / "docs" / "integrations.md"


def test_the_guide_of_ten_minutes(running: Running, tmp_path: Path) -> None:
    """What stands there is run as it stands there; only the packages are here already."""
    text = GUIDE.read_text("utf-8").partition("## Ten minutes")[2].partition("\n## ")[0]
    _, *blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = "\n".join(blocks)
    assert "npm install" in commands
    commands = re.sub(r"npm install .*", f"ln -s {modules()} node_modules", commands)
    listed = running.call("GET", f"/orgs/{running.tool.organization}/integrations")["items"]
    if "docstead-notice" in [one["name"] for one in listed]:
        running.call("DELETE", "/integrations/docstead-notice")
    environment = running.tool.environment() | {
        "BASE": running.tool.base, "TOKEN": running.tool.token, "SPACE": running.space,
        "ORGANIZATION": running.tool.organization, "WORK": str(tmp_path), "PORT": str(running.port),
    }  # fmt: skip
    with (tmp_path / "log").open("wb") as log:
        shell = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", commands], cwd=GUIDE.parents[1], env=environment,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            assert shell.wait(timeout=120) == 0, (tmp_path / "log").read_text()
            eventually(lambda: "<strong>Please note</strong>" in running.page(START).text)
            # What is changed is on the page: the program reads it, and the script here does not.
            bundle = tmp_path / "notice-block" / "dev.mjs"
            bundle.write_text(bundle.read_text().replace("Please note", "Being written"))
            running.call("PATCH", f"/spaces/{running.space}", {"title": "Guide"})
            with sqlite3.connect(running.tool.folder / "data" / "docstead.sqlite3") as database:
                database.execute("DELETE FROM integration_block")
            write_page(running, running.space, '{% @docstead-notice/notice content="Two" %}')
            eventually(lambda: "<strong>Being written</strong>" in every_page(running))
        finally:
            os.killpg(shell.pid, signal.SIGTERM)
