/** What two people have made of one text, as one: by words, and marks by letter. No word of either goes. */

import { diffArrays } from 'diff';
import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { same } from '../../document/json.ts';
import { schema } from '../schema.ts';
import { type Begun, inTurn, lettersOf, mergedLetters, offsetsOf, type Part } from './letters.ts';

/** Whose words stand where both have changed the same ones. */
export type Prefer = 'both' | 'mine' | 'theirs';

export interface Letter {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** What is no text: a line break, or what the editor keeps as it is. */
  readonly leaf: Node | null;
}

export interface Token {
  readonly said: string;
  readonly letters: readonly Letter[];
}

// Without spaces between words each sign is one.
const SIGNS = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*`;
const WORD = String.raw`(?:(?!${SIGNS})[\p{L}\p{N}\p{M}_])+`;
const TOKENS = new RegExp(String.raw`${WORD}|${SIGNS}|[^\S\n]+|[\s\S]`, 'gu');
const IS_WORD = new RegExp(`^${WORD}$`, 'u');
const BLANK = /^[^\S\n]+$/u;
/** Letters of words that have several of them. */
export const isWordly = (letter: Letter | undefined): boolean => letter !== undefined && letter.leaf === null && IS_WORD.test(letter.text);
export const isBlank = (letter: Letter | undefined): boolean => letter !== undefined && BLANK.test(letter.text);
/** More different tokens than these are a text that was written anew. */
const MOST_DIFFERENT = 600;

export function lettersIn(content: Fragment): Letter[] {
  const letters: Letter[] = [];
  content.forEach((node) => {
    if (node.isText) for (const text of node.text ?? '') letters.push({ text, marks: node.marks, leaf: null });
    else letters.push({ text: node.type.name === 'hard_break' ? '\n' : `\0${JSON.stringify(node.attrs)}`, marks: node.marks, leaf: node });
  });
  return letters;
}

export function tokensIn(letters: readonly Letter[]): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  const close = (to: number): void => {
    let at = from;
    for (const [said] of saidOf(letters.slice(from, to)).matchAll(TOKENS)) {
      const length = [...said].length;
      tokens.push({ said, letters: letters.slice(at, at + length) });
      at += length;
    }
  };
  letters.forEach((letter, index) => {
    if (letter.leaf === null) return;
    close(index);
    tokens.push({ said: letter.text, letters: [letter] });
    from = index + 1;
  });
  close(letters.length);
  return tokens;
}

const tokensOf = (content: Fragment): Token[] => tokensIn(lettersIn(content));
const saidOf = (letters: readonly Letter[]): string => letters.map((letter) => letter.text).join('');

export function contentOf(letters: readonly Letter[]): Fragment {
  const nodes: Node[] = [];
  let run = { text: '', marks: [] as readonly Mark[] };
  const close = (): void => {
    if (run.text) nodes.push(schema.text(run.text, run.marks));
    run = { text: '', marks: [] };
  };
  for (const { text, marks, leaf } of letters) {
    if (leaf !== null || (run.text && !sameMarks(run.marks, marks))) close();
    if (leaf !== null) nodes.push(leaf.mark(marks));
    else run = { text: run.text + text, marks };
  }
  close();
  return Fragment.fromArray(nodes);
}

/** Tokens `from` to `to` of the base, and in their place tokens `start` to `end` of the other side. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

export function hunksBetween(base: readonly string[], other: readonly string[], most = MOST_DIFFERENT): Hunk[] {
  const parts = diffArrays(base as string[], other as string[], { maxEditLength: most });
  if (parts === undefined) return [{ from: 0, to: base.length, start: 0, end: other.length }];
  const hunks: Hunk[] = [];
  let [at, there] = [0, 0];
  let isOpen = false;
  for (const [index, { value, added, removed }] of parts.entries()) {
    const [from, start] = [at, there];
    if (!added) at += value.length;
    if (!removed) there += value.length;
    // A blank between two words that were changed is no word that stayed.
    const isBlank = isOpen && index + 1 < parts.length && value.every((said) => BLANK.test(said));
    const isKept = !added && !removed && !isBlank;
    const last = hunks.at(-1);
    if (isKept) isOpen = false;
    else if (isOpen && last) hunks[hunks.length - 1] = { ...last, to: at, end: there };
    else {
      hunks.push({ from, to: at, start, end: there });
      isOpen = true;
    }
  }
  return hunks;
}

export interface Side {
  readonly tokens: readonly Token[];
  readonly hunks: readonly Hunk[];
}

export const sideOfTokens = (old: readonly Token[], tokens: readonly Token[]): Side =>
  ({ tokens, hunks: hunksBetween(old.map((token) => token.said), tokens.map((token) => token.said)) });

/** Sides of the texts that were merged last: each is asked for with all three choices. */
const sides = new WeakMap<Fragment, WeakMap<Fragment, Side>>();

function sideOf(base: Fragment, other: Fragment, old: readonly Token[]): Side {
  const cached = sides.get(base) ?? new WeakMap<Fragment, Side>();
  sides.set(base, cached);
  const before = cached.get(other);
  if (before !== undefined) return before;
  const side = sideOfTokens(old, tokensOf(other));
  cached.set(other, side);
  return side;
}

const meets = (hunk: Hunk, other: Hunk): boolean =>
  (hunk.from < other.to && other.from < hunk.to) || (hunk.from === hunk.to && other.from === other.to && hunk.from === other.from);

const writes = (hunk: Hunk): boolean => hunk.end > hunk.start;
const SPACE: Token = { said: ' ', letters: [{ text: ' ', marks: [], leaf: null }] };
const isWord = (token: Token | undefined): boolean => token !== undefined && IS_WORD.test(token.said);
/** Whether one is the beginning of the other: whoever wrote on has it already. */
const goesOn = (whole: readonly Token[], part: readonly Token[]): boolean =>
  part.some(isWord) && part.every(({ said }, index) => said === whole[index]?.said);
const saidBy = (tokens: readonly Token[]): string => tokens.map((token) => token.said).join('');

export function mergedText(base: Fragment, theirs: Fragment, mine: Fragment, prefer: Prefer): { content: Fragment; clashes: boolean } {
  const old = tokensOf(base);
  const { tokens, clashes } = mergedTokens(old, sideOf(base, theirs, old), sideOf(base, mine, old), prefer);
  return { content: contentOf(lettersOf(tokens)), clashes: clashes.length > 0 };
}

/** What two texts have that nobody knows the beginning of: all words of both, those of both once. */
export function unitedText(theirs: Fragment, mine: Fragment, prefer: Prefer): { content: Fragment; clashes: boolean } {
  if (theirs.eq(mine)) return { content: mine, clashes: false };
  const their = tokensOf(theirs);
  const gone = new Set(hunksBetween(their.map((token) => token.said), tokensOf(mine).map((token) => token.said)).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)));
  return mergedText(contentOf(lettersOf(their.filter((_, index) => !gone.has(index)))), theirs, mine, prefer);
}

/** Where texts begin in the letters of the base and of either side, when they are several. */
export interface Beginnings extends Begun {
  /** Whether a text begins between these letters: the first one of them and the one behind the last. */
  readonly isWithin: (which: 'base' | 0 | 1, from: number, to: number) => boolean;
}
const NONE: Beginnings = { isStart: () => false, isWithin: () => false, before: (_, from, to) => to - from };

export interface MergedTokens {
  readonly tokens: readonly Token[];
  /** How many letters stand before each place in which both have changed the same words. */
  readonly clashes: readonly number[];
  /** How many letters there are behind each letter of either side. */
  readonly places: readonly [readonly number[], readonly number[]];
}

/** Tokens of both as one. */
export function mergedTokens(old: readonly Token[], left: Side, right: Side, prefer: Prefer, beginnings: Beginnings = NONE): MergedTokens {
  const [their, my] = [left.tokens, right.tokens];
  const merged: Token[] = [];
  const clashes: number[] = [];
  const places: [number[], number[]] = [[], []];
  const offsets = offsetsOf(old);
  let length = 0;
  const clash = (): void => void clashes.push(length);
  const push = (tokens: readonly Token[], ...of: (0 | 1)[]): void => {
    for (const token of tokens) {
      merged.push(token);
      for (let index = 0; index < token.letters.length; index += 1) {
        length += 1;
        for (const side of of) places[side].push(length);
      }
    }
  };
  /** What one side has is not there any more. */
  const drop = (side: 0 | 1, tokens: readonly Token[]): void => lettersOf(tokens).forEach(() => places[side].push(length));
  const add = (tokens: readonly Token[], ...of: (0 | 1)[]): void => {
    // Words of two people beside each other stay two.
    if (isWord(merged.at(-1)) && isWord(tokens[0])) push([SPACE]);
    push(tokens, ...of);
  };
  /** What both have put into one place, one behind the other. */
  const addBehind = (tokens: readonly Token[], ...of: (0 | 1)[]): void => {
    const [last, first] = [merged.at(-1), tokens[0]];
    if (last && first && !/\s$/u.test(last.said) && !/^\s/u.test(first.said)) push([SPACE]);
    push(tokens, ...of);
  };
  const marked = (was: Letter, theirs: Letter, mine: Letter): Letter => {
    const { marks, clashes: isClash } = mergedMarks(was.marks, theirs.marks, mine.marks, prefer);
    if (isClash) clash();
    return { ...mine, marks };
  };
  /** Where tokens of the base that nobody has changed stand on each side. */
  let [at, leftAt, rightAt] = [0, 0, 0];
  const keep = (to: number): void => {
    for (; at < to; at += 1, leftAt += 1, rightAt += 1) {
      const [before, theirs, token] = [old[at], their[leftAt], my[rightAt]] as [Token, Token, Token];
      add([{ ...token, letters: token.letters.map((letter, index) => marked(before.letters[index] as Letter, theirs.letters[index] as Letter, letter)) }], 0, 1);
    }
  };
  let [l, r] = [0, 0];
  while (l < left.hunks.length || r < right.hunks.length) {
    const [leftHunk, other] = [left.hunks[l], right.hunks[r]];
    const first = other === undefined || (leftHunk !== undefined && (leftHunk.from < other.from || (leftHunk.from === other.from && leftHunk.to <= other.to))) ? leftHunk : other;
    if (first === undefined) break;
    // What both have changed in one place, with all that reaches into it.
    let { from, to } = first;
    const [lefts, rights]: [Hunk[], Hunk[]] = [[], []];
    const region = (): Hunk => ({ from, to, start: 0, end: 0 });
    const take = (hunk: Hunk, list: Hunk[]): void => {
      list.push(hunk);
      [from, to] = [Math.min(from, hunk.from), Math.max(to, hunk.to)];
    };
    if (first === leftHunk) take(leftHunk, lefts);
    else take(first, rights);
    for (;;) {
      const [nextLeft, nextRight] = [left.hunks[l + lefts.length], right.hunks[r + rights.length]];
      if (nextLeft && meets(nextLeft, region())) take(nextLeft, lefts);
      else if (nextRight && meets(nextRight, region())) take(nextRight, rights);
      else break;
    }
    l += lefts.length;
    r += rights.length;
    keep(from);
    const part = (tokens: readonly Token[], start: number, hunks: readonly Hunk[]): readonly Token[] =>
      tokens.slice(start, start + (to - from) + hunks.reduce((sum, hunk) => sum + (hunk.end - hunk.start) - (hunk.to - hunk.from), 0));
    const theirPart = part(their, leftAt, lefts);
    const myPart = part(my, rightAt, rights);
    [at, leftAt, rightAt] = [to, leftAt + theirPart.length, rightAt + myPart.length];
    const begins = [places[0].length, places[1].length] as const;
    const begun: Begun = {
      isStart: (place) => beginnings.isStart((offsets[from] ?? 0) + place),
      before: (side, low, high) => beginnings.before(side, begins[side] + low, begins[side] + high),
    };
    const [theirLetters, myLetters] = [lettersOf(theirPart).length, lettersOf(myPart).length];
    const isSplit = from < to && (beginnings.isWithin('base', offsets[from] ?? 0, offsets[to] ?? 0) ||
      beginnings.isWithin(0, places[0].length, places[0].length + theirLetters) || beginnings.isWithin(1, places[1].length, places[1].length + myLetters));
    const finely = isSplit ? mergedLetters(old.slice(from, to), within(theirPart, lefts, from), within(myPart, rights, from), SPACE.letters[0] as Letter, begun, marked) : null;
    if (finely) {
      for (const letter of finely.letters) merged.push({ said: letter.text, letters: [letter] });
      for (const side of [0, 1] as const) for (const place of finely.places[side]) places[side].push(length + place);
      length += finely.letters.length;
    } else if (lefts.length === 0) {
      add(myPart, 1);
      drop(0, theirPart);
    } else if (rights.length === 0) {
      add(theirPart, 0);
      drop(1, myPart);
    } else if (saidBy(theirPart) === saidBy(myPart)) add(myPart, 0, 1);
    else if (from === to && (goesOn(myPart, theirPart) || goesOn(theirPart, myPart))) {
      const [whole, long, short, count] = myPart.length > theirPart.length ? ([myPart, 1, 0, theirLetters] as const) : ([theirPart, 0, 1, myLetters] as const);
      const begin = places[long].length;
      add(whole, long);
      for (const place of places[long].slice(begin, begin + count)) places[short].push(place);
    } else if (from === to) {
      // Both have written in the same place, and changed nothing of each other's: what goes on there comes before what begins anew.
      const [theirEnd, myEnd] = [
        beginnings.before(0, places[0].length, places[0].length + theirLetters), beginnings.before(1, places[1].length, places[1].length + myLetters),
      ];
      const parts = [split(theirPart, theirEnd), split(myPart, myEnd)] as const;
      const [first, second] = inTurn(saidBy(parts[0][0]), saidBy(parts[1][0]));
      add(parts[first][0], first);
      (parts[first][0].length > 0 ? addBehind : add)(parts[second][0], second);
      const [third, last] = inTurn(saidBy(parts[0][1]), saidBy(parts[1][1]));
      push(parts[third][1], third);
      (theirEnd === 0 && myEnd === 0 ? addBehind : push)(parts[last][1], last);
    } else {
      const [theyWrote, iWrote] = [lefts.some(writes), rights.some(writes)];
      if (theyWrote || iWrote) clash();
      if (!theyWrote && !iWrote) {
        const isGone = (hunks: readonly Hunk[], index: number): boolean => hunks.some((hunk) => hunk.from <= index && index < hunk.to);
        for (let index = from; index < to; index += 1) {
          const [token, isTheirs, isMine] = [old[index] as Token, !isGone(lefts, index), !isGone(rights, index)];
          if (isTheirs && isMine) add([token], 0, 1);
          else if (isTheirs || isMine) drop(isTheirs ? 0 : 1, [token]);
        }
        continue;
      }
      // What one of them has only taken away is no words.
      const hasTheirs = prefer === 'theirs' || (prefer === 'both' && theyWrote);
      const hasMine = prefer === 'mine' || (prefer === 'both' && iWrote);
      if (hasTheirs) add(theirPart, 0);
      else drop(0, theirPart);
      if (hasMine) (hasTheirs ? addBehind : add)(myPart, 1);
      else drop(1, myPart);
    }
  }
  keep(old.length);
  return { tokens: merged, clashes, places };
}

/** Tokens before this letter and behind it. */
function split(tokens: readonly Token[], letters: number): [readonly Token[], readonly Token[]] {
  const all = lettersOf(tokens);
  return letters === 0 ? [[], tokens] : letters >= all.length ? [tokens, []] : [tokensIn(all.slice(0, letters)), tokensIn(all.slice(letters))];
}

/** One side of a place that begins there. */
const within = (tokens: readonly Token[], hunks: readonly Hunk[], from: number): Part => {
  let moved = 0;
  return { tokens, hunks: hunks.map((hunk) => {
    const start = hunk.from - from + moved;
    moved += hunk.end - hunk.start - (hunk.to - hunk.from);
    return { from: hunk.from - from, to: hunk.to - from, start, end: start + hunk.end - hunk.start };
  }) };
};

const sameMarks = (left: readonly Mark[], other: readonly Mark[]): boolean =>
  left.length === other.length && left.every((mark, index) => mark.eq(other[index] as Mark));

/** The marks of a letter that stayed: what either has given or taken; of two of one kind one stays. */
function mergedMarks(before: readonly Mark[], theirs: readonly Mark[], mine: readonly Mark[], prefer: Prefer): { marks: readonly Mark[]; clashes: boolean } {
  if (sameMarks(mine, before) || sameMarks(mine, theirs)) return { marks: theirs, clashes: false };
  if (sameMarks(theirs, before)) return { marks: mine, clashes: false };
  const [first, second] = prefer === 'theirs' ? [mine, theirs] : [theirs, mine];
  const added = (marks: readonly Mark[]): readonly Mark[] => marks.filter((mark) => !mark.isInSet(before));
  const stay = before.filter((mark) => mark.isInSet(theirs) && mark.isInSet(mine));
  return {
    marks: [...stay, ...added(first), ...added(second)].reduce<readonly Mark[]>((marks, mark) => mark.addToSet(marks), []),
    clashes: added(theirs).some((mark) => added(mine).some((other) => mark.type === other.type && !mark.eq(other))),
  };
}

/** Where two texts differ, as places in the first: for replacing no more than that. */
export function differencesOf(before: Fragment, after: Fragment): { from: number; to: number; content: Fragment }[] {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const spelled = (token: Token): string =>
    `${token.said}${token.letters.some((letter) => letter.marks.length > 0) ? `\0${JSON.stringify(token.letters.map((letter) => letter.marks))}` : ''}`;
  const ends: number[] = [0];
  for (const token of old) ends.push((ends.at(-1) ?? 0) + token.letters.reduce((sum, letter) => sum + (letter.leaf ? 1 : letter.text.length), 0));
  return hunksBetween(old.map(spelled), now.map(spelled)).map(({ from, to, start, end }) =>
    ({ from: ends[from] ?? 0, to: ends[to] ?? 0, content: contentOf(lettersOf(now.slice(start, end))) }));
}

/** Values that both have changed: by their members where they are objects; else one's own. */
export function mergedValue(base: unknown, theirs: unknown, mine: unknown, prefer: Prefer): { value: unknown; clashes: boolean } {
  if (same(mine, theirs) || same(base, theirs)) return { value: mine, clashes: false };
  if (same(base, mine)) return { value: theirs, clashes: false };
  if (!isObject(theirs) || !isObject(mine)) return { value: prefer === 'theirs' ? theirs : mine, clashes: true };
  const old = isObject(base) ? base : {};
  let clashes = false;
  const value: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const member = mergedValue(old[name], theirs[name], mine[name], prefer);
    clashes ||= member.clashes;
    if (member.value !== undefined) value[name] = member.value;
  }
  return { value, clashes };
}

/** What a reference leads to is one value. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('kind' in value);
