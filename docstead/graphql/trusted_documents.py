"""Reads the operator's trusted documents, in the forms that build tools of clients write."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docstead.graphql.request import LONGEST_ID

DOCUMENTS = (".graphql", ".gql")
MANIFESTS = (".json",)


def read_trusted(path: Path) -> dict[str, str]:
    """Texts of documents by their names, from a file or all files below a folder.

    A manifest (`.json`) is an object of texts by name, as relay-compiler, GraphQL Code Generator
    and gql.tada write it, or Apollo's with `operations` of `id` and `body`. A document
    (`.graphql`, `.gql`) is named like its file. ValueError says what cannot be read, and where.
    """
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    texts: dict[str, str] = {}
    for file in files:
        if file.suffix.lower() not in DOCUMENTS + MANIFESTS:
            if path.is_dir():
                continue
            raise ValueError(f"{file} is neither a .json nor a .graphql file, nor a folder of them")
        for name, text in _read(file):
            if not 1 <= len(name) <= LONGEST_ID:
                raise ValueError(f"{file}: a name has {len(name)} characters, 1 to {LONGEST_ID} do")
            if texts.setdefault(name, text) != text:
                raise ValueError(f"{file}: {name!r} names another document already")
    if not texts:
        raise ValueError(f"{path} has no documents")
    return texts


def _read(file: Path) -> Iterator[tuple[str, str]]:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None
    if file.suffix.lower() in DOCUMENTS:
        yield file.stem, text
        return
    try:
        yield from _entries(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} is no manifest: {error}") from None


def _entries(manifest: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(manifest, dict):
        raise ValueError("an object is expected")
    operations = manifest.get("operations")
    entries = list(manifest.items())
    if isinstance(operations, list):
        entries = []
        for place, operation in enumerate(operations):
            if not isinstance(operation, dict):
                raise ValueError(f"operations[{place}]: an object is expected")
            entries.append((operation.get("id"), operation.get("body")))
    for name, text in entries:
        if not isinstance(name, str) or not isinstance(text, str):
            raise ValueError(f"{name!r}: a text with a document is expected, by its name")
        yield name, text
