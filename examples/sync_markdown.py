"""Bring a folder of Markdown into a space: upload it, import it into a change request, merge that.

For CI: Python's standard library and calls of the documented API, nothing else. A push that
changes nothing makes no change request.

    DOCSTEAD_URL=https://docs.example.com DOCSTEAD_TOKEN=... \\
        python sync_markdown.py SPACE docs --subject "Docs of 1.4"

With `--plan` it only prints what would change; with `--no-merge` the change request is left open
for review. The exit status is 0 when the space has the content of the folder, or the plan was
printed.
"""

import argparse
import io
import json
import os
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

URL = os.environ["DOCSTEAD_URL"].rstrip("/")
TOKEN = os.environ["DOCSTEAD_TOKEN"]


def call(method, path, body=None):
    """One call of the API; its answer as JSON."""
    data = None if body is None else json.dumps(body).encode()
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Prefer": "handling=strict",
    }
    request = urllib.request.Request(f"{URL}/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}")
    return json.loads(text) if text else None


def packed(folder):
    """The files of a folder as an archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path in sorted(Path(folder).rglob("*")):
            inside = path.relative_to(folder)
            if path.is_file() and not path.is_symlink() and ".git" not in inside.parts:
                target.write(path, inside.as_posix())
    return archive.getvalue()


def upload(organization, data):
    """Send an archive; the key that names it."""
    file = {"name": "docs.zip", "type": "application/zip", "size": len(data)}
    place = call(
        "POST", f"/orgs/{organization}/storage/upload", {"file": file, "kind": "import_file"}
    )
    request = urllib.request.Request(
        place["url"], data, {"Content-Type": "application/zip"}, method="PUT"
    )
    with urllib.request.urlopen(request, timeout=600):
        return place["key"]


def imported(space, **body):
    """Start an import and wait for its end; the operation."""
    operation = call("POST", f"/spaces/{space}/git/import-upload", body)
    while operation["state"] == "running":
        time.sleep(0.5)
        operation = call("GET", f"/spaces/{space}/git/operations/{operation['id']}")
    if operation["state"] != "success":
        sys.exit(f"the import has failed: {operation['error']}")
    for warning in operation["warnings"]:
        print(f"warning: {warning}", file=sys.stderr)
    return operation


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("space")
    options.add_argument("folder")
    options.add_argument("--subject", default="Docs of the repository")
    options.add_argument("--plan", action="store_true")
    options.add_argument("--no-merge", action="store_true")
    chosen = options.parse_args()
    space = chosen.space
    organization = call("GET", f"/spaces/{space}")["organization"]
    key = upload(organization, packed(chosen.folder))
    plan = imported(space, file=key, dryRun=True)["plan"]
    for count in plan["counts"]:
        print(f"{count['count']} {count['kind']} {count['change']}")
    if chosen.plan or not plan["counts"]:
        return
    request = call("POST", f"/spaces/{space}/change-requests", {"subject": chosen.subject})
    imported(space, file=key, changeRequest=request["id"])
    if chosen.no_merge:
        print(f"change request {request['number']} waits for review")
        return
    merged = call("POST", f"/spaces/{space}/change-requests/{request['id']}/merge", {})
    if merged["result"] == "conflicts":
        sys.exit(f"change request {request['number']} has conflicts; resolve them and merge it")
    print(f"merged change request {request['number']}")


main()
