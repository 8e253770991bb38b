/** What the editor reads and writes of the graph. */

import type { Client } from 'urql';
import { ViewerDocument } from '../graph/generated/graphql.ts';
import { graphql } from '../graph/generated/index.ts';
import { sendFile } from '../graph/upload.ts';
import { type Version, versionArguments } from '../place.ts';
import { codeOf, kindOf, messageOf } from '../ui/failure.tsx';
import type { Texts } from '../texts/en.ts';
import type { Edit } from './changes.ts';
import type { Json } from '../document/json.ts';
import type { Answer, Reading } from './saving.ts';
import type { CombinedError } from 'urql';

export const EDITED_PAGE = graphql(`
  query EditedPage($space: ID!, $page: ID!, $changeRequestId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId) {
      __typename
      id
      title
      path
      revision { id }
      permissions { edit }
      ... on DocumentPage { document links(first: 200) { nodes { ...ResolvedLink } } }
    }
  }
`);

export const MARKDOWN = graphql(`
  query MarkdownOfPage($space: ID!, $page: ID!, $changeRequestId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId) { id ... on DocumentPage { markdown } }
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
  const { nodes } = page.document as { nodes?: readonly Json[] };
  return { revision: page.revision.id, title: page.title, blocks: nodes ?? [] };
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

/** Whether this person is still who is signed in; of another one, who then has this page to read anew, nothing is written. */
export async function isSamePerson(client: Client, person: string, texts: Texts): Promise<Answer<true>> {
  const { data, error } = await client.query(ViewerDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  if (error) return trouble(error, texts);
  return data?.viewer?.id === person ? { value: true } : { trouble: 'signedOut', message: texts.failures.signedOut.advice };
}

export async function writePage(
  client: Client, { space, page, version }: Edited, texts: Texts, edits: readonly Edit[], title: string | null, revision: string,
): Promise<Answer<string>> {
  const body = edits.length > 0 ? { body: { edits: edits as never } } : {};
  const input = {
    target: { space, changeRequest: versionArguments(version).changeRequestId },
    expectedRevision: revision,
    operations: [{ updatePage: { page, ...(title === null ? {} : { title }), ...body } }],
  };
  const { data, error } = await client.mutation(APPLY, { input }).toPromise();
  if (error) return codeOf(error) === 'CONFLICT' ? { conflict: true } : trouble(error, texts);
  const made = data?.applyContentChanges?.revision.id;
  return made === undefined ? { trouble: 'server', message: texts.failures.server.advice } : { value: made };
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
  const made = (await client.mutation(APPLY, { input }).toPromise()).data?.applyContentChanges?.created[0]?.contentId;
  if (made === undefined) return null;
  const there = (await client.query(FILE, { space, file: made, changeRequestId }, { requestPolicy: 'network-only' }).toPromise()).data?.file;
  return there ? { id: made, name: there.name, contentType: there.contentType, size: there.size, href: there.downloadURL } : null;
}
