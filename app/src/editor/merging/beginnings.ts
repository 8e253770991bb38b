/** Several texts as one, of which each begins somewhere in its letters. */

import type { Fragment } from 'prosemirror-model';
import { changesOf, offsetsOf } from './letters.ts';
import { contentOf, isBlank, isWordly, type Letter, lettersIn, mergedTokens, type Prefer, sideOfTokens, tokensIn } from './text.ts';

interface Start {
  readonly name: string;
  /** How many letters stand before it. */
  readonly at: number;
}

export interface Joined {
  readonly letters: readonly Letter[];
  readonly starts: readonly Start[];
}

/** A text that one side has begun, and between which letters of the base. */
export interface Beginning extends Start {
  readonly from: number;
  readonly to: number;
}

export function joinedOf(texts: readonly (readonly [string, Fragment])[]): Joined {
  const letters: Letter[] = [];
  const starts = texts.map(([name, content]) => {
    const at = letters.length;
    // One by one: a text may have more letters than a call has arguments.
    for (const letter of lettersIn(content)) letters.push(letter);
    return { name, at };
  });
  return { letters, starts };
}

export const withNames = ({ letters, starts }: Joined, names: ReadonlyMap<string, string>): Joined =>
  ({ letters, starts: starts.map(({ name, at }) => ({ name: names.get(name) ?? name, at })) });

const side = (base: Joined, other: Joined) => sideOfTokens(tokensIn(base.letters), tokensIn(other.letters));

/** Which of these is the first that begins there or later. */
function indexFrom(starts: readonly Start[], at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
const startFrom = (starts: readonly Start[], at: number): number => starts[indexFrom(starts, at)]?.at ?? Infinity;
const startsIn = ({ starts }: Joined) => (at: number): boolean => startFrom(starts, at) === at;

/** Texts that are new in a version, in their order, and where in the base they were begun. */
export function newIn(base: Joined, other: Joined, isNew: (name: string) => boolean): Beginning[] {
  const old = tokensIn(base.letters);
  const changes = changesOf(base.letters, offsetsOf(old), sideOfTokens(old, tokensIn(other.letters)), startsIn(base));
  let [index, moved] = [0, 0];
  return other.starts.filter(({ name }) => isNew(name)).map(({ name, at }) => {
    for (let change = changes[index]; change && change.close < at; change = changes[(index += 1)]) moved = change.to - change.close;
    const change = changes[index];
    if (change === undefined || change.begin > at) return { name, at, from: at + moved, to: at + moved };
    const isWithin = change.begin < at && at < change.close;
    return { name, at, from: isWithin || at === change.begin ? change.from : change.to, to: isWithin || at === change.close ? change.to : change.from };
  });
}

/** What each text holds of what both have made, and in which both have changed the same words. */
export function mergedTexts(base: Joined, theirs: Joined, mine: Joined, prefer: Prefer): { contents: Map<string, Fragment>; clashes: Set<string> } {
  const of = { base, 0: theirs, 1: mine };
  const { tokens, clashes, places } = mergedTokens(tokensIn(base.letters), side(base, theirs), side(base, mine), prefer, {
    isStart: startsIn(base),
    isWithin: (which, from, to) => startFrom(of[which].starts, from + 1) < to,
    before: (which, from, to) => Math.min(startFrom(of[which].starts, from), to) - from,
  });
  const letters = tokens.flatMap((token) => token.letters);
  const starts = besideWords(startsOf(base, theirs, mine, places, letters.length), letters, base, [theirs, mine], places);
  const contents = new Map(starts.map(({ name }, index) =>
    [name, contentOf(letters.slice(index === 0 ? 0 : starts[index]?.at, starts[index + 1]?.at))]));
  const nameAt = (at: number): string => starts[Math.max(0, indexFrom(starts, at + 1) - 1)]?.name ?? '';
  return { contents, clashes: new Set(clashes.map(nameAt)) };
}

/** Beginnings that no side has taken away, each once, in the order of both; where it is further on for those of both. */
function startsOf(base: Joined, theirs: Joined, mine: Joined, places: readonly [readonly number[], readonly number[]], end: number): Start[] {
  const old = new Set(base.starts.map(({ name }) => name));
  const [left, right] = [theirs, mine].map(({ starts }, which) =>
    starts.map(({ name, at }) => ({ name, at: at === 0 ? 0 : (places[which as 0 | 1][at - 1] ?? end) }))) as [Start[], Start[]];
  const [inLeft, inRight] = [left, right].map((all) => new Set(all.map(({ name }) => name))) as [Set<string>, Set<string>];
  const isBoth = ({ name }: Start): boolean => inLeft.has(name) && inRight.has(name);
  const stays = (start: Start): boolean => !old.has(start.name) || isBoth(start);
  // Where no text would begin before the first letter, one stays that only one side has left.
  const half = [...left, ...right].filter((start) => !stays(start)).toSorted((start, other) => start.at - other.at)[0];
  const hasFirst = [...left, ...right].some((start) => stays(start) && start.at === 0);
  const [lefts, rights] = [left, right].map((all) => all.filter((start) => stays(start) || (!hasFirst && start === half))) as [Start[], Start[]];
  const starts: Start[] = [];
  const passed = new Set<string>();
  const put = ({ name, at }: Start): void => {
    if (!passed.has(name)) starts.push({ name, at: Math.max(at, starts.at(-1)?.at ?? 0) });
    passed.add(name);
  };
  for (let [l, r] = [0, 0]; l < lefts.length || r < rights.length;) {
    const [left, other] = [lefts[l], rights[r]];
    if (left && other && isBoth(left) && isBoth(other)) {
      put({ name: left.name, at: Math.max(left.at, other.at) });
      [l, r] = [l + 1, r + 1];
    } else if (left && !isBoth(left) && (!other || isBoth(other) || left.at < other.at || (left.at === other.at && left.name < other.name))) {
      put(left);
      l += 1;
    } else if (other && !isBoth(other)) {
      put(other);
      r += 1;
    } else {
      // Not in the same order on both sides: each is there once all the same.
      put((left ?? other) as Start);
      [l, r] = left ? [l + 1, r] : [l, r + 1];
    }
  }
  return starts;
}

/**
 * A word that one has put in the place of one that the other one has split is none that anybody has split: it stays whole, in
 * the half in which more letters of the split one are left, else in the first. What begins behind it begins with no blank.
 */
function besideWords(
  starts: readonly Start[], letters: readonly Letter[], base: Joined, sides: readonly [Joined, Joined], places: readonly [readonly number[], readonly number[]],
): Start[] {
  const [old, left, right] = [base, ...sides].map((side) => new Map(side.starts.map((start, index) => [start.name, index]))) as [
    Map<string, number>, Map<string, number>, Map<string, number>];
  const moved: Start[] = [];
  starts.forEach(({ name, at }, index) => {
    const which = left.has(name) ? 0 : 1;
    const place = (which === 0 ? left : right).get(name);
    const [low, high] = [moved.at(-1)?.at ?? 0, starts[index + 1]?.at ?? letters.length];
    const own = sides[which];
    const split = own.starts[place ?? 0]?.at ?? 0;
    let now = Math.max(at, low);
    if (!old.has(name) && left.has(name) !== right.has(name) && split > 0) {
      const [from, to] = wordAround(letters, now, low, high);
      const [first, last] = wordAround(own.letters, split, own.starts[(place ?? 0) - 1]?.at ?? 0, own.starts[(place ?? 0) + 1]?.at ?? own.letters.length);
      const left = (begin: number, end: number): number => new Set(places[which].slice(begin, end).filter((there, offset) =>
        there > from && there <= to && letters[there - 1]?.text === own.letters[begin + offset]?.text)).size;
      const [before, behind] = [left(first, split), left(split, last)];
      if (from < now && now < to && 2 * (before + behind) < last - first) now = behind > before ? from : to;
      if (isWordly(letters[now - 1]) && split < own.letters.length && !isBlank(own.letters[split])) while (now < high && isBlank(letters[now])) now += 1;
    }
    moved.push({ name, at: now });
  });
  return moved;
}

/** The word around a place, as far as these two. */
function wordAround(letters: readonly Letter[], at: number, low: number, high: number): [number, number] {
  let [from, to] = [at, at];
  while (from > low && isWordly(letters[from - 1])) from -= 1;
  while (to < high && isWordly(letters[to])) to += 1;
  return [from, to];
}
