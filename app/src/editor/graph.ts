/** What the editor reads and writes of the graph. */

import type { Client } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { sendFile } from '../graph/upload.ts';
import { type Version, versionArguments } from '../place.ts';
import { codeOf, kindOf, messageOf } from '../ui/failure.tsx';
import type { Texts } from '../texts/en.ts';
import { styleOf } from '../document/alerts.ts';
import type { Json } from '../document/json.ts';
import { type Blocks, portionsOf } from './changes.ts';
import type { Asked } from './pasted-markdown.ts';
import type { Answer, Reading, Sent } from './saving.ts';
import type { CombinedError } from 'urql';

export const HEAD = graphql(`
  fragment HeadOfPage on Page {
    __typename
    id
    title
    path
    revision { id }
    permissions { edit }
    ... on DocumentPage { links(first: 200) { nodes { ...ResolvedLink } pageInfo { hasNextPage endCursor } } }
  }
`);

export const EDITED_PAGE = graphql(`
  query EditedPage($space: ID!, $page: ID!, $changeRequestId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId) { ...HeadOfPage ... on DocumentPage { document } }
  }
`);

/** What is read anew whenever something happens: the text itself is read where its revision is another one. */
export const EDITED_HEAD = graphql(`
  query EditedHead($space: ID!, $page: ID!, $changeRequestId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId) { ...HeadOfPage }
  }
`);

const MARKDOWN = graphql(`
  query MarkdownOfPage($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) {
      id
      title
      revision { id }
      ... on DocumentPage { markdown document }
    }
  }
`);

/** What a page would be. The page has no id here: the cache is not to take it for the one that is there. */
const REHEARSE = graphql(`
  mutation RehearseEdit($input: ApplyContentChangesInput!) {
    applyContentChanges(input: $input) {
      revision { id }
      changes { __typename ... on PageChange { page { __typename title ... on DocumentPage { document } } } }
    }
  }
`);

const APPLY = graphql(`
  mutation EditContent($input: ApplyContentChangesInput!) {
    applyContentChanges(input: $input) { revision { id } created { ref contentId } }
  }
`);

const UPLOAD = graphql(`
  mutation UploadFile($space: ID!, $input: CreateFileUploadInput!) {
    createFileUpload(spaceId: $space, input: $input) { id url }
  }
`);

const FILE = graphql(`
  query UploadedFile($space: ID!, $file: ID!, $changeRequestId: ID) {
    file(spaceId: $space, id: $file, changeRequestId: $changeRequestId) { id name contentType size downloadURL dimensions { width height } }
  }
`);

export interface Edited {
  readonly space: string;
  readonly page: string;
  readonly version: Version;
}

type AnyPage = { readonly title: string; readonly revision: { readonly id: string } | null; readonly document?: unknown } | null | undefined;

export function readingOf(page: AnyPage): Reading | null {
  if (!page?.revision || page.document === undefined) return null;
  const document = page.document as Json;
  return { revision: page.revision.id, title: page.title, blocks: document.nodes ?? [], style: styleOf(document) };
}

export const variablesOf = ({ space, page, version }: Edited) => ({
  space, page, changeRequestId: versionArguments(version).changeRequestId,
});

const trouble = (error: CombinedError, texts: Texts): Answer<never> => ({ trouble: kindOf(error), message: messageOf(error, texts) });

export async function readPage(client: Client, edited: Edited, texts: Texts): Promise<Answer<Reading>> {
  const { data, error } = await client.query(EDITED_PAGE, variablesOf(edited), { requestPolicy: 'network-only' }).toPromise();
  if (error) return trouble(error, texts);
  const reading = readingOf(data?.page as AnyPage);
  return reading ? { value: reading } : { trouble: 'missing', message: texts.failures.missing.advice };
}

export async function writePage(
  client: Client, { space, page, version }: Edited, texts: Texts, { edits, title, revision, key }: Sent,
): Promise<Answer<string>> {
  const [first, ...further] = portionsOf(edits).map((portion) => ({ body: { edits: portion as never } }));
  const input = {
    target: { space, changeRequest: versionArguments(version).changeRequestId },
    expectedRevision: revision,
    operations: [{ ...(title === null ? {} : { title }), ...first }, ...further].map((change) => ({ updatePage: { page, ...change } })),
  };
  const { data, error } = await client.mutation(APPLY, { input }, { writeKey: key }).toPromise();
  if (error && kindOf(error) === 'unsure') return { trouble: 'resent', message: texts.failures.resent.advice };
  if (error) return codeOf(error) === 'CONFLICT' ? { conflict: true } : trouble(error, texts);
  const stored = data?.applyContentChanges?.revision.id;
  return stored === undefined ? { trouble: 'server', message: texts.failures.server.advice } : { value: stored };
}

export interface Uploaded {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly href: string;
}

/** Send the bytes to the address that the graph gives for them, and make a file of them. */
export async function uploadFile(client: Client, { space, version }: Edited, file: File): Promise<Uploaded | null> {
  const upload = (await client.mutation(UPLOAD, { space, input: { name: file.name, size: file.size } }).toPromise()).data?.createFileUpload;
  if (!upload || !(await sendFile(upload.url, file))) return null;
  const { changeRequestId } = versionArguments(version);
  const input = { target: { space, changeRequest: changeRequestId }, operations: [{ createFile: { ref: 'file', upload: upload.id } }] };
  const created = (await client.mutation(APPLY, { input }).toPromise()).data?.applyContentChanges?.created[0]?.contentId;
  if (created === undefined) return null;
  const there = (await client.query(FILE, { space, file: created, changeRequestId }, { requestPolicy: 'network-only' }).toPromise()).data?.file;
  return there ? { id: created, name: there.name, contentType: there.contentType, size: there.size, href: there.downloadURL } : null;
}

const targetOf = ({ space, version }: Edited) => ({ space, changeRequest: versionArguments(version).changeRequestId });

/** What the server says of a value, as a sentence, without the way to it. */
function problemOf(error: CombinedError, texts: Texts): string {
  const fields = error.graphQLErrors[0]?.extensions['fields'] as readonly { message?: string }[] | undefined;
  const said = fields?.[0]?.message;
  return said ? `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.` : messageOf(error, texts);
}

/** What is wrong with an expression; null when nothing is, or nobody knows now. The page itself is not changed. */
export async function checkExpression(client: Client, edited: Edited, texts: Texts, condition: string): Promise<string | null> {
  if (!condition.trim()) return texts.editor.noExpression;
  const input = { target: targetOf(edited), dryRun: true, operations: [{ updatePage: { page: edited.page, condition } }] };
  const { error } = await client.mutation(REHEARSE, { input }).toPromise();
  return error && kindOf(error) === 'refused' ? problemOf(error, texts) : null;
}

/** A page as it was read, with its Markdown. */
export interface Source extends Reading {
  readonly markdown: string;
}

/** The page as it is now, or as a revision has it. */
export async function readSource(client: Client, edited: Edited, texts: Texts, revision: string | null = null): Promise<Answer<Source>> {
  const { space, page, changeRequestId } = variablesOf(edited);
  const of = revision === null ? { changeRequestId } : { revisionId: revision };
  const { data, error } = await client.query(MARKDOWN, { space, page, ...of }, { requestPolicy: 'network-only' }).toPromise();
  if (error) return trouble(error, texts);
  const there = data?.page;
  const reading = readingOf(there as AnyPage);
  return reading && there && 'markdown' in there
    ? { value: { ...reading, markdown: there.markdown } }
    : { trouble: 'missing', message: texts.failures.missing.advice };
}

/** What the page would be by another body; null where it would stay the same. Nothing is written. */
async function rehearsed(client: Client, edited: Edited, texts: Texts, body: unknown, expectedRevision?: string): Promise<Answer<Reading | null>> {
  const operations = [{ updatePage: { page: edited.page, body: body as never } }];
  const input = { target: targetOf(edited), dryRun: true, operations, ...(expectedRevision === undefined ? {} : { expectedRevision }) };
  const { data, error } = await client.mutation(REHEARSE, { input }).toPromise();
  if (error && codeOf(error) === 'CONFLICT') return { conflict: true };
  if (error) return { trouble: kindOf(error), message: kindOf(error) === 'refused' ? problemOf(error, texts) : messageOf(error, texts) };
  const done = data?.applyContentChanges;
  if (!done) return { trouble: 'server', message: texts.failures.server.advice };
  for (const change of done.changes) {
    if (change.__typename !== 'PageChange' || change.page.__typename !== 'DocumentPage') continue;
    return { value: readingOf({ ...change.page, revision: done.revision }) };
  }
  return { value: null };
}

/** What the server reads in a text that is to be the page; null where the page is just that. */
export const readMarkdown = (client: Client, edited: Edited, texts: Texts, markdown: string): Promise<Answer<Reading | null>> =>
  rehearsed(client, edited, texts, { markdown });

/** The blocks of the page with what the server reads in a block of text; null where it is just that. */
export async function readInPlace(client: Client, edited: Edited, texts: Texts, { key, markdown, revision }: Asked): Promise<Answer<Blocks | null>> {
  const answer = await rehearsed(client, edited, texts, { edits: [{ replace: { key, content: { markdown } } }] }, revision);
  return 'value' in answer ? { value: answer.value?.blocks ?? null } : answer;
}
