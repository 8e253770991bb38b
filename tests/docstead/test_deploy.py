"""The files of deploy/: what can be checked of them by the programs that read them."""

import asyncio
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from sqlalchemy import select

from db.models.audit import AuditEntry
from db.session import Database, Session
from docstead.settings import PREFIX, Settings
from tests.conftest import World
from tests.listeners import free_port
from tests.rest_compat.test_published_client import listening

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CERTIFICATE = ROOT / "tests" / "localhost.pem"
VARIABLES = {PREFIX + field.name.upper() for field in fields(Settings)}


def dockerfile() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with what follows them."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_every_setting_in_them_exists() -> None:
    for path in DEPLOY.iterdir():
        used = set(re.findall(r"DOCSTEAD_[A-Z_]+", path.read_text()))
        assert used <= VARIABLES, path.name
    used = set(re.findall(r"DOCSTEAD_[A-Z_]+", (ROOT / "docs/deploying.md").read_text()))
    assert used <= VARIABLES


def test_the_image_is_not_root_and_has_all_packages() -> None:
    instructions = dockerfile()
    last = [rest for word, rest in instructions if word == "USER"][-1]
    assert last == "10001"
    before = [word for word, _ in instructions].index("USER")
    assert not any(word in {"RUN", "COPY"} for word, _ in instructions[before:])
    images = [rest.split()[0] for word, rest in instructions if word == "FROM"]
    assert all(":" in image and not image.endswith(":latest") for image in images)
    sent = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    assert all((ROOT / name).exists() for name in sent)
    patterns = re.search(r"include = \[(.*?)\]", (ROOT / "pyproject.toml").read_text())
    assert patterns is not None
    packages = {name.strip(' "*') for name in patterns.group(1).split(",")}
    assert packages <= sent
    for word, rest in instructions:
        if word == "COPY" and "--from" not in rest:
            assert (ROOT / rest.split()[0]).exists(), rest


def test_containers_get_no_more_than_they_need() -> None:
    compose: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    service = compose["services"]["docstead"]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert "ports" not in compose["services"]["database"]
    named = {
        volume.split(":")[0] for each in compose["services"].values() for volume in each["volumes"]
    }
    assert named == compose["volumes"].keys()
    build = service["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    assert "8000" in dict(dockerfile())["EXPOSE"]


@pytest.mark.parametrize(("more", "understood"), [("", True), ("ProtectSytem=strict\n", False)])
def test_systemd_understands_the_unit(tmp_path: Path, more: str, understood: bool) -> None:
    program = tmp_path / "docstead"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = (DEPLOY / "docstead.service").read_text()
    # Tests make no accounts.
    unit = re.sub(r"^(User|Group)=.*\n", more, unit, flags=re.MULTILINE)
    path = tmp_path / "docstead.service"
    path.write_text(unit.replace("/opt/docstead/bin/docstead", str(program)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(path)], capture_output=True, text=True
    )
    assert (path.name not in done.stderr) is understood, done.stderr


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[tuple[int, int]]:
    """nginx with our configuration on ports of loopback: those of HTTP and of HTTPS."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    http, https = free_port(), free_port()
    site = (DEPLOY / "nginx.conf").read_text()
    for was, now in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
        ("listen 80;", f"listen 127.0.0.1:{http};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{https} ssl http2;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("/etc/ssl/docstead/fullchain.pem", str(CERTIFICATE)),
        ("/etc/ssl/docstead/key.pem", str(CERTIFICATE)),
    ):
        assert site.count(was) == 1, was
        site = site.replace(was, now)
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off;\n{temporary}{site}}}\n"
    )
    options = [program, "-p", str(folder), "-c", str(configuration), "-e", f"{folder}/error.log"]
    checked = subprocess.run([*options, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
    process = subprocess.Popen(options)
    try:
        yield http, https
    finally:
        process.terminate()
        process.wait(timeout=30)


async def test_nginx_leads_to_the_server_and_says_who_the_client_is(
    database: Database, world: World, session: Session, tmp_path: Path
) -> None:
    await session.commit()
    folder = tmp_path / "nginx"
    folder.mkdir()
    # The worker processes of nginx are of another user.
    for each in (tmp_path, folder):
        each.chmod(0o777)
    options = {"client_address_header": "X-Forwarded-For"}
    trusted = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with listening(database, tmp_path / "data", **options) as api:
        upstream = api.client.base_url.port
        assert upstream is not None
        with nginx(folder, upstream) as (http, https):
            async with httpx2.AsyncClient(verify=trusted) as client:
                for _ in range(1_200):
                    try:
                        moved = await client.get(f"http://127.0.0.1:{http}/v1/user?a=b")
                        break
                    except httpx2.TransportError:
                        await asyncio.sleep(0.05)
                assert moved.status_code == 308
                assert moved.headers["location"] == "https://127.0.0.1/v1/user?a=b"
                headers = {
                    "Authorization": f"Bearer {await api.token_of(world.admin)}",
                    "X-Forwarded-For": "203.0.113.9",
                    "Host": "localhost",
                }
                base = f"https://localhost:{https}"
                ready = await client.get(f"{base}/readyz")
                assert (ready.status_code, ready.json()) == (200, {"status": "ok"})
                assert ready.headers["strict-transport-security"]
                written = await client.patch(
                    f"{base}/v1/users/{world.admin.id}",
                    json={"displayName": "Behind a proxy"},
                    headers=headers,
                )
                assert written.status_code == 200, written.text
    async with database.session() as check:
        addresses = (await check.scalars(select(AuditEntry.address))).all()
    assert "127.0.0.1" in addresses
    assert "203.0.113.9" not in addresses


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "docstead.service", "nginx.conf"])
def test_each_file_is_documented(name: str) -> None:
    assert f"(../deploy/{name})" in (ROOT / "docs/deploying.md").read_text()
