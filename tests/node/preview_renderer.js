// Reads previews as a renderer of published sites does, through the published client, unmodified.
//
//   node preview_renderer.js PACKAGE < {"base", "addresses", "paths"}
//
// It resolves what stands before the first segment `~` of an address, and reads the change request
// or revision behind it with the token that it got. Prints for each address what came through, and
// all exchanges; the caller compares and validates them.
const { GitBookAPI } = await import(process.argv[2]);
const input = JSON.parse(await new Response(process.stdin).text());
const exchanges = [];

function reader(token) {
  const api = new GitBookAPI({
    endpoint: input.base,
    authToken: token,
    serviceBinding: { fetch: recorded },
  });
  return { api, async read(group, operation, ...values) {
    current = operation;
    try {
      return (await api[group][operation](...values)).data;
    } catch (error) {
      if (error.constructor.name !== "GitBookAPIError") throw error;
      return null;
    }
  } };
}

let current = null;

async function recorded(...request) {
  const response = await fetch(...request);
  const text = await response.clone().text();
  const json = (response.headers.get("content-type") ?? "").includes("json") && text !== "";
  exchanges.push({
    operation: current,
    url: String(request[0]),
    status: response.status,
    body: json ? JSON.parse(text) : null,
  });
  return response;
}

function* nodesOf(value) {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (value !== null && typeof value === "object") {
    yield value;
    for (const one of Object.values(value)) yield* nodesOf(one);
  }
}

function* below(pages) {
  for (const page of pages) {
    yield page;
    yield* below(page.pages ?? []);
  }
}

const downloads = new Map();

async function download(url) {
  if (!downloads.has(url)) {
    const response = await fetch(url);
    downloads.set(url, {
      status: response.status, length: (await response.arrayBuffer()).byteLength,
    });
  }
  return downloads.get(url);
}

// One document with what it refers to: reusable contents, files, people, embeds.
async function rendered(context, document, shown) {
  for (const node of nodesOf(document?.nodes ?? [])) {
    if (node.kind === "file") {
      const file = context.revision.files.find(({ id }) => id === node.file);
      shown.files[node.file] = file === undefined ? null : await download(file.downloadURL);
    } else if (node.kind === "user") {
      await context.read("users", "getUserById", node.user);
    } else if (node.kind === "reusable-content" && !(node.reusableContent in shown.reusable)) {
      const inside = node.space && node.space !== context.space.id
        ? await contextOf(context, node.space) : context;
      const found = inside?.revision.reusableContents.find(({ id }) => id === node.reusableContent);
      shown.reusable[node.reusableContent] = null;
      if (found === undefined) continue;
      const body = await inside.read(
        "spaces", "getReusableContentDocumentInRevisionById", inside.space.id, inside.revision.id,
        found.id, { evaluated: "deterministic-only" },
      );
      shown.reusable[node.reusableContent] = body;
      await rendered(inside, body, shown);
    } else if (node.type === "embed" && typeof node.data?.url === "string") {
      await context.read("spaces", "getEmbedByUrlInSpace", context.space.id, { url: node.data.url });
    }
  }
}

// The space with the content that is shown of it.
async function contextOf({ read }, spaceId, changeRequestId, revisionId) {
  const space = await read("spaces", "getSpaceById", spaceId, { shareKey: undefined });
  const request = changeRequestId === undefined
    ? null : await read("spaces", "getChangeRequestById", spaceId, changeRequestId);
  if (space === null || (changeRequestId !== undefined && request === null)) return null;
  const revision = await read(
    "spaces", "getRevisionById", spaceId, revisionId ?? request?.revision ?? space.revision,
    { metadata: true },
  );
  return revision === null ? null : { read, space, request, revision };
}

// A path that is not in the tree: a redirect of the site, else one of the content.
async function sought(context, site, path) {
  const led = await context.read(
    "orgs", "getSiteRedirectBySource", site.organization, site.site,
    { source: `/${path}`, shareKey: undefined },
  );
  if (led !== null) return { target: led.target };
  const page = await context.read(
    "spaces", "getPageInRevisionByPath", context.space.id, context.revision.id,
    encodeURIComponent(path), {},
  );
  return page === null ? null : { page: page.id };
}

async function preview(address) {
  const url = new URL(address);
  const segments = url.pathname.slice(1).split("/");
  const tilde = segments.indexOf("~");
  url.pathname = segments.slice(0, tilde).join("/");
  const { read: ask } = reader(null);
  const found = await ask("urls", "resolvePublishedContentByUrl", {
    url: url.toString(), redirectOnError: false,
  });
  if (found === null || "redirect" in found) return { found };
  const [kind, name] = segments.slice(tilde + 1);
  const { read } = reader(found.apiToken);
  const ids = kind === "changes" ? [name, undefined] : [undefined, name];
  const site = await read(
    "orgs", "getPublishedContentSite", found.organization, found.site, { shareKey: undefined },
  );
  const context = await contextOf({ read }, found.space, ...ids);
  if (context === null) return { found, site: site !== null, context: null };
  const { space, request, revision } = context;
  const shown = { pages: {}, markdown: {}, reusable: {}, files: {}, paths: {} };
  for (const page of below(revision.pages)) {
    if (page.cover?.ref) await rendered(context, { nodes: [page.cover] }, shown);
    if (page.type !== "document") continue;
    const document = await read(
      "spaces", "getPageDocumentInRevisionById", space.id, revision.id, page.id,
      { evaluated: "deterministic-only" },
    );
    const { markdown } = await read(
      "spaces", "getPageInRevisionById", space.id, revision.id, page.id, { format: "markdown" },
    );
    shown.pages[page.id] = document;
    shown.markdown[page.id] = typeof markdown;
    await rendered(context, document, shown);
  }
  for (const path of input.paths[address] ?? []) {
    shown.paths[path] = await sought(context, found, path);
  }
  // The tab that is left open asks again whether the draft has changed.
  if (request !== null) await read("spaces", "getChangeRequestById", space.id, name);
  await read("orgs", "searchSiteContent", found.organization, found.site, {
    query: "the", scope: { mode: "default", currentSiteSpace: found.siteSpace },
  });
  return {
    found, site: site !== null, space: space.id, request: request?.number ?? null,
    revision: revision.id, tree: [...below(revision.pages)].map(({ id, path }) => [id, path ?? null]),
    ...shown,
  };
}

const shown = {};
for (const address of input.addresses) shown[address] = await preview(address);
console.log(JSON.stringify({ shown, exchanges }));
