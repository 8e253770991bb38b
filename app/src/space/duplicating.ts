/** A page once more, with all that it has; also what stands below it. */

import type { Client, CombinedError } from 'urql';
import type { ContentOperationInput, PageCoverInput, PageLayoutInput, PagesToCopyQuery } from '../graph/generated/graphql.ts';
import { graphql } from '../graph/generated/index.ts';

const COPIED = graphql(`
  query PagesToCopy($ids: [ID!]!, $below: Boolean!) {
    nodes(ids: $ids) {
      __typename
      id
      ... on DocumentPage {
        title emoji icon hidden
        description document noIndex noRobotsIndex condition variables cover
        layout { width cover coverSize title description tableOfContents outline pagination metadata coverMask tags actions anchors }
        pages(first: 200) @include(if: $below) { nodes { __typename id } }
      }
      ... on GroupPage {
        title emoji icon hidden
        noIndex noRobotsIndex
        pages(first: 200) @include(if: $below) { nodes { __typename id } }
      }
      ... on LinkPage { title emoji icon hidden target }
    }
  }
`);

/** Pages that are copied at once: as many operations as one write may have. */
export const MOST_COPIED = 200;
/** Pages that are read at once. */
const PORTION = 20;

type Copied = Extract<NonNullable<PagesToCopyQuery['nodes'][number]>, { __typename: 'DocumentPage' | 'GroupPage' | 'LinkPage' }>;
/** Where the first copy stands, and what it is called. */
type Place = Pick<NonNullable<ContentOperationInput['createPage']>, 'title' | 'parent' | 'position'>;
type Copy = { readonly operations: readonly ContentOperationInput[]; readonly error?: undefined } | { readonly operations: null; readonly error: CombinedError | undefined };

export class TooMany extends Error {}
export class GivenUp extends Error {}

const constant = (word: string): string => word.toUpperCase().replaceAll('-', '_');

function inputOf(page: Copied): NonNullable<ContentOperationInput['createPage']> {
  const common = { title: page.title, emoji: page.emoji, icon: page.icon, hidden: page.hidden };
  if (page.__typename === 'LinkPage') return { ...common, type: 'LINK', target: page.target };
  if (page.__typename === 'GroupPage') return { ...common, type: 'GROUP', noIndex: page.noIndex, noRobotsIndex: page.noRobotsIndex };
  const { description, noIndex, noRobotsIndex, condition, variables, cover, layout, document } = page;
  const { width, coverSize, coverMask, ...shown } = layout;
  const sizes = { width: constant(width), coverSize: constant(coverSize), coverMask: constant(coverMask) } as PageLayoutInput;
  const { ref, refDark, yPos } = (cover ?? {}) as PageCoverInput;
  return {
    ...common, type: 'DOCUMENT', description, noIndex, noRobotsIndex, condition, variables, layout: { ...shown, ...sizes },
    ...(cover ? { cover: { ref, refDark, yPos } } : {}), body: { document },
  };
}

/** How far reading is: pages that are read, of those that are known to be copied. */
export interface Reading {
  readonly signal: AbortSignal;
  readonly onRead: (read: number, all: number) => void;
}

/**
 * Operations that make a copy of a page at a place, each page before those below it; `TooMany` when more is below it than is
 * copied at once, `GivenUp` when somebody has cancelled it. 20 pages are one request, so their number is bounded by that of
 * the pages and of the levels.
 */
export async function copyOf(client: Client, page: string, place: Place, withBelow: boolean, { signal, onRead }: Reading): Promise<Copy> {
  const operations: ContentOperationInput[] = [];
  let waiting: { id: string; place: Partial<Place> }[] = [{ id: page, place }];
  while (waiting.length > 0) {
    const portion = waiting.slice(0, PORTION);
    waiting = waiting.slice(PORTION);
    const { data, error } = await client.query(COPIED, { ids: portion.map(({ id }) => id), below: withBelow }, { requestPolicy: 'network-only' }).toPromise();
    if (signal.aborted) throw new GivenUp();
    if (!data) return { operations: null, error };
    for (const [at, read] of data.nodes.entries()) {
      const source = portion[at];
      // What has gone meanwhile is not copied, unless it is the page itself.
      if (source === undefined || read === null || (read.__typename !== 'DocumentPage' && read.__typename !== 'GroupPage' && read.__typename !== 'LinkPage')) {
        if (operations.length === 0) return { operations: null, error };
        continue;
      }
      const ref = `copy${operations.length}`;
      operations.push({ createPage: { ...inputOf(read), ...source.place, ref } });
      const below = 'pages' in read ? (read.pages?.nodes ?? []) : [];
      for (const next of below) if (next.__typename !== 'ComputedPage') waiting.push({ id: next.id, place: { parent: `ref:${ref}` } });
    }
    if (operations.length + waiting.length > MOST_COPIED) throw new TooMany();
    onRead(operations.length, operations.length + waiting.length);
  }
  return { operations };
}
