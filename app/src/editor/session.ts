/** One page that is being written: the editor, saving, and what others do meanwhile. */

import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { EditorState, type Transaction } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { applied, keysOfBlocks } from './applying.ts';
import { type Blocks, type Clash, editsBetween, merge } from './changes.ts';
import { blocksOf, blockToEditor, documentToEditor, keyOfBlock, unique } from './convert.ts';
import { type InsertionId, inserted, madeOf } from './insertions.ts';
import { pastePlugin } from './paste.ts';
import { filled, forget, forgetOwn, type LeftOver, leftOvers, remember } from './remembered.ts';
import { type Doors, type Reading, Saving, type SavingState } from './saving.ts';
import { slashPlugin } from './slash.ts';
import { keys, rules } from './typing.ts';
import { nodeViews, type ViewDoors } from './views.ts';

export interface SessionDoors extends Omit<ViewDoors, 'openForm'> {
  readonly write: Doors['write'];
  readonly read: Doors['read'];
  readonly isSame: Doors['isSame'];
  readonly label: (id: InsertionId) => string;
  readonly options: (query: string) => readonly InsertionId[];
  /** What the view asks for that needs more than the editor: files, addresses, pages, data of a block. */
  readonly ask: (question: Question) => void;
}

export type Question =
  | { readonly about: 'files'; readonly files: readonly File[] }
  | { readonly about: 'choose'; readonly kind: 'image' | 'file' }
  | { readonly about: 'link' | 'page' | 'toolbar' }
  | { readonly about: 'new'; readonly type: 'math' | 'embed' }
  | { readonly about: 'block'; readonly position: number };

export interface Shown {
  readonly state: EditorState;
  readonly saving: SavingState;
  readonly title: string;
  readonly clashes: readonly Clash[];
  readonly offered: LeftOver | null;
  readonly isKept: boolean;
}

export class Session {
  readonly view: EditorView;
  readonly saving: Saving;
  private readonly listeners = new Set<() => void>();
  private shown: Shown;

  constructor(place: HTMLElement, start: Reading, private readonly store: string, private readonly doors: SessionDoors) {
    const offered = this.leftOver(start.blocks, start.title);
    const doc = documentToEditor({ object: 'document', data: { schemaVersion: 1 }, nodes: start.blocks });
    const slash = { options: doors.options, choose: (_: EditorView, id: InsertionId) => this.insert(id) };
    const state = EditorState.create({
      doc,
      plugins: [
        slashPlugin(slash),
        rules(),
        ...keys({ link: () => doors.ask({ about: 'link' }), toolbar: () => doors.ask({ about: 'toolbar' }), save: () => void this.saving.save() }),
        pastePlugin({ files: (files) => doors.ask({ about: 'files', files }), markdown: (text) => void this.pasteMarkdown(text) }),
        history(),
        dropCursor({ color: false, class: 'drop-cursor' }),
        gapCursor(),
        tableEditing(),
        keysOfBlocks,
      ],
    });
    this.shown = { state, saving: { is: 'saved' }, title: start.title, clashes: [], offered, isKept: true };
    this.view = new EditorView(place, {
      state,
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': doors.texts.editor.name, class: 'prose' },
      nodeViews: nodeViews({ ...doors, openForm: (position) => doors.ask({ about: 'block', position }) }),
      dispatchTransaction: (tr) => this.dispatch(tr),
      handleDOMEvents: {
        blur: () => {
          void this.saving.save();
          return false;
        },
      },
    });
    this.saving = new Saving(start, {
      now: () => ({ title: this.shown.title, blocks: unique(blocksOf(this.shown.state.doc)) }),
      apply: (blocks, title, clashes) => {
        const tr = applied(this.shown.state, blocks);
        const state = tr.docChanged ? this.shown.state.apply(tr) : this.shown.state;
        if (tr.docChanged && !this.view.isDestroyed) this.view.updateState(state);
        const fresh = new Map([...this.shown.clashes, ...clashes].map((one) => [one.key, one]));
        this.show({ title, clashes: [...fresh.values()], state });
      },
      write: doors.write,
      read: doors.read,
      isSame: doors.isSame,
      tell: (saving) => this.show({ saving }),
      remember: (base, blocks, title) => this.show({ isKept: remember(store, base, blocks, title) }),
      forget: () => forgetOwn(store),
      later: (work, milliseconds) => {
        const timer = window.setTimeout(work, milliseconds);
        return () => window.clearTimeout(timer);
      },
    });
    window.addEventListener('pagehide', this.leave);
    document.addEventListener('visibilitychange', this.leave);
    window.addEventListener('online', this.resume);
    window.addEventListener('focus', this.resume);
  }

  /** What was typed before and not saved; it is kept apart until somebody says what becomes of it. */
  private leftOver(blocks: Blocks, title: string): LeftOver | null {
    for (const one of leftOvers(this.store)) {
      const { base, mine } = filled(one.kept, blocks);
      const isNews = editsBetween(blocks, merge(base, blocks, mine).blocks).length > 0;
      if (isNews || (one.kept.title !== null && one.kept.title !== title)) return one;
      forget(one.key);
    }
    return null;
  }

  private readonly leave = (): void => {
    this.saving.keep();
    if (document.visibilityState === 'hidden') void this.saving.save();
  };

  /** Somebody is back, perhaps signed in again. */
  private readonly resume = (): void => {
    this.saving.doubt();
    if (this.shown.saving.is === 'failed') void this.saving.save();
  };

  /** What was not saved goes on being sent, and is kept until it is. */
  close(): void {
    this.saving.keep();
    void this.saving.save();
    window.removeEventListener('pagehide', this.leave);
    document.removeEventListener('visibilitychange', this.leave);
    window.removeEventListener('online', this.resume);
    window.removeEventListener('focus', this.resume);
    this.listeners.clear();
    this.view.destroy();
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): Shown => this.shown;

  private show(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener();
  }

  private dispatch(tr: Transaction): void {
    // A file may have come after the page was left.
    if (this.view.isDestroyed) return;
    const state = this.view.state.apply(tr);
    this.view.updateState(state);
    this.show({ state });
    if (tr.docChanged) this.saving.changed();
  }

  setTitle(title: string): void {
    this.show({ title });
    this.saving.changed();
  }

  insert(id: InsertionId): void {
    const made = madeOf(id);
    if (made !== null) {
      this.view.dispatch(inserted(this.view.state, made));
      this.view.focus();
    } else if (id === 'image' || id === 'file') this.doors.ask({ about: 'choose', kind: id });
    else if (id === 'pageLink') this.doors.ask({ about: 'page' });
    else if (id === 'math' || id === 'embed') this.doors.ask({ about: 'new', type: id });
  }

  private async pasteMarkdown(text: string): Promise<void> {
    const { $from } = this.view.state.selection;
    const after = $from.depth > 0 ? keyOfBlock($from.node(1)) : null;
    if (await this.saving.insert(text, after)) return;
    // Without an answer it stays what it was.
    if (!this.view.isDestroyed) this.view.pasteText(text);
  }

  /** Text that was kept from before: on top of what the page is now. */
  takeOffered(): void {
    const { offered } = this.shown;
    if (offered === null) return;
    const { base, mine } = filled(offered.kept, unique(blocksOf(this.view.state.doc)));
    this.show({ offered: null });
    this.saving.restore(base, mine, offered.kept.title);
    this.saving.keep();
    if (this.shown.isKept && offered.key !== this.store) forget(offered.key);
  }

  discardOffered(): void {
    if (this.shown.offered !== null) forget(this.shown.offered.key);
    this.show({ offered: this.leftOver(unique(blocksOf(this.view.state.doc)), this.shown.title) });
  }

  /** The other side of a block that both have changed. */
  settle(key: string, takeTheirs: boolean): void {
    const clash = this.shown.clashes.find((one) => one.key === key);
    this.show({ clashes: this.shown.clashes.filter((one) => one.key !== key) });
    if (clash === undefined || !takeTheirs) return;
    const tr = this.view.state.tr;
    this.view.state.doc.forEach((node, position) => {
      if (keyOfBlock(node) !== key) return;
      if (clash.theirs) tr.replaceWith(position, position + node.nodeSize, blockToEditor(clash.theirs));
      else if (this.view.state.doc.childCount > 1) tr.delete(position, position + node.nodeSize);
    });
    if (tr.docChanged) this.view.dispatch(tr);
  }
}
