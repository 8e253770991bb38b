const FORMS = [{}, { format: "document" }, { format: "markdown" }];

function* below(pages) {
  for (const page of pages) {
    yield page;
    yield* below(page.pages ?? []);
  }
}

// Pages of every space, in the three places where content is read.
export async function readContent(call, { organization }) {
  const spaces = await call("listSpacesInOrganizationById", organization, { limit: 100 });
  await call("searchOrganizationContent", organization, { query: "gauge" });
  await call("listChangeRequestsForOrganization", organization);
  for (const { id } of spaces.items) {
    const space = await call("getSpaceById", id);
    const revision = await call("getCurrentRevision", id);
    await call("getRevisionById", id, revision.id, { metadata: false });
    await call("getRevisionSemanticChanges", id, revision.id, { limit: 100 });
    await call("listPagesInRevisionById", id, revision.id);
    await call("searchSpaceContent", id, { query: "the" });
    await call("listSpaceLinks", id);
    await call("getSpacePDF", id);
    const { pages } = await call("listPages", id);
    const documents = [...below(pages)].filter(({ type }) => type === "document").slice(0, 6);
    for (const [index, page] of documents.entries()) {
      const form = FORMS[index % FORMS.length];
      await call("getPageById", id, page.id, form);
      await call("getPageByPath", id, encodeURIComponent(page.path), form);
      await call("getPageInRevisionById", id, revision.id, page.id, form);
      await call("getPageInRevisionByPath", id, revision.id, encodeURIComponent(page.path), form);
      await call("getPageDocumentInRevisionById", id, revision.id, page.id);
      await call("listPageLinksInSpace", id, page.id);
      await call("listSpacePageBacklinks", id, page.id);
      const { documentId } = await call("getPageById", id, page.id);
      if (documentId) await call("getDocumentById", id, documentId);
    }
    const files = await call("listFiles", id);
    await call("listFilesInRevisionById", id, revision.id);
    for (const file of files.items.slice(0, 5)) {
      await call("getFileById", id, file.id);
      await call("getFileInRevisionById", id, revision.id, file.id);
      await call("listSpaceFileBacklinks", id, file.id);
    }
    for (const reusable of revision.reusableContents) {
      await call("getReusableContentById", id, reusable.id);
      await call("getReusableContentInRevisionById", id, revision.id, reusable.id);
      await call("getReusableContentDocumentInRevisionById", id, revision.id, reusable.id);
    }
    await readChangeRequests(call, space.id);
  }
}

async function readChangeRequests(call, id) {
  const { items } = await call("listChangeRequestsForSpace", id, { status: "open" });
  const drafts = await call("listChangeRequestsForSpace", id);
  for (const request of [...items, ...drafts.items].slice(0, 4)) {
    await call("getChangeRequestById", id, request.id);
    const revision = await call("getRevisionOfChangeRequestById", id, request.id);
    await call("getChangeRequestChanges", id, request.id);
    await call("listPagesInChangeRequest", id, request.id);
    await call("listChangeRequestLinks", id, request.id);
    await call("getChangeRequestPDF", id, request.id);
    const [page] = [...below(revision.pages)].filter(({ type }) => type === "document");
    await call("getPageInChangeRequestById", id, request.id, page.id, { format: "document" });
    const path = encodeURIComponent(page.path);
    await call("getPageInChangeRequestByPath", id, request.id, path, { format: "markdown" });
    await call("listPageLinksInChangeRequest", id, request.id, page.id);
    await call("listChangeRequestPageBacklinks", id, request.id, page.id);
    const files = await call("listFilesInChangeRequestById", id, request.id);
    for (const file of files.items.slice(0, 2)) {
      await call("getFileInChangeRequestById", id, request.id, file.id);
      await call("listChangeRequestFileBacklinks", id, request.id, file.id);
    }
    for (const reusable of revision.reusableContents.slice(0, 2)) {
      await call("getReusableContentInChangeRequestById", id, request.id, reusable.id);
    }
    await call("getContributorsByChangeRequestId", id, request.id);
  }
}

// Imports into a space, a page and change requests, from a server beside this one.
export async function writeContent(call, { organization, template, everyKind, files, callerWith }) {
  await readEveryKind(callerWith(everyKind.token), everyKind);
  const space = await call("createSpace", organization, { title: "Imported" });
  const body = { url: `${files}guide.md`, source: "markdown" };
  await call("importContent", space.id, body);
  const source = { type: "website", url: `${files}guide.md` };
  const run = await call("startImportRun", organization, { source, target: { space: space.id } });
  await call("listImportRuns", organization);
  await call("getImportRun", organization, run.id);
  await call("cancelImportRun", organization, run.id);
  const { pages } = await call("listPages", space.id);
  const [{ id: page }] = pages;
  await call("importContentInPageById", space.id, page, body);
  const request = await call("createChangeRequest", space.id, { subject: "Import more" });
  await call("importContentInChangeRequest", space.id, request.id, body);
  await call("importContentInChangeRequestPageById", space.id, request.id, page, body);
  await call("getChangeRequestChanges", space.id, request.id, { limit: 100 });
  await call("applyTemplateToSpace", space.id, { id: template });
  await call("getEmbedByUrl", { url: `${files}page.html` });
  await call("getEmbedByUrlInSpace", space.id, { url: `${files}page.html` });
  await call("getEmbedByUrlInSpace", space.id, { url: `${files}missing.html` });
}

// A page with every kind of block, and the reads that a space of the demo may have no example of.
async function readEveryKind(call, { space, reusable, source }) {
  const revision = await call("getCurrentRevision", space);
  for (const page of below(revision.pages)) {
    for (const form of FORMS) await call("getPageById", space, page.id, form);
    if (page.type !== "document") continue;
    for (const evaluated of [true, "deterministic-only", false]) {
      await call("getPageDocumentInRevisionById", space, revision.id, page.id, { evaluated });
    }
  }
  await call("getReusableContentById", space, reusable);
  await call("getReusableContentInRevisionById", space, revision.id, reusable);
  await call("getReusableContentDocumentInRevisionById", space, revision.id, reusable);
  const request = await call("createChangeRequest", space, { subject: "Look" });
  await call("getReusableContentInChangeRequestById", space, request.id, reusable);
  await call("getComputedDocument", space, { source, seed: "seed" });
  await call("getComputedRevision", space, { source, seed: "seed" });
}
