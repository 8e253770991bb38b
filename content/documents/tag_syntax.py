"""The text form of a block tag, `{% name key="value" %}`, and of the lengths in attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from content.json_types import Json

_TAG = re.compile(r"\{%-?\s*(@?[A-Za-z][\w@/.-]*)(.*?)-?%\}\s*\Z", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"""([A-Za-z_][\w:.-]*)(?:\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']+))?""", re.DOTALL
)
_QUOTED = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)')\s*\Z""")

# What tags are called in older files. A block of one says so in its attribute `tag`.
PAGE_REF = "page-ref"
OLDER_NAMES = {"tabs": "code-tabs", "tab": "code-tabs-item"}


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag: `arguments` is everything after the name as written, `attributes` its key-value
    pairs (a key without a value has `true`), `closing` whether it is `{% end... %}` (`name` then
    goes without `end`), `source` the whole text, `lines` where it stands: the first line and the
    one after the last."""

    name: str
    source: str
    arguments: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    closing: bool = False
    lines: tuple[int, int] = (0, 0)

    @property
    def quoted(self) -> str | None:
        """The argument when it is one quoted text and nothing else."""
        match = _QUOTED.match(self.arguments)
        return None if match is None else match.group(1) or match.group(2) or ""


def parse_tag(source: str) -> Tag | None:
    """The tag that `source` is from its first to its last character, else None."""
    match = _TAG.match(source)
    if match is None:
        return None
    name, arguments = match.group(1), match.group(2).strip()
    if name.startswith("end") and len(name) > 3:
        return Tag(name[3:], source, arguments, closing=True)
    attributes: dict[str, str] = {}
    for key, value in _ATTRIBUTE.findall(arguments):
        attributes[key] = _unquote(value) if value else "true"
    return Tag(name, source, arguments, attributes)


def _unquote(value: str) -> str:
    if value[0] in "\"'":
        return value[1:-1].replace("\\" + value[0], value[0])
    return value


_LENGTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,20})?)(px|%|rem|em|vw)?")


def read_length(text: str) -> Json:
    """The length that a text says: a number for pixels, else number and unit; None for none."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        return None
    number = float(match.group(1)) if "." in match.group(1) else int(match.group(1))
    if "e" in repr(number):
        return None
    unit = match.group(2) or "px"
    return number if unit == "px" else {"value": number, "unit": unit}


def length_text(length: Json) -> Json:
    """The attribute for a length; the value itself when it is no length with a unit."""
    if not isinstance(length, dict):
        return length
    return f"{length.get('value')}{length.get('unit')}"
