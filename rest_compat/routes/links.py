"""Links of content, and backlinks."""

from resolvers.change_requests import operations as change_requests
from resolvers.content import files, pages
from resolvers.core.pagination import PageArguments
from resolvers.links import backlinks, operations as content_links
from resolvers.links.rows import ChangeRequestLinkArguments, LinkArguments
from resolvers.spaces import operations as spaces
from rest_compat.shapes.links import LINK, LOCATION, STATS
from rest_compat.table import page

SPACE = "/spaces/{spaceId}"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
PAGE, FILE = "/content/page/{pageId}", "/content/files/{fileId}"
OF_SPACE, OF_REQUEST = ("change_request_id", "revision_id"), ("revision_id",)

ROUTES = (
    page(f"{SPACE}/links", "listSpaceLinks", "spaces", spaces.get_space,
         content_links.links_of_spaces, LinkArguments, LINK,
         beside={"stats": (content_links.link_stats_of_spaces, STATS)}, unused=("share_key",)),
    page(f"{REQUEST}/links", "listChangeRequestLinks", "change-requests-links",
         change_requests.get_change_request, content_links.links_of_change_requests,
         ChangeRequestLinkArguments, LINK,
         beside={"stats": (content_links.link_stats_of_change_requests, STATS)}),
    page(f"{SPACE}{PAGE}/links", "listPageLinksInSpace", "space-content", pages.get_page,
         content_links.links_of_pages, LinkArguments, LINK,
         beside={"stats": (content_links.link_stats_of_pages, STATS)}, unused=OF_SPACE),
    page(f"{REQUEST}{PAGE}/links", "listPageLinksInChangeRequest", "change-request-content",
         pages.get_page, content_links.links_of_pages, LinkArguments, LINK,
         beside={"stats": (content_links.link_stats_of_pages, STATS)}, unused=OF_REQUEST),
    page(f"{SPACE}{PAGE}/backlinks", "listSpacePageBacklinks", "space-content", pages.get_page,
         backlinks.backlinks_of_pages, PageArguments, LOCATION, unused=OF_SPACE),
    page(f"{REQUEST}{PAGE}/backlinks", "listChangeRequestPageBacklinks", "change-request-content",
         pages.get_page, backlinks.backlinks_of_pages, PageArguments, LOCATION, unused=OF_REQUEST),
    page(f"{SPACE}{FILE}/backlinks", "listSpaceFileBacklinks", "space-content", files.get_file,
         backlinks.backlinks_of_files, PageArguments, LOCATION, unused=OF_SPACE),
    page(f"{REQUEST}{FILE}/backlinks", "listChangeRequestFileBacklinks", "change-request-content",
         files.get_file, backlinks.backlinks_of_files, PageArguments, LOCATION, unused=OF_REQUEST),
)  # fmt: skip
