/** Names of what stands in the editor: a key for each block, also inside of others, and for rows and columns of tables. */

import { Fragment, type Node, Slice } from 'prosemirror-model';
import { Plugin, Selection } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { keyOfBlock, withKey } from './convert.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** A node that has a name, from the start of the block at the top that it stands in; `scope`: of the table, whose rows are named inside of it. */
interface Named {
  readonly offset: number;
  readonly node: Node;
  readonly name: string | null;
  readonly scope: number | null;
}

const cached = new WeakMap<Node, readonly Named[]>();

function namedIn(top: Node): readonly Named[] {
  const before = cached.get(top);
  if (before !== undefined) return before;
  const all: Named[] = [];
  const visit = (node: Node, offset: number, table: number): void => {
    const type = node.type.name;
    const isHead = type === 'table_header';
    const isFiller = type === 'paragraph' && node.content.size === 0 && node.attrs['form']?.filler === true;
    if (type === 'table_row' || isHead) {
      const named = (isHead ? node.attrs['column'] : node.attrs['row']) as { id?: string } | null;
      if (isHead || node.firstChild?.type.name !== 'table_header') all.push({ offset, node, name: named?.id ?? null, scope: table });
    } else if (!isFiller && /^(?:block|part)$/u.test(node.type.spec.group ?? '')) all.push({ offset, node, name: keyOfBlock(node), scope: null });
    if (!node.isTextblock) node.forEach((child, inner) => visit(child, offset + 1 + inner, type === 'table' ? offset : table));
  };
  visit(top, 0, 0);
  cached.set(top, all);
  return all;
}

/** The node with a name of its own. */
function renamed(node: Node, isCopy: boolean): Node {
  const id = newKey();
  const { row, column } = node.attrs as { row?: { record?: object } | null; column?: object | null };
  if (node.type.name === 'table_row') {
    const record = { ...row?.record, values: (row?.record as { values?: object } | undefined)?.values ?? {}, orderIndex: null };
    return node.type.create({ ...node.attrs, row: { ...row, id, record } }, node.content);
  }
  if (node.type.name === 'table_header') return node.type.create({ ...node.attrs, column: { type: 'text', ...column, id } }, node.content);
  return withKey(node, id, isCopy);
}

const isBare = (node: Node): boolean => node.isTextblock && node.content.size === 0;

const FEW = 24;

/** Documents in which nothing lacks a name, and none stands twice. */
const settled = new WeakSet<Node>();

/**
 * Which blocks at the top of `after` are to be looked at: those that `before` has not got, for a letter costs what its block is long and not
 * what the page is. All of them where `before` was not looked at, or names have come that may stand elsewhere, too.
 */
function unsettled(before: Node, after: Node): { readonly from: number; readonly to: number } {
  const all = { from: 0, to: after.childCount };
  if (!settled.has(before)) return all;
  const most = Math.min(before.childCount, after.childCount);
  let [from, end] = [0, 0];
  while (from < most && before.child(from) === after.child(from)) from += 1;
  while (end < most - from && before.child(before.childCount - 1 - end) === after.child(after.childCount - 1 - end)) end += 1;
  const to = after.childCount - end;
  const gone = new Set<string | null>([null]);
  for (let at = from; at < before.childCount - end; at += 1) for (const { name } of namedIn(before.child(at))) gone.add(name);
  for (let at = from; at < to; at += 1) if (namedIn(after.child(at)).some(({ name, scope }) => scope === null && !gone.has(name))) return all;
  return { from, to };
}

/** What it does is marked as its own: no place changes by it, also where many blocks are put in anew. */
export const keysOfBlocks: Plugin = new Plugin({
  appendTransaction(transactions, before, state) {
    if (!transactions.some((transaction) => transaction.docChanged)) return null;
    const seen = new Map<string, { position: number; node: Node; top: number }>();
    const fresh = new Map<number, Node>();
    const changed = new Set<number>();
    const { from, to } = unsettled(before.doc, state.doc);
    let start = 0;
    for (let index = 0; index < to; index += 1) {
      const top = state.doc.child(index);
      for (const { offset, node, name, scope } of index < from ? [] : namedIn(top)) {
        const whole = scope === null ? name : name && `${start + scope} ${node.type.name} ${name}`;
        const place = { position: start + offset, node, top: start };
        const first = whole === null ? undefined : seen.get(whole);
        // Enter before a text: the name goes with the text, as what others write in it and say of it does.
        const isBefore = first !== undefined && scope === null && isBare(first.node) && node.isTextblock && !isBare(node);
        if (whole !== null && (first === undefined || isBefore)) seen.set(whole, place);
        if (whole !== null && first === undefined) continue;
        const copy = isBefore ? first : place;
        fresh.set(copy.position, renamed(copy.node, name !== null));
        changed.add(copy.top);
      }
      start += top.nodeSize;
    }
    if (fresh.size === 0) {
      settled.add(state.doc);
      return null;
    }
    const tops: { position: number; node: Node }[] = [];
    state.doc.forEach((node, position) => {
      if (changed.has(position)) tops.push({ position, node });
    });
    const tr = state.tr.setMeta(keysOfBlocks, true);
    if (fresh.size <= FEW) {
      for (const [position, { attrs, marks }] of fresh) tr.setNodeMarkup(position, undefined, attrs, marks);
      settled.add(tr.doc);
      return tr;
    }
    // Each step costs what the whole page is long, so many blocks are one, and no more than they: undoing it takes back
    // nothing beside them. The selection stays.
    const written = (node: Node, position: number): Node => {
      const children: Node[] = [];
      node.forEach((child, offset) => children.push(child.isText ? child : written(child, position + 1 + offset)));
      return node.isLeaf ? (fresh.get(position) ?? node) : node.type.create((fresh.get(position) ?? node).attrs, Fragment.fromArray(children), node.marks);
    };
    const [first, last] = [tops[0]?.position ?? 0, tops.at(-1)];
    const end = last ? last.position + last.node.nodeSize : first;
    const part: Node[] = [];
    state.doc.forEach((node, position) => {
      if (position >= first && position < end) part.push(changed.has(position) ? written(node, position) : node);
    });
    tr.step(new ReplaceStep(first, end, new Slice(Fragment.fromArray(part), 0, 0)));
    settled.add(tr.doc);
    return tr.setSelection(Selection.fromJSON(tr.doc, state.selection.toJSON()));
  },
});
