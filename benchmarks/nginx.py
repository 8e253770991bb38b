"""nginx with files: what a published page costs where nothing has to be worked out."""

import gzip
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.servers import Running, free_port, running

# The Debian package puts it where it is in no user's path.
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
CONFIGURATION = """
daemon off;
worker_processes 1;
error_log stderr crit;
pid {folder}/nginx.pid;
events {{ worker_connections 256; }}
http {{
  access_log off;
  default_type text/html;
  types {{ text/html html; text/markdown md; }}
  keepalive_requests 100000000;
  gzip_static on;
  open_file_cache max=1000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/files;
    location / {{ try_files $uri $uri.html =404; }}
  }}
}}
"""


@asynccontextmanager
async def static_files(files: Mapping[str, bytes]) -> AsyncIterator[Running]:
    """nginx in one process with these files, by their paths; each is there coded, too."""
    assert NGINX is not None
    with TemporaryDirectory() as name:
        port = free_port()
        configuration = _prepared(Path(name), port, files)
        async with running([NGINX, "-p", name, "-c", str(configuration)], port, {}) as server:
            yield server


def _prepared(folder: Path, port: int, files: Mapping[str, bytes]) -> Path:
    """The folder with the files, and its configuration."""
    # The worker may be somebody else.
    folder.chmod(0o755)
    for path, content in files.items():
        file = folder / "files" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(content))
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, port=port))
    return configuration
