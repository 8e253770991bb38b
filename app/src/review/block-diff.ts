/** What has changed between two documents: block by block, and word by word inside of a block. */

import { diffArrays, diffWordsWithSpace } from 'diff';
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

/** Names of members that say how a block is written or where it came from, and not what it is. */
const FORM = new Set(['key', 'meta', 'style', 'aliases']);

/** A text that is equal for blocks that mean the same. */
export function meaningOf(node: unknown): string {
  return JSON.stringify(node, (name, value: unknown) => {
    if (FORM.has(name)) return undefined;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

export function wordsBetween(before: string, after: string): Word[] {
  if (before.length + after.length > LONGEST) {
    return [{ text: before, kind: 'removed' }, { text: after, kind: 'added' }];
  }
  return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
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
  let next = 0;
  for (const block of removed) {
    let partner: BlockChange | null = null;
    for (let index = next; index < added.length && partner === null; index += 1) {
      const candidate = added[index];
      if (candidate === undefined) break;
      partner = pair(block, candidate);
      if (partner !== null) {
        changes.push(...added.slice(next, index).map((one): BlockChange => ({ kind: 'added', block: one })));
        next = index + 1;
      }
    }
    changes.push(partner ?? { kind: 'removed', block });
  }
  return [...changes, ...added.slice(next).map((block): BlockChange => ({ kind: 'added', block }))];
}

export function blocksBetween(before: readonly AnyNode[], after: readonly AnyNode[]): BlockChange[] {
  const parts = diffArrays(before.map(meaningOf), after.map(meaningOf));
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
