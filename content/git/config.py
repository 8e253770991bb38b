"""`.gitbook.yaml`, the configuration of a space in its project directory."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from content.errors import LayoutError
from content.json_types import Json, JsonObject
from content.links.relative import relative_target
from content.safe_yaml import load_yaml

CONFIG_NAME = ".gitbook.yaml"
# Copied from web pages, configurations have characters that nobody sees around names and paths.
_INVISIBLE = "".join(map(chr, (0x20, 0x09, 0xA0, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)))


@dataclass(frozen=True, slots=True)
class GitConfig:
    """`root` is the content root, relative to the source ("" for all of it), `readme` and `summary`
    are relative to it; `redirects` maps old paths to file paths as written.

    The content root is the folder that the file calls `root`, or, where the readme or the table of
    contents is outside of that, the nearest folder that holds all of them. `folder` leads from
    there to the folder that the file names: `.gitbook`, new pages and files of redirects are in it.
    """

    root: str = ""
    folder: str = ""
    readme: str = "README.md"
    summary: str = "SUMMARY.md"
    redirects: Mapping[str, str] = field(default_factory=dict)

    def inside(self, path: str) -> str:
        """The path from the content root of what is at a path in the folder."""
        return posixpath.join(self.folder, path)

    def redirected(self, target: str) -> tuple[str, str] | None:
        """(path from the content root, anchor) of what a redirect names; None for what is outside
        of it, or at an address."""
        if target.startswith("/") and not target.startswith("//"):
            target = target[1:]
        return relative_target(target, self.folder)


def bare(text: str) -> str:
    """A name or a path without what is invisible around it."""
    return text.strip(_INVISIBLE)


def read_git_config(text: str, path: str = CONFIG_NAME, *, directory: str = "") -> GitConfig:
    """The configuration in `text`; keys that are not known are left alone.

    `directory` is the project directory that `root` is relative to. Raises `YamlError` for
    invalid YAML and `LayoutError` for a value of the wrong kind or a path out of the source.
    """
    loaded = load_yaml(text, path)
    if loaded is None:
        return GitConfig(root=directory)
    if not isinstance(loaded, dict):
        raise LayoutError(f"{path}: must be a mapping of keys to values")
    loaded = _with_bare_keys(loaded)
    structure = _with_bare_keys(
        _mapping(path, loaded, "structure", "be a mapping with 'readme' and 'summary'")
    )
    redirects: dict[str, str] = {}
    for old, target in _mapping(path, loaded, "redirects", "map old paths to files").items():
        if not isinstance(target, str):
            raise LayoutError(f"{path}: redirect '{old[:200]}' must name a file")
        redirects[old] = target
    named = _inside(path, "root", loaded.get("root"), "", directory)
    readme = _inside(path, "structure.readme", structure.get("readme"), "README.md", named)
    summary = _inside(path, "structure.summary", structure.get("summary"), "SUMMARY.md", named)
    folders = [posixpath.dirname(file) for file in (readme, summary) if file != named]
    root = posixpath.commonpath([named, *folders])
    return GitConfig(
        root=root,
        folder=_from(root, named),
        readme=_from(root, readme),
        summary=_from(root, summary),
        redirects=redirects,
    )


def _from(root: str, path: str) -> str:
    """A path of the source as seen from the root, which is the path itself or above it."""
    return path[len(root) :].lstrip("/")


def _with_bare_keys(values: JsonObject) -> JsonObject:
    return {**{bare(key): value for key, value in values.items()}, **values}


def _mapping(path: str, loaded: JsonObject, key: str, must: str) -> JsonObject:
    value = loaded.get(key)
    if value is not None and not isinstance(value, dict):
        raise LayoutError(f"{path}: '{key}' must {must}")
    return value or {}


def _inside(path: str, key: str, value: Json, default: str, directory: str) -> str:
    """The path in the source of what a value names as seen from a folder, in normal form."""
    if value is None:
        value = default
    if not isinstance(value, str):
        raise LayoutError(f"{path}: '{key}' must be a path")
    value = bare(value)
    normal = posixpath.normpath(posixpath.join(directory, value.lstrip("/") or "."))
    if normal == ".." or normal.startswith("../"):
        raise LayoutError(
            f"{path}: '{key}' is {value!r}, which leads out of the repository; name a path in it"
        )
    return "" if normal == "." else normal
