// What an organization has beside its content: specifications, translations, fonts, integrations.

export async function describeApis(call, { organization, other, everyKind, callerWith }) {
  const own = callerWith(everyKind.token);
  // Of the seed: it has a version, which a job has made.
  const specs = await own("listOpenAPISpecs", other, { limit: 10 });
  for (const { slug } of specs.items) {
    await own("getOpenAPISpecBySlug", other, slug);
    const versions = await own("listOpenAPISpecVersions", other, slug, { limit: 5 });
    await own("getLatestOpenAPISpecVersion", other, slug);
    await own("getLatestOpenAPISpecVersionContent", other, slug);
    for (const { id } of versions.items) {
      await own("getOpenAPISpecVersionById", other, slug, id);
      await own("getOpenAPISpecVersionContentById", other, slug, id);
    }
  }
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Flow", version: "1" },
    paths: {},
  });
  const source = { url: "https://api.example/openapi.json" };
  await call("createOpenAPISpec", organization, { slug: "flow", source });
  await call("createOrUpdateOpenAPISpecBySlug", organization, "flow", { source: { text } });
  await call("updateOpenAPISpecBySlug", organization, "flow", { visibility: "public" });
  await call("deleteOpenAPISpecBySlug", organization, "flow");
}

export async function translate(call, { other, everyKind, callerWith }) {
  const own = callerWith(everyKind.token);
  const text = { object: "text", leaves: [{ object: "leaf", text: "Say du.", marks: [] }] };
  const paragraph = { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [text] };
  const instructions = { object: "document", data: {}, nodes: [paragraph] };
  await own("updateGlossaryEntries", other, {
    operations: [{ type: "insert", translations: { en: "flow", de: "Fluss" } }],
  });
  const entries = await own("listGlossaryEntries", other, { limit: 10 });
  for (const { id } of entries.items) await own("getGlossaryEntry", other, id);
  const space = await own("createSpace", other, { title: "To translate" });
  const made = await own("createTranslation", other, {
    source: { space: space.id, language: "en" },
    language: "fr",
  });
  await own("listTranslations", other, { limit: 10 });
  await own("getTranslation", other, made.id);
  await own("updateTranslation", other, made.id, { instructions });
  for (const { id, status } of (await own("listTranslations", other)).items) {
    if (status === "completed") await own("runTranslation", other, id);
  }
  await own("deleteTranslation", other, made.id);
  await own("getOrganizationAgentInstructions", other);
  await own("updateOrganizationAgentInstructions", other, { instructions });
  await own("getApiInformation");
}

export async function uploadFonts(call, { other, everyKind, callerWith }) {
  const own = callerWith(everyKind.token);
  const file = { name: "a.woff2", type: "font/woff2", size: 3 };
  await own("generateStorageUploadURL", other, { file, kind: "customization_font" });
  const font = await own("createCustomFont", other, {
    fontFamily: "Flow",
    fontFaces: [{ weight: 400, storageKey: everyKind.storageKey }],
  });
  await own("listCustomFonts", other, { limit: 10 });
  await own("getCustomFont", other, font.id);
  await own("updateCustomFont", other, font.id, { fontFamily: "Flowing" });
  await own("deleteCustomFont", other, font.id);
}

const SCRIPT = `
const element = { type: "block", children: [{ type: "text", children: ["drawn"] }] };
export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get("event"));
  console.log(event.type);
  return event.type === "ui_render"
    ? Response.json({ type: "element", element, state: {}, props: event.props })
    : new Response("OK");
} };`;

export async function integrate(call, { base, token, organization, template, site, compressed, callerWith }) {
  const name = "flow";
  const siteId = site.split("/sites/")[1].split("/")[0];
  await call("publishIntegration", name, {
    organization,
    title: "Flow",
    description: "Flows",
    script: SCRIPT,
    scopes: ["space:content:read"],
    blocks: [{ id: "box", title: "Box" }],
  });
  await call("listIntegrations", { limit: 10 });
  await call("getIntegrationByName", name);
  const installed = await call("installIntegration", name, { organization });
  const at = [name, installed.id];
  await call("updateIntegrationInstallation", ...at, { externalIds: ["T1"] });
  await call("installIntegrationOnSpace", ...at, { space: template });
  await call("installIntegrationOnSite", ...at, { siteId });
  await call("updateIntegrationSpaceInstallation", ...at, template, { externalIds: ["S1"] });
  await call("updateIntegrationSiteInstallation", ...at, siteId, { externalIds: ["S2"] });
  await call("getIntegrationInstallationById", ...at);
  await call("listIntegrationInstallationSpaces", ...at, { limit: 10 });
  await call("listIntegrationInstallationSites", ...at, { limit: 10 });
  await call("getIntegrationSpaceInstallation", ...at, template);
  await call("getIntegrationSiteInstallation", ...at, siteId);
  const context = { type: "document", spaceId: template, theme: "light", editable: false };
  const request = { componentId: "box", props: {}, context };
  await call("renderIntegrationUIWithPost", name, request);
  await call("renderIntegrationUIWithGet", name, { request: compressed });
  const events = await call("listIntegrationEvents", name, { limit: 10 });
  for (const { id } of events.items.slice(0, 2)) await call("getIntegrationEvent", name, id);
  await call("listOrganizationIntegrations", organization, { limit: 10 });
  await call("listOrganizationIntegrationsStatus", organization, { limit: 10 });
  await call("getOrganizationIntegrationStatus", organization, name);
  await call("listOrganizationInstallations", organization, { limit: 10 });
  await call("listSiteIntegrations", organization, siteId, { limit: 10 });
  await call("listSiteIntegrationScripts", organization, siteId);
  await call("listSpaceIntegrations", template, { limit: 10 });
  await call("listSpaceIntegrationsBlocks", template, { limit: 10 });
  // The program has a token of its own, which only this server's addition gives out.
  const answer = await fetch(`${base}/v1/integrations/${name}/token`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
  });
  const program = callerWith((await answer.json()).token);
  await program("listIntegrationInstallations", name, { limit: 10 });
  await program("listIntegrationSpaceInstallations", name, { limit: 10 });
  await program("listIntegrationSiteInstallations", name, { limit: 10 });
  await program("createIntegrationInstallationToken", ...at);
  await program("queueIntegrationTask", name, { task: { go: true }, schedule: 60 });
  await call("setIntegrationDevelopmentMode", name, { tunnelUrl: "https://tunnel.example/" });
  await call("disableIntegrationDevelopmentMode", name);
  await call("uninstallIntegrationFromSpace", ...at, template);
  await call("uninstallIntegrationFromSite", ...at, siteId);
  await call("uninstallIntegration", ...at);
  await call("unpublishIntegration", name);
}
