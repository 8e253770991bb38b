"""The words of published sites that are the site's own: labels, buttons, messages.

Each language has a module in `published/html/languages` that says all of them; a language without
one is shown in that of the settings, else in English (docs/sites.md, "Language").
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The words in one language; what is in braces is put in."""

    # The language of these words (BCP 47).
    language: str
    skip_to_content: str
    table_of_contents: str
    on_this_page: str
    breadcrumb: str
    links: str
    sections: str
    variants: str
    social_accounts: str
    announcement: str
    preview: str
    # Around the text.
    previous: str
    next: str
    previous_and_next: str
    last_updated: str
    view_as_markdown: str
    download_pdf: str
    edit_page: str
    # What readers can do with a page; {name} is an assistant elsewhere, {address} of the page.
    page_actions: str
    copy_markdown: str
    copy_mcp: str
    connect_mcp: str
    about_mcp: str
    open_in: str
    question: str
    # The question about a page, its answers, and what is said of them; {title} of the page.
    feedback: str
    was_helpful: str
    helpful_no: str
    helpful_partly: str
    helpful_yes: str
    what_to_know: str
    send: str
    thanks: str
    thanks_for_words: str
    not_sent: str
    back_to: str
    # Feeds of the updates of a page; {title} of it.
    rss_feed: str
    atom_feed: str
    updates_of: str
    privacy: str
    # Asked before scripts of others are loaded that set cookies.
    cookies: str
    about_cookies: str
    accept_cookies: str
    reject_cookies: str
    # {name} is the software.
    published_with: str
    # Search; {query} is what was looked for, {number} how many were found.
    search: str
    results: str
    see_all_results: str
    previous_results: str
    more_results: str
    all_results: str
    nothing_found: str
    what_to_search: str
    search_failed: str
    search_limited: str
    # What a script adds.
    copy: str
    copied: str
    copy_failed: str
    enlarge_image: str
    close: str
    theme: str
    theme_system: str
    theme_light: str
    theme_dark: str
    # Where no page is.
    page_not_found: str
    no_page_here: str
    near_pages: str
    to_start_page: str
    # A page that is too large, and previews for those who write; {number} of a change request.
    text_only: str
    text_only_for_editors: str
    preview_of_revision: str
    preview_of_change_request: str
    preview_for_claims: str
    not_published: str
    to_published_page: str
    to_site: str
