"""Random documentation as people keep it, and what may become of it until it is imported again."""

import random
from dataclasses import dataclass, field, replace

from tests.importing.documents import png

Files = dict[str, bytes | str]
FOLDERS = ("", "guide/", "guide/deep/", "API Reference/", "über uns/", "a.b/")
NAMES = ("start", "Setup", "set up", "names", "Ünicode", "c++", "v1.0", "100%", "it's", "a&b",
         "日本語", "index", "x" * 60)  # fmt: skip
TITLES = ("Start", "Setup", "Overview", "Overview", "C & C++", "*Names*", "Ü", "日本語", "`code`")
WORDS = ("apple", "pear", "plum", "quince", "fig", "grape", "**bold**", "`code`", "1 < 2", "a_b_c")


@dataclass(frozen=True)
class Document:
    """One Markdown file."""

    path: str
    title: str
    lines: tuple[str, ...]
    matter: str = ""
    # How it is written: a mark of the byte order in front, ends of lines.
    bom: bool = False
    crlf: bool = False

    def data(self) -> bytes:
        text = "\n\n".join([f"# {self.title}", *self.lines]) + "\n"
        text = f"---\n{self.matter}---\n\n{text}" if self.matter else text
        if self.crlf:
            text = text.replace("\n", "\r\n")
        return (b"\xef\xbb\xbf" if self.bom else b"") + text.encode()


@dataclass
class Source:
    """Documents, and a table of contents: paths with their depths; None without one."""

    documents: list[Document]
    contents: list[tuple[int, str]] | None
    assets: list[str] = field(default_factory=list)

    def files(self) -> Files:
        made: Files = {one.path: one.data() for one in self.documents}
        made |= {path: png() for path in self.assets}
        if self.contents is not None:
            titles = {one.path: one.title for one in self.documents}
            lines = [
                f"{'  ' * depth}* [{titles[path]}](<{path}>)"
                for depth, path in self.contents
                if path in titles
            ]
            made["SUMMARY.md"] = "# Table of contents\n\n" + "\n".join(lines) + "\n"
        return made


def line(chance: random.Random, paths: list[str]) -> str:
    """A paragraph; some link to a page that may be there."""
    words = " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 8)))
    if paths and chance.random() < 0.3:
        words += f" [link](</{chance.choice(paths)}>)"
    return f"{words} {chance.randint(0, 999)}."


def document(chance: random.Random, path: str, paths: list[str]) -> Document:
    """A document with a few paragraphs."""
    matter = ""
    if chance.random() < 0.3:
        matter = f"description: About {chance.choice(WORDS[:6])}\n"
        matter += "hidden: true\n" if chance.random() < 0.3 else ""
    lines = tuple(line(chance, paths) for _ in range(chance.randint(0, 6)))
    odd = chance.random() < 0.2, chance.random() < 0.2
    return Document(path, chance.choice(TITLES), lines, matter, *odd)


def new_path(chance: random.Random, taken: set[str]) -> str:
    """A path that none of these has, in whatever case."""
    while True:
        path = f"{chance.choice(FOLDERS)}{chance.choice(NAMES)}{chance.choice(('', '2'))}.md"
        if path.casefold() not in {one.casefold() for one in taken}:
            return path


def contents_of(chance: random.Random, documents: list[Document]) -> list[tuple[int, str]]:
    """A table of contents of most documents."""
    found: list[tuple[int, str]] = []
    depth = 0
    for one in documents:
        depth = chance.randint(0, min(depth + 1, 3)) if found else 0
        found.append((depth, one.path))
    return found


def random_source(chance: random.Random) -> Source:
    """Documentation with a landing page and up to twelve others."""
    documents = [document(chance, "README.md", [])]
    for _ in range(chance.randint(1, 12)):
        paths = [one.path for one in documents]
        documents.append(document(chance, new_path(chance, set(paths)), paths))
    summary = contents_of(chance, documents) if chance.random() < 0.7 else None
    return Source(documents, summary, ["assets/a.png"])


def changed(chance: random.Random, source: Source) -> Source:
    """What has become of documentation: edits, new, gone, renamed and moved documents."""
    documents: list[Document] = []
    paths = [one.path for one in source.documents]
    moved: dict[str, str] = {}
    for one in source.documents:
        fate = chance.random()
        if one.path == "README.md" or fate < 0.4:
            documents.append(one)
        elif fate < 0.55:
            edited = [*one.lines, line(chance, paths)][chance.randint(0, 1) :]
            documents.append(replace(one, lines=tuple(edited), title=chance.choice(TITLES)))
        elif fate < 0.7:
            path = new_path(chance, {*paths, *moved.values()})
            moved[one.path] = path
            documents.append(replace(one, path=path))
        elif fate < 0.8:
            documents.append(document(chance, one.path, paths))
    for _ in range(chance.randint(0, 3)):
        taken = {*paths, *(one.path for one in documents)}
        documents.append(document(chance, new_path(chance, taken), paths))
    contents = source.contents
    if contents is not None and chance.random() < 0.5:
        there = {one.path for one in documents}
        contents = [
            (depth, moved.get(path, path))
            for depth, path in contents
            if moved.get(path, path) in there
        ]
        known = {path for _, path in contents}
        contents += [(0, one.path) for one in documents if one.path not in known]
        contents = [(min(depth, at), path) for at, (depth, path) in enumerate(contents)]
    elif contents is not None:
        chance.shuffle(documents)
        contents = contents_of(chance, documents)
    return Source(documents, contents, source.assets)
