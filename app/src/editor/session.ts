/** One page that is being written: the editor, saving, and what others do meanwhile. */

import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { alertsPlugin } from './alerts.ts';
import { applied, exchanged } from './applying.ts';
import { type Blocks, editsBetween } from './changes.ts';
import { blockOf, blocksOf, blockToEditor, documentToEditor, keyOfBlock, unique } from './convert.ts';
import { Composing } from './composing.ts';
import { type Held, heldNames, hold } from './held.ts';
import { newWriteKey } from '../graph/once.ts';
import type { Data, Json } from '../document/json.ts';
import { ASKED, type InsertionId, inserted, madeOf } from './insertions.ts';
import { keysOfBlocks, newKey } from './keys.ts';
import { type Clash, merge } from './merging/tree.ts';
import type { Renaming } from './merging/versions.ts';
import { byOthers, othersWords } from './others-words.ts';
import { pastePlugin } from './paste.ts';
import { type Doors as MarkdownDoors, PastedMarkdown, plainTextOf } from './pasted-markdown.ts';
import { Portions } from './portions.ts';
import { Place } from './places.ts';
import { filled, forget, type LeftOver, leftOvers, remember } from './remembered.ts';
import { type Doors, type Reading, Saving, type SavingState } from './saving.ts';
import { nodeType, schema } from './schema.ts';
import { slashPlugin } from './slash.ts';
import { keys, type Moved, movedBy, rules } from './typing.ts';
import { nodeViews, type ViewDoors } from './views.ts';

/** Lines of Markdown that are shown as a paragraph until they are read. */
const MOST_LINES = 200;
/** Blocks of others that are made ready in one go. */
const BLOCKS = 20;
/** The tools follow so long behind a key. */
const TOOLS_MS = 20;

export interface SessionDoors extends Omit<ViewDoors, 'openForm'> {
  readonly write: Doors['write'];
  readonly read: Doors['read'];
  readonly readInPlace: MarkdownDoors['read'];
  readonly label: (id: InsertionId) => string;
  readonly options: (query: string) => readonly InsertionId[];
  readonly used: (id: InsertionId) => void;
  /** What the view asks for that needs more than the editor: files, addresses, pages, data of a block. */
  readonly ask: (question: Question) => void;
}

/** What is made of a file that was chosen. */
export type Sort = 'image' | 'drawing' | 'file';
/** Another file, page, content or specification for a block that is there. */
export type Instead = (reference: Data) => void;

export type Question =
  | { readonly about: 'files'; readonly files: readonly File[]; readonly place: Place }
  /** A file of somebody's; `instead`: in the place of that of a block. */
  | { readonly about: 'choose'; readonly kind: Sort; readonly instead?: Instead }
  | { readonly about: 'link' | 'page' | 'reusable' | 'toolbar'; readonly instead?: Instead }
  | { readonly about: 'specification'; readonly type: string; readonly instead?: Instead }
  | { readonly about: 'new'; readonly type: 'math' | 'embed' | 'if' }
  | { readonly about: 'block'; readonly position: number };

export interface Shown {
  readonly state: EditorState;
  readonly saving: SavingState;
  /** Whether the state is said to who does not see it: when they have asked, or something has failed; not every second. */
  readonly speaks: boolean;
  readonly title: string;
  readonly clashes: readonly Clash[];
  /** The title that somebody else has given the page meanwhile. */
  readonly otherTitle: string | null;
  readonly offered: LeftOver | null;
  readonly isKept: boolean;
  /** Where the block is that was moved last. */
  readonly moved: Moved | null;
  /** The revision of the page that was seen last. */
  readonly revision: string;
}

const BARS = { top: 60, bottom: 64, left: 5, right: 5 };

/** Browsers tell in a later task that a key or a press has moved the caret: what follows at once is meant where it is now. */
const caretIsNow = (): boolean => document.dispatchEvent(new Event('selectionchange'));

export class Session {
  readonly view: EditorView;
  readonly saving: Saving;
  /** What has to be done before the page is left; false where it was refused. */
  before: (() => Promise<boolean>) | null = null;
  private readonly listeners = new Set<() => void>();
  private shown: Shown;
  private readonly places = new Set<Place>();
  private telling = 0;
  private readonly held: Held;
  private readonly portions = new Portions({
    state: () => this.view.state,
    // Who pastes has typed: it is kept soon, and not only when all of it is there.
    dispatch: (tr) => this.dispatch(tr, tr.getMeta('paste') === true),
    later: (work) => void window.setTimeout(work),
    clock: () => performance.now(),
    isComposing: () => this.composing.is(this.view),
  });
  private readonly composing = new Composing(() => this.saving.calm());
  private readonly markdown = new PastedMarkdown({
    stored: () => this.saving.stored(),
    read: (pasted) => this.doors.readInPlace(pasted),
    textOf: (key) => this.plainTextOf(key),
    put: (key, blocks) => this.put(key, blocks),
    catchUp: () => this.saving.catchUp(),
    isComposing: () => this.composing.is(this.view),
    later: (work, milliseconds) => void window.setTimeout(work, milliseconds),
  });

  constructor(place: HTMLElement, start: Reading, readonly name: string, private readonly doors: SessionDoors) {
    this.held = hold(name);
    const { name: store } = this.held;
    const doc = documentToEditor({ object: 'document', data: { schemaVersion: 1, style: start.style ?? {} }, nodes: start.blocks });
    const slash = { options: doors.options, choose: (_: EditorView, id: InsertionId) => this.insert(id) };
    const state = EditorState.create({
      doc,
      plugins: [
        slashPlugin(slash),
        rules(),
        ...keys({ link: () => doors.ask({ about: 'link' }), toolbar: () => doors.ask({ about: 'toolbar' }), save: () => this.saveNow() }),
        pastePlugin({ files: (files) => doors.ask({ about: 'files', files, place: this.hold() }), markdown: (text) => this.pasteMarkdown(text), many: (slice) => this.portions.paste(slice), much: (source) => this.portions.read(source) }),
        history(),
        dropCursor({ color: false, class: 'drop-cursor' }),
        gapCursor(),
        tableEditing(),
        keysOfBlocks,
        othersWords,
        alertsPlugin(doors.texts),
      ],
    });
    this.shown = { state, saving: { is: 'saved' }, speaks: false, title: start.title, otherTitle: null, clashes: [], offered: null, isKept: true, moved: null, revision: start.revision };
    const { composing } = this;
    this.view = new EditorView(place, {
      state,
      // Not below the tools, which stay above the text or, on phones, below it.
      scrollThreshold: BARS,
      scrollMargin: BARS,
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': doors.texts.editor.name, class: 'prose' },
      nodeViews: nodeViews({ ...doors, openForm: (position) => doors.ask({ about: 'block', position }) }),
      dispatchTransaction: (tr) => this.dispatch(tr),
      handleDOMEvents: {
        ...composing.handlers,
        keydown: (view, event) => {
          // What is meant of all that was pasted finds all of it.
          if (event.ctrlKey || event.metaKey) this.portions.all();
          if (!event.isComposing && !view.composing) caretIsNow();
          return composing.handlers.keydown(view, event);
        },
        paste: (view) => {
          if (!view.composing) caretIsNow();
          return false;
        },
        blur: () => {
          // What is still coming is saved when it is there.
          if (!this.portions.isComing) void this.saving.save();
          return composing.handlers.blur();
        },
      },
    });
    this.saving = new Saving(start, {
      now: () => {
        this.portions.all();
        return { title: this.shown.title, blocks: unique(blocksOf(this.shown.state.doc)) };
      },
      soon: () => ({ title: this.shown.title, blocks: unique(blocksOf(this.portions.outcome.doc)) }),
      apply: (blocks, titles, clashes, renaming) => {
        const state = this.apply(blocks, true, renaming);
        const before = this.shown.clashes.map((clash) => ({ ...clash, key: renaming?.get(clash.key) ?? clash.key }));
        const fresh = new Map([...before, ...clashes].map((clash) => [clash.key, clash]));
        this.show({ title: titles.mine, otherTitle: titles.theirs, clashes: [...fresh.values()], state, revision: this.saving.seen });
      },
      write: doors.write,
      read: doors.read,
      isComposing: () => composing.is(this.view),
      isComing: () => this.portions.isComing,
      newKey: newWriteKey,
      tell: (saving) => {
        const before = this.shown.saving.is;
        const speaks = saving.is === 'failed' || (this.shown.speaks && !(saving.is === 'typed' && before === 'saved'));
        this.show({ revision: this.saving.seen, speaks, ...(saving.is === before && saving.is !== 'failed' ? {} : { saving }) });
        if (saving.is === 'saved') void this.markdown.turn();
      },
      remember: (base, blocks, titles, sent) => this.show({ isKept: remember(store, base, blocks, titles, sent) }),
      forget: () => forget(store),
      later: (work, milliseconds) => {
        const timer = window.setTimeout(work, milliseconds);
        return () => window.clearTimeout(timer);
      },
    });
    window.addEventListener('pagehide', this.leave);
    document.addEventListener('visibilitychange', this.leave);
    window.addEventListener('online', this.resume);
    window.addEventListener('focus', this.resume);
    void this.offer(start.blocks, start.title);
  }

  /** Put blocks into the editor, which are not to be taken back by who types here: the state with them, or with the first and the last of many. */
  private apply(blocks: Blocks, isOthers: boolean, renaming?: Renaming): EditorState {
    const { state: before } = this.shown;
    const there = new Set(before.doc.content.content.map(keyOfBlock));
    // Behind a page that was left nothing comes in portions any more: what had not come would count as taken away.
    const apart = this.view.isDestroyed ? null : this.portions.apart(blocks, ({ key }) => !there.has(key ?? ''));
    const changed = applied(before, apart?.now ?? blocks, renaming);
    const tr = isOthers ? byOthers(changed) : changed;
    const state = tr.docChanged ? this.next(before, tr) : before;
    if (tr.docChanged && !this.view.isDestroyed) this.view.updateState(state);
    if (apart) this.later(state, apart.later, apart.before);
    return state;
  }

  private later(state: EditorState, blocks: readonly Json[], before: string): void {
    let place = state.doc.content.size;
    state.doc.forEach((node, position) => {
      if (keyOfBlock(node) === before) place = position;
    });
    let at = 0;
    this.portions.wait(place, {
      take: () => (at < blocks.length ? blocks.slice(at, (at += BLOCKS)).map(blockToEditor) : null),
      rest: () => blocks.slice(at).map(blockToEditor),
    });
  }

  /** What its Markdown and its text are kept by in this tab. */
  get store(): string {
    return this.held.name;
  }

  private async offer(blocks: Blocks, title: string): Promise<void> {
    const held = await heldNames();
    if (!this.view.isDestroyed) this.show({ offered: this.leftOver(held, blocks, title) });
  }

  /** What was typed before and not saved; it is kept apart until somebody says what becomes of it. */
  private leftOver(held: ReadonlySet<string>, blocks: Blocks, title: string): LeftOver | null {
    for (const leftOver of leftOvers(this.name, held)) {
      const { base, mine, titles } = filled(leftOver.kept, blocks, title);
      const isNews = editsBetween(blocks, merge(base, blocks, mine).blocks).length > 0;
      if (isNews || (titles && titles.mine !== title && titles.mine !== titles.theirs)) return leftOver;
      forget(leftOver.key);
    }
    return null;
  }

  private readonly leave = (): void => {
    this.saving.keep();
    if (document.visibilityState === 'hidden') void this.saving.save();
  };

  /** Somebody is back, perhaps signed in again. */
  private readonly resume = (): void => {
    if (this.shown.saving.is === 'failed') void this.saving.save();
  };

  /** What was not saved goes on being sent, and is kept until it is. */
  close(): void {
    this.portions.all();
    this.saving.keep();
    void this.saving.save();
    window.removeEventListener('pagehide', this.leave);
    document.removeEventListener('visibilitychange', this.leave);
    window.removeEventListener('online', this.resume);
    window.removeEventListener('focus', this.resume);
    this.listeners.clear();
    window.clearTimeout(this.telling);
    this.held.release();
    this.view.destroy();
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): Shown => this.shown;

  private show(change: Partial<Shown>): void {
    if ((Object.keys(change) as (keyof Shown)[]).every((name) => this.shown[name] === change[name])) return;
    this.shown = { ...this.shown, ...change };
    this.tell();
  }

  private tell(): void {
    window.clearTimeout(this.telling);
    this.telling = 0;
    for (const listener of this.listeners) listener();
  }

  /** A letter is on the screen before the tools around it are looked at. */
  private tellSoon(): void {
    if (this.telling === 0) this.telling = window.setTimeout(() => requestAnimationFrame(() => this.telling && this.tell()), TOOLS_MS);
  }

  private next(before: EditorState, tr: Transaction): EditorState {
    const { state, transactions } = before.applyTransaction(tr);
    for (const place of this.places) place.moved(transactions);
    this.portions.moved(transactions);
    return state;
  }

  /** Remember where the caret is now, for what comes later. */
  hold(): Place {
    const place = new Place(this.shown.state);
    this.places.add(place);
    return place;
  }

  release(place: Place): void {
    this.places.delete(place);
  }

  private dispatch(tr: Transaction, isTyped = true): void {
    // A file may have come after the page was left.
    if (this.view.isDestroyed) return;
    const state = this.next(this.view.state, tr);
    this.view.updateState(state);
    this.shown = { ...this.shown, state, moved: movedBy(tr) ?? this.shown.moved };
    this.tellSoon();
    if (tr.docChanged) this.saving.changed(isTyped);
  }

  /** All that was pasted is there, before something is done with all of it. */
  whole(): void {
    this.portions.all();
  }

  setTitle(title: string): void {
    this.show({ title });
    this.saving.changed();
  }

  insert(id: InsertionId): void {
    this.doors.used(id);
    const block = madeOf(id);
    if (block !== null) {
      this.view.dispatch(inserted(this.view.state, block));
      this.view.focus();
    } else if (id === 'image' || id === 'file' || id === 'drawing') this.doors.ask({ about: 'choose', kind: id });
    else if (id === 'pageLink') this.doors.ask({ about: 'page' });
    else if (id === 'reusable') this.doors.ask({ about: 'reusable' });
    else if (id === 'math' || id === 'embed') this.doors.ask({ about: 'new', type: id });
    else if (id === 'apiOperation' || id === 'apiWebhook' || id === 'apiSchemas') this.doors.ask({ about: 'specification', type: ASKED[id] });
    else if (id === 'condition') this.doors.ask({ about: 'new', type: 'if' });
  }

  /**
   * What was made of a text that is the page: on top of what others and oneself have written since `base`. It is kept as what is
   * typed. The revision that is just that; null where the page has more, or is not saved.
   */
  async takeIn(base: Reading, mine: Blocks, title: string): Promise<string | null> {
    this.saving.restore(base.blocks, mine, title === base.title ? null : { mine: title, theirs: base.title });
    this.saving.keep();
    await this.saving.save();
    const isJustThat = this.shown.saving.is === 'saved' && editsBetween(mine, unique(blocksOf(this.shown.state.doc))).length === 0;
    return isJustThat ? this.saving.seen : null;
  }

  /** Markdown is text here at once, in a block of its own at the top of the page, and then what the server reads in it. */
  private pasteMarkdown(text: string): void {
    const { state } = this.view;
    const { $from } = state.selection;
    const key = newKey();
    const lines = text.replace(/\r\n?/gu, '\n').trimEnd().split('\n');
    // A line break is an element: of thousands of lines the browser would draw for long.
    const isLong = lines.length > MOST_LINES;
    const content = isLong ? [schema.text(lines.join('\n'))] : lines.flatMap((line, index) => [...(index > 0 ? [schema.node('hard_break')] : []), ...(line ? [schema.text(line)] : [])]);
    const block = nodeType(isLong ? 'code' : 'paragraph').create({ form: { key } }, content);
    const isFree = $from.depth === 1 && $from.parent.isTextblock && $from.parent.content.size === 0;
    const start = $from.depth === 0 ? $from.pos : isFree ? $from.before(1) : $from.after(1);
    const tr = state.tr.replaceWith(start, isFree ? $from.after(1) : start, block);
    this.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, start + block.nodeSize - 1)).scrollIntoView());
    this.markdown.add(key);
    void this.saving.save();
  }

  private plainTextOf(key: string): string | null {
    const node = this.shown.state.doc.content.content.find((node) => keyOfBlock(node) === key);
    return node === undefined ? null : plainTextOf(node);
  }

  /** What was read in a block of text, in its place. Who writes there goes on behind it. */
  private put(key: string, blocks: Blocks): void {
    const { doc, selection } = this.shown.state;
    const isThere = selection.$head.depth > 0 && keyOfBlock(selection.$head.node(1)) === key;
    const state = this.apply(blocksOf(doc).flatMap((block) => (block.key === key ? blocks : [block])), false);
    this.show({ state });
    if (isThere && !this.view.isDestroyed) {
      const last = blocks.at(-1)?.key;
      let end = state.doc.content.size;
      state.doc.forEach((node, position) => {
        if (keyOfBlock(node) === last) end = position + node.nodeSize;
      });
      this.view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(end), -1)));
    }
    this.saving.changed();
    void this.saving.save();
  }

  /** Who asks hears what becomes of it. */
  private saveNow(): void {
    this.show({ speaks: true });
    void this.saving.save();
  }

  /** Text that was kept from before: on top of what the page is now. What was sent then and got no answer is asked for first. */
  async takeOffered(): Promise<void> {
    const { offered } = this.shown;
    if (offered === null) return;
    this.show({ offered: null });
    const { kept: remembered } = offered;
    const isStored = remembered.sent ? await this.saving.repeat(remembered.sent) : false;
    if (this.view.isDestroyed) return;
    // Nobody knows yet: taken in now, its words could come twice.
    if (isStored === null) return this.show({ offered });
    const { base, mine, titles } = filled(remembered, unique(blocksOf(this.view.state.doc)), this.shown.title, isStored);
    this.saving.restore(base, mine, titles);
    this.saving.keep();
    if (!this.shown.isKept) return;
    forget(offered.key);
    this.offerNext();
  }

  discardOffered(): void {
    if (this.shown.offered !== null) forget(this.shown.offered.key);
    this.show({ offered: null });
    this.offerNext();
  }

  /** Of several that were left each is asked about. */
  private offerNext(): void {
    void this.offer(unique(blocksOf(this.view.state.doc)), this.shown.title);
  }

  /** What holds of a block that both have changed; what was typed in it since stays. */
  settle(key: string, take: 'mine' | 'theirs' | 'both'): void {
    const clash = this.shown.clashes.find((clash) => clash.key === key);
    this.show({ clashes: this.shown.clashes.filter((clash) => clash.key !== key) });
    if (clash === undefined || take === 'both') return;
    const chosen = take === 'mine' ? clash.mine : clash.theirs;
    const now = this.blockOfKey(key);
    if (now === null) return;
    const named = (block: Json): Json => ({ ...block, key });
    const [merged] = chosen ? merge([named(clash.both)], [named(chosen)], [now]).blocks : [];
    const tr = exchanged(this.view.state, key, merged ? blockToEditor(merged) : null);
    if (tr.docChanged) this.view.dispatch(tr);
    this.view.focus();
  }

  private blockOfKey(key: string): Json | null {
    let there: Json | null = null;
    this.view.state.doc.descendants((node) => {
      if (there === null && keyOfBlock(node) === key) there = blockOf(node);
      return there === null;
    });
    return there;
  }
}
