/** Changes of the page tree: shown at once, written into a change request, and taken back when they are refused. */

import { useCallback } from 'react';
import { CombinedError, useClient } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ContentOperationInput, TreeWriteMutation } from '../graph/generated/graphql.ts';
import { refreshVisible } from '../graph/visible.ts';
import { readAgainAfter } from '../graph/write.ts';
import { STAYING } from '../shell/staying.ts';
import { toChange, toPageOf, type Version } from '../place.ts';
import { Gathered } from './gathered.ts';
import type { Levels } from './tree-moves.ts';
import { type Change, say } from './tree-said.ts';
import type { TreePage, TreeStore } from './tree-store.ts';
import { Turns } from './turns.ts';

const APPLY = graphql(`
  mutation TreeWrite($input: ApplyContentChangesInput!) {
    applyContentChanges(input: $input) {
      revision { id parents }
      created { contentId }
      affectedPages { pageId outcome }
      pages { __typename id pageId path }
    }
  }
`);
const BEGIN = graphql(`
  mutation BeginTreeChange($space: ID!, $input: CreateChangeRequestInput!) {
    createChangeRequest(spaceId: $space, input: $input) { id number }
  }
`);
const GIVE_UP = graphql(`
  mutation GiveUpTreeChange($space: ID!, $id: ID!) {
    updateChangeRequest(spaceId: $space, id: $id, input: { status: ARCHIVED }) { id status }
  }
`);

export type Written = NonNullable<TreeWriteMutation['applyContentChanges']>;

/** Why something was not written. */
export interface Refusal {
  readonly error: CombinedError;
  /** It was not sent: something before it was refused. */
  readonly isGivenUp?: boolean;
}

export interface TreeChange {
  /** The subject of the change request that begins with it. */
  readonly subject: string;
  readonly done: string;
  /** The page that it moves: of several moves of one only the last is said. */
  readonly moves?: string;
  readonly operations: readonly ContentOperationInput[];
  /** The page to go to; by default the first that was written. */
  readonly pretend?: (levels: Levels<TreePage>) => void;
  readonly undo?: (written: Written) => readonly ContentOperationInput[];
  /** What is going on was said already. */
  readonly isSaid?: boolean;
  /** Go to the page that was made. */
  readonly goes?: boolean;
  /** Hears as soon as it is written, or why it is not; whoever listens says so. */
  readonly onAnswer?: (refusal: Refusal | null) => void;
}

/** What is being written of a space: the change request that began with it, and what is shown of it before it is read. */
interface Line {
  readonly turns: Turns;
  begun: Change | null;
  /** Why the last one was refused. */
  error: CombinedError;
  covers: Array<() => void>;
  /** What was written and not said yet. */
  readonly unsaid: Gathered<string, ContentOperationInput>;
}
const lines = new Map<string, Line>();
const NO_REASON = new CombinedError({});

function lineOf(space: string): Line {
  const line = lines.get(space) ?? { turns: new Turns(), begun: null, error: NO_REASON, covers: [], unsaid: new Gathered() };
  lines.set(space, line);
  return line;
}

/** How long somebody who changes pages by keys may take for the next one. */
const PAUSE_MS = 700;
/** How long what is shown at once covers what is read: longer than an answer takes. */
const COVERED_MS = 2_000;

export function useTreeWrites(space: string, version: Version, store: TreeStore) {
  const client = useClient();
  const [, navigate] = useLocation();
  return useCallback((change: TreeChange): Promise<boolean> => {
    const takeBack = store.pretend(change.pretend ?? (() => undefined));
    if (!change.isSaid) say(null);
    const line = lineOf(space);
    const isElsewhere = version.kind !== 'change';
    const { pathname } = window.location;
    const readAnew = (): void => {
      for (const cover of line.covers) window.setTimeout(cover, COVERED_MS);
      line.covers = [];
      line.begun = null;
      refreshVisible();
    };
    const refuse = (error: CombinedError | undefined): false => {
      takeBack();
      // What went before it is there: whoever looks at the space has to know where.
      const { begun } = line;
      if (line.covers.length > 0) readAnew();
      else if (error) readAgainAfter(error);
      line.begun = null;
      line.error = error ?? NO_REASON;
      const before = { space, text: line.unsaid.take().said.join(' '), ...(begun ? { begun: begun.number } : {}) };
      if (!change.onAnswer) say({ ...before, ...(error ? { error } : { isRefused: true }) });
      else if (before.text) say(before);
      change.onAnswer?.({ error: line.error });
      return false;
    };
    return line.turns.take(async () => {
      let into: Change | null = version.kind === 'change' ? version : line.begun;
      const isNew = into === null;
      if (into === null) {
        const begun = await client.mutation(BEGIN, { space, input: { subject: change.subject } }).toPromise();
        into = begun.data?.createChangeRequest ?? null;
        if (begun.error !== undefined || into === null) return refuse(begun.error);
        line.begun = into;
      }
      const target = { space, changeRequest: into.id };
      const { data, error } = await client.mutation(APPLY, { input: { target, operations: [...change.operations], dryRun: false } }).toPromise();
      const written = data?.applyContentChanges;
      if (error !== undefined || !written) {
        // Where no answer came, it may have been written.
        if (isNew && !error?.networkError) {
          line.begun = null;
          await client.mutation(GIVE_UP, { space, id: into.id }).toPromise();
        }
        return refuse(error);
      }
      change.onAnswer?.(null);
      line.covers.push(takeBack);
      line.unsaid.add(change.moves === undefined ? change.done : 'move', change.moves ?? '', change.done, change.undo?.(written) ?? null);
      // What waits is shown with it; then all of it is read. Whoever steps by keys may not be done: the view that
      // shows the change request takes the tree, and the row with the focus, away from under their fingers.
      if (!line.turns.isLast || (isElsewhere && !change.goes && await line.turns.another(PAUSE_MS))) return true;
      readAnew();
      const { said, back } = line.unsaid.take();
      say({
        space, text: said.join(' '),
        ...(isElsewhere ? { begun: into.number } : {}),
        ...(back ? { undo: { change: into, operations: back } } : {}),
      });
      // Whoever has gone elsewhere meanwhile stays there: what is said leads to the change request.
      if (!change.goes && (!isElsewhere || window.location.pathname !== pathname)) return true;
      const created = written.created[0]?.contentId;
      const page = written.pages.find((page) => page.__typename === 'DocumentPage' && (created === undefined || page.pageId === created));
      const of: Version = { kind: 'change', id: into.id, number: into.number };
      if (page) navigate(toPageOf(space, of, page.path), change.goes ? {} : STAYING);
      else if (isElsewhere) navigate(`${toChange(space, into.number)}?tab=changes`, STAYING);
      return true;
    }, () => {
      takeBack();
      change.onAnswer?.({ error: line.error, isGivenUp: true });
    });
  }, [client, navigate, space, version, store]);
}

/** Undo the last change, in the change request that it went into. */
export function useUndo(space: string) {
  const client = useClient();
  return useCallback(async (change: Change, operations: readonly ContentOperationInput[], done: string): Promise<void> => {
    const target = { space, changeRequest: change.id };
    const { error } = await client.mutation(APPLY, { input: { target, operations: [...operations], dryRun: false } }).toPromise();
    say({ space, text: error ? '' : done, ...(error ? { error } : {}) });
    refreshVisible();
  }, [client, space]);
}
