/** Lists and tables as rows, to compare them as what they are: item by item, cell by cell. */

import { meaningOf } from '../document/json.ts';
import type { Table, TableCell } from '../document/model.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { type BlockChange, blocksBetween } from './block-diff.ts';
import { type Word, wordsBetween } from './words-between.ts';

export interface Row {
  /** What stands before an item of a list. */
  readonly sign: string;
  readonly depth: number;
  readonly cells: readonly (readonly Word[])[];
  /** Cells whose words are the same, and whose marks or links are others. */
  readonly onlyForm: ReadonlySet<number>;
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

/** What is read of a cell, and what it means beyond that: marks, and where links lead. */
interface Cell {
  readonly text: string;
  readonly form: string;
}
const cellWith = (nodes: readonly AnyNode[]): Cell => ({ text: nodes.map(textOf).join('\n'), form: meaningOf(nodes) });
const plainCell = (text: string): Cell => ({ text, form: '' });

/** A row as a block, which is compared with others; the number of an item is no part of what it says. */
const rowOf = (cells: readonly Cell[], { key, sign = '', depth = 0, isDone }: { key?: string | undefined; sign?: string; depth?: number; isDone?: unknown } = {}): AnyNode => ({
  object: 'block', type: 'row', meta: { sign }, data: { depth, isDone, forms: cells.map(({ form }) => form) }, ...(key === undefined ? {} : { key }),
  nodes: cells.map(({ text }) => ({ object: 'block', leaves: [{ text }] })),
});

function signOf(list: AnyNode, item: AnyNode, index: number): string {
  if (list.type === 'list-tasks') return item.data?.['checked'] === true ? '☑' : '☐';
  return list.type === 'list-ordered' ? `${Number(list.data?.['start'] ?? 1) + index}.` : '•';
}

/** Items of a list, and behind each those of the lists in it. */
function itemsOf(list: AnyNode, depth = 0): AnyNode[] {
  return (list.nodes ?? []).flatMap((item, index) => {
    const cell = cellWith((item.nodes ?? []).filter((node) => !isList(node)));
    return [rowOf([cell], { key: item.key, sign: signOf(list, item, index), depth, isDone: item.data?.['checked'] }), ...(item.nodes ?? []).filter(isList).flatMap((inner) => itemsOf(inner, depth + 1))];
  });
}

function cellOf(type: string | undefined, value: TableCell | undefined, texts: ReadonlyMap<unknown, AnyNode>): Cell {
  if (value === undefined || value === null) return plainCell('');
  if (type === 'text') {
    const cell = texts.get(value);
    return cell ? { text: textOf(cell), form: meaningOf(cell.nodes) } : plainCell('');
  }
  if (type === 'checkbox') return plainCell(value === true ? '☑' : '☐');
  return plainCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function linesOf(table: Table): AnyNode[] {
  const { records, view, definition } = table.data;
  const texts = new Map<unknown, AnyNode>(table.fragments.map((cell) => [cell.fragment, cell as AnyNode]));
  return Object.entries(records)
    .sort(([, row], [, other]) => (row.orderIndex < other.orderIndex ? -1 : 1))
    .map(([, row]) => rowOf(view.columns.map((column) => cellOf(definition[column]?.type, row.values[column], texts))));
}

const textsOf = (row: AnyNode): string[] => (row.nodes ?? []).map(textOf);
const formsOf = (row: AnyNode): readonly string[] => row.data?.['forms'] as string[];
const drawn = (row: AnyNode, cells: Row['cells'], onlyForm: Row['onlyForm'] = new Set()): Row =>
  ({ sign: String(row.meta?.['sign'] ?? ''), depth: Number(row.data?.['depth'] ?? 0), cells, onlyForm });
const plain = (row: AnyNode): Row => drawn(row, textsOf(row).map((text) => [{ kind: 'same', text }]));
const between = (before: readonly string[], after: readonly string[]): Word[][] => after.map((text, index) => wordsBetween(before[index] ?? '', text));

function changeOf(change: BlockChange): RowChange {
  if (change.kind === 'same') return { kind: 'same', rows: change.blocks.map(plain) };
  if (change.kind !== 'edited') return { kind: change.kind, row: plain(change.block) };
  const cells = between(textsOf(change.before), textsOf(change.after));
  const [forms, others] = [formsOf(change.before), formsOf(change.after)];
  const onlyForm = cells.flatMap((words, index) => (forms[index] !== others[index] && words.every((word) => word.kind === 'same') ? [index] : []));
  return { kind: 'edited', row: drawn(change.after, cells, new Set(onlyForm)) };
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
