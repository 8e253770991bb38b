/**
 * Saving a page while it is written: edits of blocks on the revision that was seen last. Where somebody was
 * faster the page is read again, both are brought together, and what was typed here is sent once more.
 */

import { areSame, type Blocks, type Edit, editsBetween, innerOf, isSame, keysIn } from './changes.ts';
import type { Data, Json } from '../document/json.ts';
import { type Clash, merge } from './merging/tree.ts';
import type { Renaming } from './merging/versions.ts';
import type { FailureKind } from '../ui/failure.tsx';

export type Trouble = FailureKind;

export type SavingState =
  | { readonly is: 'saved' | 'typed' | 'saving' }
  | { readonly is: 'failed'; readonly trouble: Trouble; readonly message: string };

/** A page as it was read. Revisions sort by when they were made. */
export interface Reading {
  readonly revision: string;
  readonly title: string;
  readonly blocks: Blocks;
  /** How texts of the page are written, where they do not say it themselves. */
  readonly style?: Data;
}

/** One write; sent again with the same key it is carried out once. */
export interface Sent {
  readonly edits: readonly Edit[];
  readonly title: string | null;
  readonly revision: string;
  readonly key: string;
}

export type Answer<Value> =
  | { readonly value: Value }
  | { readonly conflict: true }
  | { readonly trouble: Trouble; readonly message: string };

/** A title that both have changed: `theirs` is that of the page until somebody says which one holds. */
export interface Titles {
  readonly mine: string;
  readonly theirs: string | null;
}

export interface Doors {
  /** What stands in the editor. */
  readonly now: () => { readonly title: string; readonly blocks: Blocks };
  /** The same without asking for what is still coming: as the page will be by it, or at least with its words. */
  readonly soon: () => { readonly title: string; readonly blocks: Blocks };
  /** Put what others have written into the editor. */
  readonly apply: (blocks: Blocks, titles: Titles, clashes: readonly Clash[], renaming?: Renaming) => void;
  readonly write: (sent: Sent) => Promise<Answer<string>>;
  readonly read: () => Promise<Answer<Reading>>;
  /** Whether letters are being composed: until they are, nothing may change around them. */
  readonly isComposing: () => boolean;
  /** Whether something that was pasted is still coming: what is due by itself waits for it. */
  readonly isComing: () => boolean;
  readonly newKey: () => string;
  readonly tell: (state: SavingState) => void;
  readonly remember: (base: Blocks, blocks: Blocks, title: Titles | null, sent: (Sent & { readonly blocks: Blocks }) | null) => void;
  readonly forget: () => void;
  readonly later: (work: () => void, milliseconds: number) => () => void;
}

const QUIET_MS = 900;
/** Somebody who goes on typing is saved as well. */
const LONGEST_MS = 6_000;
const REMEMBER_MS = 250;
/** Also while somebody types without a pause. */
const LONGEST_REMEMBER_MS = 1_500;
const COMPOSING_MS = 200;
const AGAIN_MS = 5_000;
const LONGEST_AGAIN_MS = 60_000;
const MOST_ROUNDS = 8;
/** Troubles that pass by themselves; after others something has to be done, and then it is tried again. */
const PASSING = new Set<Trouble>(['offline', 'late', 'unsure', 'resent', 'busy', 'server', 'signedOut', 'another']);
/** Troubles after which nobody knows whether it was written. */
const UNKNOWN = new Set<Trouble>(['offline', 'unsure', 'resent', 'server', 'busy']);

/** Whether the page has all that was sent: blocks that were changed as they were sent, none that was taken away, in that order. */
function isThere(base: Blocks, sent: Blocks, page: Blocks): boolean {
  const [before, after, now] = [base, sent, page].map((blocks) => new Map(blocks.map((block) => [block.key, block]))) as [
    Map<unknown, Json>, Map<unknown, Json>, Map<unknown, Json>];
  const order = (blocks: Blocks): string =>
    blocks.map((block) => block.key).filter((key) => before.has(key) && after.has(key) && now.has(key)).join('\n');
  return sent.every((block) => isSame(before.get(block.key), block) || isSame(now.get(block.key), block)) &&
    base.every((block) => after.has(block.key) || !now.has(block.key)) &&
    (order(sent) === order(base) || order(sent) === order(page));
}

/** Whether an edit is of a block inside of one at the top. */
function isInside(edit: Edit, blocks: Blocks): boolean {
  const top = new Set(blocks.map((block) => block.key));
  return ('replace' in edit && !top.has(edit.replace.key)) || ('insert' in edit && edit.insert.place.inside !== undefined) ||
    ('insert' in edit && edit.insert.place.after !== undefined && !top.has(edit.insert.place.after)) ||
    ('move' in edit && (edit.move.place.inside !== undefined || edit.move.keys.some((key) => !top.has(key)))) ||
    ('delete' in edit && edit.delete.keys.some((key) => !top.has(key)));
}

/** Blocks that were sent with others in them to which the server may have given keys of its own: those that they had, or others than the page has already. */
function unsureAfter(edits: readonly Edit[], base: Blocks): string[] {
  let taken: ReadonlySet<string> | null = null;
  return edits.flatMap((edit): string[] => {
    const content = 'replace' in edit ? edit.replace.content : 'insert' in edit ? edit.insert.content : null;
    if (content === null || !('blocks' in content)) return [];
    const whole = content.blocks.filter((block) => innerOf(block) !== null);
    if ('replace' in edit) return whole.map((block) => block.key ?? '');
    return whole.filter((block) => keysIn(block).some((key) => (taken ??= new Set(base.flatMap(keysIn))).has(key))).map((block) => block.key ?? '');
  });
}

const wordsOf = (block: Json): string[] => [
  ...(block.leaves?.map((leaf) => leaf.text).join('').match(/[\p{L}\p{N}]+/gu) ?? []),
  ...[...(block.nodes ?? []), ...(block.fragments ?? [])].flatMap(wordsOf),
];

/** Words of one that the other one has not. */
function wordsBeyond(block: Json, other: Json | undefined): string[] {
  const left = new Map<string, number>();
  for (const word of other ? wordsOf(other) : []) left.set(word, (left.get(word) ?? 0) + 1);
  return wordsOf(block).filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

/**
 * Whether a write has arrived, by what the page has now, also when others have gone on since. One write is stored in whole
 * or not at all: a new block tells by its name. Words that were new in others tell when they are in each of them, for
 * somebody else may have mended the same word; words that come twice are better than words that go.
 */
export function hasArrived(base: Blocks, sent: Blocks, page: Blocks): boolean {
  const [before, now] = [base, page].map((blocks) => new Map(blocks.map((block) => [block.key, block]))) as [Map<unknown, Json>, Map<unknown, Json>];
  if (isThere(base, sent, page)) return true;
  // What was inside of another block before may have come to the top by somebody else.
  const keysBefore = new Set<unknown>(base.flatMap(keysIn));
  if (sent.some(({ key }) => !keysBefore.has(key) && now.has(key))) return true;
  const arrived = sent.flatMap((block): boolean[] => {
    const [was, is] = [before.get(block.key), now.get(block.key)];
    if (was === undefined || isSame(was, block)) return was === undefined ? [false] : [];
    const [fresh, there] = [wordsBeyond(block, was), new Set(is ? wordsBeyond(is, was) : [])];
    return fresh.length === 0 ? [] : [isSame(is, block) || fresh.every((word) => there.has(word))];
  });
  return arrived.length > 0 && arrived.every(Boolean);
}

export class Saving {
  private base: Blocks;
  private title: string;
  private revision: string;
  private isRunning = false;
  /** What was sent and got no answer: it is sent again as it was, before anything else. */
  private unanswered: (Sent & { readonly blocks: Blocks }) | null = null;
  private waiting: Reading | null = null;
  /** The newest revision that the page is said to have. */
  private newest: string | null = null;
  private isReading = false;
  /** Blocks at the top in which the server may have other keys than stand here: they were sent as a whole. */
  private readonly unsure = new Set<string>();
  /** Whether edits of blocks inside of others were refused. */
  private isWhole = false;
  /** The title of the page, where it is another one than both that were written. */
  private otherTitle: string | null = null;
  private firstChange: number | null = null;
  private firstUnkept: number | null = null;
  /** Whether somebody has typed since something was kept. */
  private hasTyped = false;
  private again = AGAIN_MS;
  private cancelSave = (): void => undefined;
  private cancelRemember = (): void => undefined;
  private running: Promise<void> = Promise.resolve();

  private readonly doors: Doors;
  private readonly clock: () => number;

  constructor(start: Reading, doors: Doors, clock: () => number = () => performance.now()) {
    this.doors = doors;
    this.clock = clock;
    this.base = start.blocks;
    this.title = start.title;
    this.revision = start.revision;
  }

  /** The revision of the page that was seen last. */
  get seen(): string {
    return this.revision;
  }

  /** Something was typed, or has come by itself: that alone waits to be kept until all of it is there. */
  changed(isTyped = true): void {
    this.hasTyped ||= isTyped;
    this.firstChange ??= this.clock();
    if (!this.isRunning) this.doors.tell({ is: 'typed' });
    // What comes by itself puts off nothing that was typed.
    if (isTyped || this.firstUnkept === null) {
      this.cancelRemember();
      this.firstUnkept ??= this.clock();
      const unkept = this.firstUnkept + LONGEST_REMEMBER_MS - this.clock();
      this.rememberIn(Math.max(0, Math.min(REMEMBER_MS, unkept)));
    }
    const left = this.firstChange + LONGEST_MS - this.clock();
    this.schedule(Math.max(0, Math.min(QUIET_MS, left)));
  }

  private rememberIn(milliseconds: number): void {
    this.cancelRemember = this.doors.later(() => {
      if (!this.doors.isComing()) this.keep();
      else if (this.hasTyped) this.keep(this.doors.soon());
      else this.rememberIn(REMEMBER_MS);
    }, milliseconds);
  }

  /** Keep what is not saved in the browser, at once: the page may be closed. */
  keep({ title, blocks } = this.doors.now()): void {
    this.cancelRemember();
    this.firstUnkept = null;
    this.hasTyped = false;
    if (!this.isDirty(blocks, title)) return;
    this.doors.remember(this.base, blocks, title === this.title ? null : { mine: title, theirs: this.title }, this.unanswered);
  }

  /** Save now what was typed. */
  save(): Promise<void> {
    this.cancelSave();
    if (!this.isRunning) this.running = this.run();
    return this.running;
  }

  /** The page as somebody reads it now; while something is sent or composed it waits. */
  incoming(reading: Reading): void {
    if (reading.revision <= this.revision) return;
    if (this.isRunning || this.unanswered || this.doors.isComposing()) this.waiting = reading;
    else this.takeIn(reading);
  }

  /** The page has a revision that may be newer: then it is read, unless it is the one that is being written here. */
  newer(revision: string): void {
    if (revision <= this.revision || (this.newest !== null && revision <= this.newest)) return;
    this.newest = revision;
    // What is read while letters are composed is taken in behind them; what is being written here may be that very revision.
    if (!this.isRunning && !this.unanswered) void this.readNewer(revision);
  }

  private async readNewer(revision: string): Promise<void> {
    if (revision <= this.revision || this.isReading) return;
    this.isReading = true;
    const answer = await this.doors.read();
    this.isReading = false;
    if ('value' in answer) this.incoming(answer.value);
    else if ('trouble' in answer && PASSING.has(answer.trouble)) this.doors.later(() => this.calm(), AGAIN_MS);
    else this.newest = null;
    // Another one has come meanwhile.
    if ('value' in answer && this.newest !== null && this.newest > answer.value.revision) this.calm();
  }

  /** What had to wait is taken in. */
  calm(): void {
    if (this.isRunning || this.unanswered || this.doors.isComposing()) return;
    const { waiting, newest } = this;
    this.waiting = null;
    if (waiting !== null) this.incoming(waiting);
    else if (newest !== null) void this.readNewer(newest);
  }

  /**
   * Send once more what somebody had sent before a crash, as it was: whether it is stored, of which the page has the outcome
   * then; null when there was no answer, which is said.
   */
  async repeat({ edits, title, revision, key }: Sent): Promise<boolean | null> {
    await this.save();
    if (this.isRunning || this.unanswered) return null;
    this.isRunning = true;
    try {
      const answer = await this.doors.write({ edits, title, revision, key });
      if ('trouble' in answer && PASSING.has(answer.trouble)) return this.unknown(answer);
      if (!('value' in answer)) return false;
      const fresh = await this.doors.read();
      if ('trouble' in fresh) return this.unknown(fresh);
      if (!('value' in fresh)) return null;
      this.takeIn(fresh.value);
      return true;
    } finally {
      this.isRunning = false;
      this.calm();
    }
  }

  private unknown({ trouble, message }: { readonly trouble: Trouble; readonly message: string }): null {
    this.failed(trouble, message);
    return null;
  }

  /** Write on top of what the page has now what was kept from before. */
  restore(base: Blocks, mine: Blocks, titles: Titles | null): void {
    const now = this.doors.now();
    const merged = merge(base, now.blocks, mine);
    if (titles && titles.theirs !== this.title && titles.mine !== this.title) this.otherTitle = this.title;
    this.doors.apply(merged.blocks, { mine: titles?.mine ?? now.title, theirs: this.otherTitle }, merged.clashes, merged.renaming);
    this.changed();
  }

  /** One of two titles holds. */
  chooseTitle(takeTheirs: boolean): void {
    const { blocks, title } = this.doors.now();
    this.otherTitle = null;
    this.doors.apply(blocks, { mine: takeTheirs ? this.title : title, theirs: null }, []);
    this.changed();
  }

  /** The page as the server has it, once all that stands here is saved; null where it is not. */
  async stored(): Promise<Reading | null> {
    await this.save();
    // Who hears that it is saved asks before what has saved it has ended.
    await this.running;
    const isStored = !this.isRunning && this.unanswered === null && this.isSaved();
    return isStored ? { revision: this.revision, title: this.title, blocks: this.base } : null;
  }

  /** Read what others have written, and take it in. */
  async catchUp(): Promise<void> {
    const answer = await this.doors.read();
    if ('value' in answer) this.incoming(answer.value);
  }

  private isSaved(): boolean {
    const { title, blocks } = this.doors.now();
    return !this.isDirty(blocks, title);
  }

  private isDirty(blocks: Blocks, title: string): boolean {
    return title !== this.title || !areSame(this.base, blocks);
  }

  private schedule(milliseconds: number): void {
    this.cancelSave();
    this.cancelSave = this.doors.later(() => {
      // Half of a letter is saved only where somebody stops in the middle of it.
      const isMidway = this.doors.isComing() || (this.doors.isComposing() && this.firstChange !== null && this.clock() < this.firstChange + LONGEST_MS);
      if (isMidway) this.schedule(COMPOSING_MS);
      else void this.save();
    }, milliseconds);
  }

  private takeIn(reading: Reading): void {
    const { title, blocks } = this.doors.now();
    const merged = merge(this.base, reading.blocks, blocks);
    const isOwn = title !== this.title;
    if (!isOwn || title === reading.title) this.otherTitle = null;
    else if (reading.title !== this.title) this.otherTitle = reading.title;
    this.base = reading.blocks;
    this.unsure.clear();
    this.revision = reading.revision;
    this.title = reading.title;
    this.doors.apply(merged.blocks, { mine: isOwn ? title : reading.title, theirs: this.otherTitle }, merged.clashes, merged.renaming);
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      await this.send();
    } catch (fault) {
      // Never a page that goes on saving for ever; the fault itself is reported as any other one.
      this.doors.tell({ is: 'failed', trouble: 'server', message: '' });
      throw fault;
    } finally {
      this.isRunning = false;
    }
    this.calm();
  }

  private async send(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (this.waiting !== null && this.doors.isComposing()) break;
      this.firstChange = null;
      const next = this.unanswered ?? this.next();
      if (next === null) return this.saved();
      if (next !== this.unanswered) {
        this.unanswered = next;
        // Before it goes: whoever comes back after a crash has to know what may have arrived.
        this.keep();
      }
      this.doors.tell({ is: 'saving' });
      const answer = await this.doors.write(next);
      if ('trouble' in answer) {
        // A block inside of another one may have another key than it was sent with: then the whole is sent.
        if (answer.trouble === 'refused' && !this.isWhole && next.edits.some((edit) => isInside(edit, [...this.base, ...next.blocks]))) {
          this.unanswered = null;
          this.isWhole = true;
          continue;
        }
        if (!UNKNOWN.has(answer.trouble) || (await this.isUnwritten(answer.trouble))) this.unanswered = null;
        return this.failed(answer.trouble, answer.message);
      }
      this.unanswered = null;
      if ('value' in answer) {
        this.isWhole = false;
        for (const key of unsureAfter(next.edits, this.base)) this.unsure.add(key);
        this.base = next.blocks;
        this.title = next.title ?? this.title;
        this.revision = answer.value;
        this.again = AGAIN_MS;
        continue;
      }
      const fresh = await this.doors.read();
      if ('trouble' in fresh) return this.failed(fresh.trouble, fresh.message);
      if (!('value' in fresh)) continue;
      if (this.doors.isComposing()) {
        this.waiting = fresh.value;
        break;
      }
      // What was sent is there all the same: its answer was lost.
      if (isThere(this.base, next.blocks, fresh.value.blocks)) this.base = next.blocks;
      this.takeIn(fresh.value);
    }
    // Others write all the time, or letters are being composed: somebody who goes on typing comes back here.
    this.doors.tell({ is: 'typed' });
    this.schedule(QUIET_MS);
  }

  /** Whether nothing came of a write that the server failed at: then what is typed next may be sent in its place. */
  private async isUnwritten(trouble: Trouble): Promise<boolean> {
    if (trouble !== 'server') return false;
    const fresh = await this.doors.read();
    return 'value' in fresh && fresh.value.revision === this.revision;
  }

  /** What is to be written; a title that both have changed waits until one of them was chosen. */
  private next(): (Sent & { readonly blocks: Blocks }) | null {
    const now = this.doors.now();
    const edits = editsBetween(this.base, now.blocks, (key) => !this.isWhole && !this.unsure.has(key));
    const title = now.title === this.title || this.otherTitle !== null ? null : now.title;
    if (edits.length === 0 && title === null) return null;
    return { edits, title, revision: this.revision, key: this.doors.newKey(), blocks: now.blocks };
  }

  private saved(): void {
    if (!this.isSaved()) {
      this.keep();
      return this.doors.tell({ is: 'typed' });
    }
    this.cancelRemember();
    this.doors.forget();
    this.doors.tell({ is: 'saved' });
  }

  private failed(trouble: Trouble, message: string): void {
    this.keep();
    this.doors.tell({ is: 'failed', trouble, message });
    if (!PASSING.has(trouble)) return;
    this.schedule(this.again);
    this.again = Math.min(this.again * 2, LONGEST_AGAIN_MS);
  }
}
