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

/** What this tab has kept: what another tab of the browser keeps of the same page is not its own. */
const own = new Map<string, string>();

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
    own.set(key, text);
    tidy(key);
  } catch {
    return false;
  }
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

/** A browser that keeps nothing has nothing to forget. */
export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is denied.
  }
}

/** What this tab has kept is saved. */
export function forgetOwn(key: string): void {
  const text = own.get(key);
  own.delete(key);
  try {
    if (text !== undefined && localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {
    // Storage is denied.
  }
}

export interface LeftOver {
  readonly key: string;
  readonly kept: Remembered;
}

/** What was kept before, newest first: each apart, so that nothing typed later takes its place. */
export function leftOvers(key: string): LeftOver[] {
  const prefix = `${key} before `;
  try {
    const text = localStorage.getItem(key);
    const last = recall(key);
    if (text !== null && last !== null) {
      localStorage.removeItem(key);
      try {
        localStorage.setItem(`${prefix}${last.at}`, text);
      } catch {
        localStorage.setItem(key, text);
      }
    }
    return Object.keys(localStorage)
      .filter((one) => one === key || one.startsWith(prefix))
      .map((one) => ({ key: one, kept: recall(one) }))
      .filter((one): one is LeftOver => one.kept !== null)
      .sort((a, b) => b.kept.at - a.kept.at);
  } catch {
    return [];
  }
}

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
