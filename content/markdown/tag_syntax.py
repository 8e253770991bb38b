"""The text form of a block tag: `{% name key="value" %}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_TAG = re.compile(r"\{%-?\s*(@?[A-Za-z][\w@/.-]*)(.*?)-?%\}\s*\Z", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"""([A-Za-z_][\w:.-]*)(?:\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']+))?""", re.DOTALL
)
_QUOTED = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)')\s*\Z""")


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
