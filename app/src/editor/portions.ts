/**
 * Thousands of blocks that are pasted are read and come in portions, so that the browser shows them and takes keys meanwhile: at once those at
 * the beginning and at the end, behind which the caret goes on; then those between. Whatever asks for the whole page has all of it,
 * and undoing takes all of it away in one step.
 */

import { Fragment, type Node, Slice } from 'prosemirror-model';
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import type { Json } from '../document/json.ts';
import { keysOfBlocks } from './keys.ts';
import type { Source } from './paste-source.ts';

/**
 * Blocks that come in one go: of those that are made already more, for each portion is drawn with the whole page, and five of them take longer
 * than all at once.
 */
const [MOST_MADE, MOST_UNREAD] = [600, 160];
/** Of more the first and the last few come at once, and so many of those between next. */
const [FIRST, LAST] = [40, 20];
/** Blocks of the largest portion. */
const LARGEST = 300;
/** Deleted where two blocks are joined, in lists as well: ends and beginnings of blocks, and a letter or two. */
const JOINED = 10;
/** What a portion is to take. */
const PORTION_MS = 24;

export interface Doors {
  readonly state: () => EditorState;
  readonly dispatch: (tr: Transaction) => void;
  readonly later: (work: () => void) => void;
  readonly clock: () => number;
  /** Letters are being composed: until they are, nothing comes. */
  readonly isComposing: () => boolean;
}

function inserted(tr: Transaction, place: number, blocks: readonly Node[]): Transaction {
  const [$place, content] = [tr.doc.resolve(place), Fragment.from(blocks)];
  return $place.parent.canReplace($place.index(), $place.index(), content) ? tr.insert(place, content) : tr.replace(place, place, new Slice(content, 0, 0));
}

export class Portions {
  private waiting: readonly Node[] = [];
  /** Where blocks come from that were not read yet. */
  private source: Source | null = null;
  /** What is being read, and where it is to come. */
  private reading: { readonly source: Source; from: number; to: number } | null = null;
  private at = 0;
  private size = FIRST;
  private isRunning = false;
  /** What is being put in, which leads to its place by itself. */
  private own: Transaction | null = null;

  private readonly doors: Doors;

  constructor(doors: Doors) {
    this.doors = doors;
  }

  /** False where it comes in one go. */
  paste(slice: Slice): boolean {
    const { content } = slice;
    if (content.childCount <= MOST_MADE) return false;
    this.all();
    const blocks = Array.from({ length: content.childCount }, (_, index) => content.child(index));
    const { from, to } = this.doors.state().selection;
    return this.begin(blocks.slice(0, FIRST), blocks.slice(-LAST), { from, to }, [slice.openStart, slice.openEnd], () => (this.waiting = blocks.slice(FIRST, -LAST)));
  }

  /** What is read while it comes: it stands where the selection is now, also when somebody has gone on typing behind it. */
  read(source: Source): void {
    this.all();
    const { from, to } = this.doors.state().selection;
    this.reading = { source, from, to };
    this.soon();
  }

  /** What others have written, of which there is much: so much of it comes at once, and the rest in front of a block. */
  apart(blocks: readonly Json[], isNew: (block: Json) => boolean): { now: readonly Json[]; later: readonly Json[]; before: string } | null {
    let [from, to, begin] = [0, 0, 0];
    for (let at = 0; at < blocks.length; at += 1) {
      if (!isNew(blocks[at] as Json)) begin = at + 1;
      else if (at + 1 - begin > to - from) [from, to] = [begin, at + 1];
    }
    if (to - from <= MOST_UNREAD) return null;
    const [first, last] = [from + FIRST, to - LAST];
    return { now: [...blocks.slice(0, first), ...blocks.slice(last)], later: blocks.slice(first, last), before: blocks[last]?.key ?? '' };
  }

  wait(place: number, { take, rest }: Pick<Source, 'take' | 'rest'>): void {
    this.at = place;
    this.size = FIRST;
    this.source = { prepare: () => false, take, takeLast: () => [], rest };
    this.soon();
  }

  /** Whether something is still on its way. */
  get isComing(): boolean {
    return this.reading !== null || this.waiting.length > 0 || this.source !== null;
  }

  /** The first blocks and the last; false where they do not stand as what they are, as in code: all of it is put in as one there. */
  private begin(first: readonly Node[], last: readonly Node[], { from, to }: { from: number; to: number }, [openStart, openEnd]: readonly [number, number], wait: () => void): boolean {
    const state = this.doors.state();
    const { selection } = state;
    const isHere = selection.from === from && selection.to === to;
    const tr = isHere ? state.tr : state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to)));
    tr.replaceSelection(new Slice(Fragment.from([...first, ...last]), openStart, openEnd));
    if (!isHere) tr.setSelection(selection.map(tr.doc, tr.mapping));
    const [behind] = last;
    let place = -1;
    tr.doc.descendants((node, position) => {
      if (node === behind) place = position;
      return place < 0;
    });
    if (behind === undefined || place < 0) return false;
    const $place = tr.doc.resolve(place);
    if (!$place.parent.canReplace($place.index(), $place.index(), Fragment.from([...first, ...last]))) return false;
    this.at = place;
    this.size = FIRST;
    this.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
    wait();
    this.soon();
    return true;
  }

  /** All is read: its beginning and its end are put in. */
  private land(): void {
    if (this.reading === null) return;
    const { source, from, to } = this.reading;
    while (source.prepare()) { /* All of it is asked for. */ }
    this.reading = null;
    const first = [...source.take() ?? []];
    const last = source.takeLast();
    const open = (node: Node | undefined): number => (node?.isTextblock ? 1 : 0);
    const ends = [open(first[0]), open(last.at(-1) ?? first.at(-1))] as const;
    if (last.length > 1 && this.begin(first, last, { from, to }, ends, () => (this.source = source))) return;
    for (let more = source.take(); more !== null; more = source.take()) first.push(...more);
    const state = this.doors.state();
    const there = state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to)));
    this.doors.dispatch(there.replaceSelection(new Slice(Fragment.from([...first, ...last]), ...ends)).setMeta('paste', true).setMeta('uiEvent', 'paste'));
  }

  /** Somebody has written, or the editor has behind what was put in, as it mends tables; or it was undone: then what waits is not wanted any more. */
  moved(transactions: readonly Transaction[]): void {
    for (const { mapping } of this.reading === null ? [] : transactions) {
      const { source, from, to } = this.reading as NonNullable<typeof this.reading>;
      const begin = mapping.map(from, -1);
      this.reading = { source, from: begin, to: Math.max(begin, mapping.map(to, -1)) };
    }
    for (const tr of this.isWaiting || this.own !== null ? transactions : []) {
      if (tr === this.own || tr.getMeta(keysOfBlocks)) continue;
      const { pos, deletedAcross } = tr.mapping.mapResult(this.at, 1);
      // Two blocks that somebody joins there are two again with what waits, at once and in whole; of more nothing is wanted.
      if (deletedAcross && tr.before.content.size - tr.doc.content.size <= JOINED) this.size = Infinity;
      else if (deletedAcross) this.drop();
      this.at = pos;
    }
  }

  /** The page as it will be by what is still coming, to be kept: nothing of it is shown or taken yet. */
  get outcome(): EditorState {
    const state = this.doors.state();
    const rest = [...this.waiting, ...((this.reading?.source ?? this.source)?.rest() ?? [])];
    return rest.length > 0 ? state.apply(inserted(state.tr, this.reading?.to ?? this.at, rest)) : state;
  }

  /** All that waits, at once. */
  all(): void {
    this.trying(() => {
      this.land();
      if (this.isWaiting) this.put(Infinity);
    });
  }

  /** What cannot be read or put in is given up, and said as any fault: what is typed is kept and saved all the same. */
  private trying(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.reading = null;
      this.drop();
      throw fault;
    }
  }

  private drop(): void {
    [this.waiting, this.source] = [[], null];
  }

  private get isWaiting(): boolean {
    return this.waiting.length > 0 || this.source !== null;
  }

  private soon(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.doors.later(() => {
      this.isRunning = false;
      if (!this.isComing) return;
      if (!this.doors.isComposing()) this.trying(() => this.turn());
      if (this.isComing) this.soon();
    });
  }

  private turn(): void {
    const begun = this.doors.clock();
    if (this.reading !== null) {
      while (this.reading.source.prepare()) if (this.doors.clock() - begun > PORTION_MS) return;
      return this.land();
    }
    const { size } = this;
    this.put(size);
    this.size = Math.min(LARGEST, Math.max(10, Math.round(size * PORTION_MS / Math.max(1, this.doors.clock() - begun))));
  }

  private put(count: number): void {
    const { source } = this;
    const ready = [...this.waiting];
    let isEnd = source === null;
    while (source !== null && ready.length < count && !isEnd) {
      const more = source.take();
      if (more === null) isEnd = true;
      else for (const block of more) ready.push(block);
    }
    const [portion, rest] = [ready.slice(0, count), ready.slice(count)];
    const place = this.at;
    [this.waiting, this.source] = [[], null];
    if (portion.length > 0) {
      // Whoever undoes the paste takes away what stands between its first and its last blocks.
      const tr = inserted(this.doors.state().tr, place, portion).setMeta('addToHistory', false);
      this.at = tr.mapping.map(place, 1);
      this.dispatch(tr);
    }
    [this.waiting, this.source] = [rest, isEnd ? null : source];
  }

  private dispatch(tr: Transaction): void {
    this.own = tr;
    this.doors.dispatch(tr);
    this.own = null;
  }
}
