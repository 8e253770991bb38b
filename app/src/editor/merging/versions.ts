/** A page as its nodes by their names: blocks by their keys, rows and columns of tables by theirs, wherever they stand. */

import { Fragment, type Node } from 'prosemirror-model';
import { type Blocks, meaning } from '../changes.ts';
import { blockOf, blockToEditor, keyOfBlock } from '../convert.ts';
import { schema } from '../schema.ts';

export interface Entry {
  readonly node: Node;
  readonly parent: string;
  readonly children: readonly string[];
}
export type Version = ReadonlyMap<string, Entry>;

export const ROOT = '';
export const HEAD = 'head';
export const isTable = (node: Node): boolean => node.type.name === 'table';
/** Whether its children are parts of it by themselves, and may be elsewhere tomorrow. */
export const isHolder = (node: Node): boolean => !node.isTextblock && !node.isLeaf;

/** The names of the columns of a table, from its titles. */
export const columnsOf = (table: Node): string[] => {
  const names: string[] = [];
  table.firstChild?.forEach((cell, _, index) => {
    const column = cell.attrs['column'] as { id?: string } | null | undefined;
    names.push(column?.id ?? `${index}`);
  });
  return names;
};

/** Names of the children of a node, which are the same in all versions. */
export function namesOf(node: Node, name: string, columns: readonly string[] = []): string[] {
  const names: string[] = [];
  node.forEach((child, _, index) => {
    const type = child.type.name;
    if (type === 'table_row') {
      const row = child.attrs['row'] as { id?: string } | null;
      names.push(`${name} ${index === 0 && child.firstChild?.type.name === 'table_header' ? HEAD : (row?.id ?? index)}`);
    } else if (node.type.name === 'table_row') names.push(`${name} ${columns[index] ?? index}`);
    else if (/^(?:caption|expandable_.*)$/u.test(type)) names.push(`${name} ${type}`);
    else names.push(keyOfBlock(child) ?? `${name} ${index} ${type}`);
  });
  return names;
}

/** The version before, and names that this one has itself, wherever they stand by now. */
interface Before {
  readonly base: Version;
  readonly taken: ReadonlySet<string>;
}

function add(version: Map<string, Entry>, node: Node, name: string, parent: string, before: Before | null, columns: readonly string[]): void {
  if (!isHolder(node)) {
    version.set(name, { node, parent, children: [] });
    return;
  }
  const inner = isTable(node) ? columnsOf(node) : columns;
  const own = new Set<string>();
  const children = namesOf(node, name, inner).map((child, index) => {
    const free = renamed(child, node.child(index), name, before, own);
    const unique = version.has(free) || own.has(free) || free === name ? `${name} ${index} again` : free;
    own.add(unique);
    return unique;
  });
  version.set(name, { node, parent, children });
  node.forEach((child, _, index) => add(version, child, children[index] as string, name, before, inner));
}

/** Blocks of the base by what they say, in each block that they stand in: many new ones are each looked up. */
const saidIn = new WeakMap<Entry, Map<string, string[]>>();

function saying(base: Version, parent: string): ReadonlyMap<string, string[]> {
  const around = base.get(parent);
  const before = around && saidIn.get(around);
  if (before !== undefined) return before;
  const names = new Map<string, string[]>();
  for (const child of around?.children ?? []) {
    const entry = base.get(child);
    if (entry === undefined || !isKeyed(entry.node)) continue;
    const said = `${entry.node.type.name} ${meaning(blockOf(entry.node))}`;
    const same = names.get(said);
    if (same) same.push(child);
    else names.set(said, [child]);
  }
  if (around) saidIn.set(around, names);
  return names;
}

/** What the server has given another key than it had here is what it was: it stands in the same place and says the same. */
function renamed(name: string, node: Node, parent: string, before: Before | null, used: ReadonlySet<string>): string {
  if (before === null || before.base.has(name) || name.startsWith(`${parent} `)) return name;
  return saying(before.base, parent).get(`${node.type.name} ${meaning(blockOf(node))}`)?.find((candidate) => !used.has(candidate) && !before.taken.has(candidate)) ?? name;
}

function keysIn(blocks: Blocks, keys = new Set<string>()): Set<string> {
  for (const { key, nodes, fragments } of blocks) {
    if (key !== undefined) keys.add(key);
    keysIn(nodes ?? [], keys);
    keysIn(fragments ?? [], keys);
  }
  return keys;
}

export const isKeyed = (node: Node): boolean => keyOfBlock(node) !== null;

export function versionOf(blocks: Blocks, concerned: ReadonlySet<string>, base: Version | null): Map<string, Entry> {
  const version = new Map<string, Entry>();
  const children = blocks.map((block) => block.key ?? '');
  version.set(ROOT, { node: schema.node('doc', null, [schema.node('paragraph')]), parent: ROOT, children });
  const before = base && { base, taken: keysIn(blocks) };
  for (const block of blocks) if (concerned.has(block.key ?? '')) add(version, blockToEditor(block), block.key ?? '', ROOT, before, []);
  return version;
}

/** What nodes are called now - keys of blocks, rows and columns - by the names that they had. */
export type Renaming = ReadonlyMap<string, string>;

const attributeOf = (node: Node): string =>
  ({ table_row: 'row', table_header: 'column', block_atom: 'json' } as Record<string, string>)[node.type.name] ?? 'form';

/** What a block, a row or a column is called by itself. */
export function ownName(node: Node): string | null {
  const { id, key } = (node.attrs[attributeOf(node)] ?? {}) as { id?: string; key?: string };
  return (/^table_(?:row|header)$/u.test(node.type.name) ? id : key) ?? null;
}

/** A node with new names for what is in it. */
export function called(node: Node, name: string, renaming: Renaming, columns: readonly string[] = []): Node {
  const now = renaming.get(name);
  if (!isHolder(node) && now === undefined) return node;
  const inner = isTable(node) ? columnsOf(node) : columns;
  const names = isHolder(node) ? namesOf(node, name, inner) : [];
  const children = isHolder(node) ? node.content.content.map((child, index) => called(child, names[index] as string, renaming, inner)) : node.content;
  if (now === undefined) return (children as readonly Node[]).every((child, index) => child === node.child(index)) ? node : node.copy(Fragment.from(children));
  const attribute = attributeOf(node);
  const own = attribute === 'row' || attribute === 'column' ? { id: now } : { key: now };
  return node.type.create({ ...node.attrs, [attribute]: { ...(node.attrs[attribute] as object | null), ...own } }, children, node.marks);
}

/** A version with new names: blocks that it has alike with another one are called as they are there. */
export function calledVersion(version: Version, renaming: Renaming): Map<string, Entry> {
  const renamed = new Map<string, Entry>();
  const root = version.get(ROOT) as Entry;
  const children = root.children.map((name) => renaming.get(name) ?? name);
  renamed.set(ROOT, { ...root, children });
  root.children.forEach((name, index) => {
    const entry = version.get(name);
    if (entry) add(renamed, called(entry.node, name, renaming), children[index] as string, ROOT, null, []);
  });
  return renamed;
}
