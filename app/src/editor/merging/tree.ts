/**
 * What two people have made of a page, as one, also inside of its blocks. Blocks are the same by their keys, rows and
 * columns of tables by their names, wherever they stand: one may edit what the other one moves.
 */

import { Fragment, type Node } from 'prosemirror-model';
import { type Json, meaningOf } from '../../document/json.ts';
import { type Blocks, isSame, longestRising } from '../changes.ts';
import { blockOf, keyOfBlock } from '../convert.ts';
import { schema } from '../schema.ts';
import { alike, renamingOf } from './pairs.ts';
import { type Stream, type Streams, streamsOf } from './streams.ts';
import { mergedText, mergedValue, type Prefer, unitedText } from './text.ts';
import { twiceIn } from './twice.ts';
import { calledVersion, type Entry, HEAD, isHolder, isKeyed, isTable, type Renaming, ROOT, type Version, versionOf } from './versions.ts';

/** What both have changed: as it stands now, as either has it; null where it was taken away. `isTwice`: only one of them has it, and its words are in another one as well. */
export interface Clash {
  readonly key: string;
  readonly both: Json;
  readonly mine: Json | null;
  readonly theirs: Json | null;
  readonly isTwice?: boolean;
}

export interface Merged {
  readonly blocks: Blocks;
  /** What both have made alike is called as theirs: names by those that it had here. */
  readonly renaming: Renaming;
  readonly clashes: readonly Clash[];
}

/** What others have made of `base` (`theirs`) and what was typed here (`mine`), as one. */
export function merge(base: Blocks, theirs: Blocks, mine: Blocks): Merged {
  const [was, their, my] = [base, theirs, mine].map((blocks) => new Map(blocks.map((block) => [block.key ?? '', block]))) as [
    Map<string, Json>, Map<string, Json>, Map<string, Json>];
  const concerned = new Set([...was.keys(), ...their.keys(), ...my.keys()].filter(
    (key) => !isSame(was.get(key), their.get(key)) || !isSame(was.get(key), my.get(key))));
  const old = versionOf(base, concerned, null);
  const [left, right] = [versionOf(theirs, concerned, old), versionOf(mine, concerned, null)];
  const texts = streamsOf(old, left, right);
  const renaming = renamingOf(alike(old, left, right, texts), left);
  for (const [name, entry] of texts.begun) old.set(name, entry);
  for (const key of [...concerned]) concerned.add(renaming.get(key) ?? key);
  const merging = new Merging(old, left, renaming.size > 0 ? calledVersion(right, renaming) : right, texts);
  return { ...merging.run((key) => their.get(key), concerned), renaming };
}

const BLOCK = /^block\+$/u;
const isBlock = (node: Node): boolean => node.type.spec.group === 'block' && isKeyed(node);

class Merging {
  /** Blocks in which both have changed the same. */
  private readonly clashing = new Set<string>();

  private readonly old: Version;
  private readonly their: Version;
  private readonly my: Version;
  /** Each has moved a block into one that the other has moved into it: then everything stands where it does here. */
  private readonly isRound: boolean;

  private readonly texts: Streams;

  constructor(old: Version, their: Version, my: Version, texts: Streams) {
    [this.old, this.their, this.my, this.texts, this.isRound] = [old, their, my, texts, false];
    this.isRound = [...my.keys()].some((name) => their.has(name) && !this.leadsUp(name));
  }

  private leadsUp(name: string): boolean {
    const passed = new Set<string>();
    for (let at = name; at !== ROOT; at = this.parentOf(at)) {
      if (passed.has(at)) return false;
      passed.add(at);
    }
    return true;
  }

  run(settled: (key: string) => Json | undefined, concerned: ReadonlySet<string>): Omit<Merged, 'renaming'> {
    const [blocks, all]: [Json[], Node[]] = [[], []];
    for (const name of this.order(ROOT)) {
      const built = concerned.has(name) ? this.build(name, 'both', name) : null;
      const block = built ? blockOf(built) : concerned.has(name) ? undefined : settled(name);
      if (block !== undefined) blocks.push(block);
      if (built) all.push(built);
    }
    const clashes = [...this.clashing].flatMap((name): Clash[] => {
      const [both, mine, theirs] = (['both', 'mine', 'theirs'] as const).map((prefer) => this.build(name, prefer, name));
      const key = both ? keyOfBlock(both) : null;
      return both && key ? [{ key, both: blockOf(both), mine: mine ? blockOf(mine) : null, theirs: theirs ? blockOf(theirs) : null }] : [];
    });
    for (const name of twiceIn(this.old, this.their, this.my, all)) {
      const [mine, theirs] = [this.my, this.their].map((version) => (version.has(name) ? this.build(name, 'both', name) : null)) as [Node | null, Node | null];
      const both = mine ?? theirs;
      if (both && !this.clashing.has(name)) clashes.push({ key: name, both: blockOf(both), mine: mine && blockOf(mine), theirs: theirs && blockOf(theirs), isTwice: true });
    }
    return { blocks, clashes };
  }

  private of(name: string): [Entry | undefined, Entry | undefined, Entry | undefined] {
    return [this.old.get(name), this.their.get(name), this.my.get(name)];
  }

  /** Where a block stands: where it was moved to, or where it is. What stands where it did is not looked into. */
  private parentOf(name: string): string {
    const [old, their, my] = this.of(name);
    if (my === undefined || their === undefined || this.isRound) return (my ?? their)?.parent ?? ROOT;
    return my.parent !== (old?.parent ?? ROOT) ? my.parent : their.parent;
  }

  /** What may stand in a block, in its order: theirs where they have changed it; where both have, one that does not depend on who saves second. */
  private order(name: string): string[] {
    const [old, their, my] = this.of(name).map((entry) => entry?.children ?? []) as [readonly string[], readonly string[], readonly string[]];
    const all = [old, their, my].map((names) => new Set(names));
    const common = (names: readonly string[]): string[] => names.filter((name) => all.every((set) => set.has(name)));
    const [was, theirs, mine] = [old, their, my].map(common) as [string[], string[], string[]];
    const orders = [was, theirs, mine].map((names) => names.join('\n')) as [string, string, string];
    const isMoved = orders[1] !== orders[0];
    const isTheirs = isMoved && (orders[2] === orders[0] || orders[1] <= orders[2]);
    const [first, second] = isTheirs ? [their, my] : [my, their];
    // What only one has moved goes where they have put it: behind what rests where it was.
    const [others, ours] = isMoved ? [movedIn(was, isTheirs ? theirs : mine), movedIn(was, isTheirs ? mine : theirs)] : [new Set<string>(), new Set<string>()];
    const own = new Set([...ours].filter((block) => !others.has(block)));
    const shared = first.filter((block) => !own.has(block) && (isTheirs ? all[2] : all[1])?.has(block));
    const rests = new Set(shared);
    /** What only one side has here, by what it stands behind. */
    const behind = (names: readonly string[], isSecond: boolean): Map<string | null, string[]> => {
      const followers = new Map<string | null, string[]>();
      let [previous, resting]: [string | null, string | null] = [null, null];
      for (const name of names) {
        const isOwn = own.has(name);
        if (!rests.has(name) && (isSecond || !isOwn)) {
          const place = isOwn ? resting : previous;
          followers.get(place)?.push(name) ?? followers.set(place, [name]);
        }
        if (rests.has(name) || isOwn) previous = name;
        if (rests.has(name) && !others.has(name)) resting = name;
      }
      return followers;
    };
    const [ones, twos] = [behind(first, false), behind(second, true)];
    const withBehind = (block: string | null): string[] => [
      ...(block === null ? [] : [block]),
      ...this.together(ones.get(block) ?? [], twos.get(block) ?? [], block).flatMap((next) => (own.has(next) ? withBehind(next) : [next])),
    ];
    return this.inOrderOfTexts([null, ...shared].flatMap(withBehind).filter((block) => this.parentOf(block) === name));
  }

  /** What two have put behind the same block: pieces of its text in their order, all else where it stands among those; in an order that does not depend on who saves second. */
  private together(first: readonly string[], second: readonly string[], anchor: string | null): string[] {
    if (first.length === 0 || second.length === 0) return [...first, ...second];
    const streamOf = (name: string): Pick<Stream, 'places'> | undefined => this.texts.streams.get(this.firstText(name)) ?? this.texts.pieces.get(this.firstText(name));
    const stream = (anchor === null ? undefined : streamOf(anchor)) ?? [...first, ...second].map(streamOf).find((each) => each !== undefined);
    const isPiece = (name: string): boolean => stream !== undefined && streamOf(name) === stream;
    const rankOf = (name: string): number => stream?.places().get(this.firstText(name)) ?? Infinity;
    const pieces = [...first, ...second].filter(isPiece).toSorted((left, right) => rankOf(left) - rankOf(right));
    const slots = new Map(pieces.map((name, index) => [name, index]));
    const before = [first, second].map((names) => {
      const runs: string[][] = Array.from({ length: pieces.length + 1 }, () => []);
      let slot = pieces.length;
      for (const name of names.toReversed()) {
        if (isPiece(name)) slot = Math.min(slot, slots.get(name) ?? slot);
        else runs[slot]?.unshift(name);
      }
      return runs;
    }) as [string[][], string[][]];
    const saidBy = (names: readonly string[]): string => names.map((name) => (this.my.get(name) ?? this.their.get(name))?.node.textContent).join('\n');
    return [...pieces, null].flatMap((piece, index) => {
      const [left, right] = before.map((runs) => runs[index] ?? []) as [string[], string[]];
      const isFirst = left.length === 0 || right.length === 0 || saidBy(left) <= saidBy(right);
      return [...(isFirst ? left : right), ...(isFirst ? right : left), ...(piece === null ? [] : [piece])];
    });
  }

  /** What both have split of one text stands in the order of its words. */
  private inOrderOfTexts(names: readonly string[]): string[] {
    const places = new Map<Stream, number[]>();
    const ranks = names.map((name, index) => {
      const first = this.firstText(name);
      const stream = this.texts.streams.get(first);
      if (stream === undefined) return 0;
      places.get(stream)?.push(index) ?? places.set(stream, [index]);
      return stream.places().get(first) ?? Infinity;
    });
    const ordered = [...names];
    for (const indices of places.values()) {
      const sorted = indices.toSorted((index, other) => (ranks[index] as number) - (ranks[other] as number) || index - other);
      indices.forEach((index, nth) => (ordered[index] = names[sorted[nth] as number] as string));
    }
    return ordered;
  }

  private firstText(name: string): string {
    let first = name;
    for (let inner: string | undefined = name; inner !== undefined; inner = (this.my.get(first) ?? this.their.get(first))?.children[0]) first = inner;
    return first;
  }

  private clash(anchor: string, prefer: Prefer): void {
    if (prefer === 'both') this.clashing.add(anchor);
  }

  /** The node as one; null where it is gone. `around`: the block that is shown where both have changed the same. */
  private build(name: string, prefer: Prefer, around: string): Node | null {
    const [old, their, my] = this.of(name);
    const any = my ?? their;
    if (any === undefined) return null;
    const anchor = isBlock(any.node) ? name : around;
    if (my && their && (isHolder(my.node) !== isHolder(their.node) || isTable(my.node) !== isTable(their.node))) return this.whole(old, my, their, prefer, anchor);
    if (!isHolder(any.node)) return this.leaf(name, prefer, anchor);
    if (isTable(any.node)) return this.table(name, prefer, anchor);
    const inner = this.order(name).map((child) => this.build(child, prefer, anchor)).filter((node) => node !== null);
    // Also what one has put around blocks that are elsewhere now.
    if (inner.length === 0 && any.children.length > 0 && !(their && my)) return null;
    return this.made(old, their, my, inner, prefer, anchor);
  }

  /** One of both, where they cannot be one. */
  private whole(old: Entry | undefined, my: Entry, their: Entry, prefer: Prefer, anchor: string): Node {
    if (old?.node.eq(my.node)) return their.node;
    if (old?.node.eq(their.node)) return my.node;
    this.clash(anchor, prefer);
    return prefer === 'theirs' ? their.node : my.node;
  }

  private leaf(name: string, prefer: Prefer, anchor: string): Node | null {
    const [old, their, my] = this.of(name);
    const stream = this.texts.streams.get(name)?.of(prefer);
    if (stream) {
      const content = stream.contents.get(name);
      if (stream.clashes.has(name)) this.clash(anchor, prefer);
      return content ? this.made(old, their, my, content, prefer, anchor) : null;
    }
    if (my === undefined || their === undefined) {
      const entry = my ?? their;
      if (entry === undefined || (old && (isSameLeaf(old.node, entry.node) || (this.texts.joined.has(name) && old.node.content.eq(entry.node.content))))) return null;
      if (old === undefined) return entry.node;
      this.clash(anchor, prefer);
      return prefer === (my ? 'theirs' : 'mine') ? null : entry.node;
    }
    if (!my.node.isTextblock) return this.made(old, their, my, my.node.content, prefer, anchor);
    const { content, clashes } = old
      ? mergedText(old.node.content, their.node.content, my.node.content, prefer)
      : unitedText(their.node.content, my.node.content, prefer);
    if (clashes) this.clash(anchor, prefer);
    return this.made(old, their, my, content, prefer, anchor);
  }

  /** A node of what both have made of its data, with this content. */
  private made(old: Entry | undefined, their: Entry | undefined, my: Entry | undefined, content: Fragment | readonly Node[], prefer: Prefer, anchor: string): Node | null {
    const entry = (my ?? their) as Entry;
    const hasMineChanged = !their || (my !== undefined && my.node.type !== old?.node.type);
    const { type } = my && their ? (hasMineChanged ? my : their).node : entry.node;
    let attrs: Record<string, unknown> = entry.node.attrs;
    if (my && their) {
      if (old && my.node.type !== their.node.type && old.node.type !== my.node.type && old.node.type !== their.node.type) this.clash(anchor, prefer);
      attrs = {};
      for (const name of Object.keys(type.spec.attrs ?? {})) {
        const { value, clashes } = mergedValue(old?.node.attrs[name], their.node.attrs[name], my.node.attrs[name], prefer);
        // Names in what both have made alike are theirs.
        const isName = !old && (name === 'form' || (name === 'value' && type.name === 'table_cell'));
        attrs[name] = isName || OF_THE_SERVER.has(name) ? (their.node.attrs[name] ?? my.node.attrs[name]) : value;
        if (clashes && SAYS.has(name) && !isTable(entry.node) && old) this.clash(anchor, prefer);
      }
    }
    const holds = content instanceof Fragment ? content : Fragment.fromArray([...content]);
    try {
      if (holds.size === 0 && isHolder(entry.node)) return BLOCK.test(type.spec.content ?? '') ? type.createAndFill(attrs) : null;
      return type.createChecked(attrs, holds);
    } catch (fault) {
      if (!(fault instanceof RangeError)) throw fault;
      return my && their ? this.whole(old, my, their, prefer, anchor) : entry.node;
    }
  }

  /** Rows and columns of both: a cell that one has written in keeps the row and the column that the other took away. */
  private table(name: string, prefer: Prefer, anchor: string): Node | null {
    const [old, their, my] = this.of(name);
    const rows = this.order(name);
    const head = `${name} ${HEAD}`;
    const names = this.order(head).map((cell) => cell.slice(head.length + 1));
    const built = new Map<string, Node>();
    for (const row of rows) {
      for (const column of names) {
        const cell = this.build(`${row} ${column}`, prefer, anchor);
        if (cell !== null) built.set(`${row} ${column}`, cell);
      }
    }
    const isThere = (child: string): boolean => this.their.has(child) && this.my.has(child);
    const stays = rows.filter((row) => isThere(row) || !this.old.has(row) || (row !== head && names.some((column) => built.has(`${row} ${column}`))));
    if (old && !(their && my) && built.size === 0) return null;
    const columns = names.filter((column) => [head, ...stays].some((row) => built.has(`${row} ${column}`)));
    const of = (cell: string): Node | undefined => built.get(cell) ?? (this.their.get(cell) ?? this.my.get(cell))?.node;
    const all = stays.includes(head) ? stays : [head, ...stays];
    const bodies = all.map((row) => {
      const cells = columns.map((column) => of(`${row} ${column}`) ?? this.blank(row === head, this.their.get(`${head} ${column}`) ?? this.my.get(`${head} ${column}`)));
      const [was, theirs, mine] = this.of(row);
      return this.made(was, theirs, mine, cells, prefer, anchor);
    });
    return this.made(old, their, my, bodies.filter((row) => row !== null), prefer, anchor);
  }

  private blank(isHead: boolean, head: Entry | undefined): Node {
    if (isHead) return schema.node('table_header');
    const column = head?.node.attrs['column'] as { type?: string } | null | undefined;
    if (column?.type !== undefined && column.type !== 'text') return schema.node('table_value');
    return schema.node('table_cell', null, [schema.node('paragraph', { form: { filler: true } })]);
  }
}

/** Which of these are not where they were among the others. */
function movedIn(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((name, index) => [name, index]));
  const resting = new Set(longestRising(after.map((name) => places.get(name) ?? 0)));
  return new Set(after.filter((_, index) => !resting.has(index)));
}

/** What the server has last said of a node beside what it says. */
const OF_THE_SERVER = new Set(['keys', 'lines', 'row', 'extra']);
/** What a node says beside its text. */
const SAYS = new Set(['data', 'json', 'value']);

function isSameLeaf(node: Node, other: Node): boolean {
  return node.type === other.type && node.content.eq(other.content) && [...SAYS].every((name) => meaningOf(node.attrs[name]) === meaningOf(other.attrs[name]));
}
