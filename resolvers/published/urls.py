"""What the address of a published site leads to (docs/sites.md, "What an address leads to").

The answer is content of one site space with a token to read it, or another address. Whether a page
is there is looked at only where a redirect leads on from the path, for a page comes before it; else
it is the renderer's next question.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from content.errors import PublishedUrlError
from content.links.published_urls import PublishedUrl, address, base_path, read_published_url
from content.links.redirect_paths import with_anchor, with_query
from db.enums import SiteVisibility
from db.site_enums import PublishedTarget, PublishingAuthBackend
from resolvers.access import content_tokens
from resolvers.access.content_tokens import Grant
from resolvers.access.drafts import NOTHING, OPEN
from resolvers.addresses.bases import SiteAddress
from resolvers.addresses.hosts import OWN_ROOT, Base, FoundSite, Way, find_site
from resolvers.addresses.sign_in import sign_in_address
from resolvers.addresses.sites import hostname_url, published_url
from resolvers.core.actors import Visitor
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, NotFound
from resolvers.core.policy_asked import policy_was_asked
from resolvers.published import preview_tokens
from resolvers.published.audiences import Admission, Credentials, admit
from resolvers.published.integration_sign_in import sign_in_by_integration, visitor_key
from resolvers.published.named_previews import (
    CHANGES,
    MARKED,
    PREVIEWS,
    REVISIONS,
    NamedPreview,
    named_preview,
    no_preview,
)
from resolvers.published.paths import VARIANT, Place, SiteMap
from resolvers.published.redirect_search import TEMPORARY, FoundRedirect, find_site_redirect
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import Structure, as_visitor, shown_in, structure_of, visitor_with

NOWHERE = "there is no published site at this address"


@dataclass(frozen=True, slots=True)
class PublishedRedirect:
    """Another address that the visitor is sent to."""

    target: PublishedTarget
    redirect: str
    # What a server answers with that sends the visitor there.
    status: int = TEMPORARY
    # The path of the site, for a visitor who was admitted and stays on it.
    site_base_path: str | None = None
    # The site and the spaces whose versions, with that of all addresses, say when it changes; None
    # where it also follows from more.
    subjects: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class PublishedContent:
    """Where the address of published content leads, with a token to read it."""

    organization: str
    site: str
    site_section: str | None
    site_space: str
    space: str
    change_request: str | None
    revision: str | None
    # The rest of the path, without slashes around it.
    pathname: str
    base_path: str
    site_base_path: str
    api_token: str
    share_key: str | None
    # Whether no further segment can belong to the site.
    complete: bool
    context_id: str | None
    canonical_url: str
    # Who the bearer of the token is, for whoever reads on in this process.
    visitor: Visitor = field(compare=False)
    expires: dt.datetime = field(compare=False)
    # Whether a token of the visitor's own was verified.
    by_token: bool = field(compare=False)
    # The revision that the address previews, that of its change request too.
    shown_revision: str | None = field(compare=False)
    # Where the site has its own address, without a slash at the end.
    canonical_root: str = field(compare=False)
    # The same with what is signed in the address, for links in texts that leave the browser.
    reached_root: str = field(compare=False)
    # Whether the address was signed for this preview, for chosen claims or settings.
    signed: bool = field(compare=False)
    # The structure of the site, whoever sees it.
    structure: Structure = field(compare=False, repr=False)

    @property
    def is_preview(self) -> bool:
        """Whether this is a draft, not what the site shows to everybody."""
        return self.shown_revision is not None


Resolution = PublishedContent | PublishedRedirect


async def resolve_published(
    ctx: Context, url: str, credentials: Credentials | None = None
) -> Resolution:
    """Where an address leads for a visitor; the same few statements for every site.

    BadRequest for what is no address, NotFound for an address of no published site, or one that
    the visitor may not know of, VisitorRefused when a token is missing or wrong.
    """
    # The audience of the site is the policy here.
    policy_was_asked()
    credentials = credentials or Credentials()
    try:
        requested = read_published_url(url)
    except PublishedUrlError as error:
        raise BadRequest(f"url: {error}") from error
    match = await find_site(ctx, requested)
    if match is None:
        return _application(ctx, requested)
    resolving = _Resolving(ctx, requested, match)
    if match.site.hostname and match.way is not Way.HOSTNAME and not resolving.shows_a_look:
        rest = requested.segments[match.depth :]
        root = hostname_url(ctx.settings.public_url, match.site.hostname)
        url = address(root, rest, requested.query)
        return PublishedRedirect(PublishedTarget.CONTENT, url, subjects=frozenset({match.site.id}))
    return await resolving.resolve(credentials)


def _application(ctx: Context, requested: PublishedUrl) -> PublishedRedirect:
    own = Base.of(ctx).own_path(requested)
    if own is None or own[:1] == (OWN_ROOT,):
        raise NotFound(NOWHERE)
    here = address(requested.origin, requested.segments, requested.query)
    return PublishedRedirect(PublishedTarget.APPLICATION, here)


class _Resolving:
    """One address of one site."""

    def __init__(self, ctx: Context, requested: PublishedUrl, match: FoundSite) -> None:
        self.ctx, self.requested, self.match, self.site = ctx, requested, match, match.site
        # Segments of the address that belong to the site as a whole.
        self.depth = match.depth
        # What a signed address says, where this is one.
        self.signed = None if match.share_key is not None else self._signed()
        # What the tokens of visitors are signed with, where one was sent.
        self.visitor_key = ""
        # Spaces whose content was looked at.
        self.space_ids: frozenset[str] = frozenset()

    @property
    def shows_a_look(self) -> bool:
        """Whether it previews settings: that is on this server, whatever hosts the site has, for
        whoever changes them to have it in a frame of their own page."""
        looks = self.signed is not None and self.signed.customization is not None
        return looks and self.match.way is Way.OWN

    def _signed(self) -> preview_tokens.Preview | None:
        after = self.requested.segments[self.depth :]
        if self.requested.keys[self.depth :][:1] != (preview_tokens.MARKER,) or len(after) < 2:
            return None
        return preview_tokens.verify(self._key(), after[1], self.site.id, self.ctx.now())

    async def resolve(self, credentials: Credentials) -> Resolution:
        share_key = self.match.share_key
        if share_key is not None:
            self.depth += 1
            if self.site.visibility is not SiteVisibility.SHARE_LINK:
                # It needs no key any more.
                return self._to(self.requested.segments[self.depth :], opened=False)
        else:
            credentials = self._previewed(credentials)
        if credentials.token is not None:
            self.visitor_key = await visitor_key(self.ctx, self.site)
        try:
            now = self.ctx.now()
            admission = admit(self.site, self.visitor_key, share_key, credentials, now)
        except VisitorRefused as refusal:
            return await self._refused(credentials, refusal)
        structure = await structure_of(self.ctx, self.site.id)
        shown = shown_in(structure, admission.claims)
        map = SiteMap(self.site, structure, shown)
        place = map.place(self.requested.keys[self.depth :])
        if place is None:
            raise NotFound(NOWHERE)
        rest = self.requested.segments[self.depth + place.depth :]
        if place.outdated:
            canonical = map.canonical(place, rest)
            if canonical != self.requested.segments[self.depth :]:
                return self._to(canonical)
            place = replace(place, canonical=map.explicit(place))
        preview = await named_preview(self.ctx, self.site, place.site_space.space_id, rest)
        grant = self._grant(place, admission, credentials, preview)
        # As `visitor_of` will say of the token.
        visitor = await visitor_with(self.ctx, self.site, grant, admission.claims, shown)
        if preview is not None and not preview.is_open(visitor, grant.space_id):
            # Not another answer than where there is nothing: numbers can be guessed.
            raise no_preview(rest)
        if rest and preview is None:
            self.space_ids = visitor.space_ids
            match = await self._redirect(map, visitor)
            if match is not None:
                return self._led_on(match)
        pathname = rest if preview is None else rest[MARKED:]
        return self._answer(structure, place, pathname, preview, admission, grant, visitor)

    def _previewed(self, credentials: Credentials) -> Credentials:
        """The credentials of the visitor, with the claims of a preview in place of their own."""
        preview = self.signed
        if preview is None:
            return credentials
        self.depth += 2
        if preview.claims is None:
            return credentials
        return replace(credentials, preview=preview.claims, preview_expires=preview.expires)

    async def _refused(
        self, credentials: Credentials, refusal: VisitorRefused
    ) -> PublishedRedirect:
        """Where a visitor gets a token; the refusal is raised when that is nowhere."""
        closed = self.site.visibility is SiteVisibility.VISITOR_AUTH
        if not closed or (credentials.token is not None and not credentials.redirect_on_error):
            raise refusal
        location = base_path(self.requested.segments[self.depth :]).rstrip("/") or "/"
        if self.site.backend is PublishingAuthBackend.INTEGRATION:
            # It may be another one each time.
            sign_in = await sign_in_by_integration(self.ctx, self.site, location)
            if sign_in is not None:
                return PublishedRedirect(PublishedTarget.EXTERNAL, sign_in)
            raise refusal
        sign_in = sign_in_address(self.site, location)
        if sign_in is None:
            raise refusal
        return PublishedRedirect(PublishedTarget.EXTERNAL, sign_in, subjects=self._subjects())

    def _grant(
        self,
        place: Place,
        admission: Admission,
        credentials: Credentials,
        preview: NamedPreview | None,
    ) -> Grant:
        draft = NOTHING if self.signed is None else self.signed.draft
        return Grant(
            self.site.organization_id,
            self.site.id,
            place.site_space.id,
            place.site_space.space_id,
            None if place.section is None else place.section.id,
            self.match.share_key,
            None if preview is None else preview.change_request_id,
            preview.revision_id if preview is not None and preview.named else None,
            draft.change_request_id,
            draft.revision_id,
            None if self.signed is None else self.signed.customization,
            authenticated=admission.authenticated and credentials.preview is None,
            key_id=self._key_id(admission, credentials),
            preview=credentials.preview is not None,
            claims=admission.claims,
        )

    def _key_id(self, admission: Admission, credentials: Credentials) -> str | None:
        """The fingerprint of the key behind what is known of the visitor."""
        if credentials.preview is not None or credentials.token is None or not admission.known:
            return None
        return content_tokens.key_id(self.visitor_key)

    async def _redirect(self, map: SiteMap, visitor: Visitor) -> FoundRedirect | None:
        """The redirect that the path has for the visitor."""
        base, root = self._public_root(), self._canonical_root()
        return await find_site_redirect(
            as_visitor(self.ctx, visitor),
            self.site,
            self.requested.segments[self.depth :],
            map,
            SiteAddress(True, base, base != root, root),
            without_page=True,
        )

    def _led_on(self, match: FoundRedirect) -> PublishedRedirect:
        if match.segments is not None:
            return self._to(match.segments, status=match.status, anchor=match.anchor)
        target = PublishedTarget.CONTENT if match.own else PublishedTarget.EXTERNAL
        url = with_query(match.url, self.requested.query)
        return PublishedRedirect(target, url, match.status, subjects=self._subjects())

    def _subjects(self) -> frozenset[str] | None:
        """What a redirect follows from; a preview ends by itself."""
        return None if self.signed is not None else self.space_ids | {self.site.id}

    def _answer(
        self,
        structure: Structure,
        place: Place,
        pathname: Sequence[str],
        preview: NamedPreview | None,
        admission: Admission,
        grant: Grant,
        visitor: Visitor,
    ) -> PublishedContent:
        ends = [admission.expires, None if self.signed is None else self.signed.expires]
        expires = content_tokens.expiry(
            self.ctx.now(),
            min((end for end in ends if end is not None), default=None),
            claims=admission.known or self.signed is not None,
        )
        marked = 0 if preview is None else MARKED
        spaces = sorted(visitor.space_ids)
        segments = self.requested.segments
        return PublishedContent(
            organization=grant.organization_id,
            site=grant.site_id,
            site_section=grant.section_id,
            site_space=grant.site_space_id,
            space=grant.space_id,
            change_request=grant.change_request_id,
            revision=grant.revision_id,
            pathname="/".join(pathname),
            base_path=base_path(segments[: self.depth + place.depth + marked]),
            site_base_path=base_path(segments[: self.depth]),
            api_token=content_tokens.issue(self._key(), grant, expires, spaces),
            share_key=grant.share_key,
            complete=self._is_complete(place, pathname, marked),
            context_id=admission.context_id,
            canonical_url=address(self._canonical_root(), (*place.canonical, *pathname)),
            visitor=visitor,
            expires=expires,
            by_token=admission.by_token,
            shown_revision=None if preview is None else preview.shown_id,
            canonical_root=self._canonical_root(),
            reached_root=address(self._canonical_root(), self._opening()),
            signed=self.signed is not None,
            structure=structure,
        )

    def _is_complete(self, place: Place, pathname: Sequence[str], marked: int) -> bool:
        """Whether an address with more segments would only ask for another page."""
        if self.match.open_ended:
            return False
        if marked:
            return True
        if not pathname:
            return not place.open_ended and self.site.visibility not in OPEN
        folded = tuple(segment.lower() for segment in pathname)
        unfinished = folded in (
            (PREVIEWS,),
            (PREVIEWS, CHANGES),
            (PREVIEWS, REVISIONS),
            (preview_tokens.MARKER,),
            (VARIANT,),
        )
        return not unfinished

    def _to(
        self,
        segments: Sequence[str],
        *,
        opened: bool = True,
        status: int = TEMPORARY,
        anchor: str | None = None,
    ) -> PublishedRedirect:
        """To another path of the site, as it was reached."""
        if self.site.proxy_origin:
            root = self._public_root()
            own: Sequence[str] = ()
        else:
            root, own = self.requested.origin, self.requested.segments[: self.match.depth]
        opening = self.requested.segments[self.match.depth : self.depth] if opened else ()
        url = address(root, (*own, *opening, *segments), self.requested.query)
        return PublishedRedirect(
            PublishedTarget.CONTENT,
            with_anchor(url, anchor),
            status,
            base_path(self.requested.segments[: self.depth]) if opened else None,
            self._subjects(),
        )

    def _canonical_root(self) -> str:
        key = self.match.share_key
        return self._public_root() if key is None else f"{self._public_root()}/{key}"

    def _opening(self) -> Sequence[str]:
        """The segments of a signed address that say what it opens."""
        keys = 0 if self.match.share_key is None else 1
        return self.requested.segments[self.match.depth + keys : self.depth]

    def _public_root(self) -> str:
        root = published_url(self.ctx.settings.public_url, self.site, self.site.label)
        assert root is not None  # only published sites are found
        return root

    def _key(self) -> bytes:
        if self.ctx.token_key is None:
            raise RuntimeError("this context was opened without the key of content tokens")
        return self.ctx.token_key
