"""Makes one file of a specification of several: what references lead to outside comes inside.

What another file holds is put where the root file keeps such objects (`components`, `definitions`),
once, and the references say so. A path item comes to where it is referred to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from content.json_types import Json
from content.openapi.errors import wrong
from content.openapi.reading import MOST_VALUES
from content.openapi.structure import JsonObject, local_target, parts_of

# References that lead to further references, one behind the other.
MOST_STEPS = 50
_NAME = re.compile(r"[^A-Za-z0-9._-]+")
# Values of `discriminator.mapping` that are addresses, not names of schemas.
_ADDRESS = re.compile(r"[#/]|\.(?:json|ya?ml)$")

Load = Callable[[str], Json]


@dataclass(slots=True)
class Bundler:
    """One specification on its way into one file; `url` is that of the root file, if it has one.

    `load` gets the URL of another file and gives its value.
    """

    root: JsonObject
    url: str | None
    kinds: Any
    places: Any
    load: Load
    files: dict[str, Json] = field(default_factory=dict)
    # By file, place in it and kind: what references say now.
    inside: dict[tuple[str, str, str], str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    copied: int = 0

    def bundle(self) -> None:
        """Change the root file, so that it has no references to others."""
        # An object, its kind, and the file from which it is (None: the root).
        waiting: list[tuple[JsonObject, str, str | None]] = [(self.root, "document", None)]
        while waiting:
            node, kind, file = waiting.pop()
            for container, key, part_kind in list(parts_of(self.kinds, kind, node)):
                part_file = file
                part = container[key]
                reference = part.get("$ref")
                if part_kind == "pathItem" and isinstance(reference, str):
                    part, part_file = self._path_item(part, file)
                    container[key] = part
                elif isinstance(reference, str):
                    part["$ref"] = self._reference(reference, part_kind, file, waiting)
                mapping = part.get("discriminator")
                if part_kind == "schema" and isinstance(mapping, dict):
                    self._mapping(mapping.get("mapping"), part_file, waiting)
                waiting.append((part, part_kind, part_file))

    def _reference(self, reference: str, kind: str, file: str | None, waiting: Any) -> str:
        """What a reference says in the root file."""
        if file is None and reference.startswith("#"):
            return reference
        target, fragment = self._absolute(reference, file)
        if target == self.url:
            return f"#{fragment}"
        key = target, unquote(fragment), kind
        if key not in self.inside:
            place = self.places.get(kind)
            if place is None:
                raise wrong(f"{reference!r}: a reference cannot stand here")
            holder: Any = self.root
            for name in place:
                holder = holder.setdefault(name, {})
            name = self._free_name(holder, fragment, target)
            copied = self._copy(target, fragment, reference)
            holder[name] = copied
            self.inside[key] = "#/" + "/".join([*place, name])
            if isinstance(copied, dict):
                own = copied.get("$ref")
                if isinstance(own, str):
                    copied["$ref"] = self._reference(own, kind, target, waiting)
                waiting.append((copied, kind, target))
        return self.inside[key]

    def _path_item(self, item: JsonObject, file: str | None) -> tuple[JsonObject, str | None]:
        """What a path item that is a reference leads to, with what stands beside it."""
        for _ in range(MOST_STEPS):
            reference = item.get("$ref")
            if not isinstance(reference, str):
                return item, file
            beside = {name: value for name, value in item.items() if name != "$ref"}
            if file is None and reference.startswith("#"):
                target, copied = None, self._copied(self._local(self.root, reference))
            else:
                target, fragment = self._absolute(reference, file)
                copied = self._copy(target, fragment, reference)
                target = None if target == self.url else target
            if not isinstance(copied, dict):
                raise wrong(f"{reference!r} leads to something that is no path item")
            item, file = {**copied, **beside}, target
        raise wrong("references of path items lead in a circle")

    def _mapping(self, mapping: Any, file: str | None, waiting: Any) -> None:
        if isinstance(mapping, dict):
            for name, address in mapping.items():
                if isinstance(address, str) and _ADDRESS.search(address):
                    mapping[name] = self._reference(address, "schema", file, waiting)

    def _absolute(self, reference: str, file: str | None) -> tuple[str, str]:
        """The file and the place in it that a reference names."""
        base = file or self.url
        try:
            address, fragment = urldefrag(urljoin(base or "", reference))
        except ValueError:
            raise wrong(f"{reference[:200]!r} is not a URL") from None
        if not address.startswith(("http://", "https://")):
            reason = (
                "a specification that is text has no address: others have to be named by whole URLs"
                if base is None and "://" not in address
                else "only http and https addresses are followed"
            )
            raise wrong(f"{reference[:200]!r} cannot be followed: {reason}")
        return address, fragment

    def _copy(self, file: str, fragment: str, reference: str) -> Any:
        if file == self.url:
            return self._copied(self._local(self.root, f"#{fragment}"))
        if file not in self.files:
            self.files[file] = self.load(file)
        return self._copied(self._local(self.files[file], f"#{fragment}"))

    def _local(self, root: Any, reference: str) -> Any:
        try:
            return local_target(root, reference)
        except LookupError:
            raise wrong(f"{reference[:200]!r} leads to nothing") from None

    def _copied(self, value: Any) -> Any:
        """A copy of a part of a file; of all together there are a bounded number of values."""
        self.copied += 1
        if self.copied > MOST_VALUES:
            raise wrong(f"has more than {MOST_VALUES} values with what it refers to")
        if isinstance(value, dict):
            return {key: self._copied(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self._copied(part) for part in value]
        return value

    def _free_name(self, holder: JsonObject, fragment: str, file: str) -> str:
        last = unquote(fragment).rstrip("/").rsplit("/", 1)[-1]
        stem = last or file.rstrip("/").rsplit("/", 1)[-1].split("?")[0].rsplit(".", 1)[0]
        name = _NAME.sub("-", stem).strip("-")[:100] or "external"
        free = name
        while free in holder:
            # Each number is tried once, however many have the same name.
            self.numbers[name] = self.numbers.get(name, 1) + 1
            free = f"{name}-{self.numbers[name]}"
        return free
