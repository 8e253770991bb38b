/** The menu behind `/`: what was typed behind it, and which of the insertions is marked. The caret stays in the text. */

import { Plugin, PluginKey } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { InsertionId } from './insertions.ts';

export interface Slash {
  readonly from: number;
  readonly query: string;
  readonly index: number;
}

export const slashKey = new PluginKey<Slash | null>('slash');
export const MENU_ID = 'editor-insert';
export const optionId = (id: InsertionId): string => `${MENU_ID}-${id}`;
const LONGEST = 24;

export interface SlashDoors {
  readonly options: (query: string) => readonly InsertionId[];
  readonly choose: (view: EditorView, id: InsertionId) => void;
}

/** Take `/` and what was typed behind it away, and insert. */
export function chooseOption(view: EditorView, id: InsertionId, doors: SlashDoors): void {
  const open = slashKey.getState(view.state);
  if (open) view.dispatch(view.state.tr.delete(open.from, view.state.selection.from).setMeta(slashKey, 'close'));
  doors.choose(view, id);
}

export const slashPlugin = (doors: SlashDoors): Plugin<Slash | null> => new Plugin<Slash | null>({
  key: slashKey,
  state: {
    init: () => null,
    apply(tr, before) {
      const meta = tr.getMeta(slashKey) as 'close' | { open: number } | { index: number } | undefined;
      if (meta === 'close') return null;
      if (meta && 'open' in meta) return { from: meta.open, query: '', index: 0 };
      if (before === null) return null;
      if (meta && 'index' in meta) return { ...before, index: meta.index };
      if (!tr.docChanged && !tr.selectionSet) return before;
      const from = tr.mapping.map(before.from, -1);
      const { $from, empty } = tr.selection;
      if (!empty || $from.pos <= from || from < $from.start()) return null;
      const text = tr.doc.textBetween(from, $from.pos, '\n', '\uFFFC');
      if (!/^\/[\p{L}\p{N} -]*$/u.test(text) || text.length > LONGEST) return null;
      const query = text.slice(1);
      return { from, query, index: query === before.query ? before.index : 0 };
    },
  },
  props: {
    handleTextInput(view, from, to, text) {
      const $from = view.state.doc.resolve(from);
      const before = $from.parent.textBetween(0, $from.parentOffset, '\n', '\uFFFC');
      if (text !== '/' || from !== to || $from.parent.type.spec.code || !/(?:^|\s)$/u.test(before)) return false;
      if ($from.parent.type.name === 'table_header') return false;
      view.dispatch(view.state.tr.insertText('/', from).setMeta(slashKey, { open: from }));
      return true;
    },
    handleKeyDown(view, event) {
      const open = slashKey.getState(view.state);
      if (!open) return false;
      const options = doors.options(open.query);
      const move = (by: number): true => {
        const index = options.length === 0 ? 0 : (open.index + by + options.length) % options.length;
        view.dispatch(view.state.tr.setMeta(slashKey, { index }));
        return true;
      };
      if (event.key === 'ArrowDown') return move(1);
      if (event.key === 'ArrowUp') return move(-1);
      if (event.key === 'Escape') {
        view.dispatch(view.state.tr.setMeta(slashKey, 'close'));
        event.stopPropagation();
        return true;
      }
      const chosen = options[open.index];
      if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) {
        chooseOption(view, chosen, doors);
        return true;
      }
      return false;
    },
    handleDOMEvents: {
      blur: (view) => {
        if (slashKey.getState(view.state)) view.dispatch(view.state.tr.setMeta(slashKey, 'close'));
        return false;
      },
    },
    attributes(state): Record<string, string> {
      const open = slashKey.getState(state);
      if (!open) return { 'aria-autocomplete': 'list' };
      const marked = doors.options(open.query)[open.index];
      return {
        'aria-autocomplete': 'list',
        'aria-controls': MENU_ID,
        ...(marked ? { 'aria-activedescendant': optionId(marked) } : {}),
      };
    },
  },
});
