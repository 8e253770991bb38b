"""What readers can do with a page, by the settings of the site and the layout of the page."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, urlencode

from content.html.rendering import Uses
from content.links.published_urls import ATOM, RSS
from content.pages.layout_options import whole_layout
from content.pdf.job import makes_pdfs
from db.enums import AgentsContext, SiteVisibility
from published.assets import (
    BLOCKS,
    DIAGRAMS,
    FEEDBACK,
    PAGE_ACTIONS,
    PLAYERS,
    SITE_SCRIPTS,
    script,
)
from published.html.feeds import ATOM_TYPE, RSS_TYPE
from published.html.view import COPIES_ADDRESS, COPIES_TEXT, Feed, FeedbackForm, PageAction, Script
from published.look import Look
from resolvers.revisions.rows import Page as PageRow

OWN = "~gitbook"
MCP, PDF, FEEDBACK_PATH = f"{OWN}/mcp", f"{OWN}/pdf", f"{OWN}/feedback"
BLOCK_PATH = f"{OWN}/block"
# Assistants elsewhere, which are opened with a question about the page.
ASSISTANTS = {
    "ChatGPT": "https://chatgpt.com/?q={}",
    "Claude": "https://claude.ai/new?q={}",
}
Actions = list[PageAction]


def has_mcp(look: Look) -> bool:
    """Whether the site answers by MCP: its actions have it, and assistants are not excluded."""
    enabled = (look.settings.get("pageActions") or {}).get("mcp", True)
    return bool(enabled) and look.frame.site.agents_context is not AgentsContext.EXCLUDED


def has_pdf(look: Look) -> bool:
    """Whether visitors get the pages of the space on paper."""
    return look.is_on("pdf") and makes_pdfs()


def takes_feedback(look: Look) -> bool:
    """Whether visitors may say what they think of a page; of previews nobody is asked."""
    return look.is_on("feedback", False) and not _is_preview(look)


def _is_preview(look: Look) -> bool:
    return look.content.is_preview or look.content.signed


def page_actions(look: Look, row: PageRow, markdown: str | None) -> Actions:
    """The actions of a page in the order of the settings; none where its layout hides them.

    `markdown` is the address of the page as Markdown, where there is one.
    """
    if not whole_layout(row.layout)["actions"]:
        return []
    items = (look.settings.get("pageActions") or {}).get("items") or ()
    return [action for item in items for action in _OF_ITEMS[item](look, row, markdown)]


def _markdown(look: Look, row: PageRow, markdown: str | None) -> Actions:
    if markdown is None:
        return []
    return [
        PageAction(look.words.copy_markdown, markdown, COPIES_TEXT),
        PageAction(look.words.view_as_markdown, markdown),
    ]


def _mcp(look: Look, row: PageRow, markdown: str | None) -> Actions:
    if not has_mcp(look):
        return []
    server = f"{look.addresses.root}/{MCP}"
    return [
        PageAction(look.words.copy_mcp, server, COPIES_ADDRESS),
        PageAction(look.words.connect_mcp, server),
    ]


def _pdf(look: Look, row: PageRow, markdown: str | None) -> Actions:
    # A preview is not printed: what is asked for is the published page.
    if not has_pdf(look) or _is_preview(look):
        return []
    space = look.addresses.spaces[row.space_id]
    address = f"{space}/{PDF}?page={quote(row.id, safe='')}&only=yes"
    return [PageAction(look.words.download_pdf, address)]


def _git(look: Look, row: PageRow, markdown: str | None) -> Actions:
    """The source of the page, where it came from a repository that says where it is."""
    url = (row.git or {}).get("url")
    return [PageAction(look.words.edit_page, str(url), external=True)] if url else []


def _external(look: Look, row: PageRow, markdown: str | None) -> Actions:
    """Assistants elsewhere read what everybody with the address may read, and nothing else."""
    site, words = look.frame.site, look.words
    if markdown is None or site.visibility is SiteVisibility.VISITOR_AUTH or _is_preview(look):
        return []
    question = quote(words.question.format(address=look.addresses.absolute(markdown)), safe="")
    return [
        PageAction(words.open_in.format(name=name), form.format(question), external=True)
        for name, form in ASSISTANTS.items()
    ]


def _none(look: Look, row: PageRow, markdown: str | None) -> Actions:
    """The site's own assistant is for other renderers: there is none here."""
    return []


_OF_ITEMS: Mapping[str, Callable[[Look, PageRow, str | None], Actions]] = {
    "assistant": _none,
    "external-ai": _external,
    "git": _git,
    "markdown": _markdown,
    "mcp": _mcp,
    "pdf": _pdf,
}


def feedback_of(look: Look, row: PageRow) -> FeedbackForm | None:
    """The question about a page, where the site asks it."""
    if not takes_feedback(look):
        return None
    return FeedbackForm(f"{look.addresses.spaces[row.space_id]}/{FEEDBACK_PATH}", row.path)


def blocks_address(look: Look, space_id: str, path: str) -> str:
    """Where readers of a page act in its blocks; "" for previews, which nobody acts in."""
    if look.content.is_preview or look.content.signed:
        return ""
    return f"{look.addresses.spaces[space_id]}/{BLOCK_PATH}?{urlencode({'page': path})}"


def feeds_of(look: Look, own: str, uses: Uses) -> Sequence[Feed]:
    """The feeds of a page with updates; `own` is its address."""
    if not uses.updates:
        return ()
    base = own.rstrip("/")
    return (
        Feed(RSS_TYPE, look.words.rss_feed, f"{base}/{RSS}"),
        Feed(ATOM_TYPE, look.words.atom_feed, f"{base}/{ATOM}"),
    )


def scripts_of(
    look: Look, uses: Uses, actions: Actions, feedback: bool, foreign: bool = False
) -> list[Script]:
    """The modules that a page needs: those of what is on it."""
    needed = {
        PLAYERS: bool(uses.players),
        DIAGRAMS: uses.diagrams,
        PAGE_ACTIONS: any(action.copies for action in actions),
        FEEDBACK: feedback,
        SITE_SCRIPTS: foreign,
        BLOCKS: uses.blocks,
    }
    return [script(look.addresses.root, name) for name, is_needed in needed.items() if is_needed]
