/** What has changed between two documents: block by block, and word by word inside of a block. */

import { diffArrays, diffWordsWithSpace } from 'diff';
import { meaningOf } from '../document/json.ts';
import { type AnyNode, textOf } from '../document/text.ts';

export interface Word {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

export type BlockChange =
  | { readonly kind: 'same'; readonly blocks: readonly AnyNode[] }
  | { readonly kind: 'added'; readonly block: AnyNode }
  | { readonly kind: 'removed'; readonly block: AnyNode }
  | { readonly kind: 'edited'; readonly before: AnyNode; readonly after: AnyNode; readonly words: readonly Word[] };

/** Share of words that two blocks must have in common to be one block that was edited. */
const ALIKE = 0.35;
/** Longer texts are compared as a whole: words of them would take too long, and be hard to read. */
const LONGEST = 20_000;
/** Words that may differ between two texts that are compared by words. */
const MOST_EDITS = 1_500;
/** Blocks put in the place of others that are looked at for each of those, for the one it has become. */
const NEIGHBOURS = 12;
/** Blocks that may differ between two documents that are compared by their order. */
const MOST_CHANGED = 4_000;

export { meaningOf };

export function wordsBetween(before: string, after: string): Word[] {
  const whole: Word[] = [{ text: before, kind: 'removed' }, { text: after, kind: 'added' }];
  if (before.length + after.length > LONGEST) {
    return whole;
  }
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return whole;
  return parts.map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

function shareOfSame(words: readonly Word[]): number {
  const length = (kind: Word['kind']): number =>
    words.filter((word) => word.kind === kind).reduce((sum, word) => sum + word.text.trim().length, 0);
  const same = length('same');
  const most = same + Math.max(length('added'), length('removed'));
  return most === 0 ? 1 : same / most;
}

function pair(before: AnyNode, after: AnyNode): BlockChange | null {
  if (before.type !== after.type && before.key !== after.key) return null;
  const words = wordsBetween(textOf(before), textOf(after));
  const isSame = before.key !== undefined && before.key === after.key;
  return isSame || shareOfSame(words) >= ALIKE ? { kind: 'edited', before, after, words } : null;
}

/** Blocks taken away and blocks put in their place: pairs in order, as far as they are alike. */
function replaced(removed: readonly AnyNode[], added: readonly AnyNode[]): BlockChange[] {
  const changes: BlockChange[] = [];
  const places = new Map(added.flatMap((block, index) => (block.key === undefined ? [] : [[block.key, index] as const])));
  let next = 0;
  for (const block of removed) {
    const [partner, place] = partnerOf(block, added, next, places);
    if (partner === null) {
      changes.push({ kind: 'removed', block });
      continue;
    }
    changes.push(...added.slice(next, place).map((one): BlockChange => ({ kind: 'added', block: one })), partner);
    next = place + 1;
  }
  return [...changes, ...added.slice(next).map((block): BlockChange => ({ kind: 'added', block }))];
}

/** What a block has become: the one with its key, else the first that is like it among the next few. */
function partnerOf(
  block: AnyNode, added: readonly AnyNode[], next: number, places: ReadonlyMap<string, number>,
): readonly [BlockChange | null, number] {
  const same = block.key === undefined ? undefined : places.get(block.key);
  const candidates = same !== undefined && same >= next ? [same] : rangeOf(next, Math.min(next + NEIGHBOURS, added.length));
  for (const index of candidates) {
    const candidate = added[index];
    const partner = candidate === undefined ? null : pair(block, candidate);
    if (partner !== null) return [partner, index];
  }
  return [null, next];
}

const rangeOf = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

export function blocksBetween(before: readonly AnyNode[], after: readonly AnyNode[]): BlockChange[] {
  const parts = diffArrays(before.map(meaningOf), after.map(meaningOf), { maxEditLength: MOST_CHANGED });
  // Two documents with hardly anything in common.
  if (parts === undefined) return replaced(before, after);
  const changes: BlockChange[] = [];
  let [old, now] = [0, 0];
  let removed: readonly AnyNode[] = [];
  for (const part of parts) {
    if (part.removed) {
      removed = before.slice(old, old + part.value.length);
      old += part.value.length;
      continue;
    }
    const blocks = after.slice(now, now + part.value.length);
    now += part.value.length;
    if (part.added) {
      changes.push(...replaced(removed, blocks));
    } else {
      changes.push(...replaced(removed, []));
      if (blocks.length > 0) changes.push({ kind: 'same', blocks });
      old += part.value.length;
    }
    removed = [];
  }
  return [...changes, ...replaced(removed, [])];
}
