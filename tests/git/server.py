"""A real Git server on loopback: bare repositories behind `git http-backend`, with a password."""

import base64
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
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


@dataclass
class GitServer:
    """Where the repositories are, and which requests came."""

    folder: Path
    port: int = 0
    requests: list[str] = field(default_factory=list)
    # Answers in place of the repository's, by path: status and headers.
    instead: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)

    def url(self, name: str, *, credentials: str | None = f"{USER}:{PASSWORD}") -> str:
        at = f"{credentials}@" if credentials else ""
        return f"http://{at}127.0.0.1:{self.port}/{name}.git"

    def make(self, name: str, files: Mapping[str, str | bytes] | None = None) -> Path:
        """A bare repository, with one commit of these files unless there are none."""
        bare = self.folder / f"{name}.git"
        subprocess.run(
            ["git", "init", "--quiet", "--bare", "-b", "main", str(bare)],
            check=True, env={**os.environ, **IDENTITY},
        )  # fmt: skip
        git(bare, "config", "http.receivepack", "true")
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
        index = {"GIT_INDEX_FILE": str(self.folder / f"{name}.index")}
        env = {**os.environ, **IDENTITY, **index}

        def run(*arguments: str, data: bytes | None = None) -> str:
            done = subprocess.run(
                ["git", "-C", str(bare), *arguments], check=True, capture_output=True, input=data,
                env=env,
            )  # fmt: skip
            return done.stdout.decode().strip()

        old = self.tip(name, branch) if parent else None
        run("read-tree", old if old else "--empty")
        entries = []
        for path, content in files.items():
            mode, oid = "0", "0" * 40
            if content is not None:
                data = content.encode() if isinstance(content, str) else content
                mode, oid = "100644", run("hash-object", "-w", "--stdin", data=data)
            entries.append(f"{mode} {oid}\t{path}\0")
        run("update-index", "-z", "--index-info", data="".join(entries).encode())
        tree = run("write-tree")
        oid = run("commit-tree", tree, "-m", message, *(["-p", old] if old else []))
        run("update-ref", f"refs/heads/{branch}", oid)
        return oid

    def tip(self, name: str, branch: str = "main") -> str | None:
        bare = self.folder / f"{name}.git"
        shown = git(bare, "for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
        return shown or None

    def files(self, name: str, branch: str = "main") -> dict[str, bytes]:
        """All files of a branch."""
        bare = self.folder / f"{name}.git"
        paths = git(bare, "ls-tree", "-r", "--name-only", "-z", branch).split("\0")
        return {path: self.read(name, path, branch) for path in paths if path}

    def read(self, name: str, path: str, branch: str = "main") -> bytes:
        bare = self.folder / f"{name}.git"
        return subprocess.run(
            ["git", "-C", str(bare), "cat-file", "blob", f"{branch}:{path}"],
            check=True, capture_output=True,
        ).stdout  # fmt: skip


@contextmanager
def git_server(folder: Path) -> Iterator[GitServer]:
    """Serve the bare repositories in a folder."""
    server = GitServer(folder)
    expected = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            """Nothing: tests look at `requests`."""

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def _answer(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server.requests.append(f"{self.command} {self.path}")
            if path in server.instead:
                status, headers = server.instead[path]
                self._send(status, headers, b"")
            elif self.headers.get("Authorization") != expected:
                self._send(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
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
        listening.shutdown()
        thread.join()
        listening.server_close()
