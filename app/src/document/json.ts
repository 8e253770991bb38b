/** Documents as JSON: what is the same, and what means the same. */

/** Any node of a document, of types that are known or not. */
export interface Json {
  readonly object?: string;
  readonly type?: string;
  readonly key?: string;
  readonly isVoid?: boolean;
  readonly data?: Data;
  readonly nodes?: readonly Json[];
  readonly fragments?: readonly Json[];
  readonly leaves?: readonly Leaf[];
  readonly [member: string]: unknown;
}

export interface Leaf {
  readonly object?: string;
  readonly text: string;
  readonly marks: readonly JsonMark[];
}

export interface JsonMark {
  readonly object?: string;
  readonly type: string;
  readonly data?: Data;
}

export type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are the same JSON; the order of members means nothing. */
export function same(left: unknown, other: unknown): boolean {
  if (Object.is(left, other)) return true;
  if (Array.isArray(left)) {
    return Array.isArray(other) && left.length === other.length && left.every((value, index) => same(value, other[index]));
  }
  if (!isObject(left) || !isObject(other)) return left === other;
  const names = Object.keys(left).filter((name) => left[name] !== undefined);
  return (
    names.length === Object.keys(other).filter((name) => other[name] !== undefined).length &&
    names.every((name) => same(left[name], other[name]))
  );
}

/** Members of nodes that say how they are written or where they came from, and not what they are. */
const FORM = new Set(['key', 'meta', 'style', 'aliases']);

/** A text that is equal for what means the same. Data of a node may have members of these names, too. */
export function meaningOf(node: unknown): string {
  return JSON.stringify(ordered(node));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const isNode = typeof value['object'] === 'string' || typeof value['type'] === 'string';
  const names = Object.keys(value).filter((name) => !(isNode && FORM.has(name))).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** The node without these members. */
export function without(node: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));
}
