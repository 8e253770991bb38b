/** The part of a node that differs from another version of it. */

import { type Node, ReplaceError, type Slice } from 'prosemirror-model';

export interface Part {
  readonly from: number;
  readonly to: number;
  readonly slice: Slice;
}

/**
 * What to replace in `before` to have `after`; null where it does not come out exactly so: fitted in another way
 * it would be saved as if somebody had typed it.
 */
export function differingPart(before: Node, after: Node): Part | null {
  if (!before.sameMarkup(after)) return null;
  const from = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (from === null || end === null) return null;
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  const to = end.a + overlap;
  try {
    const slice = after.slice(from, end.b + overlap);
    return before.replace(from, to, slice).eq(after) ? { from, to, slice } : null;
  } catch (fault) {
    if (fault instanceof RangeError || fault instanceof ReplaceError) return null;
    throw fault;
  }
}
