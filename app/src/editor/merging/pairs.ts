/**
 * What two people have made alike, each with a name of its own: the same block in the same place, the same around the
 * same blocks, the same row or column. It is one.
 */

import type { Node } from 'prosemirror-model';
import { meaningOf } from '../../document/json.ts';
import type { Streams } from './streams.ts';
import { hunksBetween } from './text.ts';
import { HEAD, isHolder, isTable, ownName, type Renaming, ROOT, type Version } from './versions.ts';

const gists = new WeakMap<Node, string>();

/** All that a node says, without names. */
function gistOf(node: Node): string {
  const before = gists.get(node);
  if (before !== undefined) return before;
  const { data, json, value } = node.attrs as Record<string, unknown>;
  const said: unknown[] = [node.type.name, data ?? null, json ?? null, node.type.name === 'table_value' ? value : null];
  const inner = node.isTextblock || node.isLeaf ? JSON.stringify(node.content.toJSON()) : node.content.content.map(gistOf).join('\0');
  const gist = `${meaningOf(said)}(${inner})`;
  gists.set(node, gist);
  return gist;
}

/** Names in their version, by those that the same has in mine. A text that was split or joined is the same as its stream says, or not at all. */
export function alike(old: Version, their: Version, my: Version, { pairs: linked, streams }: Streams): ReadonlyMap<string, string> {
  const pairs = new Map(linked);
  const taken = new Set(linked.values());
  const pair = (theirs: string, mine: string): void => {
    pairs.set(mine, theirs);
    taken.add(theirs);
  };
  const named = (mine: string): string => pairs.get(mine) ?? mine;
  const isNew = (name: string): boolean => !old.has(name);
  const isFree = (theirs: string, mine: string): boolean =>
    isNew(theirs) && isNew(mine) && !their.has(mine) && !my.has(theirs) && !pairs.has(mine) && !taken.has(theirs) && !streams.has(theirs) && !streams.has(mine);

  // Both have put the same kind of block around the same one.
  const around = [...my.keys()].filter((name) => their.has(named(name)));
  for (let name = around.pop(); name !== undefined; name = around.pop()) {
    const [mine, theirs] = [my.get(name)?.parent, their.get(named(name))?.parent];
    if (mine === undefined || theirs === undefined || !isFree(theirs, mine)) continue;
    if (my.get(mine)?.node.type !== their.get(theirs)?.node.type) continue;
    pair(theirs, mine);
    around.push(mine);
  }

  /** New ones that stand behind the same one, by its name. */
  const runs = (names: readonly string[], isThere: (name: string) => boolean, nameOf: (name: string) => string): Map<string, string[]> => {
    const followers = new Map<string, string[]>();
    let behind = '';
    for (const name of names) {
      if (isThere(name)) behind = nameOf(name);
      else if (isNew(name)) followers.get(behind)?.push(name) ?? followers.set(behind, [name]);
    }
    return followers;
  };
  const match = (theirs: readonly string[], mine: readonly string[], gist: (version: Version, name: string) => string): void => {
    const mineThere = new Set(mine.map(named));
    const theirsThere = new Set(theirs);
    const [left, right] = [
      runs(theirs, (name) => mineThere.has(name), (name) => name),
      runs(mine, (name) => theirsThere.has(named(name)), named),
    ];
    for (const [behind, run] of right) {
      const others = left.get(behind);
      if (others === undefined) continue;
      let [at, there] = [0, 0];
      const [said, saidThere] = [others.map((name) => gist(their, name)), run.map((name) => gist(my, name))];
      for (const { from, to, start, end } of [...hunksBetween(said, saidThere), { from: others.length, to: 0, start: run.length, end: 0 }]) {
        for (; at < from && there < start; at += 1, there += 1) if (isFree(others[at] as string, run[there] as string)) pair(others[at] as string, run[there] as string);
        [at, there] = [to, end];
      }
    }
  };
  const gistIn = (version: Version, name: string): string => gistOf((version.get(name) as { node: Node }).node);

  const visit = (theirs: string, mine: string): void => {
    const [left, right] = [their.get(theirs), my.get(mine)];
    if (left === undefined || right === undefined || !(theirs === ROOT || (isHolder(left.node) && isHolder(right.node)))) return;
    if (isTable(left.node) && isTable(right.node)) columns(theirs, mine);
    match(left.children, right.children, gistIn);
    const there = new Set(left.children);
    for (const name of right.children) if (there.has(named(name))) visit(named(name), name);
  };
  /** A column is what its title and its cells say. */
  const columns = (theirs: string, mine: string): void => {
    const heads = [their.get(`${theirs} ${HEAD}`)?.children ?? [], my.get(`${mine} ${HEAD}`)?.children ?? []] as const;
    const column = (version: Version, name: string): string => {
      const table = version === their ? theirs : mine;
      const own = name.slice(`${table} ${HEAD} `.length);
      const rows = version.get(table)?.children ?? [];
      return rows.map((row) => version.get(`${row} ${own}`)).map((cell) => (cell ? gistOf(cell.node) : '')).join('\0');
    };
    match(heads[0], heads[1], column);
  };
  visit(ROOT, ROOT);
  return pairs;
}

/** What is called otherwise now, from names that mean the same. */
export const renamingOf = (pairs: ReadonlyMap<string, string>, their: Version): Renaming =>
  new Map([...pairs].flatMap(([mine, theirs]) => {
    const own = their.get(theirs) ? ownName((their.get(theirs) as { node: Node }).node) : null;
    return own === null ? [] : [[mine, own] as const];
  }));
