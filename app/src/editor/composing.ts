/** Whether letters are being composed, by an input method or the keyboard of a phone: until they are, nothing changes around them. */

import type { EditorView } from 'prosemirror-view';
import { isComposed } from '../ui/keyboard.ts';

/** The editor reads what was composed first. */
const READ_MS = 60;

export class Composing {
  /** A key has come that no input method has taken: the end of what was composed was lost. */
  private isOver = false;
  private readonly calm: () => void;

  constructor(calm: () => void) {
    this.calm = calm;
  }

  /** Nobody composes where the focus is not; browsers do not all say so. */
  is(view: EditorView): boolean {
    return !view.isDestroyed && view.composing && !this.isOver && view.hasFocus() && document.hasFocus();
  }

  readonly handlers = {
    compositionstart: (): false => this.begun(),
    compositionupdate: (): false => this.begun(),
    compositionend: (): false => this.ended(),
    blur: (): false => this.ended(),
    keydown: (view: EditorView, event: KeyboardEvent): false => {
      if (!view.composing || isComposed(event)) return false;
      this.isOver = true;
      return this.ended();
    },
  };

  private begun(): false {
    this.isOver = false;
    return false;
  }

  private ended(): false {
    window.setTimeout(this.calm, READ_MS);
    return false;
  }
}
