/** The page tree as far as it is open: each level is read when it is opened, and read anew with the rest. */

import type { AnyVariables, Client, CombinedError, OperationResult } from 'urql';
import { map, pipe, type Source, subscribe } from 'wonka';
import { graphql } from '../graph/generated/index.ts';
import type { TreePageFragment } from '../graph/generated/graphql.ts';
import { type Version, versionArguments } from '../place.ts';
import { type Levels, ROOT } from './tree-moves.ts';

export const TREE_PAGE = graphql(`
  fragment TreePage on Page {
    __typename
    id
    pageId
    title
    emoji
    path
    hidden
    ... on DocumentPage { pages(first: 1) { nodes { id } } }
    ... on GroupPage { pages(first: 1) { nodes { id } } }
    ... on LinkPage { href }
  }
`);

const TOP = graphql(`
  query TreeTop($space: ID!, $changeRequestId: ID, $revisionId: ID, $after: String) {
    revision(spaceId: $space, id: $revisionId, changeRequestId: $changeRequestId) {
      id
      pages(first: 1000, after: $after) {
        nodes { ...TreePage }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const BELOW = graphql(`
  query TreeBelow($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID, $after: String) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) {
      id
      ... on DocumentPage { below: pages(first: 1000, after: $after) { nodes { ...TreePage } pageInfo { hasNextPage endCursor } } }
      ... on GroupPage { below: pages(first: 1000, after: $after) { nodes { ...TreePage } pageInfo { hasNextPage endCursor } } }
    }
  }
`);

const WHERE = graphql(`
  query WhereIsPage($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) { id pageId title path }
  }
`);

export type TreePage = TreePageFragment;

export const hasBelow = (page: TreePage): boolean => 'pages' in page && page.pages.nodes.length > 0;

interface Portion {
  nodes: readonly TreePage[];
  error: CombinedError | undefined;
  /** Which of all answers it is of; 0 until it is read. */
  answer: number;
  next: string | null;
  leave: () => void;
}

interface Answered {
  readonly nodes: readonly TreePage[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}


export interface Snapshot {
  /** Pages of each level that is open and read. */
  readonly levels: ReadonlyMap<string, readonly TreePage[]>;
  /** Why something of it could not be read just now. */
  readonly error: CombinedError | undefined;
  /** Levels of which something was never read for that. */
  readonly failed: ReadonlySet<string>;
  /** Whether the top is read, so that an empty tree is one. */
  readonly ready: boolean;
}

export class TreeStore {
  private readonly portions = new Map<string, Portion[]>();
  private readonly listeners = new Set<() => void>();
  private readonly pretended = new Set<(levels: Levels<TreePage>) => void>();
  private answered = 0;
  private ready = false;
  private kept: Snapshot = { levels: new Map(), error: undefined, failed: new Set(), ready: false };

  constructor(
    private readonly client: Client,
    private readonly space: string,
    private readonly version: Version,
  ) {}

  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): Snapshot => this.kept;

  /** Read a level and go on reading it; again for one that is open does nothing. */
  open(parent: string): void {
    if (this.portions.has(parent)) return;
    this.portions.set(parent, []);
    this.read(parent, 0, null);
  }

  /** Forget a level. */
  close(parent: string): void {
    for (const portion of this.portions.get(parent) ?? []) portion.leave();
    this.portions.delete(parent);
    this.tell();
  }

  closeAll(): void {
    for (const parent of [...this.portions.keys()]) this.close(parent);
  }

  get isPretending(): boolean {
    return this.pretended.size > 0;
  }

  /** Where a page is that stands in no level any more; null where it is gone. */
  async whereIs(page: string): Promise<{ id: string; title: string; path: string } | null> {
    const of = { space: this.space, page, ...versionArguments(this.version) };
    const there = (await this.client.query(WHERE, of, { requestPolicy: 'network-only' }).toPromise()).data?.page;
    return there ? { id: there.pageId, title: there.title, path: there.path } : null;
  }

  /** Show levels as if something were written already, until the returned function takes it back. */
  pretend(change: (levels: Levels<TreePage>) => void): () => void {
    this.pretended.add(change);
    this.tell();
    return () => {
      if (this.pretended.delete(change)) this.tell();
    };
  }

  private read(parent: string, index: number, after: string | null): void {
    const portions = this.portions.get(parent);
    if (portions === undefined) return;
    const portion: Portion = { nodes: [], error: undefined, answer: 0, next: null, leave: () => undefined };
    portions[index] = portion;
    const { unsubscribe } = pipe(
      this.answers(parent, after),
      subscribe(({ error, level }) => {
        if (this.portions.get(parent)?.[index] !== portion) return;
        portion.error = error;
        if (level) {
          this.ready ||= parent === ROOT;
          portion.answer = this.answered += 1;
          portion.nodes = level.nodes;
          const next = level.pageInfo.hasNextPage ? level.pageInfo.endCursor : null;
          if (next !== portion.next) {
            for (const later of portions.splice(index + 1)) later.leave();
            portion.next = next;
            if (next !== null) this.read(parent, index + 1, next);
          }
        }
        this.tell();
      }),
    );
    portion.leave = unsubscribe;
    // The answer may have come at once, of what was known, and have ended this portion.
    if (this.portions.get(parent)?.[index] !== portion) unsubscribe();
  }

  private answers(parent: string, after: string | null) {
    const of = { space: this.space, after, ...versionArguments(this.version) };
    return parent === ROOT
      ? mapped(this.client.query(TOP, of), (data) => data.revision?.pages)
      : mapped(this.client.query(BELOW, { ...of, page: parent }), (data) =>
          data.page && 'below' in data.page ? data.page.below : undefined,
        );
  }

  private tell(): void {
    // A page that has moved may be in two levels until both are read anew: it stands where it was read last, for twice in a tree
    // it would be drawn without an end.
    const places = new Map<string, Portion>();
    for (const portion of [...this.portions.values()].flat().sort((a, b) => a.answer - b.answer)) {
      for (const { pageId } of portion.nodes) places.set(pageId, portion);
    }
    const shown: Levels<TreePage> = new Map();
    for (const [parent, portions] of this.portions) {
      const pages = portions.flatMap((portion) => portion.nodes.filter(({ pageId }) => places.get(pageId) === portion));
      if (pages.length > 0) shown.set(parent, pages);
    }
    for (const change of this.pretended) change(shown);
    const failed = [...this.portions].flatMap(([parent, portions]) => portions.flatMap(({ error, answer }) => (error ? [{ parent, error, isRead: answer > 0 }] : [])));
    this.kept = {
      levels: shown,
      error: failed[0]?.error,
      failed: new Set(failed.filter(({ isRead }) => !isRead).map(({ parent }) => parent)),
      ready: this.ready,
    };
    for (const listener of this.listeners) listener();
  }
}

interface Answer {
  readonly error: CombinedError | undefined;
  readonly level: Answered | null | undefined;
}

function mapped<Data, Variables extends AnyVariables>(
  source: Source<OperationResult<Data, Variables>>,
  pick: (data: Data) => Answered | null | undefined,
): Source<Answer> {
  return pipe(
    source,
    map((result) => ({ error: result.error, level: result.data ? pick(result.data) : undefined })),
  );
}
