"""The lines of Git's smart protocol (version 0): what is sent and read, without a connection.

What another server has sent is read with bounds, and never trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from content.errors import SourceError
from content.late_modules import LateModule

if TYPE_CHECKING:
    from dulwich import refs as git_refs
else:
    git_refs = LateModule("dulwich.refs")

FLUSH = b"0000"
MOST_REFS = 200_000
MOST_HAVES = 64
BRANCHES = "refs/heads/"
# Bytes of a name of a ref, and of a message of the other side that is shown.
REF_BYTES, MESSAGE_CHARACTERS = 255, 500
NO_OID = "0" * 40
_OID = re.compile(rb"[0-9a-f]{40}")
_LENGTH = re.compile(rb"[0-9a-f]{4}")
_LARGEST = 65_520
# Channels of a response that has several.
_DATA, _PROGRESS, _FATAL = 1, 2, 3
_AGENT = b"agent=docstead"
_SHALLOW = b"shallow "


@dataclass(frozen=True, slots=True)
class Advertisement:
    """What a repository says of itself: ids of commits by full names of refs, its capabilities, and
    the branch that it has checked out; None when it does not say."""

    refs: Mapping[str, str]
    capabilities: frozenset[str]
    default_branch: str | None


def ref_problem(ref: str, *, branches_only: bool = True) -> str | None:
    """Why a text is not the full name of a branch (or of any ref); None when it is."""
    if len(ref.encode("utf-8", "replace")) > REF_BYTES:
        return f"has more than {REF_BYTES} bytes"
    if branches_only and not ref.startswith(BRANCHES):
        return f"{ref[:100]!r} is not a branch; it has the form refs/heads/<branch>"
    if not ref.startswith("refs/") or ref.startswith("refs/-") or "/-" in ref:
        return f"{ref[:100]!r} is not the full name of a ref, such as refs/heads/main"
    try:
        if git_refs.check_ref_format(git_refs.Ref(ref.encode())):
            return None
    except UnicodeEncodeError:
        pass
    return f"{ref[:100]!r} is not a name that Git allows"


def line(content: bytes) -> bytes:
    """One line as it is sent."""
    return b"%04x" % (len(content) + 4) + content


def lines_of(data: bytes) -> Iterator[bytes | None]:
    """The lines in `data`; None is the end of a section. SourceError where it is damaged."""
    position = 0
    while position < len(data):
        head = data[position : position + 4]
        if not _LENGTH.fullmatch(head):
            raise SourceError("the server's answer is not Git's protocol")
        length = int(head, 16)
        if length < 4:
            position += 4
            yield None
            continue
        end = position + length
        if end > len(data):
            raise SourceError("the server's answer ends in the middle")
        yield data[position + 4 : end]
        position = end


def read_advertisement(data: bytes, service: str) -> Advertisement:
    """What `GET info/refs` has answered for a service; SourceError for what is no such answer."""
    lines = lines_of(data)
    if next(lines, None) != b"# service=" + service.encode() + b"\n":
        raise SourceError("the server's answer is not that of a Git repository")
    refs: dict[str, str] = {}
    capabilities: frozenset[str] = frozenset()
    for number, content in enumerate(part for part in lines if part is not None):
        if content.startswith(b"ERR "):
            raise SourceError(f"the repository refuses: {shown(content[4:])}")
        if number >= MOST_REFS:
            raise SourceError(f"the repository has more than {MOST_REFS} refs")
        content, _, listed = content.rstrip(b"\n").partition(b"\0")
        if content.startswith(_SHALLOW):
            # A repository that has not all of its history says where that ends.
            continue
        if number == 0:
            capabilities = frozenset(listed.decode("utf-8", "replace").split())
        oid, _, name = content.partition(b" ")
        if not _OID.fullmatch(oid) or not name:
            raise SourceError("the server's answer names a ref without a commit")
        if not name.endswith(b"^{}"):
            refs[name.decode("utf-8", "surrogateescape")] = oid.decode()
    for capability in capabilities:
        if capability.startswith("object-format=") and capability != "object-format=sha1":
            raise SourceError("repositories with SHA-256 objects are not supported")
    head = refs.pop("HEAD", None)
    return Advertisement(refs, capabilities, _default_branch(refs, head, capabilities))


def _default_branch(
    refs: Mapping[str, str], head: str | None, capabilities: Iterable[str]
) -> str | None:
    for capability in capabilities:
        if capability.startswith(f"symref=HEAD:{BRANCHES}"):
            return capability.removeprefix("symref=HEAD:")
    branches = [name for name, oid in refs.items() if name.startswith(BRANCHES) and oid == head]
    return branches[0] if branches else None


def fetch_request(commit: str, haves: Sequence[str], offered: frozenset[str]) -> bytes:
    """The body that asks for a commit with all that it needs, but for what commits need that are
    here already. SourceError when the server cannot answer it."""
    if "side-band-64k" not in offered:
        raise SourceError("the server speaks a form of Git's protocol that is too old")
    capabilities = b"side-band-64k ofs-delta no-progress " + _AGENT
    parts = [line(b"want %s %s\n" % (commit.encode(), capabilities)), FLUSH]
    parts += [line(b"have %s\n" % oid.encode()) for oid in haves[:MOST_HAVES]]
    return b"".join([*parts, line(b"done\n")])


def push_command(old: str | None, new: str, ref: str, offered: frozenset[str]) -> bytes:
    """The head of the body that moves a ref from one commit to another; the pack follows it."""
    if "report-status" not in offered:
        raise SourceError("the server does not say what becomes of a push, so none is made")
    capabilities = "report-status agent=docstead"
    if "side-band-64k" in offered:
        capabilities += " side-band-64k"
    return line(f"{old or NO_OID} {new} {ref}\0{capabilities}".encode()) + FLUSH


def write_pack_of(response: BinaryIO, pack: BinaryIO) -> None:
    """Copy the pack out of the answer to a fetch; SourceError when the server refuses or it ends.

    Reads and writes one line at a time.
    """
    written = False
    while (content := _read_line(response)) is not None:
        if not content or (content[:4] in (b"ACK ", b"NAK\n", b"NAK") and not written):
            continue
        if content.startswith(b"ERR "):
            raise SourceError(f"the repository refuses: {shown(content[4:])}")
        if content[0] == _DATA:
            pack.write(content[1:])
            written = True
        elif content[0] == _FATAL:
            raise SourceError(f"the repository refuses: {shown(content[1:])}")
        elif content[0] != _PROGRESS:
            raise SourceError("the server's answer is not Git's protocol")


def _read_line(file: BinaryIO) -> bytes | None:
    """The next line, empty at the end of a section; None at the end of the file."""
    head = file.read(4)
    if not head:
        return None
    if not _LENGTH.fullmatch(head):
        raise SourceError("the server's answer is not Git's protocol")
    length = int(head, 16)
    if length <= 4:
        return b""
    content = file.read(length - 4)
    if len(content) < length - 4 or length > _LARGEST:
        raise SourceError("the server's answer ends in the middle")
    return content


def push_problem(data: bytes, ref: str) -> str | None:
    """Why a push was refused; None when the ref has moved. SourceError for no such answer."""
    report, said = _report_of(data)
    unpacked = moved = False
    for content in lines_of(report):
        text = b"" if content is None else content.rstrip(b"\n")
        if text == b"unpack ok":
            unpacked = True
        elif text.startswith(b"unpack "):
            return f"the server could not take the commit: {shown(text[7:])}"
        elif text == b"ok " + ref.encode():
            moved = True
        elif text.startswith(b"ng "):
            reason = text[3:].partition(b" ")[2]
            return shown(reason + (b": " + said if said else b""))
    if not (unpacked and moved):
        raise SourceError("the server does not say what became of the push")
    return None


def _report_of(data: bytes) -> tuple[bytes, bytes]:
    """The report of a push, and what the server has said beside it."""
    lines = list(lines_of(data))
    if not any(content and content[0] in (_DATA, _PROGRESS, _FATAL) for content in lines):
        return data, b""
    report, said = bytearray(), bytearray()
    for content in lines:
        if content and content[0] == _DATA:
            report += content[1:]
        elif content and content[0] in (_PROGRESS, _FATAL):
            said += content[1:]
    return bytes(report), bytes(said.strip())


def shown(message: bytes) -> str:
    """What another server says, as one line without control characters."""
    text = message.decode("utf-8", "replace")[:MESSAGE_CHARACTERS]
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
