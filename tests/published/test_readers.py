"""Around the text of published pages: words of the site, heads, missing pages, settings."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import httpx2
import pytest
from hypothesis import example, given, settings, strategies as st

from content.html import words as document_words
from content.markdown.parser import parse_document
from content.pdf.job import makes_pdfs
from db.customization_enums import CustomizationLocale
from db.enums import Language, SiteVisibility
from db.models.site_settings import ShareLink, SiteCustomization
from db.models.sites import Site
from db.models.spaces import Space
from db.session import Session
from published.html.colours import contrast, luminance, readable_on
from published.html.icons import icon_name, icon_of
from published.html.scripts import site_script
from published.html.styles import looks_of, site_style
from published.html.translations import ENGLISH, TABLES, direction, words_for
from published.metadata import SUMMARY, summary_of
from published.social import account_links
from tests import factories
from tests.chance import without_ids
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, links, make_pages

REQUIRED = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja", "ko")
_GAP = re.compile(r"\{\w+\}")


def test_every_table_of_words_is_complete() -> None:
    """Nothing is empty, says what English says by mistake, or loses what is put in."""
    assert set(REQUIRED) <= TABLES.keys()
    assert TABLES.keys() == document_words.TABLES.keys()
    for locale in CustomizationLocale:
        assert words_for(locale.value).language == locale.value.partition("-")[0]
    for language, table in TABLES.items():
        pairs = [(asdict(table), asdict(ENGLISH))]
        of_documents, in_english = (
            asdict(words) for words in (document_words.TABLES[language], document_words.ENGLISH)
        )
        pairs += [
            (of_documents.pop(part), in_english.pop(part)) for part in ("blocks", "api", "requests")
        ]
        pairs.append((of_documents, in_english))
        for said, english in pairs:
            assert said.keys() == english.keys()
            for name, text in said.items():
                assert text.strip() == text
                assert text, (language, name)
                assert sorted(_GAP.findall(text)) == sorted(_GAP.findall(english[name])), name
        same = [one.name for one in fields(table)
                if getattr(table, one.name) == getattr(ENGLISH, one.name)]  # fmt: skip
        assert language == "en" or len(same) <= 3, (language, same)


def test_every_language_has_words() -> None:
    for language in Language:
        assert words_for(language.value).language in TABLES
        assert direction(language.value) == ("rtl" if language.value in ("ar", "he") else None)
    assert words_for("th", "de").language == "de"
    assert words_for("th", None).language == "en"
    scripts = {site_script(words).name for words in TABLES.values()}
    assert len(scripts) == len(TABLES)


async def customize(session: Session, site: Site, **chosen: Any) -> None:
    session.add(SiteCustomization(site_id=site.id, settings=chosen))
    await settle(session)


def head_of(answer: httpx2.Response) -> dict[str, str]:
    """What the metadata of a page say, by their names."""
    found = read_html(answer.text, ALLOWED)
    assert found.faults == []
    return {
        attributes.get("property") or attributes["name"]: attributes["content"]
        for tag, attributes in found.elements
        if tag == "meta" and "content" in attributes
    }


@pytest.fixture
async def translated(session: Session, world: World) -> Site:
    """A site in English and French, of which some pages are in both; with one for some visitors."""
    english = await make_pages(
        session, world, "Guide", start={"text": "Text of the **start**.\n"},
        install={"title": "Install the pump"}, only={}, moved={"slug": "there"},
        secret={"title": "Secret pump", "condition": "visitor.claims.beta"},
    )  # fmt: skip
    french = await make_pages(
        session, world, "Guide français", start={}, install={"title": "Installer la pompe"},
        there={"hidden": True},
    )  # fmt: skip
    (await session.merge(english)).language = Language.EN
    (await session.merge(french)).language = Language.FR
    site = await factories.make_site(
        session, world.organization, english, french, title="Pumps", published=True,
        adaptive_content=True,
    )  # fmt: skip
    await settle(session)
    return site


async def test_pages_are_in_a_language_and_lead_to_others(api: Api, translated: Site) -> None:
    root = f"/sites/{translated.id}"
    page = await get(api, translated, "/install")
    assert '<html lang="en"' in page.text
    there = f"{root}/path-1/install"
    assert there in links(page)
    absolute = [f"http://docs.test{root}/install", f"http://docs.test{there}"]
    alternates = [
        (one["hreflang"], one["href"])
        for tag, one in read_html(page.text, ALLOWED).elements
        if tag == "link" and "hreflang" in one
    ]
    assert alternates == list(zip(("en", "fr"), absolute, strict=True))
    french = await api.client.get(there)
    assert '<html lang="fr"' in french.text
    assert "Aller au contenu" in french.text
    assert f"{root}/install" in links(french)
    # Each loads its own script, with words in its language.
    (script,) = [one["src"] for tag, one in read_html(french.text, ALLOWED).elements
                 if tag == "script" and one.get("type") is None and "src" in one]  # fmt: skip
    assert "Copier" in (await api.client.get(script)).text
    # Where the other language has no such page, or hides it, its beginning.
    for path in ("/only", "/there"):
        alone = await get(api, translated, path)
        assert f"{root}/path-1" in links(alone)
        assert "hreflang" not in alone.text.partition("</head>")[0]
    first = await get(api, translated)
    assert f'hreflang="fr" href="http://docs.test{root}/path-1"' in first.text or (
        f'href="http://docs.test{root}/path-1" hreflang="fr"' in first.text
    )


async def test_a_search_prefers_the_language_that_is_read(api: Api, translated: Site) -> None:
    root = f"/sites/{translated.id}"
    page = await get(api, translated, "/path-1/install")
    forms = [one for tag, one in read_html(page.text, ALLOWED).elements if tag == "form"]
    assert forms[0]["action"] == f"{root}/path-1"
    found = (await api.client.get(f"{forms[0]['data-results']}?q=pompe")).json()
    assert [one["href"] for one in found["results"]] == [f"{root}/path-1/install"]


async def test_results_while_typing(api: Api, translated: Site) -> None:
    answer = await get(api, translated, "/~docs/search?q=Pum")
    assert answer.headers["content-type"] == "application/json"
    data = answer.json()
    # Not what a condition hides from this visitor.
    assert [one["title"] for one in data["results"]] == ["Install the pump"]
    assert data["query"] == "Pum"
    (result,) = data["results"]
    assert result.keys() == {"title", "href", "place", "section", "excerpt"}
    for query in ("", "?q=", "?q=%20", "?x=1"):
        empty = await get(api, translated, f"/~docs/search{query}")
        assert (empty.status_code, empty.json()["results"]) == (200, []), query
    long = await get(api, translated, f"/~docs/search?q={'word+' * 300}")
    assert long.status_code == 200


@pytest.mark.parametrize("visibility", [SiteVisibility.SHARE_LINK, SiteVisibility.VISITOR_AUTH])
async def test_closed_sites_say_nothing_of_themselves(
    api: Api, session: Session, translated: Site, visibility: SiteVisibility
) -> None:
    row = await session.merge(translated)
    row.visibility = visibility
    session.add(ShareLink(site_id=translated.id, name="Key", secret="k" * 20))
    await settle(session)
    for path in ("/nowhere", "/~docs/search?q=pump", "/~gitbook/pdf"):
        answer = await get(api, translated, path)
        assert answer.status_code in (403, 404), path
        assert "Pumps" not in answer.text
        assert "pump" not in without_ids(answer.text).lower().replace("/pump", "")
        assert "script-src" not in answer.headers["content-security-policy"]
    if visibility is SiteVisibility.SHARE_LINK:
        opened = await get(api, translated, f"/{'k' * 20}/nowhere")
        assert opened.status_code == 404
        assert "Pumps" in opened.text
        assert opened.headers["cache-control"].startswith("private")


async def test_where_no_page_is(api: Api, translated: Site) -> None:
    root = f"/sites/{translated.id}"
    for path in ("/install-pump", "/old/Install_the%20pump.html"):
        missing = await get(api, translated, path)
        assert missing.status_code == 404
        assert missing.headers["cache-control"] == "no-cache"
        assert "noindex" in missing.text
        assert f"{root}/install" in links(missing)
        assert "<h1>Page not found</h1>" in missing.text
        assert "Pumps" in missing.text
        # The contents, without what this visitor may not see.
        assert f"{root}/only" in links(missing)
        assert "Secret" not in missing.text
    for odd in ("/%00", "/" + "a" * 2_000, "/%F0%9F%98%80", "/...", "/___"):
        assert (await get(api, translated, odd)).status_code in (400, 404), odd
    french = await get(api, translated, "/path-1/nowhere")
    assert "Page introuvable" in french.text
    assert (await get(api, translated, "/nowhere.md")).status_code == 404


async def test_the_head_of_a_page(api: Api, session: Session, translated: Site) -> None:
    page = await get(api, translated)
    head = head_of(page)
    assert head["description"] == head["og:description"] == "Text of the start."
    assert (head["og:title"], head["og:site_name"]) == ("Start", "Pumps")
    assert head["og:url"] == f"http://docs.test/sites/{translated.id}"
    assert head["og:locale"] == "en"
    assert head["twitter:card"] == "summary"
    data = [
        json.loads(text)
        for text in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page.text)
    ]
    assert data[0]["@type"] == "TechArticle"
    assert data[0]["url"] == head["og:url"]
    below = (await get(api, translated, "/install")).text
    assert '"@type": "BreadcrumbList"' in below
    await customize(session, translated, socialPreview={"url": "https://a.test/b.png"})
    head = head_of(await get(api, translated))
    assert (head["og:image"], head["twitter:card"]) == (
        "https://a.test/b.png", "summary_large_image",
    )  # fmt: skip


async def test_pdfs_are_switched(api: Api, session: Session, translated: Site) -> None:
    page = await get(api, translated, "/install")
    if makes_pdfs():
        (address,) = [one for one in links(page) if "/~gitbook/pdf" in one]
        answer = await api.client.get(address)
        assert answer.status_code == 307
        assert "/pdf/" in answer.headers["location"]
        assert (await get(api, translated, "/~gitbook/pdf?page=secret")).status_code == 404
        assert (await get(api, translated, "/~gitbook/pdf?only=yes")).status_code == 307
    await customize(session, translated, pdf={"enabled": False})
    assert "/~gitbook/pdf" not in (await get(api, translated, "/install")).text
    assert (await get(api, translated, "/~gitbook/pdf?page=install")).status_code == 404


async def test_settings_of_the_frame(api: Api, session: Session, translated: Site) -> None:
    picture = {"light": "https://a.test/light.png", "dark": "https://a.test/dark.png"}
    shown = {"header": True, "footer": True}
    await customize(
        session, translated, footer={"logo": picture}, trademark={"enabled": True},
        favicon={"icon": picture}, externalLinks={"target": "blank"},
        themes={"default": "dark", "toggeable": False},
        socialAccounts=[{"platform": "github", "handle": "acme", "display": shown}],
        styling={"theme": "bold", "links": "accent", "depth": "flat", "search": "subtle"},
    )  # fmt: skip
    page = (await get(api, translated)).text
    assert 'data-theme="dark"' in page
    assert "data-themes" not in page
    assert "site:theme-" not in page
    for name in ("header-filled", "header-bold", "links-accent", "depth-flat", "search-subtle"):
        assert name in page.partition(">")[2].partition(">")[0], name
    assert page.count('href="https://github.com/acme"') == 2
    assert "Published with Docstead" in page
    assert 'src="https://a.test/dark.png"' in page
    assert 'href="https://a.test/dark.png" media="(prefers-color-scheme: dark)"' in page


async def test_links_of_texts_open_windows(api: Api, session: Session, world: World) -> None:
    text = "[a](https://example.com/) [b](#c) [d](other.md) [e](mailto:a@b.test)\n"
    space = await make_pages(session, world, "Guide", start={"text": text}, other={})
    site = await factories.make_site(session, world.organization, space, published=True)
    await customize(session, site, externalLinks={"target": "blank"})
    page = await get(api, site)
    away = [one["href"] for tag, one in read_html(page.text, ALLOWED).elements
            if tag == "a" and one.get("target") == "_blank"]  # fmt: skip
    assert away == ["https://example.com/"]


CHOICES: Mapping[str, st.SearchStrategy[Any]] = {
    "theme": st.sampled_from(["clean", "muted", "bold", "gradient"]),
    "corners": st.sampled_from(["straight", "rounded", "circular"]),
    "font": st.one_of(
        st.sampled_from(["Inter", "Merriweather", "nothing"]),
        st.builds(
            lambda url, weight: {
                "id": "x", "custom": True, "fontFamily": "X\"; } body { display: none",
                "fontFaces": [{"weight": weight, "sources": [{"url": url, "format": "woff2"}]}],
            },
            st.one_of(
                st.sampled_from(["https://a.test/f.woff2", 'https://a.test/"); } b { x: y',
                                 "javascript:alert(1)", "https://a.test/\\22\n}"]),
                st.text(max_size=20),
            ),
            st.integers(1, 1000),
        ),
    ),
}  # fmt: skip


@settings(max_examples=60)
@given(st.fixed_dictionaries({}, optional=dict(CHOICES)))
def test_no_setting_ends_a_rule(styling: dict[str, Any]) -> None:
    plain, made = site_style({}).css, site_style(styling).css
    assert made.count("{") == made.count("}")
    assert "display: none" not in made.replace(plain, "") or made.count(
        "display: none"
    ) == plain.count("display: none")
    assert "javascript:" not in made
    assert set(looks_of(styling, {})) <= {
        "tinted", "theme-gradient", "header-filled", "header-bold",
    }  # fmt: skip


@given(st.from_regex(r"#[0-9a-f]{6}", fullmatch=True))
@example("#b75a91")
@example("#757575")
@example("#767676")
@example("#777777")
def test_text_on_any_colour_can_be_read(colour: str) -> None:
    lighter, darker = sorted((luminance(colour), luminance(readable_on(colour))), reverse=True)
    assert contrast(lighter, darker) >= 4.5


def test_icons_of_emoji() -> None:
    for emoji in ("🌊", "1f30a", "👩‍💻"):
        svg = icon_of(icon_name(emoji))
        assert svg is not None
        assert "<text" in svg
    assert icon_of(icon_name(None)) == icon_of("icon.svg")
    assert icon_of("icon-zz.svg") is icon_of("icon-3c-73.css") is None
    assert "<script" not in (icon_of("icon-3c-73-63-72-69-70-74-3e.svg") or "")


def test_accounts_have_addresses() -> None:
    shown = {"header": True, "footer": False}
    handles = {"mastodon": "ada@social.test", "linkedin": "in/ada", "slack": "acme",
               "twitter": 'a"b/../c'}  # fmt: skip
    accounts = [{"platform": name, "handle": handle, "display": shown}
                for name, handle in handles.items()]  # fmt: skip
    assert [link.href for link in account_links(accounts, "header")] == [
        "https://social.test/@ada", "https://www.linkedin.com/in/ada", "https://acme.slack.com",
        "https://x.com/a%22b/../c",
    ]  # fmt: skip
    assert account_links(accounts, "footer") == []


@given(st.text(max_size=400))
def test_summaries_are_short(text: str) -> None:
    summary = summary_of(parse_document(text))
    assert len(summary) <= SUMMARY
    assert summary == summary.strip()


def test_a_summary_is_the_first_paragraph() -> None:
    assert summary_of(parse_document("# A\n\n```\ncode\n```\n\n{% hint %}\nFirst *one*.\n{% endhint %}\n\nB\n")) == "First one."  # noqa: E501  # fmt: skip
    assert summary_of(parse_document("word " * 100)).endswith("word…")
    assert summary_of(parse_document("")) == ""


async def test_spaces_that_are_not_there(session: Session, world: World, api: Api) -> None:
    """A site whose only space is empty for everybody has a page that says so."""
    space: Space = await make_pages(session, world, "Guide", start={"condition": "false"})
    site = await factories.make_site(
        session, world.organization, space, published=True, adaptive_content=True
    )
    await settle(session)
    answer = await get(api, site, "/nowhere")
    assert answer.status_code == 404
    assert "Start" not in answer.text.partition("<main")[2]
