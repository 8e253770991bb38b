// What a renderer of published sites asks, as a visitor: first where an address leads, then with
// the token that it got.
export async function visitSites(call, { site: url, everyKind, hostname, subdomain, callerWith }) {
  await call("getPublishedContentByUrl", { url });
  const found = await call("resolvePublishedContentByUrl", { url, visitor: {} });
  const owner = callerWith(everyKind.token);
  await owner("getSubdomain", subdomain);
  await owner("getCustomHostname", hostname);
  await owner("dnsRevalidateCustomHostname", hostname);
  await owner("removeCustomHostname", hostname);
  const visit = callerWith(found.apiToken);
  const site = [found.organization, found.site];
  const published = await visit("getPublishedContentSite", ...site);
  await visit("getSiteById", ...site);
  const space = await visit("getSpaceById", found.space);
  const revision = await visit("getCurrentRevision", found.space);
  for (const page of revision.pages) {
    await visit("getPageById", space.id, page.id, { format: "document" });
    await visit("getPageById", space.id, page.id, { format: "markdown" });
    await visit("getPageByPath", space.id, encodeURIComponent(page.path));
  }
  await visit("listFiles", space.id);
  await visit("searchSpaceContent", space.id, { query: "gauge" });
  const scope = { mode: "default", currentSiteSpace: found.siteSpace };
  await visit("searchSiteContent", ...site, { query: "gauge", scope });
  await visit("searchSiteContent", ...site, { query: "a", scope: { mode: "all" } });
  await visit("trackEventsInSiteById", ...site, { events: [event(found, url)] });
  void published;
  await reckon(call, site);
}

function event(found, url) {
  const session = {
    visitorId: "visitor", sessionId: "session", cookies: {}, userAgent: "", language: null,
    referrer: null,
  };
  const location = {
    url, siteSection: found.siteSection ?? null, siteSpace: found.siteSpace, siteShareKey: null,
    space: found.space, revision: null, page: null,
  };
  return { type: "page_view", session, location };
}

async function reckon(call, site) {
  const day = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
  await call("aggregateSiteEvents", ...site, {
    select: [{ column: "visitorsCount" }],
    groupBy: [{ column: "page" }],
    range: { from: day(7), to: day(-1) },
  });
  await call("listSiteVisitorSegments", ...site);
}
