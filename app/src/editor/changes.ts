/** What was edited, as edits of blocks; and what two people have edited, brought together block by block. */

import { type Json, meaningOf } from '../document/json.ts';

interface Place {
  readonly after?: string;
  readonly index?: number;
}

export type Edit =
  | { readonly insert: { readonly content: { readonly blocks: readonly Json[] } | { readonly markdown: string }; readonly place: Place } }
  | { readonly replace: { readonly key: string; readonly content: { readonly blocks: readonly Json[] } } }
  | { readonly move: { readonly keys: readonly string[]; readonly place: Place } }
  | { readonly delete: { readonly keys: readonly string[] } };

/** Blocks at the top of a page; each has a key. */
export type Blocks = readonly Json[];

const keyOf = (block: Json): string => block.key ?? '';
const byKey = (blocks: Blocks): Map<string, Json> => new Map(blocks.map((block) => [keyOf(block), block]));

const meanings = new WeakMap<Json, string>();

export function meaning(block: Json): string {
  const before = meanings.get(block);
  if (before !== undefined) return before;
  const now = meaningOf(block);
  meanings.set(block, now);
  return now;
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && meaning(one) === meaning(other));

/** What the server says of nodes and is not told: `meta`, and the anchors that headings had, which it keeps itself. */
export function sent(node: Json): Json {
  const inner = (nodes: readonly Json[] | undefined): readonly Json[] | undefined => nodes?.map(sent);
  const { meta: _, aliases: __, ...rest } = node as Record<string, unknown>;
  const [nodes, fragments] = [inner(node.nodes), inner(node.fragments)];
  return { ...rest, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) };
}

/** Edits that make `now` of `base`; what is only written in another way is no edit. */
export function editsBetween(base: Blocks, now: Blocks): Edit[] {
  const before = byKey(base);
  const after = byKey(now);
  const places = new Map(base.map((block, index) => [keyOf(block), index]));
  const staying = now.map(keyOf).filter((key) => before.has(key));
  const resting = new Set(longestRising(staying.map((key) => places.get(key) ?? 0)).map((index) => staying[index]));
  const edits: Edit[] = [];
  let fresh: Json[] = [];
  let previous: string | null = null;
  let freshAfter: string | null = null;
  const placeOf = (key: string | null): Place => (key === null ? { index: 0 } : { after: key });
  const insert = (): void => {
    if (fresh.length > 0) edits.push({ insert: { content: { blocks: fresh.map(sent) }, place: placeOf(freshAfter) } });
    fresh = [];
  };
  for (const block of now) {
    const key = keyOf(block);
    if (!before.has(key)) {
      if (fresh.length === 0) freshAfter = previous;
      fresh.push(block);
    } else {
      insert();
      if (!resting.has(key)) edits.push({ move: { keys: [key], place: placeOf(previous) } });
      if (!isSame(before.get(key), block)) edits.push({ replace: { key, content: { blocks: [sent(block)] } } });
    }
    previous = key;
  }
  insert();
  const gone = base.map(keyOf).filter((key) => !after.has(key));
  if (gone.length > 0) edits.push({ delete: { keys: gone } });
  return edits;
}

/** Indices of a longest rising part of these numbers. */
function longestRising(numbers: readonly number[]): number[] {
  const ends: number[] = [];
  const before: number[] = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const rising: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) rising.push(index);
  return rising.reverse();
}

/** A block that both have changed: the writer's stays; `theirs` is null where the others have taken it away. */
export interface Clash {
  readonly key: string;
  readonly theirs: Json | null;
}

export interface Merged {
  readonly blocks: Blocks;
  readonly clashes: readonly Clash[];
}

/** What others have made of `base` (`theirs`) and what was typed here (`mine`), as one. */
export function merge(base: Blocks, theirs: Blocks, mine: Blocks): Merged {
  const [was, their, my] = [byKey(base), byKey(theirs), byKey(mine)];
  const clashes: Clash[] = [];
  const chosen = new Map<string, Json>();
  for (const key of new Set([...their.keys(), ...my.keys()])) {
    const [old, theirOne, myOne] = [was.get(key), their.get(key), my.get(key)];
    const block = choose(old, theirOne, myOne);
    if (block === undefined) continue;
    chosen.set(key, block);
    const isMine = block === myOne && old !== undefined && !isSame(old, myOne);
    if (isMine && !isSame(old, theirOne) && !isSame(theirOne, myOne)) clashes.push({ key, theirs: theirOne ?? null });
  }
  const common = (blocks: Blocks): string[] => blocks.map(keyOf).filter((key) => was.has(key) && their.has(key) && my.has(key));
  const haveMoved = common(theirs).join() !== common(base).join();
  const [first, second] = haveMoved ? [theirs, mine] : [mine, theirs];
  const order = first.map(keyOf).filter((key) => chosen.has(key));
  const there = new Set(order);
  const behind = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const key of second.map(keyOf)) {
    if (there.has(key)) previous = key;
    else if (chosen.has(key)) {
      const keys = behind.get(previous) ?? [];
      keys.push(key);
      behind.set(previous, keys);
    }
  }
  const all = [...(behind.get(null) ?? []), ...order.flatMap((key) => [key, ...(behind.get(key) ?? [])])];
  return { blocks: all.map((key) => chosen.get(key)).filter((block) => block !== undefined), clashes };
}

/** The block to go on with; undefined where it is gone. */
function choose(old: Json | undefined, theirs: Json | undefined, mine: Json | undefined): Json | undefined {
  if (old === undefined) return mine ?? theirs;
  if (mine === undefined) return isSame(old, theirs) ? undefined : theirs;
  if (theirs === undefined) return isSame(old, mine) ? undefined : mine;
  return isSame(old, mine) ? theirs : mine;
}
