const SCHEMA = {
  type: "object",
  properties: {
    beta: { type: "boolean", description: "Sees what is new" },
    plan: { type: "string", description: "What is paid for", enum: ["free", "team"] },
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { language: { type: "string", description: "Language", enum: ["en", "fr"] } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

// A site from its creation to its end, with all that can stand on it and be set.
export async function buildSite(call, { organization }) {
  const spaces = [];
  for (const title of ["One", "Two", "Three", "Four"]) {
    spaces.push((await call("createSpace", organization, { title })).id);
  }
  const made = { title: "Ours", visibility: "public", spaces: [spaces[0]] };
  const { id } = await call("createSite", organization, made);
  const site = [organization, id];
  await call("listSites", organization, { limit: 2 });
  await call("getSiteById", ...site);
  await call("updateSiteById", ...site, { title: "Our site", visibility: "unlisted" });
  await call("publishSite", ...site);
  await arrange(call, site, spaces);
  await decorate(call, site);
  await address(call, site, spaces);
  await call("getSiteStructure", ...site);
  await call("getPublishedContentSite", ...site);
  await call("getSitePublishingPreviewById", ...site);
  await call("unpublishSite", ...site);
  await call("deleteSiteById", ...site);
  await call("deleteSiteById", ...site);
}

async function arrange(call, site, [, second, third, fourth]) {
  const added = await call("addSpaceToSite", ...site, { spaceId: second });
  await call("updateSiteSpaceById", ...site, added.id, { path: "second" });
  await call("listSiteSpaces", ...site);
  const { items } = await call("listSiteSpaces", ...site, { default: true });
  await call("moveSiteSpace", ...site, added.id, { position: { before: { type: "site-space", siteSpace: items[0].id } } });
  const section = await call("addSectionToSite", ...site, { spaceId: third, title: "Third" });
  const last = await call("addSectionToSite", ...site, { spaceId: fourth, title: "Fourth" });
  await call("updateSiteSectionById", ...site, section.id, { title: "The third", path: "third" });
  await call("moveSiteSection", ...site, section.id, { position: { after: { type: "site-section", siteSection: last.id } } });
  await call("listSiteSections", ...site);
  const group = await call("addSectionGroupToSite", ...site, { title: "Group", sections: [last.id] });
  await call("updateSiteSectionGroupById", ...site, group.id, { title: "A group" });
  await call("addSectionToGroup", ...site, group.id, { sectionId: section.id });
  await call("removeSectionFromGroup", ...site, group.id, section.id);
  await call("listSiteSectionGroups", ...site);
  await call("moveSiteSectionGroup", ...site, group.id, { position: { before: { type: "site-section", id: section.id } } });
  const item = { type: "site-section", id: section.id };
  const before = { type: "site-section-group", id: group.id };
  await call("sortSiteStructure", ...site, { item, position: { before } });
  await call("getSiteStructure", ...site);
  await call("getPublishedContentSite", ...site);
  await call("deleteSiteSectionById", ...site, section.id);
  await call("deleteSiteSectionGroupById", ...site, group.id);
  await call("deleteSiteSpaceById", ...site, added.id);
}

async function decorate(call, site) {
  const look = await call("getSiteCustomizationById", ...site);
  await call("updateSiteCustomizationById", ...site, look);
  const { items } = await call("listSiteSpaces", ...site);
  const own = [...site, items[0].id];
  await call("overrideSiteSpaceCustomizationById", ...own, { title: "Own title" });
  await call("getSiteSpaceCustomizationById", ...own);
  await call("getPublishedContentSite", ...site);
  await call("deleteSiteSpaceCustomizationById", ...own);
  const server = { name: "Weather", url: "https://mcp.example/sse", headers: { "X-Key": "secret" } };
  const { id } = await call("createSiteMcpServer", ...site, server);
  await call("updateSiteMcpServerById", ...site, id, { name: "Tides" });
  await call("getSiteMcpServerById", ...site, id);
  await call("listSiteMcpServers", ...site);
  await call("deleteSiteMcpServerById", ...site, id);
  await call("listPermissionsAggregateInSite", ...site);
  await call("listSiteIntegrations", ...site);
  await call("listSiteIntegrationScripts", ...site);
}

async function address(call, site, [space]) {
  const link = await call("createSiteShareLink", ...site, { name: "For friends" });
  await call("updateSiteShareLinkById", ...site, link.id, { name: "For all", active: false });
  await call("listSiteShareLinks", ...site);
  await call("deleteSiteShareLinkById", ...site, link.id);
  await call("updateSiteAdaptiveSchema", ...site, { jsonSchema: SCHEMA });
  await call("getSiteAdaptiveSchema", ...site);
  await call("listSiteAdaptiveTemplateConditions", ...site);
  const { items } = await call("listSiteSpaces", ...site);
  const destination = { kind: "site-space", siteSpaceId: items[0].id };
  const redirect = await call("createSiteRedirect", ...site, { source: "/old", destination });
  await call("updateSiteRedirectById", ...site, redirect.id, { source: "/older", destination });
  await call("listSiteRedirects", ...site);
  await call("getSiteRedirectBySource", ...site, { source: "/older" });
  await call("deleteSiteRedirectById", ...site, redirect.id);
  await call("getSitePublishingAuthById", ...site);
  await call("updateSitePublishingAuthById", ...site, {
    backend: "custom", fallbackURL: "https://login.example/start",
  });
  await call("regenerateSitePublishingAuthById", ...site);
  await call("getContentByUrl", { url: (await call("getSpaceById", space)).urls.app });
}
