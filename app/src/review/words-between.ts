/** What has changed between two texts, word by word, in any script, as runs that can be read. */

import { diffArrays } from 'diff';

export interface Word {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

/** A text as its words and signs; the blanks before each stand between their places. */
export interface Cut {
  readonly text: string;
  readonly words: readonly string[];
  /** Where each begins. */
  readonly starts: readonly number[];
}

/** Longer texts are compared as a whole: nobody reads which of their words are others. */
const LONGEST = 200_000;
/** Words that may differ in a part of a text that is compared word by word; a part with more is cut at words that are there once. */
const MOST_EDITS = 300;
/** How often a part is cut again. */
const DEEPEST = 12;
/** Words between two changes stay as they are when the smaller of the changes has at most so many times their letters. */
const OUTWEIGHED = 3;

/** Words of Thai, Chinese or Japanese have no blanks between them: browsers know them. Those that do not take letters together. */
const cutter = typeof Intl === 'object' && 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'word' }) : null;
const PIECES = /[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu;
const BLANK = /^\s+$/u;
/** Signs and blanks carry no letters. */
const LIGHT = /[\s\p{P}\p{Z}\p{C}\p{Sm}\p{Sk}]/gu;

/** Browsers take longer for a word the longer its text is. */
const AT_ONCE = 1_000;

function* piecesOf(text: string): Generator<string> {
  if (cutter === null) return yield* text.match(PIECES) ?? [];
  for (let from = 0; from < text.length;) {
    let piece = text.slice(from, from + AT_ONCE);
    if (from + AT_ONCE < text.length) {
      const blank = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
      if (blank > 0) piece = piece.slice(0, blank);
      else if (/[\uD800-\uDBFF]$/u.test(piece)) piece = piece.slice(0, -1);
    }
    for (const { segment } of cutter.segment(piece)) yield segment;
    from += piece.length;
  }
}

export function cut(text: string): Cut {
  const words: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const piece of text.length > LONGEST ? [text] : piecesOf(text)) {
    if (!BLANK.test(piece)) {
      words.push(piece);
      starts.push(at);
    }
    at += piece.length;
  }
  return { text, words, starts };
}

type Pair = readonly [number, number];

/** Places of words that both have, in the order of both. */
function* pairsBetween(a: readonly string[], b: readonly string[], offset: Pair = [0, 0], depth = 0): Generator<Pair> {
  let begin = 0;
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < a.length - begin && end < b.length - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  for (let index = 0; index < begin; index += 1) yield [offset[0] + index, offset[1] + index];
  const [old, now] = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)];
  if (old.length > 0 && now.length > 0) yield* pairsInside(old, now, [offset[0] + begin, offset[1] + begin], depth);
  for (let index = end; index > 0; index -= 1) yield [offset[0] + a.length - index, offset[1] + b.length - index];
}

function* pairsInside(a: readonly string[], b: readonly string[], [atA, atB]: Pair, depth: number): Generator<Pair> {
  const parts = diffArrays(a as string[], b as string[], { maxEditLength: MOST_EDITS });
  let [old, now] = [0, 0];
  if (parts !== undefined) {
    for (const { added, removed, value } of parts) {
      if (!added && !removed) for (let index = 0; index < value.length; index += 1) yield [atA + old + index, atB + now + index];
      if (!added) old += value.length;
      if (!removed) now += value.length;
    }
    return;
  }
  const fixed = depth < DEEPEST ? anchors(a, b) : [];
  if (fixed.length === 0) return;
  for (const [inA, inB] of fixed) {
    yield* pairsBetween(a.slice(old, inA), b.slice(now, inB), [atA + old, atB + now], depth + 1);
    yield [atA + inA, atB + inB];
    [old, now] = [inA + 1, inB + 1];
  }
  yield* pairsBetween(a.slice(old), b.slice(now), [atA + old, atB + now], depth + 1);
}

/** Places by word; -1 where it is there more than once. */
function placesOf(words: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  words.forEach((word, index) => places.set(word, places.has(word) ? -1 : index));
  return places;
}

/** Words that are there once on each side, as many as keep their order. */
function anchors(a: readonly string[], b: readonly string[]): Pair[] {
  const places = placesOf(b);
  const once = [...placesOf(a)].flatMap(([word, index]): Pair[] => {
    const other = places.get(word) ?? -1;
    return index < 0 || other < 0 ? [] : [[index, other]];
  });
  // Longest increasing sequence of their places in `b`: the last pair of the best sequence of each length, and the pair before each.
  const tails: number[] = [];
  const before: number[] = [];
  once.forEach(([, place], index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((once[tails[middle] as number] as Pair)[1] < place) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = index;
  });
  const chain: Pair[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] as number) chain.push(once[index] as Pair);
  return chain.reverse();
}

const lettersOf = (text: string): number => text.replace(LIGHT, '').length;

/** What both have, and what stands before it on each side alone. */
interface Run {
  removed: string;
  added: string;
  same: string;
}

const isBlank = (sign: string | undefined): boolean => sign !== undefined && BLANK.test(sign);

/** How many blanks both begin with, or both end with. */
function blanksOf(a: string, b: string, isEnd: boolean): number {
  let length = 0;
  for (;; length += 1) {
    const [sign, other] = isEnd ? [a[a.length - 1 - length], b[b.length - 1 - length]] : [a[length], b[length]];
    if (sign !== other || !isBlank(sign)) return length;
  }
}

function runsOf(before: Cut, after: Cut, pairs: readonly Pair[]): Run[] {
  const runs: Run[] = [];
  let [old, now] = [0, 0];
  const same = (text: string): void => {
    const last = runs.at(-1);
    if (text === '') return;
    if (last === undefined) runs.push({ removed: '', added: '', same: text });
    else last.same += text;
  };
  const end = (toOld: number, toNow: number): void => {
    const [gone, come] = [before.text.slice(old, toOld), after.text.slice(now, toNow)];
    const front = blanksOf(gone, come, false);
    same(gone.slice(0, front));
    const [rest, others] = [gone.slice(front), come.slice(front)];
    const back = blanksOf(rest, others, true);
    if (rest.length > back || others.length > back) {
      runs.push({ removed: rest.slice(0, rest.length - back), added: others.slice(0, others.length - back), same: '' });
    }
    same(rest.slice(rest.length - back));
    [old, now] = [toOld, toNow];
  };
  for (const [inOld, inNow] of pairs) {
    const word = before.words[inOld] as string;
    end(before.starts[inOld] as number, after.starts[inNow] as number);
    same(word);
    old += word.length;
    now += word.length;
  }
  end(before.text.length, after.text.length);
  return runs;
}

/**
 * Changes with nothing but blanks and signs between them, or words that are few beside what has changed on both sides of them,
 * become one: whoever reads it sees what was there and what is, and no patchwork of both. What was only added, or only
 * removed, on both sides of it stays apart.
 */
function joined(runs: readonly Run[]): Run[] {
  const done: { run: Run; weight: number }[] = [];
  const weigh = ({ removed, added }: Run): number => Math.max(lettersOf(removed), lettersOf(added));
  const belongs = (one: { run: Run; weight: number }, next: { run: Run; weight: number }): boolean => {
    const both = (one.run.removed || next.run.removed) && (one.run.added || next.run.added);
    if (!both || (one.run.removed === '' && one.run.added === '')) return false;
    const between = lettersOf(one.run.same);
    return between === 0 || between * OUTWEIGHED <= Math.min(one.weight, next.weight);
  };
  for (const each of runs) {
    let top = { run: each, weight: weigh(each) };
    for (let last = done.at(-1); last !== undefined && belongs(last, top); last = done.at(-1)) {
      done.pop();
      const { removed, added, same } = last.run;
      top = { run: { removed: removed + same + top.run.removed, added: added + same + top.run.added, same: top.run.same }, weight: last.weight + lettersOf(same) + top.weight };
    }
    done.push(top);
  }
  return done.map(({ run }) => run);
}

/** The words between two texts, and which share of the longer one they have in common. */
export function compared(before: Cut, after: Cut): { words: Word[]; share: number } {
  const pairs = [...pairsBetween(before.words, after.words)];
  const length = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0);
  const most = Math.max(length(before.words), length(after.words));
  const common = pairs.reduce((sum, [index]) => sum + (before.words[index] as string).length, 0);
  const words = joined(runsOf(before, after, pairs)).flatMap(({ removed, added, same }) =>
    ([{ text: removed, kind: 'removed' }, { text: added, kind: 'added' }, { text: same, kind: 'same' }] satisfies Word[]).filter((word) => word.text !== ''));
  return { words, share: most === 0 ? 1 : common / most };
}

export const wordsBetween = (before: string, after: string): Word[] => compared(cut(before), cut(after)).words;

/** No less than the share that two texts have in common: words that both have, in whatever order. */
export function atMostCommon(before: Cut, after: Cut): number {
  const counts = new Map<string, number>();
  for (const word of before.words) counts.set(word, (counts.get(word) ?? 0) + 1);
  let [common, old, now] = [0, 0, 0];
  for (const word of before.words) old += word.length;
  for (const word of after.words) {
    now += word.length;
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    common += word.length;
    counts.set(word, left - 1);
  }
  return Math.max(old, now) === 0 ? 1 : common / Math.max(old, now);
}
