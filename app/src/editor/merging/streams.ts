/**
 * Texts that were split or joined: what stands in several blocks of one version and in one of another is merged as one
 * text, in which the beginning of a block is a letter of its own. So words go with the half that they were written in.
 */

import type { Fragment, Node } from 'prosemirror-model';
import { type Beginning, type Joined, joinedOf, mergedTexts, newIn, withNames } from './beginnings.ts';
import { contentOf, hunksBetween, type Prefer } from './text.ts';
import { type Entry, ROOT, type Version } from './versions.ts';

/** One text over several blocks. */
export interface Stream {
  /** What each of its blocks holds, and in which both have changed the same words. */
  readonly of: (prefer: Prefer) => { readonly contents: ReadonlyMap<string, Fragment>; readonly clashes: ReadonlySet<string> };
  /** Which of its blocks comes when. */
  readonly places: () => ReadonlyMap<string, number>;
}

export interface Streams {
  readonly streams: ReadonlyMap<string, Stream>;
  /** Beginnings that both have made in one place: theirs, by mine. */
  readonly pairs: ReadonlyMap<string, string>;
  /** As the base would have them. */
  readonly begun: ReadonlyMap<string, Entry>;
  /** Pieces of texts that only one side has touched, which are as they have them. */
  readonly pieces: ReadonlyMap<string, Pick<Stream, 'places'>>;
  /** What stands in another text of one version now. */
  readonly joined: ReadonlySet<string>;
}

export const isText = (node: Node): boolean => node.isTextblock && 'keys' in node.attrs;

/** Texts in the order of the page; null where something else is between them. */
function textsOf(version: Version): (string | null)[] {
  const names: (string | null)[] = [];
  const visit = (name: string): void => {
    const entry = version.get(name);
    if (name !== ROOT && (entry === undefined || entry.children.length === 0)) names.push(entry && isText(entry.node) ? name : null);
    else for (const child of entry?.children ?? []) visit(child);
  };
  visit(ROOT);
  return names;
}

export const textOf = (node: Node | undefined): string => node?.textBetween(0, node.content.size, '\n', '\uFFFC').trim() ?? '';
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Words by how often they come. */
export function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Whether a text is for the most part of these words, which may have been split at its ends, or is the end of that whole. */
function isOf(text: string, words: ReadonlyMap<string, number>, count: number, whole: string): boolean {
  if (text === '') return false;
  if (whole.endsWith(text)) return true;
  const own = wordsIn(text);
  let shared = 0;
  for (const [word, times] of countsOf(own)) shared += Math.min(times, words.get(word) ?? 0);
  const [first, last] = [own[0] ?? '', own.at(-1) ?? ''];
  if (2 * shared < Math.min(own.length, count)) {
    const all = [...words.keys()];
    if (!words.has(first) && all.some((word) => word.endsWith(first))) shared += 1;
    if (!words.has(last) && all.some((word) => word.startsWith(last))) shared += 1;
  }
  return shared > 0 && 2 * shared >= Math.min(own.length, count);
}

const piecesOf = (text: string): Map<string, number> => countsOf(Array.from({ length: Math.max(0, text.length - 2) }, (_, index) => text.slice(index, index + 3)));

/** Whether a text is for the most part the same letters as another one, also where no word is left whole. */
function alikeTo(other: string): (text: string) => boolean {
  const others = piecesOf(other);
  return (text) => {
    const least = Math.min(text.length, other.length);
    if (least < 3) return false;
    if (2 * (text.length - middleOf(text, other).length) >= least) return true;
    let shared = 0;
    for (const [piece, count] of piecesOf(text)) shared += Math.min(count, others.get(piece) ?? 0);
    return 2 * shared >= least - 2;
  };
}

/** Words that one text has beyond another one. */
function beyond(text: string, other: string): string[] {
  const [words, others] = [wordsIn(text), wordsIn(other)];
  return hunksBetween(words, others).flatMap(({ from, to }) => words.slice(from, to));
}

/** By each text of the base that a version still has: texts that follow it there and are gone, and those that are new behind it. */
function around(names: readonly (string | null)[], isThere: (name: string) => boolean): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let last: string | null = null;
  for (const name of names) {
    if (name === null) last = null;
    else if (isThere(name)) last = name;
    else if (last !== null) runs.get(last)?.push(name) ?? runs.set(last, [name]);
  }
  return runs;
}

interface Links {
  /** Texts that were joined to another one, and new ones that came of one. */
  readonly joined: Map<string, string>;
  readonly split: Map<string, string>;
}

/** Texts before the first one that is in both versions. */
const before = (names: readonly (string | null)[], isThere: (name: string) => boolean): string[] => {
  const end = names.findIndex((name) => name !== null && isThere(name));
  return (end < 0 ? names : names.slice(0, end)).filter((name) => name !== null);
};

function linksOf(old: Version, base: readonly (string | null)[], side: Version): Links {
  const links: Links = { joined: new Map(), split: new Map() };
  const now = textsOf(side);
  const gone = around(base, (name) => side.has(name));
  const fresh = around(now, (name) => old.has(name));
  for (const name of new Set([...gone.keys(), ...fresh.keys()])) {
    const [was, is] = [textOf(old.get(name)?.node), textOf(side.get(name)?.node)];
    const [went, came] = [gone.get(name) ?? [], fresh.get(name) ?? []];
    const texts = came.map((name) => textOf(side.get(name)?.node));
    const lost = [...beyond(was, is), ...went.flatMap((text) => wordsIn(textOf(old.get(text)?.node)))];
    const lostCounts = countsOf(lost);
    const isLost = alikeTo(lost.join(' '));
    const end = was.slice(alikeUpTo(was, is));
    came.forEach((newName, index) => {
      const text = texts[index] as string;
      if (isOf(text, lostCounts, lost.length, was) || isLost(text) || (end.length > 1 && text.endsWith(end))) links.split.set(newName, name);
    });
    const gained = [...beyond(is, was), ...texts.flatMap(wordsIn)];
    const gainedCounts = countsOf(gained);
    const whole = [is, ...texts].join(' ').trim();
    const [isGained, isInIt] = [gained.join(' '), middleOf([is, ...texts].join(''), was)].map(alikeTo) as [(text: string) => boolean, (text: string) => boolean];
    for (const joined of went) {
      const text = textOf(old.get(joined)?.node);
      if (isOf(text, gainedCounts, gained.length, whole) || isGained(text) || isInIt(text)) links.joined.set(joined, name);
    }
  }
  // The first half of the first text was taken away: what is left of it is the other one.
  const left = before(base, (name) => side.has(name));
  for (const begin of before(now, (name) => old.has(name))) {
    const text = textOf(side.get(begin)?.node);
    const from = left.findIndex((name) => {
      const whole = textOf(old.get(name)?.node);
      return text.length > 3 && isOf(text, countsOf(wordsIn(whole)), wordsIn(whole).length, whole);
    });
    if (from >= 0) links.split.set(begin, left.splice(from, 1)[0] as string);
  }
  return links;
}

/** How many letters two texts begin with alike. */
function alikeUpTo(text: string, other: string): number {
  const most = Math.min(text.length, other.length);
  let begin = 0;
  while (begin < most && text[begin] === other[begin]) begin += 1;
  return begin;
}

/** What one text has in the place of what another one has there. */
function middleOf(text: string, other: string): string {
  const [most, begin] = [Math.min(text.length, other.length), alikeUpTo(text, other)];
  let end = 0;
  while (end < most - begin && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return text.slice(begin, text.length - end);
}

const joinedIn = (version: Version, names: readonly string[]): Joined =>
  joinedOf(names.map((name) => [name, (version.get(name) as Entry).node.content]));

export function streamsOf(old: Version, their: Version, my: Version): Streams {
  const base = textsOf(old);
  const sides = [their, my].map((version) => ({ version, ...linksOf(old, base, version) }));
  const roots = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let up = roots.get(root); up !== undefined; up = roots.get(root)) root = up;
    if (root !== name) roots.set(name, root);
    return root;
  };
  for (const { joined } of sides) {
    for (const [name, to] of joined) if (rootOf(name) !== rootOf(to)) roots.set(rootOf(name), rootOf(to));
  }
  const concerned = new Set(sides.flatMap(({ joined, split }) => [...joined.values(), ...split.values()]).map(rootOf));
  const members = new Map<string, string[]>([...concerned].map((root) => [root, []]));
  for (const name of base) if (name !== null) members.get(rootOf(name))?.push(name);
  const texts = sides.map(({ version, split }) => {
    const runs = new Map<string, string[]>();
    for (const name of textsOf(version)) {
      const root = name === null ? undefined : rootOf(split.get(name) ?? name);
      if (name !== null && root !== undefined && concerned.has(root) && (old.has(name) || split.has(name))) runs.get(root)?.push(name) ?? runs.set(root, [name]);
    }
    return runs;
  });

  const streams = new Map<string, Stream>();
  const pieces = new Map<string, Pick<Stream, 'places'>>();
  const pairs = new Map<string, string>();
  const begun = new Map<string, Entry>();
  for (const [root, names] of members) {
    const [theirs, mine] = texts.map((text) => text.get(root) ?? []) as [string[], string[]];
    const isUntouched = (version: Version, there: readonly string[]): boolean => there.join('\n') === names.join('\n') &&
      names.every((name) => version.get(name)?.node.content.eq((old.get(name) as Entry).node.content));
    const touched = isUntouched(their, theirs) ? mine : isUntouched(my, mine) ? theirs : null;
    if (touched) {
      const places = new Map(touched.map((name, index) => [name, index]));
      const text = { places: () => places };
      for (const name of touched) pieces.set(name, text);
    }
    const placeOf = new Map(names.map((name, index) => [name, index]));
    const inOrder = (there: readonly string[]): boolean => {
      const places = there.filter((name) => old.has(name)).map((name) => placeOf.get(name) ?? -1);
      return places.every((place, index) => index === 0 || (places[index - 1] ?? 0) < place);
    };
    // What only one has touched is as they have it; what was put in another order or taken away is looked at block by block.
    if (touched || theirs.length === 0 || mine.length === 0 || !inOrder(theirs) || !inOrder(mine)) continue;
    const [was, left, right] = [joinedIn(old, names), joinedIn(their, theirs), joinedIn(my, mine)];
    const isNew = (name: string): boolean => !old.has(name);
    const [others, ours] = [newIn(was, left, isNew), newIn(was, right, isNew)];
    const both = new Map<string, string>();
    const shared: Beginning[] = [];
    for (let [at, other] = [0, 0]; at < others.length && other < ours.length;) {
      const [a, b] = [others[at], ours[other]] as [Beginning, Beginning];
      if (a.to < b.from) at += 1;
      else if (b.to < a.from) other += 1;
      else {
        both.set(b.name, a.name);
        shared.push({ ...a, at: Math.max(a.from, b.from) });
        [at, other] = [at + 1, other + 1];
      }
    }
    for (const [mine, other] of both) pairs.set(mine, other);
    const base = { ...was, starts: [...was.starts, ...shared].toSorted((start, other) => start.at - other.at) };
    const own = withNames(right, both);
    let last: Entry | null = null;
    base.starts.forEach(({ name, at }, index) => {
      const entry = old.get(name);
      if (entry) last = entry;
      else if (last) {
        const { type, attrs } = last.node;
        const node = type.create({ ...attrs, form: { key: name } }, contentOf(was.letters.slice(at, base.starts[index + 1]?.at)));
        begun.set(name, { node, parent: their.get(name)?.parent ?? ROOT, children: [] });
      }
    });
    const mergedBy = new Map<Prefer, ReturnType<Stream['of']>>();
    let order: ReadonlyMap<string, number> | null = null;
    const stream: Stream = {
      of(prefer) {
        const merged = mergedBy.get(prefer) ?? mergedTexts(base, left, own, prefer);
        mergedBy.set(prefer, merged);
        return merged;
      },
      places: () => (order ??= new Map([...stream.of('both').contents.keys()].map((name, index) => [name, index]))),
    };
    for (const name of [...names, ...theirs, ...mine.map((name) => pairs.get(name) ?? name)]) streams.set(name, stream);
  }
  return { streams, pieces, pairs, begun, joined: new Set(sides.flatMap(({ joined }) => [...joined.keys()])) };
}
