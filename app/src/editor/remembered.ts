/** What was typed and is not saved yet: kept in this browser, by person and page and for each tab, until it is. */

import { type Blocks, innerOf, isSame } from './changes.ts';
import type { Json } from '../document/json.ts';
import { isOf, KEPT_MS } from './held.ts';
import { hasArrived, type Sent, type Titles } from './saving.ts';

const PREFIX = 'docstead-edit ';
/** Characters of one draft, and drafts; the oldest go first. */
const LARGEST = 1_500_000;
const MOST = 20;

/** Blocks that were edited, also those inside of others; all else is only named, for it is that of the page. */
export interface Remembered {
  readonly at: number;
  /** The title that was typed; beside it that of the page then. */
  readonly title: string | null;
  readonly titleBefore?: string | null;
  readonly base: Blocks;
  readonly mine: Blocks;
  /** The last write, of which no answer had come; what the page would be by it. */
  readonly sent?: (Sent & { readonly blocks: Blocks }) | null;
}

/** Blocks next to each other that are only named: one that is not the first of several is named by itself as well. */
interface Named extends Json {
  readonly unchanged: true;
  readonly keys?: readonly string[];
}
const named = (blocks: Blocks): Named => ({ unchanged: true, keys: blocks.map((block) => block.key ?? '') });
const namesOf = (block: Json): readonly (string | undefined)[] => (block['keys'] as readonly string[] | undefined) ?? [block.key];

/** Of versions of the same blocks what differs; where it stands inside of a block that all have, that alone. */
function lessOf(versions: readonly Blocks[]): Blocks[] {
  const all = versions.map((blocks) => new Map(blocks.map((block) => [block.key, block])));
  const inner = new Map<string | undefined, readonly Json[] | null>();
  const less = (block: Json, of: number): Json => {
    if (!inner.has(block.key)) {
      const same = all.map((blocks) => blocks.get(block.key));
      const within = same.map((other) => other && innerOf(other));
      inner.set(block.key, within.every((blocks) => blocks != null)
        ? lessOf(within).map((nodes, index) => ({ ...same[index], nodes })) : null);
    }
    return inner.get(block.key)?.[of] ?? block;
  };
  return versions.map((blocks, of) => {
    const shown: Json[] = [];
    let run: Json[] = [];
    const close = (): void => {
      if (run.length > 0) shown.push(named(run));
      run = [];
    };
    for (const block of blocks) {
      if (all.every((version) => isSame(version.get(block.key), block))) run.push(block);
      else {
        close();
        shown.push(less(block, of));
      }
    }
    close();
    return shown;
  });
}

export const keyOfPage = (viewer: string, space: string, change: string | null, page: string): string =>
  `${PREFIX}${viewer} ${space} ${change ?? '-'} ${page}`;

/** Keep what differs; false where the browser keeps no more. */
export function remember(key: string, base: Blocks, mine: Blocks, titles: Titles | null, sent: Remembered['sent'] = null): boolean {
  const [was = [], is = [], blocks = []] = lessOf([base, mine, ...(sent ? [sent.blocks] : [])]);
  const text = JSON.stringify({
    at: Date.now(), title: titles?.mine ?? null, titleBefore: titles?.theirs ?? null, base: was, mine: is,
    ...(sent ? { sent: { ...sent, blocks } } : {}),
  } satisfies Remembered);
  if (text.length > LARGEST) return sent ? remember(key, base, mine, titles) : false;
  try {
    localStorage.setItem(key, text);
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

export interface LeftOver {
  readonly key: string;
  readonly kept: Remembered;
}

/** What was kept before and is nobody's any more, newest first; `held`: the names of those that are open. */
export function leftOvers(page: string, held: ReadonlySet<string>): LeftOver[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => isOf(page, key) && !held.has(key))
      .map((key) => ({ key, kept: recall(key) }))
      .filter((item): item is LeftOver => item.kept !== null && item.kept.at >= Date.now() - KEPT_MS)
      .sort((a, b) => b.kept.at - a.kept.at);
  } catch {
    return [];
  }
}

/**
 * A block that only its name is known of is as it was; as the page has it now, when it is there. `isStored`: whether what
 * was sent is known to be in the page; else it is looked for there. What is, is not typed a second time.
 */
export function filled(remembered: Remembered, now: Blocks, title: string | null, isStored = false): { base: Blocks; mine: Blocks; titles: Titles | null } {
  const there = new Map<string | undefined, Json>();
  const note = (block: Json): void => {
    there.set(block.key, block);
    innerOf(block)?.forEach(note);
  };
  now.forEach(note);
  const isNamed = (block: Json): boolean => block['unchanged'] === true || (block.nodes?.some(isNamed) ?? false);
  const fill = (blocks: Blocks): Blocks => blocks.flatMap((block): Json[] => {
    if (block['unchanged'] === true) return namesOf(block).map((key) => there.get(key)).filter((block) => block !== undefined);
    return [block.nodes && isNamed(block) ? { ...block, nodes: fill(block.nodes) } : block];
  });
  const [before, mine] = [fill(remembered.base), fill(remembered.mine)];
  const { sent } = remembered;
  const hasCome = sent && (isStored || hasArrived(before, fill(sent.blocks), now) || (sent.title !== null && sent.title === title && sent.title !== remembered.titleBefore));
  const titleBefore = (hasCome ? sent.title : null) ?? remembered.titleBefore ?? null;
  return { base: hasCome ? fill(sent.blocks) : before, mine, titles: remembered.title === null ? null : { mine: remembered.title, theirs: titleBefore } };
}

function tidy(newest: string): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== newest);
  const ages = keys.map((key) => ({ key, at: recall(key)?.at ?? 0 })).sort((a, b) => b.at - a.at);
  for (const [index, { key, at }] of ages.entries()) if (index >= MOST - 1 || at < Date.now() - KEPT_MS) forget(key);
}
