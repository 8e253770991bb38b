/**
 * Saving a page while it is written: edits of blocks on the revision that was seen last. Where somebody was
 * faster the page is read again, both are brought together by blocks, and what was typed here is sent once more.
 */

import { type Blocks, type Clash, type Edit, editsBetween, merge } from './changes.ts';

export type Trouble = 'signedOut' | 'forbidden' | 'missing' | 'offline' | 'busy' | 'server' | 'refused';

export type SavingState =
  | { readonly is: 'saved' | 'typed' | 'saving' }
  | { readonly is: 'failed'; readonly trouble: Trouble; readonly message: string };

/** A page as it was read. Revisions sort by when they were made. */
export interface Reading {
  readonly revision: string;
  readonly title: string;
  readonly blocks: Blocks;
}

export type Answer<Value> =
  | { readonly value: Value }
  | { readonly conflict: true }
  | { readonly trouble: Trouble; readonly message: string };

export interface Doors {
  /** What stands in the editor. */
  readonly now: () => { readonly title: string; readonly blocks: Blocks };
  /** Put what others have written into the editor. */
  readonly apply: (blocks: Blocks, title: string, clashes: readonly Clash[]) => void;
  readonly write: (edits: readonly Edit[], title: string | null, revision: string) => Promise<Answer<string>>;
  readonly read: () => Promise<Answer<Reading>>;
  /** Whether who writes is still who is signed in. */
  readonly isSame: () => Promise<Answer<true>>;
  readonly tell: (state: SavingState) => void;
  readonly remember: (base: Blocks, blocks: Blocks, title: string | null) => void;
  readonly forget: () => void;
  readonly later: (work: () => void, milliseconds: number) => () => void;
}

const QUIET_MS = 900;
/** Somebody who goes on typing is saved as well. */
const LONGEST_MS = 6_000;
const REMEMBER_MS = 250;
const AGAIN_MS = 5_000;
const LONGEST_AGAIN_MS = 60_000;
const MOST_ROUNDS = 8;
/** Troubles that pass by themselves; after others something has to be done, and then it is tried again. */
const PASSING = new Set<Trouble>(['offline', 'busy', 'server', 'signedOut']);

export class Saving {
  private base: Blocks;
  private title: string;
  private revision: string;
  private isRunning = false;
  private isInDoubt = false;
  private waiting: Reading | null = null;
  private firstChange: number | null = null;
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

  /** Something was typed. */
  changed(): void {
    this.firstChange ??= this.clock();
    if (!this.isRunning) this.doors.tell({ is: 'typed' });
    this.cancelRemember();
    this.cancelRemember = this.doors.later(() => this.keep(), REMEMBER_MS);
    const left = this.firstChange + LONGEST_MS - this.clock();
    this.schedule(Math.max(0, Math.min(QUIET_MS, left)));
  }

  /** Keep what is not saved in the browser, at once: the page may be closed. */
  keep(): void {
    this.cancelRemember();
    const { title, blocks } = this.doors.now();
    if (!this.isDirty(blocks, title)) return;
    this.doors.remember(this.base, blocks, title === this.title ? null : title);
  }

  /** Somebody may have signed in elsewhere: nothing is written in the name of another person. */
  doubt(): void {
    this.isInDoubt = true;
  }

  /** Save now what was typed. */
  save(): Promise<void> {
    this.cancelSave();
    if (!this.isRunning) this.running = this.run();
    return this.running;
  }

  /** The page as somebody reads it now; while something is sent it waits. */
  incoming(reading: Reading): void {
    if (reading.revision <= this.revision) return;
    if (this.isRunning) this.waiting = reading;
    else this.takeIn(reading);
  }

  /** Write on top of what the page has now what was kept from before. */
  restore(base: Blocks, mine: Blocks, title: string | null): void {
    const merged = merge(base, this.doors.now().blocks, mine);
    this.doors.apply(merged.blocks, title ?? this.doors.now().title, merged.clashes);
    this.changed();
  }

  /** Put Markdown behind a block: the server reads it, and it comes back as blocks. */
  async insert(markdown: string, after: string | null): Promise<boolean> {
    await this.save();
    if (this.isRunning) return false;
    this.isRunning = true;
    try {
      if ((await this.doubtful()) !== null) return false;
      for (let round = 0; round < 2; round += 1) {
        const place = after === null ? { index: 0 } : { after };
        const answer = await this.doors.write([{ insert: { content: { markdown }, place } }], null, this.revision);
        if ('trouble' in answer) return false;
        const fresh = await this.doors.read();
        if ('value' in fresh) this.takeIn(fresh.value);
        // What was written is there, also where it cannot be read yet: the next saving reads it.
        if ('value' in answer) return true;
        if (!('value' in fresh)) return false;
      }
      return false;
    } finally {
      this.isRunning = false;
      this.changed();
    }
  }

  private isDirty(blocks: Blocks, title: string): boolean {
    return title !== this.title || editsBetween(this.base, blocks).length > 0;
  }

  private schedule(milliseconds: number): void {
    this.cancelSave();
    this.cancelSave = this.doors.later(() => void this.save(), milliseconds);
  }

  private takeIn(reading: Reading): void {
    const { title, blocks } = this.doors.now();
    const merged = merge(this.base, reading.blocks, blocks);
    const isOwnTitle = title !== this.title;
    this.base = reading.blocks;
    this.revision = reading.revision;
    this.title = reading.title;
    this.doors.apply(merged.blocks, isOwnTitle ? title : reading.title, merged.clashes);
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
    const waiting = this.waiting;
    this.waiting = null;
    if (waiting !== null) this.incoming(waiting);
  }

  private async send(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      this.firstChange = null;
      const { title, blocks } = this.doors.now();
      const edits = editsBetween(this.base, blocks);
      if (edits.length === 0 && title === this.title) return this.saved();
      this.doors.tell({ is: 'saving' });
      const doubtful = await this.doubtful();
      if (doubtful !== null) return this.failed(doubtful.trouble, doubtful.message);
      const answer = await this.doors.write(edits, title === this.title ? null : title, this.revision);
      if ('value' in answer) {
        this.base = blocks;
        this.title = title;
        this.revision = answer.value;
        this.again = AGAIN_MS;
        continue;
      }
      if ('trouble' in answer) return this.failed(answer.trouble, answer.message);
      const fresh = await this.doors.read();
      if ('value' in fresh) this.takeIn(fresh.value);
      else if ('trouble' in fresh) return this.failed(fresh.trouble, fresh.message);
    }
    // Others write all the time: somebody who goes on typing comes back here.
    this.schedule(QUIET_MS);
  }

  private async doubtful(): Promise<{ readonly trouble: Trouble; readonly message: string } | null> {
    if (!this.isInDoubt) return null;
    const answer = await this.doors.isSame();
    if ('trouble' in answer) return answer;
    this.isInDoubt = false;
    return null;
  }

  private saved(): void {
    this.cancelRemember();
    this.doors.forget();
    this.doors.tell({ is: 'saved' });
  }

  private failed(trouble: Trouble, message: string): void {
    if (trouble === 'signedOut') this.isInDoubt = true;
    this.keep();
    this.doors.tell({ is: 'failed', trouble, message });
    if (!PASSING.has(trouble)) return;
    this.schedule(this.again);
    this.again = Math.min(this.again * 2, LONGEST_AGAIN_MS);
  }
}
