/** Inlines of a document ⇄ text with marks in the editor. */

import { Fragment, type Mark, type Node } from 'prosemirror-model';
import type { Json, JsonMark, Leaf } from '../document/json.ts';
import { same, without } from '../document/json.ts';
import { schema } from './schema.ts';

/** A part of a document that the editor cannot hold as its own nodes. */
export class Unfit extends Error {}

/** Keys of texts, links and annotations, in the order of the document. */
export type InlineKeys = ReadonlyArray<readonly [type: string, key: string | null]>;

const WRAPPERS = ['annotation', 'link'] as const;
const RANK = new Map(Object.keys(schema.marks).map((name, index) => [name, index]));
const isWrapper = (node: Json): boolean => node.type === 'annotation' || node.type === 'link';

function holds(node: Json, types: readonly string[]): boolean {
  return (node.nodes ?? []).some((child) => types.includes(child.type ?? '') || holds(child, types));
}

/** Marks nest in one order only: what nests otherwise stays as it is. */
const isNested = (node: Json): boolean => holds(node, node.type === 'link' ? [...WRAPPERS] : ['annotation']);

export function inlinesToEditor(nodes: readonly Json[]): { content: Fragment; keys: InlineKeys | null } {
  const keys: [string, string | null][] = [];
  const content = Fragment.fromArray(joined(read(nodes, [], keys)));
  return { content, keys: keys.length > 0 || nodes.length === 0 ? keys : null };
}

/** Texts next to each other with the same marks are one in the editor. */
const joined = (nodes: readonly Node[]): Node[] => Fragment.from(nodes as Node[]).content.slice();

function read(nodes: readonly Json[], around: readonly Mark[], keys: [string, string | null][]): Node[] {
  let before: Json | null = null;
  let turn = 0;
  return nodes.flatMap((node) => {
    const wrapper = isWrapper(node) ? without(node, 'nodes', 'key') : null;
    // Two equal links in a row are two.
    turn = wrapper !== null && before !== null && same(wrapper, before) ? turn + 1 : 0;
    before = wrapper;
    if (wrapper === null) return readOne(node, around, keys);
    const own: [string, string | null][] = [[String(node.type), node.key ?? null]];
    const type = schema.marks[String(node.type)];
    const inner = type === undefined || isNested(node) ? [] : tryRead(node, [...around, type.create({ json: wrapper, turn })], own);
    if (inner.length === 0) return [atomOf(node, around)];
    keys.push(...own);
    return inner;
  });
}

function tryRead(node: Json, around: readonly Mark[], keys: [string, string | null][]): Node[] {
  return read(node.nodes ?? [], around, keys);
}

function readOne(node: Json, around: readonly Mark[], keys: [string, string | null][]): Node[] {
  if (node.object !== 'text') return [atomOf(node, around)];
  const parts = (node.leaves ?? []).map((leaf) => leafToEditor(leaf, around));
  if (parts.some((part) => part === null)) return [atomOf(node, around)];
  keys.push(['text', node.key ?? null]);
  return parts.flatMap((part) => part ?? []);
}

const atomOf = (json: Json, around: readonly Mark[]): Node => schema.node('inline_atom', { json }, undefined, around);

function leafToEditor(leaf: Leaf, around: readonly Mark[]): Node[] | null {
  const types = leaf.marks.map((mark) => mark.type);
  const isEditable = leaf.marks.every((mark) => RANK.has(mark.type) && !WRAPPERS.includes(mark.type as never));
  if (!isEditable || new Set(types).size < types.length) return null;
  const isUsual = types.every((type, index) => index === 0 || rank(types[index - 1]) < rank(type));
  const marks = leaf.marks.map((mark, index) =>
    schema.mark(mark.type, { data: mark.data ?? null, at: isUsual ? null : index }));
  return leaf.text.split('\n').flatMap((text, index) => [
    ...(index > 0 ? [schema.node('hard_break', null, undefined, [...around, ...marks])] : []),
    ...(text ? [schema.text(text, [...around, ...marks])] : []),
  ]);
}

const rank = (type: string | undefined): number => RANK.get(type ?? '') ?? -1;

export const EMPTY: Json = { object: 'text', leaves: [{ object: 'leaf', text: '', marks: [] }] };

/** The inlines of a text of the editor; `keys` are those that it had when it was read. */
export function inlinesOf(content: Fragment, keys: InlineKeys | null): Json[] {
  if (content.childCount === 0 && keys?.length === 0) return [];
  const nodes = content.childCount === 0 ? [EMPTY] : written(content.content.slice(), 0);
  return keys === null ? nodes : withKeys(nodes, keys);
}

function written(children: readonly Node[], level: number): Json[] {
  const wrapper = WRAPPERS[level];
  if (wrapper === undefined) return texts(children);
  const nodes: Json[] = [];
  for (let index = 0; index < children.length; ) {
    const mark = markOf(children[index], wrapper);
    let end = index + 1;
    while (end < children.length && sameMark(markOf(children[end], wrapper), mark)) end += 1;
    const inner = written(children.slice(index, end), level + 1);
    nodes.push(...(mark ? [{ ...(mark.attrs['json'] as Json), nodes: inner }] : inner));
    index = end;
  }
  return nodes;
}

const markOf = (node: Node | undefined, name: string): Mark | undefined => node?.marks.find((mark) => mark.type.name === name);
const sameMark = (mark: Mark | undefined, other: Mark | undefined): boolean =>
  mark === other || (mark !== undefined && other !== undefined && mark.eq(other));

function texts(children: readonly Node[]): Json[] {
  const nodes: Json[] = [];
  let leaves: { object: 'leaf'; text: string; marks: JsonMark[] }[] = [];
  const close = (): void => {
    if (leaves.length > 0) nodes.push({ object: 'text', leaves });
    leaves = [];
  };
  for (const child of children) {
    if (child.type.name === 'inline_atom') {
      close();
      nodes.push(child.attrs['json'] as Json);
      continue;
    }
    const text = child.isText ? (child.text ?? '') : '\n';
    const marks = marksOf(child);
    const last = leaves.at(-1);
    if (last && same(last.marks, marks)) last.text += text;
    else leaves.push({ object: 'leaf', text, marks });
  }
  close();
  return nodes;
}

function marksOf(node: Node): JsonMark[] {
  const own = node.marks.filter((mark) => !WRAPPERS.includes(mark.type.name as never));
  const places = new Map(own.map((mark, index) => [mark, (mark.attrs['at'] as number | null) ?? index]));
  return own
    .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    .map((mark) => ({ object: 'mark', type: mark.type.name, ...(mark.attrs['data'] === null ? {} : { data: mark.attrs['data'] }) }));
}

/** Nodes with the keys that they had, counted from both ends: what was typed in the middle is new. */
function withKeys(nodes: readonly Json[], keys: InlineKeys): Json[] {
  const types: string[] = [];
  walk(nodes, (type) => types.push(type));
  let head = 0;
  while (head < types.length && head < keys.length && keys[head]?.[0] === types[head]) head += 1;
  let tail = 0;
  while (tail < types.length - head && tail < keys.length - head && keys.at(-1 - tail)?.[0] === types.at(-1 - tail)) tail += 1;
  let index = 0;
  const give = (node: Json): Json => {
    const type = node.object === 'text' ? 'text' : isWrapper(node) && !isStored(node) ? String(node.type) : null;
    if (type === null || isStored(node)) return node;
    const place = index;
    index += 1;
    const key = place < head ? keys[place]?.[1] : place >= types.length - tail ? keys[keys.length - types.length + place]?.[1] : null;
    const nodes = node.nodes?.map(give);
    return { ...node, ...(nodes ? { nodes } : {}), ...(key ? { key } : {}) };
  };
  return nodes.map(give);
}

/** Whether a node was kept as it is: those have their keys. */
const isStored = (node: Json): boolean => node.key !== undefined;

function walk(nodes: readonly Json[], tell: (type: string) => void): void {
  for (const node of nodes) {
    if (isStored(node)) continue;
    if (node.object === 'text') tell('text');
    else if (isWrapper(node)) {
      tell(String(node.type));
      walk(node.nodes ?? [], tell);
    }
  }
}
