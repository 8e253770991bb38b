"""Code in HTML: its text, its language, its title."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from content.imports.callouts import macro_parameter
from content.imports.dom import Tag

_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush|highlight|code)-([a-z0-9+#_.-]+)")
_BRUSH = re.compile(r"brush:\s*([A-Za-z0-9+#_.-]+)")
_NO_LANGUAGE = frozenset({"none", "plain", "plaintext", "text", "txt", "default", "source", "block",
                          "highlight"})  # fmt: skip
# Classes of elements around code that hold numbers of lines or buttons.
_BESIDE = frozenset({"lineno", "linenos", "gutter", "line-numbers-rows", "copy", "copybtn",
                     "line-number"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code; `language` and `title` are "" when unknown."""

    text: str
    language: str = ""
    title: str = ""


def read_code(tag: Tag) -> Code | None:
    """The block of code that an element stands for, else None."""
    if tag.name == "pre":
        return _pre(tag)
    if tag.name in ("ac:structured-macro", "ac:macro") and tag.get("ac:name") in _MACROS:
        body = tag.child("ac:plain-text-body")
        language = macro_parameter(tag, "language")
        return Code(_text(body) if body else "", _known(language), macro_parameter(tag, "title"))
    classes = tag.classes()
    if (
        tag.name == "div"
        and "panel" in classes
        and not {"code", "preformatted"}.isdisjoint(classes)
    ):
        return _panel(tag)
    if tag.name == "div" and _is_highlighted(classes):
        # A wrapper that knows the language of the one `pre` in it.
        blocks = list(tag.all("pre"))
        if blocks:
            code = _pre(blocks[-1])
            return replace(code, language=code.language or _language(tag))
    return None


_MACROS = ("code", "noformat")


def _is_highlighted(classes: list[str]) -> bool:
    return "highlight" in classes or any(
        name.startswith(("highlight-", "language-")) for name in classes
    )


def _panel(tag: Tag) -> Code | None:
    """`div.code.panel` of a wiki's export."""
    inner, header = next(tag.all("pre"), None), tag.of_class("codeheader")
    if inner is None:
        return None
    title = header.words() if header is not None else ""
    return replace(_pre(inner), title=title)


def _pre(tag: Tag) -> Code:
    tag.without(lambda child: bool(set(child.classes()) & _BESIDE) or child.name == "button")
    inner = tag.child("code")
    language = _language(tag) or (_language(inner) if inner is not None else "")
    return Code(_text(tag), language, tag.get("data-title") or tag.get("title"))


def _language(tag: Tag) -> str:
    for attribute in ("data-lang", "data-language", "lang-name"):
        if tag.get(attribute):
            return _known(tag.get(attribute))
    brush = _BRUSH.search(tag.get("data-syntaxhighlighter-params") or tag.get("class"))
    if brush:
        return _known(brush.group(1))
    for name in tag.classes():
        match = _LANGUAGE.fullmatch(name)
        if match and _known(match.group(1)):
            return _known(match.group(1))
    return ""


def _known(language: str) -> str:
    name = language.strip().lower()
    return "" if name in _NO_LANGUAGE or not re.fullmatch(r"[a-z0-9+#_.-]{1,40}", name) else name


def _text(tag: Tag) -> str:
    text = tag.text().replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    # HTML itself drops the first line end of `pre`.
    return text.removeprefix("\n").rstrip()


def write_code(code: Code) -> str:
    """The fenced block, in tags when it has a title."""
    longest = max((len(run) for run in re.findall("`{3,}", code.text)), default=2)
    fence = "`" * (longest + 1)
    block = f"{fence}{code.language}\n{code.text}\n{fence}"
    title = " ".join(code.title.split()).replace('"', "'")
    return f'{{% code title="{title}" %}}\n{block}\n{{% endcode %}}' if title else block
