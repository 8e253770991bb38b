/** What became of the last change of a tree: it stays when the view goes from a space to a change request of it. */

import { useSyncExternalStore } from 'react';
import type { CombinedError } from 'urql';
import type { ContentOperationInput } from '../graph/generated/graphql.ts';

export interface Change {
  readonly id: string;
  readonly number: number;
}
export interface Said {
  readonly space: string;
  readonly text: string;
  readonly error?: CombinedError;
  readonly begun?: number;
  readonly undo?: { readonly change: Change; readonly operations: readonly ContentOperationInput[] };
}

let said: Said | null = null;
const listeners = new Set<() => void>();

export function say(next: Said | null): void {
  said = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSaid = (): Said | null => useSyncExternalStore(listen, () => said);
