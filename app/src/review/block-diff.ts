/** What has changed between two documents: block by block, and word by word inside of a block. */

import { diffArrays } from 'diff';
import { meaningOf } from '../document/json.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { atMostCommon, compared, cut, type Cut, type Word } from './words-between.ts';

export type BlockChange =
  | { readonly kind: 'same'; readonly blocks: readonly AnyNode[] }
  | { readonly kind: 'added'; readonly block: AnyNode }
  | { readonly kind: 'removed'; readonly block: AnyNode }
  | { readonly kind: 'edited'; readonly before: AnyNode; readonly after: AnyNode; readonly words: readonly Word[] };

/** Share of words that two blocks must have in common to be one block that was edited. */
const ALIKE = 0.35;
/** Blocks put in the place of others that are looked at for each of those, for the one it has become. */
const NEIGHBOURS = 12;
/** Blocks that may differ between two documents that are compared by their order. */
const MOST_CHANGED = 4_000;

export { meaningOf };

/** Blocks are compared with several others; their words are cut once. */
const cuts = new WeakMap<AnyNode, Cut>();
function cutOf(block: AnyNode): Cut {
  const there = cuts.get(block) ?? cut(textOf(block));
  cuts.set(block, there);
  return there;
}

function pair(before: AnyNode, after: AnyNode): BlockChange | null {
  if (before.type !== after.type && before.key !== after.key) return null;
  const isSame = before.key !== undefined && before.key === after.key;
  const [old, now] = [cutOf(before), cutOf(after)];
  if (!isSame && atMostCommon(old, now) < ALIKE) return null;
  const { words, share } = compared(old, now);
  return isSame || share >= ALIKE ? { kind: 'edited', before, after, words } : null;
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
    changes.push(...added.slice(next, place).map((block): BlockChange => ({ kind: 'added', block: block })), partner);
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

/** Blocks that both sides have in this order: those that mean the same, and those that were edited where they stand. */
function kept(before: readonly AnyNode[], after: readonly AnyNode[]): BlockChange[] {
  const changes: BlockChange[] = [];
  let same: AnyNode[] = [];
  const end = (): void => {
    if (same.length > 0) changes.push({ kind: 'same', blocks: same });
    same = [];
  };
  for (const [index, block] of after.entries()) {
    const former = before[index];
    const edited = former === undefined || meaningOf(former) === meaningOf(block) ? null : pair(former, block);
    if (edited === null) {
      same.push(block);
      continue;
    }
    end();
    changes.push(edited);
  }
  end();
  return changes;
}

/**
 * What is compared of each block: its key where both sides have it, for then it is one block whatever it says; else what it
 * means. Comparing thousands of blocks that are all others would hold up the browser.
 */
function tokensOf(blocks: readonly AnyNode[], others: readonly AnyNode[]): string[] {
  const keys = new Set(others.map((other) => other.key));
  return blocks.map((block) => (block.key !== undefined && keys.has(block.key) ? `key ${block.key}` : meaningOf(block)));
}

export function blocksBetween(before: readonly AnyNode[], after: readonly AnyNode[]): BlockChange[] {
  const parts = diffArrays(tokensOf(before, after), tokensOf(after, before), { maxEditLength: MOST_CHANGED });
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
      changes.push(...replaced(removed, []), ...kept(before.slice(old, old + part.value.length), blocks));
      old += part.value.length;
    }
    removed = [];
  }
  return [...changes, ...replaced(removed, [])];
}
