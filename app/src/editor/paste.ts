/** What comes from elsewhere: HTML of web pages and of Word, Markdown, files. */

import type { Slice } from 'prosemirror-model';
import { Plugin, Selection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
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

/** The policy of the page reports each `style` and each handler in HTML that is parsed, though none runs: they are data here. */
export const withoutStyles = (html: string): string => html.replace(/<style\b[^]*?<\/style\s*>/giu, '');
export const quietTags = (html: string): string =>
  html.replace(/<[a-z][^>]*>/giu, (tag) => tag.replace(/([\s"'/])style\s*=/giu, '$1 data-css=').replace(/([\s"'/])on[a-z]+\s*=/giu, '$1 data-handler='));
const quietStyles = (html: string): string => quietTags(withoutStyles(html));

const DROPPED = 'script, style, meta, link, title, iframe, object, svg, template, noscript, button, select, textarea';
export const css = (element: Element): string => element.getAttribute('data-css') ?? '';

/** HTML that has only what documents have. */
export function cleaned(html: string): string {
  if (html.includes('data-pm-slice')) return quietStyles(html);
  const body = new DOMParser().parseFromString(quietStyles(html), 'text/html').body;
  clean(body);
  return body.innerHTML;
}

export function clean(body: Element): void {
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  listsOfWord(body);
  // Word's own elements, such as `o:p`, and marks that are only styles.
  for (const element of [...body.querySelectorAll('*')]) {
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes);
    else if (/^(?:b|strong)$/u.test(element.localName) && /font-weight:\s*(?:normal|400)/iu.test(css(element))) element.replaceWith(...element.childNodes);
    else if (element.localName === 'span') markOfSpan(element);
  }
  for (const item of body.querySelectorAll('li')) taskOf(item);
  for (const box of body.querySelectorAll('aside, .markdown-alert')) hintOf(box);
  for (const details of body.querySelectorAll('details')) expandableOf(details);
  // A line that breaks between blocks is none, nor is the last one of code.
  for (const line of body.querySelectorAll('br')) if (!isWords(line.previousSibling) && !isWords(line.nextSibling) && line.parentElement?.querySelector(BLOCKS)) line.remove();
  for (const code of body.querySelectorAll('pre')) endOfCode(code);
  for (const image of body.querySelectorAll('img')) image.replaceWith(imageOf(image));
}

function markOfSpan(span: Element): void {
  const style = css(span);
  const wrap = (name: string): void => {
    const mark = span.ownerDocument.createElement(name);
    mark.append(...span.childNodes);
    span.append(mark);
  };
  if (/font-weight:\s*(?:bold|[6-9]00)/iu.test(style)) wrap('strong');
  if (/font-style:\s*italic/iu.test(style)) wrap('em');
  if (/text-decoration[^;]*line-through/iu.test(style)) wrap('s');
}

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, ul, ol, pre, table, blockquote, hr, [data-block]';
const isWords = (node: globalThis.Node | null): boolean =>
  node !== null && node.nodeName !== 'BR' && node.textContent?.trim() !== '' && !(node.nodeType === 1 && ((node as Element).matches(BLOCKS) || (node as Element).querySelector(BLOCKS) !== null));

function block(type: string, data: object | null, ...children: (globalThis.Node | string)[]): Element {
  const element = document.createElement('div');
  element.setAttribute('data-block', type);
  if (data) element.setAttribute('data-attributes', JSON.stringify({ data }));
  element.append(...children);
  return element;
}

const STYLES: Readonly<Record<string, string>> = { tip: 'success', warning: 'warning', caution: 'danger' };

/** Boxes of GitHub, which say their kind in words, and of Notion. */
function hintOf(box: Element): void {
  box.querySelector('.markdown-alert-title')?.remove();
  const kind = /markdown-alert-(\w+)/u.exec(box.className)?.[1] ?? '';
  box.replaceWith(block('hint', { style: STYLES[kind] ?? 'info' }, ...box.childNodes));
}

function expandableOf(details: Element): void {
  const summary = details.querySelector(':scope > summary');
  summary?.remove();
  const title = document.createElement('p');
  title.append(...(summary?.childNodes ?? []));
  details.replaceWith(block('expandable', null, block('expandable_title', null, title), block('expandable_body', null, ...details.childNodes)));
}

/** The language of GitHub's code stands around it; its last line ends nothing. */
function endOfCode(code: Element): void {
  const around = code.closest('[class*="highlight-source-"]');
  if (around && around !== code) code.classList.add(...around.classList);
  let last: globalThis.Node | null = code;
  while (last?.lastChild) last = last.lastChild;
  if (last?.nodeType === 3) last.textContent = (last.textContent ?? '').replace(/\n$/u, '');
}

function taskOf(item: Element): void {
  const box = item.querySelector('input[type=checkbox], .checkbox');
  if (box === null) return;
  item.setAttribute('data-checked', String(box.matches('[checked], .checkbox-on')));
  item.parentElement?.setAttribute('data-tasks', '');
  box.remove();
}

/** Images at other addresses stay there, and are named in the line. */
function imageOf(image: HTMLImageElement): globalThis.Node {
  const url = image.getAttribute('src') ?? '';
  const alt = image.getAttribute('alt') ?? '';
  if (!/^https?:/iu.test(url)) return document.createTextNode(alt);
  const json = { object: 'inline', type: 'inline-image', isVoid: true, data: { ref: { kind: 'url', url }, ...(alt ? { alt } : {}) } };
  const span = image.ownerDocument.createElement('span');
  span.setAttribute('data-atom', 'inline');
  span.setAttribute('data-attributes', JSON.stringify({ json }));
  return span;
}

/** Word writes lists as paragraphs, with a level and a marker. */
function listsOfWord(body: Element): void {
  let open: { level: number; list: Element }[] = [];
  for (const paragraph of [...body.querySelectorAll('p')]) {
    const level = Number(/mso-list:[^;]*level(\d)/iu.exec(css(paragraph))?.[1] ?? 0);
    if (level === 0) {
      open = [];
      continue;
    }
    const marker = [...paragraph.querySelectorAll('span')].find((element) => /mso-list:\s*ignore/iu.test(css(element)));
    const name = /^\W*(?:\d+|[a-z]{1,3})[.)]/iu.test(marker?.textContent ?? '') ? 'ol' : 'ul';
    marker?.remove();
    open = open.filter((list) => list.level <= level);
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement(name);
      const parent = open.at(-1)?.list.lastElementChild;
      if (parent) parent.append(list);
      else paragraph.before(list);
      open.push({ level, list });
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.list.append(item);
    paragraph.remove();
  }
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

