/** Tables of a document ⇄ rows and cells of the editor. Columns that are not shown stay beside it. */

import type { Node } from 'prosemirror-model';
import { type Data, type Json, without } from '../document/json.ts';
import { inlinesOf, Unfit } from './inline.ts';
import { schema } from './schema.ts';

interface Row {
  readonly id: string;
  readonly record: { readonly orderIndex: string; readonly values: Data };
}

/** What stands beside the rows: definitions of hidden columns, and fragments in their order. */
interface Extra {
  readonly definition: Data;
  readonly fragments: readonly Json[];
  readonly order: readonly string[];
}

type Blocks = (blocks: readonly Json[]) => Node[];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Unfit(what);
  return value;
}

const isText = (column: unknown): boolean => isRecord(column) && column['type'] === 'text';

export function tableToEditor(node: Json, form: Data, blocks: Blocks): Node {
  const { definition, records, ...data } = recordOf(node.data, 'data');
  const { columns: shown, ...view } = recordOf(data['view'], 'view');
  const columns = recordOf(definition, 'definition');
  const ids = Array.isArray(shown) ? (shown as string[]) : [];
  if (ids.length === 0 || ids.some((id) => !isRecord(columns[id]))) throw new Unfit('columns');
  const fragments = new Map((node.fragments ?? []).map((fragment) => [String(fragment['fragment']), fragment]));
  if (fragments.size < (node.fragments ?? []).length) throw new Unfit('fragments');
  const order = [...fragments.keys()];
  const head = ids.map((id) => {
    const { title, ...column } = columns[id] as Record<string, unknown>;
    if (typeof title !== 'string') throw new Unfit('title');
    return schema.node('table_header', { column }, title ? [schema.text(title)] : []);
  });
  const rows = Object.entries(recordOf(records, 'records'))
    .map(([id, record]) => ({ id, record: record as Row['record'] }))
    .sort((a, b) => (a.record.orderIndex < b.record.orderIndex ? -1 : 1));
  const body = rows.map((row) => {
    const values = recordOf(row.record.values, 'values');
    const cells = ids.map((id) => {
      const value = values[id];
      if (!isText(columns[id])) return schema.node('table_value', { value: value ?? null });
      const fragment = typeof value === 'string' ? fragments.get(value) : undefined;
      if (value != null && fragment === undefined) throw new Unfit('cell');
      fragments.delete(String(value));
      return schema.node('table_cell', { form: fragment ? without(fragment, 'nodes') : null, value: value ?? null }, blocks(fragment?.nodes ?? []));
    });
    return schema.node('table_row', { row }, cells);
  });
  const hidden = Object.fromEntries(Object.entries(columns).filter(([id]) => !ids.includes(id)));
  const extra: Extra = { definition: hidden, fragments: [...fragments.values()], order };
  return schema.node('table', { form, data: { ...data, view }, extra }, [schema.node('table_row', null, head), ...body]);
}

/** A name that none of these has. */
function freshName(base: string, taken: ReadonlySet<string>): string {
  for (let number = taken.size + 1; ; number += 1) if (!taken.has(`${base}${number}`)) return `${base}${number}`;
}

const orderOf = (index: number): string => String(index).padStart(6, '0');

export function tableOf(table: Node, written: (children: Node) => Json[]): { data: Data; fragments: Json[] } {
  const extra = (table.attrs['extra'] as Extra | null) ?? { definition: {}, fragments: [], order: [] };
  const first = table.firstChild;
  const hasHead = first?.firstChild?.type.name === 'table_header';
  const rows = table.content.content.slice(hasHead ? 1 : 0);
  const width = Math.max(1, hasHead ? (first?.childCount ?? 1) : Math.max(...rows.map((row) => row.childCount)));
  const definition: Record<string, unknown> = {};
  const names = new Set(Object.keys(extra.definition));
  first?.forEach((cell) => {
    const column = cell.attrs['column'] as { id?: string } | null;
    if (column?.id) names.add(column.id);
  });
  const ids: string[] = [];
  for (let index = 0; index < width; index += 1) {
    const cell = hasHead ? first?.maybeChild(index) : null;
    const column = (cell?.attrs['column'] as { id?: string } | null) ?? null;
    const id = column?.id && !ids.includes(column.id) ? column.id : freshName('column', names);
    names.add(id);
    ids.push(id);
    definition[id] = { type: 'text', ...column, id, title: cell?.textContent ?? '' };
  }
  const fragments: Json[] = [];
  const records: Record<string, unknown> = {};
  const places = rows.map((row) => (row.attrs['row'] as Row | null)?.record.orderIndex ?? null);
  const isOrdered = places.every((place, index) => place !== null && (index === 0 || (places[index - 1] ?? '') < place));
  const taken = new Set(rows.map((row) => (row.attrs['row'] as Row | null)?.id ?? ''));
  const used = new Set([...extra.order, ...extra.fragments.map((fragment) => String(fragment['fragment']))]);
  rows.forEach((row, place) => {
    const was = row.attrs['row'] as Row | null;
    const id = was && !(was.id in records) ? was.id : freshName('row', taken);
    taken.add(id);
    const shown = new Set(ids);
    // Values of hidden columns stay; those of columns that are gone do not.
    const values: Record<string, unknown> = Object.fromEntries(
      Object.entries(was?.record.values ?? {}).filter(([column]) => shown.has(column) || column in extra.definition));
    ids.forEach((column, index) => {
      const cell = row.maybeChild(index);
      const value = cellOf(cell ?? null, `${id}-${column}`, fragments, used, written);
      if (value === null && was !== null && !(column in was.record.values)) return;
      values[column] = isText(definition[column]) || value === null || cell?.type.name === 'table_value' ? value : null;
    });
    records[id] = { ...was?.record, orderIndex: isOrdered ? places[place] : orderOf(place), values };
  });
  const referred = new Set(Object.values(records).flatMap((record) => Object.values((record as Row['record']).values)));
  const others = extra.fragments.filter((fragment) => referred.has(String(fragment['fragment'])) || extra.order.length === 0);
  const place = new Map(extra.order.map((name, index) => [name, index]));
  const all = [...fragments, ...others].sort(
    (a, b) => (place.get(String(a['fragment'])) ?? Infinity) - (place.get(String(b['fragment'])) ?? Infinity) || 0);
  const { view, ...data } = (table.attrs['data'] as { view?: Data } | null) ?? {};
  const own = view ?? { type: 'grid', hideHeader: !hasHead };
  return { data: { ...data, view: { ...own, ...widths(own, definition, extra.definition), columns: ids }, definition: { ...definition, ...extra.definition }, records }, fragments: all };
}

function widths(view: Data, ...definitions: readonly Data[]): Data {
  const before = view['columnWidths'];
  if (!isRecord(before)) return {};
  return { columnWidths: Object.fromEntries(Object.entries(before).filter(([id]) => definitions.some((definition) => id in definition))) };
}

function cellOf(cell: Node | null, name: string, fragments: Json[], used: Set<string>, written: (cell: Node) => Json[]): unknown {
  if (cell?.type.name === 'table_value') return cell.attrs['value'];
  const form = (cell?.attrs['form'] as Json | null) ?? null;
  // A title that came below others is text like theirs.
  const nodes = cell?.type.name === 'table_header' ? [textBlock(cell)] : cell ? written(cell) : [];
  if (form === null && nodes.every(isEmpty)) return cell?.attrs['value'] ?? null;
  const own = form && !fragments.some((fragment) => fragment['fragment'] === form['fragment']) ? form : null;
  const free = own ? String(own['fragment']) : used.has(name) ? freshName(`${name}-`, used) : name;
  used.add(free);
  fragments.push({ ...(own ?? { object: 'fragment', type: 'table-cell', fragment: free }), nodes });
  return free;
}

const textBlock = (cell: Node): Json =>
  ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: inlinesOf(cell.content, null) });

const isEmpty = (block: Json): boolean =>
  block.type === 'paragraph' && (block.nodes ?? []).every((text) => text.leaves?.every((leaf) => leaf.text === ''));
