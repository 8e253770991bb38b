/** What was typed and is not saved yet: kept in this browser, by person and page, until it is. */

import type { Blocks } from './changes.ts';
import { meaning } from './changes.ts';
import type { Json } from '../document/json.ts';

const PREFIX = 'docstead-edit ';
/** Characters of one page, and pages; the oldest go first. */
const LARGEST = 1_500_000;
const MOST_PAGES = 20;

/** Blocks that were edited; all others are only named, for they are those of the page. */
export interface Remembered {
  readonly at: number;
  readonly title: string | null;
  readonly base: Blocks;
  readonly mine: Blocks;
}

interface Named extends Json {
  readonly unchanged: true;
}
const named = (key: string | undefined): Named => ({ key: key ?? '', unchanged: true });

export const keyOfPage = (viewer: string, space: string, change: string | null, page: string): string =>
  `${PREFIX}${viewer} ${space} ${change ?? '-'} ${page}`;

/** Keep what differs; false where the browser keeps no more. */
export function remember(key: string, base: Blocks, mine: Blocks, title: string | null): boolean {
  const before = new Map(base.map((block) => [block.key, block]));
  const after = new Map(mine.map((block) => [block.key, block]));
  const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
    one !== undefined && other !== undefined && meaning(one) === meaning(other);
  const less = (blocks: Blocks, others: ReadonlyMap<string | undefined, Json>): Blocks =>
    blocks.map((block) => (isSame(block, others.get(block.key)) ? named(block.key) : block));
  const text = JSON.stringify({ at: Date.now(), title, base: less(base, after), mine: less(mine, before) } satisfies Remembered);
  if (text.length > LARGEST) return false;
  try {
    localStorage.setItem(key, text);
  } catch {
    return false;
  }
  tidy(key);
  return true;
}

export function recall(key: string): Remembered | null {
  try {
    const read = JSON.parse(localStorage.getItem(key) ?? 'null') as Remembered | null;
    return read && Array.isArray(read.base) && Array.isArray(read.mine) ? read : null;
  } catch {
    return null;
  }
}

export const forget = (key: string): void => localStorage.removeItem(key);

/** A block that only its name is known of is as it was; as the page has it now, when it is there. */
export function filled(remembered: Remembered, now: Blocks): { base: Blocks; mine: Blocks } {
  const there = new Map(now.map((block) => [block.key, block]));
  const fill = (blocks: Blocks): Blocks =>
    blocks.map((block) => (block['unchanged'] === true ? there.get(block.key) : block)).filter((block) => block !== undefined);
  return { base: fill(remembered.base), mine: fill(remembered.mine) };
}

function tidy(newest: string): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== newest);
  if (keys.length < MOST_PAGES) return;
  const ages = keys.map((key) => ({ key, at: recall(key)?.at ?? 0 })).sort((a, b) => a.at - b.at);
  for (const { key } of ages.slice(0, keys.length - MOST_PAGES + 1)) forget(key);
}
