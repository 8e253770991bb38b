/** Where something is to come that is not there yet, such as a file that is being sent: the place stays while people write around it. */

import type { Node } from 'prosemirror-model';
import type { EditorState, SelectionBookmark, Transaction } from 'prosemirror-state';
import { inserted } from './insertions.ts';

export class Place {
  private mark: SelectionBookmark;

  constructor(state: EditorState) {
    this.mark = state.selection.getBookmark();
  }

  moved(transactions: readonly Transaction[]): void {
    for (const { mapping } of transactions) this.mark = this.mark.map(mapping);
  }

  /** Put a block here, the next one behind it. Whoever writes elsewhere by now stays there. */
  put(state: EditorState, node: Node, dispatch: (tr: Transaction) => void): void {
    const there = this.mark.resolve(state.doc);
    const isHere = there.eq(state.selection);
    const tr = inserted(isHere ? state : state.apply(state.tr.setSelection(there)), node);
    const next = tr.selection.getBookmark();
    dispatch(isHere ? tr : tr.setSelection(state.selection.map(tr.doc, tr.mapping)));
    this.mark = next;
  }
}
