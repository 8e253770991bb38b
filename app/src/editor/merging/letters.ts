/**
 * Two people in the same words, of which at least one has split or joined the text: merged by letters, so that a word that
 * one has split and the other has written in stands there once.
 */

import { diffArrays } from 'diff';
import type { Hunk, Letter, Token } from './text.ts';

/** Letters of the base that are gone, and what stands in their place: letters `begin` to `close` of the side. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly begin: number;
  readonly close: number;
  readonly put: readonly Letter[];
}

/** What one side has of a place, counted from its beginning. */
export interface Part {
  readonly tokens: readonly Token[];
  readonly hunks: readonly Hunk[];
}

/** More different letters than these are words that were written anew. */
const MOST_LETTERS = 200;
const WORDLY = /^[\p{L}\p{N}\p{M}_]$/u;
const isWordly = (letter: Letter | undefined): boolean => letter !== undefined && letter.leaf === null && WORDLY.test(letter.text);
const saidBy = (letters: readonly Letter[]): string => letters.map((letter) => letter.text).join('');
const wordsOf = (letters: readonly Letter[]): string[] => saidBy(letters).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];

export const lettersOf = (tokens: readonly Token[]): Letter[] => tokens.flatMap((token) => token.letters);

/** How many letters stand before each token, and behind the last one. */
export function offsetsOf(tokens: readonly Token[]): number[] {
  const offsets = [0];
  for (const { letters } of tokens) offsets.push((offsets.at(-1) ?? 0) + letters.length);
  return offsets;
}

/**
 * What one side has changed: no more than from the first letter that differs to the last one, in each place. What may as well
 * be a letter earlier, as an `a` before an `a`, is where a text or a word begins or ends. `isStart`: where texts begin in the base.
 */
export function changesOf(base: readonly Letter[], offsets: readonly number[], { tokens, hunks }: Part, isStart: (at: number) => boolean): Change[] {
  const [letters, own] = [lettersOf(tokens), offsetsOf(tokens)];
  const isSame = (before: Letter | undefined, other: Letter | undefined): boolean => before?.text === other?.text;
  const isEdge = (before: Letter | undefined, behind: Letter | undefined): boolean => !(isWordly(before) && isWordly(behind));
  const inPlace = ({ from, to, start, end }: Hunk, least: number, most: number): Change[] => {
    let [first, last, begin, close] = [from, to, start, end];
    for (; first < last && begin < close && isSame(base[first], letters[begin]); first += 1) begin += 1;
    for (; first < last && begin < close && isSame(base[last - 1], letters[close - 1]); last -= 1) close -= 1;
    if (first === last && begin === close) return [];
    let [best, fit] = [0, -1];
    if (first === last || begin === close) {
      const at = (by: number): [Letter | undefined, Letter | undefined] => (first === last ? [letters[begin + by], letters[close + by]] : [base[first + by], base[last + by]]);
      let [back, ahead] = [0, 0];
      while (last + ahead < most && isSame(...at(ahead))) ahead += 1;
      while (first - back > least && isSame(...at(-back - 1))) back += 1;
      for (let by = ahead; by >= -back; by -= 1) {
        const [before, behind] = [at(by - 1), at(by)];
        const fits = (isStart(first + by) || isStart(last + by) ? 4 : 0) +
          (isEdge(before[0] ?? base[first + by - 1], behind[0]) ? 1 : 0) + (isEdge(before[1], behind[1] ?? base[last + by]) ? 1 : 0);
        if (fits > fit) [best, fit] = [by, fits];
      }
    }
    [first, last, begin, close] = [first + best, last + best, begin + best, close + best];
    if (first < last && begin < close) {
      // A word of which no more stayed than was changed was replaced: that some letters are the same is chance.
      let [before, behind] = [0, 0];
      while (first - before > least && isWordly(base[first - before - 1]) && !isEdge(base[first - before - 1], base[first - before]) && !isStart(first - before)) before += 1;
      while (last + behind < most && isWordly(base[last + behind]) && !isEdge(base[last + behind - 1], base[last + behind]) && !isStart(last + behind)) behind += 1;
      if (before + behind <= Math.max(last - first, close - begin)) [first, last, begin, close] = [first - before, last + behind, begin - before, close + behind];
    }
    return [{ from: first, to: last, begin, close, put: letters.slice(begin, close) }];
  };
  return hunks.flatMap(({ from, to, start, end }) => {
    const whole = { from: offsets[from] ?? 0, to: offsets[to] ?? 0, start: own[start] ?? 0, end: own[end] ?? 0 };
    const apart = keptIn(base, letters, whole, isStart);
    return apart.flatMap((hunk, index) => inPlace(hunk, apart[index - 1]?.to ?? whole.from, apart[index + 1]?.from ?? whole.to));
  });
}

/** Whether a whole word stands between these letters. */
function hasWord(letters: readonly Letter[], from: number, to: number, isStart: (at: number) => boolean): boolean {
  let start = -1;
  for (let at = from; at <= to; at += 1) {
    const [before, behind] = [isWordly(letters[at - 1]), isWordly(letters[at])];
    if (before && behind && !isStart(at)) continue;
    if (before && start >= 0 && at - start > 1) return true;
    if (behind) start = at;
  }
  return false;
}

/** What differs in a place, apart where a word stayed between that is more than what was changed around it. */
function keptIn(base: readonly Letter[], letters: readonly Letter[], whole: Hunk, isStart: (at: number) => boolean): Hunk[] {
  const [old, now] = [base.slice(whole.from, whole.to), letters.slice(whole.start, whole.end)].map((all) => all.map((letter) => letter.text)) as [string[], string[]];
  const parts = old.length > 0 && now.length > 0 ? diffArrays(old, now, { maxEditLength: MOST_LETTERS }) : undefined;
  if (parts === undefined) return [whole];
  const hunks: Hunk[] = [];
  let [at, there] = [whole.from, whole.start];
  for (const { count, added, removed } of parts) {
    const [from, start] = [at, there];
    if (!added) at += count;
    if (!removed) there += count;
    const last = hunks.at(-1);
    if (!added && !removed) continue;
    if (last?.to === from && last.end === start) hunks[hunks.length - 1] = { ...last, to: at, end: there };
    else hunks.push({ from, to: at, start, end: there });
  }
  const size = ({ from, to, start, end }: Hunk): number => Math.max(to - from, end - start);
  const apart: Hunk[] = [];
  for (let hunk of hunks) {
    for (let last = apart.at(-1); last && (hunk.from - last.to <= Math.min(size(last), size(hunk)) || !hasWord(base, last.to, hunk.from, isStart)); last = apart.at(-1)) {
      hunk = { from: last.from, to: hunk.to, start: last.start, end: hunk.end };
      apart.pop();
    }
    apart.push(hunk);
  }
  return apart;
}

/** Whether letters were written onto a word of which the other one has taken letters away: then nobody knows what was meant. */
const isTorn = (base: readonly Letter[], { from, to, put }: Change, gone: readonly boolean[]): boolean =>
  put.length > 0 && ((isWordly(put[0]) && isWordly(base[from - 1]) && gone[from - 1] === true) ||
    (isWordly(put.at(-1)) && isWordly(base[to]) && gone[to] === true));

/** Both have put something else in the place of the same letters. */
const isRivalry = (change: Change, other: Change): boolean =>
  change.from < other.to && other.from < change.to && change.put.length > 0 && other.put.length > 0 && saidBy(change.put) !== saidBy(other.put);

/** Whether a word of one of them stands there more often than both have made it. */
function isTwice(base: readonly Letter[], their: readonly Letter[], my: readonly Letter[], merged: readonly Letter[]): boolean {
  const counts = [merged, base, their, my].map((letters) => {
    const count = new Map<string, number>();
    for (const word of wordsOf(letters)) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  return [...(counts[0] ?? [])].some(([word, count]) => {
    const [was, left, right] = counts.slice(1).map((count) => count.get(word) ?? 0) as [number, number, number];
    return word.length > 1 && was + left + right > 0 && count > Math.max(left, right, left + right - was);
  });
}

/** What is put together of letters, and how many of them there are behind each letter of either side. */
export interface Lettered {
  readonly letters: readonly Letter[];
  readonly places: readonly [readonly number[], readonly number[]];
}

/** What stands in one place of both, each once and in an order that does not depend on who saves second. */
export const inTurn = (theirs: string, mine: string): readonly [0 | 1, 0 | 1] => (theirs <= mine ? [0, 1] : [1, 0]);

/** Whether a text begins there in the base, and how many of these letters of a side stand before the first beginning. */
export interface Begun {
  readonly isStart: (at: number) => boolean;
  readonly before: (side: 0 | 1, from: number, to: number) => number;
}

/** What both have made of these words; null where they have to be asked. */
export function mergedLetters(
  old: readonly Token[], left: Part, right: Part, space: Letter, begun: Begun, marked: (was: Letter, theirs: Letter, mine: Letter) => Letter,
): Lettered | null {
  const [base, their, my] = [old, left.tokens, right.tokens].map(lettersOf) as [Letter[], Letter[], Letter[]];
  const offsets = offsetsOf(old);
  const changes = [left, right].map((part) => changesOf(base, offsets, part, begun.isStart)) as [Change[], Change[]];
  const gone = changes.map((all) => {
    const marks = base.map(() => false);
    for (const { from, to } of all) marks.fill(true, from, to);
    return marks;
  }) as [boolean[], boolean[]];
  if (changes.some((all, index) => all.some((change) => isTorn(base, change, gone[1 - index] as boolean[])))) return null;
  if (changes[0].some((change) => changes[1].some((other) => isRivalry(change, other)))) return null;
  const merged: Letter[] = [];
  const places: [number[], number[]] = [[], []];
  const next: [number, number] = [0, 0];
  /** What both have put into one place; of two the same letters are there once. */
  const put = (both: readonly [readonly Letter[], readonly Letter[]]): void => {
    const [theirs, mine] = both.map(saidBy) as [string, string];
    const [first, second] = inTurn(theirs, mine);
    for (const letter of both[first]) places[first].push(merged.push(letter));
    if (theirs === mine) {
      const begin = places[first].length - both[second].length;
      both[second].forEach((_, index) => places[second].push(places[first][begin + index] as number));
      return;
    }
    if (theirs && mine && !/\s$/u.test(saidBy(both[first])) && !/^\s/u.test(saidBy(both[second]))) merged.push(space);
    for (const letter of both[second]) places[second].push(merged.push(letter));
  };
  for (let at = 0; at <= base.length; at += 1) {
    const both = ([0, 1] as const).map((side) => {
      const letters: Letter[] = [];
      for (let change = changes[side][next[side]]; change?.from === at; change = changes[side][next[side]]) {
        for (const letter of change.put) letters.push(letter);
        next[side] += 1;
      }
      return letters;
    }) as [Letter[], Letter[]];
    // What goes on there comes before what begins anew.
    const ends = ([0, 1] as const).map((side) => (both[side].length > 0 ? begun.before(side, places[side].length, places[side].length + both[side].length) : 0)) as [number, number];
    put([both[0].slice(0, ends[0]), both[1].slice(0, ends[1])]);
    put([both[0].slice(ends[0]), both[1].slice(ends[1])]);
    const letter = base[at];
    if (letter === undefined) break;
    const [theirLetter, other] = [their[places[0].length], my[places[1].length]];
    const [isTheirs, isMine] = [!gone[0][at], !gone[1][at]];
    if (isTheirs && isMine) merged.push(theirLetter && other ? marked(letter, theirLetter, other) : letter);
    if (isTheirs) places[0].push(merged.length);
    if (isMine) places[1].push(merged.length);
  }
  return isTwice(base, their, my, merged) ? null : { letters: merged, places };
}
