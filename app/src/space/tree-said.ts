/** What became of the last change of a tree: it stays when the view goes from a space to a change request of it. */

import { useSyncExternalStore } from 'react';
import type { CombinedError } from 'urql';
import { hush } from '../live/spoken.ts';
import type { ContentOperationInput } from '../graph/generated/graphql.ts';

export interface Change {
  readonly id: string;
  readonly number: number;
}
export interface Said {
  readonly space: string;
  readonly text: string;
  readonly error?: CombinedError;
  /** Nothing came of it, and there is no error that says why. */
  readonly isRefused?: boolean;
  readonly begun?: number;
  /** What is still going on: how far it is, and what ends it. */
  readonly going?: { readonly done: number; readonly known: number; readonly cancel: (() => void) | null };
  readonly undo?: { readonly change: Change; readonly operations: readonly ContentOperationInput[] };
}

let said: Said | null = null;
const listeners = new Set<() => void>();

export function say(next: Said | null): void {
  said = next;
  if (next === null) hush();
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSaid = (): Said | null => useSyncExternalStore(listen, () => said);
