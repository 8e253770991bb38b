/** Changes of the page tree: shown at once, written into a change request, and taken back when they are refused. */

import { useCallback } from 'react';
import { useClient } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ContentOperationInput, TreeWriteMutation } from '../graph/generated/graphql.ts';
import { refreshVisible } from '../graph/visible.ts';
import { readAgainAfter } from '../graph/write.ts';
import { toChange, toPageOf, type Version } from '../place.ts';
import type { Levels } from './tree-moves.ts';
import { type Change, say } from './tree-said.ts';
import type { TreePage, TreeStore } from './tree-store.ts';

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

export interface TreeChange {
  /** The subject of the change request that begins with it. */
  readonly subject: string;
  readonly done: string;
  readonly operations: readonly ContentOperationInput[];
  /** The page to go to; by default the first that was written. */
  readonly pretend?: (levels: Levels<TreePage>) => void;
  readonly undo?: (written: Written) => readonly ContentOperationInput[];
  /** Go to the page that was made. */
  readonly goes?: boolean;
}

/** How long what is shown at once covers what is read: longer than an answer takes. */
const COVERED_MS = 2_000;

export function useTreeWrites(space: string, version: Version, store: TreeStore) {
  const client = useClient();
  const [, navigate] = useLocation();
  return useCallback(async (change: TreeChange): Promise<boolean> => {
    const takeBack = store.pretend(change.pretend ?? (() => undefined));
    say(null);
    let into: Change | null = version.kind === 'change' ? version : null;
    const isNew = into === null;
    if (into === null) {
      const begun = await client.mutation(BEGIN, { space, input: { subject: change.subject } }).toPromise();
      into = begun.data?.createChangeRequest ?? null;
      if (begun.error !== undefined || into === null) {
        takeBack();
        say({ space, text: '', ...(begun.error ? { error: begun.error } : {}) });
        return false;
      }
    }
    const target = { space, changeRequest: into.id };
    const { data, error } = await client.mutation(APPLY, { input: { target, operations: [...change.operations], dryRun: false } }).toPromise();
    const written = data?.applyContentChanges;
    if (error !== undefined || !written) {
      takeBack();
      // Where no answer came, it may have been written.
      if (isNew && !error?.networkError) await client.mutation(GIVE_UP, { space, id: into.id }).toPromise();
      say({ space, text: '', ...(error ? { error } : {}) });
      if (error) readAgainAfter(error);
      return false;
    }
    window.setTimeout(takeBack, COVERED_MS);
    refreshVisible();
    const operations = change.undo?.(written);
    say({
      space, text: change.done,
      ...(isNew ? { begun: into.number } : {}),
      ...(operations ? { undo: { change: into, operations } } : {}),
    });
    if (!isNew && !change.goes) return true;
    const made = written.created[0]?.contentId;
    const page = written.pages.find((one) => one.__typename === 'DocumentPage' && (made === undefined || one.pageId === made));
    const of: Version = { kind: 'change', id: into.id, number: into.number };
    if (page) navigate(toPageOf(space, of, page.path));
    else if (isNew) navigate(`${toChange(space, into.number)}?tab=changes`);
    return true;
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
