/** What was edited, as edits of the blocks at the top of a page. */

import { type Json, meaningOf } from '../document/json.ts';

interface Place {
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

const meanings = new WeakMap<Json, string>();

export function meaning(block: Json): string {
  const before = meanings.get(block);
  if (before !== undefined) return before;
  const now = meaningOf(block);
  meanings.set(block, now);
  return now;
}

export const isSame = (left: Json | undefined, other: Json | undefined): boolean =>
  left === other || (left !== undefined && other !== undefined && meaning(left) === meaning(other));

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
    for (const blocks of portionsOf(fresh)) {
      edits.push({ insert: { content: { blocks: blocks.map(sent) }, place: placeOf(freshAfter) } });
      freshAfter = keyOf(blocks.at(-1) as Json);
    }
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
  for (const keys of portionsOf(gone)) edits.push({ delete: { keys } });
  return edits;
}

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
