/** What comes from elsewhere: HTML of web pages and of Word, Markdown, files. */

import type { Slice } from 'prosemirror-model';
import { Plugin, Selection, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { cleaned } from './paste-clean.ts';
import type { Source } from './paste-source.ts';
import { newLink, schema } from './schema.ts';

/** What is longer is read in parts. */
const MUCH = 40_000;

export interface PasteDoors {
  readonly files: (files: readonly File[]) => void;
  readonly markdown: (text: string) => void;
  /** More blocks than come in one go: true where they are taken. */
  readonly many: (slice: Slice) => boolean;
  /** What is too long to be read at once. */
  readonly much: (source: Source) => void;
}

// Each looks no further than its line, or than the next sign like its own: thousands of empty lines are read as soon as others.
const SIGNS = [/^#{1,6} \S/mu, /^[^\S\n]*[-*+] \S/mu, /^[^\S\n]*\d+[.)] \S/mu, /^```/mu, /^> /mu, /^\|.*\|[^\S\n]*$/mu, /\[[^[\]]+\]\([^()\n]+\)/u, /\*\*[^*\s][^*]*\*\*/u, /^\{% /mu, /^\$\$/mu];

/** Whether a text has marks of Markdown: two kinds of them, or one that no plain text has. */
export function looksLikeMarkdown(text: string): boolean {
  const signs = SIGNS.filter((sign) => sign.test(text)).length;
  return signs >= 2 || /^#{1,6} \S[^\n]*\n/mu.test(text) || /^```[\s\S]*^```/mu.test(text) || /^\|.*\|[^\S\n]*\n\|[\s:|-]+\|/mu.test(text) ||
    (text.match(/^[^\S\n]*[-*+] \S/gmu)?.length ?? 0) >= 2;
}

/** Parts of a list, a quote or a table of this editor: they are put into what is around them as a whole. */
const isOpenInside = (html: string): boolean => /data-pm-slice="(?!\d+ \d+ \[\])/u.test(html);
const CELLS = /<t(?:able|r|d|h)\b/iu;

/** A title of a column is one line: what is pasted there is words of it, and neither cells in its place nor a table taken apart. Cells go into cells. */
function intoTitle(view: EditorView, slice: Slice, html: string): boolean {
  const { selection, tr } = view.state;
  const isIn = selection instanceof TextSelection && selection.$from.parent.type.name === 'table_header' && selection.$from.sameParent(selection.$to);
  if (!isIn || CELLS.test(html)) return false;
  const words = slice.content.textBetween(0, slice.content.size, ' ', ' ').replace(/\s+/gu, ' ');
  view.dispatch((words ? tr.insertText(words) : tr.deleteSelection()).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
  return true;
}

const inCode = (view: EditorView): boolean => view.state.selection.$from.parent.type.spec.code === true;

export const pastePlugin = ({ files, markdown, many, much }: PasteDoors): Plugin => {
  let isPlain = false;
  // Until it is there, or where it cannot be loaded, all is read at once.
  let sources: typeof import('./paste-source.ts') | null = null;
  void import('./paste-source.ts').then((loaded) => (sources = loaded), () => undefined);
  return new Plugin({
    props: {
      transformPastedHTML: cleaned,
      handleKeyDown(_, event) {
        isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
        return false;
      },
      handleDOMEvents: {
        // Before the editor reads it as a whole.
        paste(view, event) {
          const data = event.clipboardData;
          // Cells that are pasted into a table go into its cells, which takes all of them.
          if (!data || !sources || event.defaultPrevented || inCode(view) || isInTable(view.state) || view.composing) return false;
          const [html, text] = [isPlain ? '' : data.getData('text/html'), data.getData('text/plain')];
          if (html ? html.length <= MUCH || isOpenInside(html) : text.length <= MUCH || (!isPlain && looksLikeMarkdown(text)) || data.files.length > 0) return false;
          isPlain = false;
          event.preventDefault();
          const { $from } = view.state.selection;
          much(html ? sources.sourceOfHtml(html, $from) : sources.sourceOfText(text, $from));
          return true;
        },
      },
      handlePaste(view, event, slice) {
        const data = event.clipboardData;
        if (data === null) return false;
        const wasPlain = isPlain;
        isPlain = false;
        // Programs for tables and texts bring a picture of what they copy as well.
        if (data.files.length > 0 && !data.types.includes('text/html')) {
          files([...data.files]);
          return true;
        }
        if (intoTitle(view, slice, data.getData('text/html'))) return true;
        const text = data.getData('text/plain');
        // An address on words that are selected is where they lead.
        const { selection, tr } = view.state;
        if (!wasPlain && /^https?:\/\/\S+$/iu.test(text.trim()) && !selection.empty && selection.$from.sameParent(selection.$to) && selection.$from.parent.inlineContent && !inCode(view)) {
          view.dispatch(tr.addMark(selection.from, selection.to, schema.mark('link', { json: newLink({ kind: 'url', url: text.trim() }) })));
          return true;
        }
        if (wasPlain || data.types.includes('text/html') || inCode(view) || !looksLikeMarkdown(text)) return many(slice);
        markdown(text);
        return true;
      },
      handleDrop(view, event) {
        const dropped = event.dataTransfer?.files;
        if (!dropped || dropped.length === 0) return false;
        event.preventDefault();
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (place) {
          const { tr, doc } = view.state;
          view.dispatch(tr.setSelection(Selection.near(doc.resolve(place.pos))));
        }
        files([...dropped]);
        return true;
      },
    },
  });
};

