import { useState } from 'react';

const PORTION = 50;
/** What the graph gives of one list at once, and what a view draws of it. */
const MOST = 1_000;

/** How much of a list is shown, and behind which row: variables of its query. */
export interface List {
  readonly first: number;
  readonly after: string | null;
  /** Which part of the list is shown, from 1 on: only one is, however long the list is. */
  readonly part: number;
  /** Whether no more rows come to this part: the next part is shown in its place. */
  readonly isFull: boolean;
  readonly more: () => void;
  /** The part behind a cursor. */
  readonly forward: (cursor: string) => void;
  readonly back: () => void;
}

/** A list that is shown by portions, up to `most` rows at once; one of something else (`of`) begins anew. */
export function useMore(portion = PORTION, most = MOST, of = ''): List {
  const begin = { of, first: portion, starts: [null] as readonly (string | null)[] };
  const [state, setState] = useState(begin);
  const { first, starts } = state.of === of ? state : begin;
  const after = starts.at(-1) ?? null;
  return {
    first, after, part: starts.length, isFull: first >= most,
    more: () => setState({ of, first: Math.min(first + portion, most), starts }),
    forward: (cursor) => cursor === after || setState({ of, first: portion, starts: [...starts, cursor] }),
    back: () => setState({ of, first: most, starts: starts.length > 1 ? starts.slice(0, -1) : starts }),
  };
}
