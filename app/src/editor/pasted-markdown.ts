/**
 * Markdown that was pasted: text of the page at once, and then the blocks that the server reads in it. Reading writes nothing; what
 * was read comes as if somebody had typed it, so it is kept, sent, and sent again as all else, and stands once whatever is lost on the way.
 */

import type { Node } from 'prosemirror-model';
import type { Blocks } from './changes.ts';
import type { Answer, Reading, Trouble } from './saving.ts';

/** A block of text in a revision of the page, and the Markdown that it is. */
export interface Asked {
  readonly key: string;
  readonly markdown: string;
  readonly revision: string;
}

export interface Doors {
  /** The page as the server has it, once all that stands here is saved; null where it is not. */
  readonly stored: () => Promise<Reading | null>;
  /** What the page would be by it; null where it would stay the same. */
  readonly read: (asked: Asked) => Promise<Answer<Blocks | null>>;
  /** The text of a block of plain text at the top of the page; null where there is none any more. */
  readonly textOf: (key: string) => string | null;
  readonly put: (key: string, blocks: Blocks) => void;
  /** Take in what others have written. */
  readonly catchUp: () => Promise<void>;
  readonly isComposing: () => boolean;
  readonly later: (work: () => void, milliseconds: number) => void;
}

/** The text of a block that holds nothing but letters and line breaks; null for all others. */
export function plainTextOf(node: Node): string | null {
  if (!node.isTextblock) return null;
  const parts = node.content.content.map((child) => (child.marks.length > 0 ? null : child.isText ? child.text ?? '' : child.type.name === 'hard_break' ? '\n' : null));
  return parts.includes(null) ? null : parts.join('');
}

const AGAIN_MS = 5_000;
const LONGEST_AGAIN_MS = 60_000;
/** After these it stays text. */
const FINAL = new Set<Trouble>(['refused', 'forbidden', 'missing']);

export class PastedMarkdown {
  private readonly waiting = new Set<string>();
  private isRunning = false;
  private isDue = false;
  private again = AGAIN_MS;

  private readonly doors: Doors;

  constructor(doors: Doors) {
    this.doors = doors;
  }

  add(key: string): void {
    this.waiting.add(key);
    this.tryLater();
  }

  /** What waits is read now, as when the page was saved: what was not read for it was changed meanwhile is read as it is now. */
  async turn(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (const key of this.waiting) if (!(await this.waits(key))) this.waiting.delete(key);
    } finally {
      this.isRunning = false;
    }
    this.tryLater();
  }

  private tryLater(): void {
    if (this.waiting.size === 0) this.again = AGAIN_MS;
    if (this.waiting.size === 0 || this.isDue) return;
    this.isDue = true;
    this.doors.later(() => {
      this.isDue = false;
      void this.turn();
    }, this.again);
    this.again = Math.min(this.again * 2, LONGEST_AGAIN_MS);
  }

  /** Whether it has to be tried again. */
  private async waits(key: string): Promise<boolean> {
    const page = await this.doors.stored();
    if (page === null) return true;
    const markdown = this.doors.textOf(key);
    if (markdown === null) return false;
    const answer = await this.doors.read({ key, markdown, revision: page.revision });
    if ('trouble' in answer) return !FINAL.has(answer.trouble);
    if ('conflict' in answer) {
      await this.doors.catchUp();
      return true;
    }
    // Somebody goes on typing in it: then that is Markdown as well.
    if (this.doors.isComposing() || this.doors.textOf(key) !== markdown) return true;
    const others = new Set(page.blocks.map((block) => block.key).filter((other) => other !== key));
    const blocks = answer.value?.filter((block) => !others.has(block.key)) ?? [];
    if (blocks.length > 0) this.doors.put(key, blocks);
    return false;
  }
}
