"""A server that speaks as much of S3 as a store of files needs, with one bucket in memory.

It verifies the signature of every request (AWS Signature Version 4), and answers as the reference
of Amazon S3 says; `failures` are requests that it refuses first, as a busy server does.
"""

import hashlib
import hmac
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from lxml import etree

KEY_ID, SECRET, REGION = "a-key", "a-very-secret-key", "us-east-1"
SMALLEST_PART = 5 * 1024 * 1024
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([\w-]+)/s3/aws4_request, ?"
    r"SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})"
)


class BucketServer(ThreadingHTTPServer):
    """The bucket `docs`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.objects: dict[str, tuple[bytes, datetime]] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.failures = 0
        self.requests = 0
        self.lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def bucket_server() -> Iterator[BucketServer]:
    """A server for some tests."""
    server = BucketServer()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _tag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: BucketServer

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _refuse(self, status: int, code: str) -> None:
        self._answer(
            status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
        )

    def _is_signed(self, body: bytes) -> bool:
        match = _AUTHORIZATION.fullmatch(self.headers.get("Authorization", ""))
        if match is None or (match[1], match[3]) != (KEY_ID, REGION):
            return False
        parts = urlsplit(self.path)
        query = sorted(parse_qsl(parts.query, keep_blank_values=True))
        sent_hash = self.headers["x-amz-content-sha256"]
        if sent_hash not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            return False
        canonical = "\n".join((
            self.command, parts.path,
            "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in query),
            *(f"{name}:{self.headers[name].strip()}" for name in match[4].split(";")),
            "", match[4], sent_hash,
        ))  # fmt: skip
        scope = f"{match[2]}/{REGION}/s3/aws4_request"
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        key = f"AWS4{SECRET}".encode()
        for part in scope.split("/"):
            key = _hmac(key, part)
        text = f"AWS4-HMAC-SHA256\n{self.headers['x-amz-date']}\n{scope}\n{digest}"
        return hmac.compare_digest(_hmac(key, text).hex(), match[5])

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.server.lock:
            self.server.requests += 1
            if self.server.failures:
                self.server.failures -= 1
                self._refuse(503, "SlowDown")
                return
            if not self._is_signed(body):
                self._refuse(403, "SignatureDoesNotMatch")
                return
            parts = urlsplit(self.path)
            bucket, _, key = unquote(parts.path).removeprefix("/").partition("/")
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            if bucket != "docs":
                self._refuse(404, "NoSuchBucket")
            elif not key:
                self._of_bucket(query, body)
            else:
                self._of_object(key, query, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _serve

    def _of_bucket(self, query: dict[str, str], body: bytes) -> None:
        if "delete" in query:
            keys = [node.text or "" for node in etree.fromstring(body).iter("{*}Key")]
            for key in keys:
                self.server.objects.pop(key, None)
            rows = "".join(f"<Deleted><Key>{escape(key)}</Key></Deleted>" for key in keys)
            self._answer(200, f"<DeleteResult>{rows}</DeleteResult>".encode())
            return
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{moment:%Y-%m-%dT%H:%M:%S.000Z}"
            f"</LastModified><ETag>{escape(_tag(data))}</ETag><Size>{len(data)}</Size></Contents>"
            for key, (data, moment) in sorted(self.server.objects.items())
            if key.startswith(query.get("prefix", ""))
        )
        head = "<Name>docs</Name><IsTruncated>false</IsTruncated>"
        self._answer(200, f"<ListBucketResult>{head}{rows}</ListBucketResult>".encode())

    def _of_object(self, key: str, query: dict[str, str], body: bytes) -> None:
        server, upload = self.server, query.get("uploadId", "")
        if "uploads" in query:
            upload = f"upload-{server.requests}"
            server.uploads[upload] = {}
            result = f"<UploadId>{upload}</UploadId>"
            self._answer(
                200,
                f"<InitiateMultipartUploadResult>{result}</InitiateMultipartUploadResult>".encode(),
            )
        elif upload and self.command == "PUT":
            server.uploads[upload][int(query["partNumber"])] = body
            self._answer(200, ETag=_tag(body))
        elif upload and self.command == "DELETE":
            del server.uploads[upload]
            self._answer(204)
        elif upload:
            parts = [data for _, data in sorted(server.uploads.pop(upload).items())]
            if any(len(part) < SMALLEST_PART for part in parts[:-1]):
                self._refuse(400, "EntityTooSmall")
                return
            self._keep(key, b"".join(parts), "CompleteMultipartUploadResult")
        elif "x-amz-copy-source" in self.headers:
            source = unquote(self.headers["x-amz-copy-source"]).removeprefix("/")
            self._keep(key, server.objects[source.partition("/")[2]][0], "CopyObjectResult")
        elif self.command == "PUT":
            if self.headers.get("If-None-Match") == "*" and key in server.objects:
                self._refuse(412, "PreconditionFailed")
                return
            self._keep(key, body, "")
        elif self.command == "DELETE":
            server.objects.pop(key, None)
            self._answer(204)
        elif key not in server.objects:
            self._refuse(404, "NoSuchKey")
        else:
            self._send(*server.objects[key])

    def _keep(self, key: str, data: bytes, result: str) -> None:
        self.server.objects[key] = data, datetime.now(UTC)
        xml = f"<{result}><ETag>{escape(_tag(data))}</ETag></{result}>".encode() if result else b""
        self._answer(200, xml, ETag=_tag(data))

    def _send(self, data: bytes, moment: datetime) -> None:
        headers = {"ETag": _tag(data), "Last_Modified": f"{moment:%a, %d %b %Y %H:%M:%S GMT}"}
        if match := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")):
            start, end = int(match[1]), min(int(match[2]) + 1, len(data))
            headers["Content_Range"] = f"bytes {start}-{end - 1}/{len(data)}"
            self._answer(206, data[start:end], **headers)
        else:
            self._answer(200, data, **headers)
