/** Lists and tables as rows, to compare them as what they are: item by item, cell by cell. */

import type { Table, TableCell } from '../document/model.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { type BlockChange, blocksBetween } from './block-diff.ts';
import { type Word, wordsBetween } from './words-between.ts';

export interface Row {
  /** What stands before an item of a list. */
  readonly sign: string;
  readonly depth: number;
  readonly cells: readonly (readonly Word[])[];
}
export type RowChange =
  | { readonly kind: 'added' | 'removed' | 'edited'; readonly row: Row }
  /** Rows between those that changed; those next to them are shown. */
  | { readonly kind: 'same'; readonly rows: readonly Row[] };
export interface Rows {
  /** Titles of columns; null in lists. */
  readonly head: readonly (readonly Word[])[] | null;
  readonly changes: readonly RowChange[];
}

const LIST = /^list-(?:ordered|unordered|tasks)$/u;
const isList = (node: AnyNode): boolean => LIST.test(node.type ?? '');

/** A row as a block, which is compared with others; the number of an item is no part of what it says. */
const rowOf = (cells: readonly string[], { key, sign = '', depth = 0, isDone }: { key?: string | undefined; sign?: string; depth?: number; isDone?: unknown } = {}): AnyNode => ({
  object: 'block', type: 'row', meta: { sign }, data: { depth, isDone }, ...(key === undefined ? {} : { key }),
  nodes: cells.map((text) => ({ object: 'block', leaves: [{ text }] })),
});

function signOf(list: AnyNode, item: AnyNode, index: number): string {
  if (list.type === 'list-tasks') return item.data?.['checked'] === true ? '☑' : '☐';
  return list.type === 'list-ordered' ? `${Number(list.data?.['start'] ?? 1) + index}.` : '•';
}

/** Items of a list, and behind each those of the lists in it. */
function itemsOf(list: AnyNode, depth = 0): AnyNode[] {
  return (list.nodes ?? []).flatMap((item, index) => {
    const text = (item.nodes ?? []).filter((node) => !isList(node)).map(textOf).join('\n');
    return [rowOf([text], { key: item.key, sign: signOf(list, item, index), depth, isDone: item.data?.['checked'] }), ...(item.nodes ?? []).filter(isList).flatMap((inner) => itemsOf(inner, depth + 1))];
  });
}

function cellOf(type: string | undefined, value: TableCell | undefined, texts: ReadonlyMap<unknown, AnyNode>): string {
  if (value === undefined || value === null) return '';
  if (type === 'text') {
    const cell = texts.get(value);
    return cell ? textOf(cell) : '';
  }
  if (type === 'checkbox') return value === true ? '☑' : '☐';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function linesOf(table: Table): AnyNode[] {
  const { records, view, definition } = table.data;
  const texts = new Map<unknown, AnyNode>(table.fragments.map((cell) => [cell.fragment, cell as AnyNode]));
  return Object.entries(records)
    .sort(([, row], [, other]) => (row.orderIndex < other.orderIndex ? -1 : 1))
    .map(([, row]) => rowOf(view.columns.map((column) => cellOf(definition[column]?.type, row.values[column], texts))));
}

const textsOf = (row: AnyNode): string[] => (row.nodes ?? []).map(textOf);
const drawn = (row: AnyNode, cells: Row['cells']): Row => ({ sign: String(row.meta?.['sign'] ?? ''), depth: Number(row.data?.['depth'] ?? 0), cells });
const plain = (row: AnyNode): Row => drawn(row, textsOf(row).map((text) => [{ kind: 'same', text }]));
const between = (before: readonly string[], after: readonly string[]): Word[][] => after.map((text, index) => wordsBetween(before[index] ?? '', text));

function changeOf(change: BlockChange): RowChange {
  if (change.kind === 'same') return { kind: 'same', rows: change.blocks.map(plain) };
  if (change.kind !== 'edited') return { kind: change.kind, row: plain(change.block) };
  return { kind: 'edited', row: drawn(change.after, between(textsOf(change.before), textsOf(change.after))) };
}

/** Null for what is no list and no table, and for tables whose columns are others: their text is compared. */
export function rowsBetween(before: AnyNode, after: AnyNode): Rows | null {
  if (isList(before) && before.type === after.type) return { head: null, changes: blocksBetween(itemsOf(before), itemsOf(after)).map(changeOf) };
  if (before.type !== 'table' || after.type !== 'table') return null;
  const [old, now] = [before, after] as unknown as [Table, Table];
  const columns = now.data.view.columns;
  if (columns.length !== old.data.view.columns.length) return null;
  const titles = (table: Table): string[] => table.data.view.columns.map((column) => table.data.definition[column]?.title ?? '');
  return { head: 'hideHeader' in now.data.view && now.data.view.hideHeader ? null : between(titles(old), titles(now)), changes: blocksBetween(linesOf(old), linesOf(now)).map(changeOf) };
}
