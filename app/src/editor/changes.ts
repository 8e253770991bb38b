/** What was edited, as edits of the blocks at the top of a page. */

import { type Json, meaningOf, without } from '../document/json.ts';

interface Place {
  readonly inside?: string;
  readonly after?: string;
  readonly index?: number;
}

type Content = { readonly blocks: readonly Json[] } | { readonly markdown: string };

export type Edit =
  | { readonly insert: { readonly content: Content; readonly place: Place } }
  | { readonly replace: { readonly key: string; readonly content: Content } }
  | { readonly move: { readonly keys: readonly string[]; readonly place: Place } }
  | { readonly delete: { readonly keys: readonly string[] } };

/** Blocks at the top of a page; each has a key. */
export type Blocks = readonly Json[];

const keyOf = (block: Json): string => block.key ?? '';
const byKey = (blocks: Blocks): Map<string, Json> => new Map(blocks.map((block) => [keyOf(block), block]));

/** Blocks inside of a block, as of a list; null where it holds texts, or what has no keys. */
export function innerOf({ nodes }: Json): Blocks | null {
  return nodes !== undefined && nodes.length > 0 && nodes.every((node) => node.object === 'block' && node.key !== undefined) ? nodes : null;
}

const [meanings, owns] = [new WeakMap<Json, string>(), new WeakMap<Json, string>()];

/** What is made of a block once, and known for as long as it is there. */
export function cached<Value>(all: WeakMap<Json, Value>, block: Json, make: () => Value): Value {
  const before = all.get(block);
  if (before !== undefined) return before;
  const now = make();
  all.set(block, now);
  return now;
}

/** What a block is beside the blocks in it. */
const ownOf = (block: Json): string => cached(owns, block, () => meaningOf(without(block, 'nodes')));

/** Equal for blocks that mean the same; of one with blocks in it made of theirs, of which most are those of before. */
export const meaning = (block: Json): string => cached(meanings, block, () => {
  const inner = innerOf(block);
  return inner ? `${ownOf(block)}[${inner.map(meaning).join()}]` : meaningOf(block);
});

/** Whether two blocks mean the same: those in them are compared one by one, and the same object is the same. */
export function isSame(left: Json | undefined, other: Json | undefined): boolean {
  if (left === other) return true;
  if (left === undefined || other === undefined) return false;
  const [mine, theirs] = [innerOf(left), innerOf(other)];
  if (mine === null || theirs === null) return meaning(left) === meaning(other);
  return mine.length === theirs.length && ownOf(left) === ownOf(other) && mine.every((block, index) => isSame(block, theirs[index]));
}

/** Whether nothing was edited: the same blocks in the same order. */
export const areSame = (base: Blocks, now: Blocks): boolean =>
  base.length === now.length && now.every((block, index) => keyOf(block) === keyOf(base[index] as Json) && isSame(base[index], block));

/** What the server says of nodes and is not told: `meta`, and the anchors that headings had, which it keeps itself. */
export function sent(node: Json): Json {
  const inner = (nodes: readonly Json[] | undefined): readonly Json[] | undefined => nodes?.map(sent);
  const { meta: _, aliases: __, ...rest } = node as Record<string, unknown>;
  const [nodes, fragments] = [inner(node.nodes), inner(node.fragments)];
  return { ...rest, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) };
}

/** The server takes lists of so many: blocks and keys of one edit, edits of one operation. */
const MOST = 1_000;

export const portionsOf = <One>(all: readonly One[]): One[][] =>
  Array.from({ length: Math.ceil(all.length / MOST) }, (_, index) => all.slice(index * MOST, (index + 1) * MOST));

/** Edits inside of one block; of more it is replaced as a whole, for each costs the server what the page is long. */
const MOST_INSIDE = 40;

/**
 * Edits that make `now` of `base`; what is only written in another way is no edit. Blocks inside of one that `isKnown` names are
 * edited by themselves: the server has the same keys in it.
 */
export function editsBetween(base: Blocks, now: Blocks, isKnown: (key: string) => boolean = () => false): Edit[] {
  let keys: ReadonlySet<string> | null = null;
  const isTaken = (block: Json): boolean => keysIn(block).some((key) => (keys ??= new Set(base.flatMap(keysIn))).has(key));
  return between(base, now, null, (was, block) => (isKnown(keyOf(block)) ? inside(was, block, isTaken) : null));
}

type Inside = (was: Json, now: Json) => Edit[] | null;

function between(base: Blocks, now: Blocks, parent: string | null, insideOf: Inside): Edit[] {
  // Most blocks of a long list are the same objects as before.
  let [head, tail] = [0, 0];
  const least = Math.min(base.length, now.length);
  while (head < least && base[head] === now[head]) head += 1;
  while (tail < least - head && base.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [old, fresh] = [base.slice(head, base.length - tail), now.slice(head, now.length - tail)];
  return edits(old, fresh, head > 0 ? keyOf(now[head - 1] as Json) : null, parent, insideOf);
}

function edits(base: Blocks, now: Blocks, first: string | null, parent: string | null, insideOf: Inside): Edit[] {
  const before = byKey(base);
  const after = byKey(now);
  const places = new Map(base.map((block, index) => [keyOf(block), index]));
  const staying = now.map(keyOf).filter((key) => before.has(key));
  const resting = new Set(longestRising(staying.map((key) => places.get(key) ?? 0)).map((index) => staying[index]));
  const edits: Edit[] = [];
  let fresh: Json[] = [];
  let previous = first;
  let freshAfter: string | null = null;
  const placeOf = (key: string | null): Place => (key !== null ? { after: key } : parent === null ? { index: 0 } : { inside: parent, index: 0 });
  const insert = (): void => {
    for (const blocks of portionsOf(fresh)) {
      edits.push({ insert: { content: { blocks: blocks.map(sent) }, place: placeOf(freshAfter) } });
      freshAfter = keyOf(blocks.at(-1) as Json);
    }
    fresh = [];
  };
  for (const block of now) {
    const key = keyOf(block);
    const was = before.get(key);
    if (was === undefined) {
      if (fresh.length === 0) freshAfter = previous;
      fresh.push(block);
    } else {
      insert();
      if (!resting.has(key)) edits.push({ move: { keys: [key], place: placeOf(previous) } });
      if (!isSame(was, block)) edits.push(...(insideOf(was, block) ?? [{ replace: { key, content: { blocks: [sent(block)] } } }]));
    }
    previous = key;
  }
  insert();
  const gone = base.map(keyOf).filter((key) => !after.has(key));
  for (const keys of portionsOf(gone)) edits.push({ delete: { keys } });
  return edits;
}

/** Edits of the blocks in a block; null where it has to be replaced as a whole. `isTaken`: whether a new block has a key that the page has. */
function inside(was: Json, now: Json, isTaken: (block: Json) => boolean): Edit[] | null {
  const [mine, theirs] = [innerOf(was), innerOf(now)];
  if (mine === null || theirs === null || ownOf(was) !== ownOf(now)) return null;
  const there = new Set(mine.map(keyOf));
  // A list goes with its last item, and a new block has another key where the page has its own already.
  if (there.size < mine.length || !theirs.some((block) => there.has(keyOf(block)))) return null;
  let isWhole = false;
  const edits = between(mine, theirs, keyOf(now), (was, now) => {
    const [old, inner] = [innerOf(was), innerOf(now)];
    // Where only what is beside them has changed, the server finds the same blocks in it again.
    if (old === null && inner === null) return null;
    if (old !== null && inner !== null && areSame(old, inner)) return null;
    const edits = inside(was, now, isTaken);
    isWhole ||= edits === null;
    return edits;
  });
  const isFresh = theirs.some((block) => !there.has(keyOf(block)) && isTaken(block));
  return isWhole || isFresh || edits.length > MOST_INSIDE ? null : edits;
}

const keysOf = new WeakMap<Json, readonly string[]>();

/** The keys of a block and of all that stands in it. */
export const keysIn = (block: Json): readonly string[] => cached(keysOf, block, () =>
  [...(block.key === undefined ? [] : [block.key]), ...[...(block.nodes ?? []), ...(block.fragments ?? [])].flatMap(keysIn)]);

/** Indices of a longest rising part of these numbers. */
export function longestRising(numbers: readonly number[]): number[] {
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
