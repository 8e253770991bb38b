"""Pages of a published site as Markdown: every link and image has an absolute address.

What a reader of the text alone cannot follow is worked out: reusable contents stand where they are
included, people have their names, blocks of APIs say what they show.
"""

from typing import Any

from content.documents.content_references import SCHEME, read_reference
from content.documents.integration_elements import code_node, nodes_of
from content.documents.nodes import inline, objects_in, text, text_of
from content.html.openapi_text import block_markdown
from content.html.rendering import INSERTION_DEPTH, INSERTIONS, Target
from content.imports.markdown_links import replace_links, without_script_links
from content.json_types import JsonObject
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from content.script_addresses import BROKEN, runs_script
from published.addresses import Addresses
from published.references import References
from resolvers.content.client_markdown import without_private
from resolvers.content.documents import with_title
from resolvers.integrations.shown import MARKDOWN, SHOWN, shown_by
from resolvers.published.texts import BLOCK_TAG, PublishedText
from resolvers.specifications.shown import BLOCKS, extract_of, slug_of_block

Json = dict[str, Any]
# What a text has that is written anew for readers.
_WORKED_OUT = (
    "{% include", "{%include", "{%- include", "mention", f"{SCHEME}user", "openapi-",
)  # fmt: skip


def published_markdown(shown: PublishedText, addresses: Addresses) -> str:
    """The page as Markdown: its title as the leading heading, then the body; takes a while."""
    return with_title(shown.page.title, _Text(shown, addresses).write())


class _Text:
    def __init__(self, shown: PublishedText, addresses: Addresses) -> None:
        self._shown, self._addresses = shown, addresses
        self._references = References(shown.page, shown.space, addresses)
        self._insertions = 0

    def write(self) -> str:
        # Also where `replace_links` sees no link, but another reader does.
        markdown = without_script_links(self._shown.markdown)
        worked_out = any(sign in markdown for sign in _WORKED_OUT) or BLOCK_TAG.search(markdown)
        if self._shown.links.whole and not worked_out:
            return without_private(replace_links(markdown, self._link), self._private)
        document = dict(parse_with_style(markdown, resolve=self._shown.reference))
        document["nodes"] = self._nodes(document.get("nodes"), 0)
        written = write_markdown(document, link=lambda url: self._url(url))
        return without_private(written, self._private)

    def _link(self, url: str) -> str | None:
        """Another URL in place of one of the text; None where it stays."""
        if runs_script(url):
            return BROKEN
        reference = self._shown.reference(url)
        if reference is None and (url.startswith("#") or url not in self._shown.links.urls):
            return None
        return self._url(reference or {"kind": "url", "url": url}, url)

    def _private(self, url: str) -> str:
        return self._url(read_reference(url) or {})

    def _url(self, reference: JsonObject, written: str = "") -> str:
        """The address of what a reference leads to; what is broken stays as it is written, unless
        that says nothing to a reader."""
        target = self._references.resolve(reference)
        href = target.href
        if href is None:
            written = written or text_of(reference, "url")
            stays = written and read_reference(written) is None and not runs_script(written)
            return written if stays else BROKEN
        # A path that is as the text has it leads nowhere on this site.
        if runs_script(href):
            return BROKEN
        as_written = href == text_of(reference, "url")
        if as_written or not href.startswith("/") or href.startswith("//"):
            return href
        return self._addresses.absolute(href)

    # ------------------------------------------------------------------ what is worked out

    def _nodes(self, nodes: Any, depth: int) -> Any:
        if not isinstance(nodes, list) or depth > 200:
            return nodes
        result: list[Any] = []
        for node in nodes:
            if isinstance(node, dict):
                result += self._node(node, depth)
        return result

    def _node(self, node: Json, depth: int) -> list[Json]:
        data = node.get("data")
        reference = data.get("ref") if isinstance(data, dict) else None
        if node.get("type") == "reusable-content" and isinstance(reference, dict):
            return self._inserted(node, reference, depth)
        if node.get("type") in BLOCKS and isinstance(data, dict):
            return self._shown_of_api(node, data)
        if node.get("type") == "mention" and isinstance(reference, dict):
            return [self._mention(reference)]
        drawn = shown_by(self._shown.space.drawn.additions, node)
        if drawn is not None:
            return self._drawn(node, drawn)
        copy = dict(node)
        for name in ("nodes", "fragments"):
            if name in node:
                copy[name] = self._nodes(node[name], depth + 1)
        return [copy]

    def _inserted(self, node: Json, reference: JsonObject, depth: int) -> list[Json]:
        content = None
        if text_of(reference, "space") in ("", self._shown.page.space_id):
            content = self._shown.content(text_of(reference, "reusableContent"))
        self._insertions += 1
        if content is None or depth > 10 * INSERTION_DEPTH or self._insertions > INSERTIONS:
            return []
        inserted: list[Json] = self._nodes(content.get("nodes"), depth + 10)
        return inserted

    def _shown_of_api(self, node: Json, data: Json) -> list[Json]:
        """What a block shows of a specification; the block itself where that is not there."""
        root = self._shown.specifications.get(slug_of_block(node) or "")
        kind = str(node.get("type"))
        extract = None if root is None else extract_of(root, kind, data)
        if extract is None:
            return [node]
        document: Any = parse_document(block_markdown(kind, extract))
        nodes: list[Json] = document["nodes"]
        return nodes

    def _drawn(self, node: Json, drawn: Json) -> list[Json]:
        """A block of an integration: as code in the language that stands for it, or as what the
        integration has drawn; without either its source, which says more than nothing."""
        props = node["data"].get("props") or {}
        form = drawn.get(MARKDOWN)
        if isinstance(form, dict):
            return [code_node(text_of(props, form["body"]), form["codeblock"])]
        shown = drawn.get(SHOWN)
        if isinstance(shown, dict):
            return nodes_of(shown, lambda source: objects_in(parse_document(source).get("nodes")))
        source = text_of(props, "content") or text_of(props, "source")
        return [code_node(source, "")] if source else []

    def _mention(self, reference: JsonObject) -> Json:
        target: Target = self._references.resolve(reference)
        label = text(target.title or "?")
        if target.href is None:
            return text(f"@{target.title}") if reference.get("kind") == "user" else label
        return inline("link", [label], {"ref": reference})
