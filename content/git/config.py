"""`.gitbook.yaml`, the configuration of a space in its project directory."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from content.errors import LayoutError
from content.json_types import Json, JsonObject
from content.safe_yaml import load_yaml

CONFIG_NAME = ".gitbook.yaml"


@dataclass(frozen=True, slots=True)
class GitConfig:
    """`root` is relative to the source ("" for all of it), `readme` and `summary` to the root;
    `redirects` maps old paths to file paths as written."""

    root: str = ""
    readme: str = "README.md"
    summary: str = "SUMMARY.md"
    redirects: Mapping[str, str] = field(default_factory=dict)


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
    structure = _mapping(path, loaded, "structure", "be a mapping with 'readme' and 'summary'")
    redirects: dict[str, str] = {}
    for old, target in _mapping(path, loaded, "redirects", "map old paths to files").items():
        if not isinstance(target, str):
            raise LayoutError(f"{path}: redirect '{old[:200]}' must name a file")
        redirects[old] = target
    return GitConfig(
        root=_inside(path, "root", loaded.get("root"), "", directory),
        readme=_inside(path, "structure.readme", structure.get("readme"), "README.md"),
        summary=_inside(path, "structure.summary", structure.get("summary"), "SUMMARY.md"),
        redirects=redirects,
    )


def _mapping(path: str, loaded: JsonObject, key: str, must: str) -> JsonObject:
    value = loaded.get(key)
    if value is not None and not isinstance(value, dict):
        raise LayoutError(f"{path}: '{key}' must {must}")
    return value or {}


def _inside(path: str, key: str, value: Json, default: str, directory: str = "") -> str:
    """A relative path that stays within the source, in normal form."""
    if value is None:
        value = default
    if not isinstance(value, str):
        raise LayoutError(f"{path}: '{key}' must be a path")
    normal = posixpath.normpath(posixpath.join(directory, value.lstrip("/") or "."))
    if normal == ".." or normal.startswith("../"):
        raise LayoutError(f"{path}: '{key}' is {value!r}, it must stay within the source")
    return "" if normal == "." else normal
