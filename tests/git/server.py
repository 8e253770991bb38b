"""A real Git server on loopback: bare repositories behind `git http-backend`, with a password, and
a server of Git LFS beside it."""

import base64
import hashlib
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

USER, PASSWORD = "ada", "open-Sesame-4711"
IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip


def git(folder: Path, *arguments: str, text: str | None = None) -> str:
    """What a Git command in a folder says; CalledProcessError when it fails."""
    return subprocess.run(
        ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *arguments],
        check=True, capture_output=True, text=True, input=text,
        env={**os.environ, **IDENTITY},
    ).stdout.strip()  # fmt: skip


LFS_VERSION = "version https://git-lfs.github.com/spec/v1"
LFS_JSON = "application/vnd.git-lfs+json"
TOKEN = "of-the-store"


@dataclass
class LargeFiles:
    """A server of Git LFS: the batch interface, and a store that is somewhere else."""

    objects: dict[str, bytes] = field(default_factory=dict)
    verified: list[str] = field(default_factory=list)
    # Requests by what they were for.
    batches: list[dict[str, Any]] = field(default_factory=list)
    downloads: list[str] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    # Replaces parts of what is said of an object, and of what is sent.
    says: Callable[[dict[str, Any]], dict[str, Any]] = lambda item: item
    sends: Callable[[bytes], bytes] = lambda data: data
    status: int = 200

    def put(self, data: bytes) -> str:
        """Keep an object; its pointer."""
        oid = hashlib.sha256(data).hexdigest()
        self.objects[oid] = data
        return f"{LFS_VERSION}\noid sha256:{oid}\nsize {len(data)}\n"

    def batch(
        self, types: tuple[str | None, str | None], body: bytes, port: int
    ) -> tuple[int, dict[str, Any]]:
        if self.status != 200 or not all(one and one.startswith(LFS_JSON) for one in types):
            return self.status if self.status != 200 else 406, {"message": "no"}
        request = json.loads(body)
        self.batches.append(request)
        base = f"http://127.0.0.1:{port}/large"
        items = []
        for item in request["objects"]:
            oid = item["oid"]
            action = {"href": f"{base}/{oid}", "header": {"X-Token": TOKEN}, "expires_in": 60}
            said: dict[str, Any] = {**item, "authenticated": True}
            if request["operation"] == "download":
                if oid in self.objects:
                    said["actions"] = {"download": action}
                else:
                    said["error"] = {"code": 404, "message": "Object does not exist"}
            elif oid not in self.objects:
                verify = {**action, "href": f"{base}/verify"}
                said["actions"] = {"upload": action, "verify": verify}
            items.append(self.says(said))
        return 200, {"transfer": "basic", "objects": items, "hash_algo": "sha256"}

    def transfer(
        self, method: str, path: str, body: bytes, token: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        oid = path.removeprefix("/large/")
        if token != TOKEN:
            return 403, {}, b""
        if method == "GET":
            self.downloads.append(oid)
            return 200, {"Content-Type": "application/octet-stream"}, self.sends(self.objects[oid])
        if method == "PUT":
            self.uploads.append(oid)
            if hashlib.sha256(body).hexdigest() != oid:
                return 422, {}, b""
            self.objects[oid] = body
            return 200, {}, b""
        said = json.loads(body)
        self.verified.append(said["oid"])
        there = len(self.objects.get(said["oid"], b"")) == said["size"]
        return 200 if there else 404, {}, b""


def _data(content: bytes) -> bytes:
    """Bytes as `git fast-import` reads them."""
    return b"data %d\n%b\n" % (len(content), content)


@dataclass
class GitServer:
    """Where the repositories are, and which requests came."""

    folder: Path
    port: int = 0
    requests: list[str] = field(default_factory=list)
    # Answers in place of the repository's, by path: status and headers.
    instead: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    # One that is answered when this is set, and how many are being answered.
    held: str = ""
    go_on: threading.Event = field(default_factory=threading.Event)
    answering: int = 0
    # What Git LFS keeps, by id, and what goes wrong with it.
    large: LargeFiles = field(default_factory=lambda: LargeFiles())

    def url(self, name: str, *, credentials: str | None = f"{USER}:{PASSWORD}") -> str:
        at = f"{credentials}@" if credentials else ""
        return f"http://{at}127.0.0.1:{self.port}/{name}.git"

    def make(self, name: str, files: Mapping[str, str | bytes] | None = None) -> Path:
        """A bare repository, with one commit of these files unless there are none."""
        bare = self.folder / f"{name}.git"
        # Its description and hooks that do nothing are not copied.
        subprocess.run(
            ["git", "init", "--quiet", "--bare", "--template=", "-b", "main", str(bare)],
            check=True, env={**os.environ, **IDENTITY},
        )  # fmt: skip
        with (bare / "config").open("a") as config:
            config.write("[http]\n\treceivepack = true\n")
        if files is not None:
            self.commit(name, files)
        return bare

    def commit(
        self,
        name: str,
        files: Mapping[str, str | bytes | None],
        *,
        branch: str = "main",
        message: str = "Change",
        parent: bool = True,
    ) -> str:
        """Put a commit on top of a branch, without a work tree; None removes a file."""
        bare = self.folder / f"{name}.git"
        old = self.tip(name, branch) if parent else None
        # One process for all files. What it writes lies there as after `git commit`, not in a pack.
        ada = f"{IDENTITY['GIT_COMMITTER_NAME']} <{IDENTITY['GIT_COMMITTER_EMAIL']}>"
        head = f"commit refs/heads/{branch}\nmark :1\ncommitter {ada} now\n"
        stream = [head.encode() + _data(f"{message}\n".encode())]
        if old is not None:
            stream.append(f"from {old}\n".encode())
        for path, content in files.items():
            place = '"' + path.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") + '"'
            if content is None:
                stream.append(f"D {place}\n".encode())
            else:
                data = content.encode() if isinstance(content, str) else content
                stream.append(f"M 100644 inline {place}\n".encode() + _data(data))
        done = subprocess.run(
            ["git", "-C", str(bare), "-c", "fastimport.unpackLimit=1000000", "fast-import",
             "--quiet", "--force", "--date-format=now"],
            check=True, capture_output=True, input=b"".join([*stream, b"get-mark :1\n"]),
            env={**os.environ, **IDENTITY},
        )  # fmt: skip
        return done.stdout.decode().strip()

    def put(self, name: str, *entries: tuple[str, bytes, bytes]) -> None:
        """Put entries of any kind and name on top of the main branch: mode, path and bytes."""
        bare = self.folder / f"{name}.git"
        env = {**os.environ, **IDENTITY, "GIT_INDEX_FILE": str(bare / "put.index")}

        def run(*arguments: str, data: bytes = b"") -> bytes:
            return subprocess.run(
                ["git", "-C", str(bare), *arguments], check=True, capture_output=True, input=data,
                env=env,
            ).stdout.strip()  # fmt: skip

        lines = b""
        for mode, path, data in entries:
            # A submodule is a commit that is not here.
            is_blob = mode != "160000"
            oid = run("hash-object", "-w", "--stdin", data=data) if is_blob else b"7" * 40
            lines += b"%s %s\t%s\0" % (mode.encode(), oid, path)
        run("read-tree", "main")
        run("update-index", "-z", "--index-info", data=lines)
        tree = run("write-tree", "--missing-ok").decode()
        commit = git(bare, "commit-tree", tree, "-p", "main", "-m", "Odd")
        git(bare, "update-ref", "refs/heads/main", commit)

    def entries(self, name: str) -> bytes:
        """All entries of the main branch but for pages, as Git lists them."""
        listed = subprocess.run(
            ["git", "-C", str(self.folder / f"{name}.git"), "ls-tree", "-r", "-z", "main"],
            check=True, capture_output=True,
        ).stdout  # fmt: skip
        return b"\0".join(line for line in listed.split(b"\0") if not line.endswith(b".md"))

    def tip(self, name: str, branch: str = "main") -> str | None:
        bare = self.folder / f"{name}.git"
        shown = git(bare, "for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
        return shown or None

    def files(self, name: str, branch: str = "main") -> dict[str, bytes]:
        """All files of a branch."""
        bare = ["git", "-C", str(self.folder / f"{name}.git")]
        listed = subprocess.run(
            [*bare, "ls-tree", "-r", "-z", branch], check=True, capture_output=True
        ).stdout.decode()
        entries = [line.split("\t", 1) for line in listed.split("\0") if line]
        ids = "".join(f"{head.split()[2]}\n" for head, _ in entries)
        rest = subprocess.run(
            [*bare, "cat-file", "--batch"], check=True, capture_output=True, input=ids.encode()
        ).stdout
        files: dict[str, bytes] = {}
        for entry in entries:
            path, (said, _, rest) = entry[1], rest.partition(b"\n")
            size = int(said.split()[2])
            files[path], rest = rest[:size], rest[size + 1 :]
        return files

    def read(self, name: str, path: str, branch: str = "main") -> bytes:
        bare = self.folder / f"{name}.git"
        return subprocess.run(
            ["git", "-C", str(bare), "cat-file", "blob", f"{branch}:{path}"],
            check=True, capture_output=True,
        ).stdout  # fmt: skip


@contextmanager
def git_server(folder: Path) -> Iterator[GitServer]:
    """Serve the bare repositories in a folder."""
    server, counting = GitServer(folder), threading.Lock()
    expected = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            """Nothing: tests look at `requests`."""

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def do_PUT(self) -> None:
            self._answer()

        def _answer(self) -> None:
            with counting:
                server.answering += 1
            try:
                self._answer_it()
            finally:
                with counting:
                    server.answering -= 1

        def _answer_it(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server.requests.append(f"{self.command} {self.path}")
            if server.requests[-1] == server.held:
                server.go_on.wait()
            if path in server.instead:
                status, headers = server.instead[path]
                self._send(status, headers, b"")
            elif path.startswith("/large/"):
                # A server of its own, as it were: with other credentials.
                token = self.headers.get("X-Token")
                status, headers, content = server.large.transfer(self.command, path, body, token)
                self._send(status, headers, content)
            elif self.headers.get("Authorization") != expected:
                self._send(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
            elif path.endswith(".git/info/lfs/objects/batch"):
                asked_for = self.headers.get("Accept"), self.headers.get("Content-Type")
                status, answer = server.large.batch(asked_for, body, server.port)
                self._send(status, {"Content-Type": LFS_JSON}, json.dumps(answer).encode())
            else:
                self._backend(path, query, body)

        def _backend(self, path: str, query: str, body: bytes) -> None:
            done = subprocess.run(
                ["git", "http-backend"], input=body, capture_output=True, check=False,
                env={
                    **os.environ, **IDENTITY, "GIT_PROJECT_ROOT": str(folder),
                    "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": USER, "PATH_INFO": path,
                    "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                    "CONTENT_TYPE": self.headers.get("Content-Type") or "",
                    "CONTENT_LENGTH": str(len(body)),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
                },
            )  # fmt: skip
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            lines = [line.partition(": ") for line in head.decode().split("\r\n") if line]
            headers = {name: value for name, _, value in lines}
            status = int(headers.pop("Status", "200").split()[0])
            self._send(status, headers, content)

        def _send(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.port = listening.server_address[1]
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.go_on.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
