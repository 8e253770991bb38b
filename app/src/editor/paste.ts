/** What comes from elsewhere: HTML of web pages and of Word, Markdown, files. */

import { Plugin, Selection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

export interface PasteDoors {
  readonly files: (files: readonly File[]) => void;
  readonly markdown: (text: string) => void;
}

/** The policy of the page reports each `style` and each handler in HTML that is parsed, though none runs: they are data here. */
const quietStyles = (html: string): string =>
  html.replace(/<[a-z][^>]*>/giu, (tag) => tag.replace(/([\s"'/])style\s*=/giu, '$1 data-css=').replace(/([\s"'/])on[a-z]+\s*=/giu, '$1 data-handler='));

const DROPPED = 'script, style, meta, link, title, iframe, object, svg, template, noscript, button, select, textarea';
const css = (element: Element): string => element.getAttribute('data-css') ?? '';

/** HTML that has only what documents have. */
export function cleaned(html: string): string {
  if (html.includes('data-pm-slice')) return quietStyles(html);
  const body = new DOMParser().parseFromString(quietStyles(html), 'text/html').body;
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  listsOfWord(body);
  // Word's own elements, such as `o:p`, and marks that are only styles.
  for (const element of [...body.querySelectorAll('*')]) {
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes);
    else if (/^(?:b|strong)$/u.test(element.localName) && /font-weight:\s*(?:normal|400)/iu.test(css(element))) element.replaceWith(...element.childNodes);
    else if (element.localName === 'span') markOfSpan(element);
  }
  for (const item of body.querySelectorAll('li')) taskOf(item);
  for (const image of body.querySelectorAll('img')) image.replaceWith(imageOf(image));
  return body.innerHTML;
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

function taskOf(item: Element): void {
  const box = item.querySelector('input[type=checkbox]');
  if (box === null) return;
  item.setAttribute('data-checked', String(box.hasAttribute('checked')));
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
    const marker = [...paragraph.querySelectorAll('span')].find((one) => /mso-list:\s*ignore/iu.test(css(one)));
    const name = /^\W*(?:\d+|[a-z]{1,3})[.)]/iu.test(marker?.textContent ?? '') ? 'ol' : 'ul';
    marker?.remove();
    open = open.filter((one) => one.level <= level);
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

const SIGNS = [/^#{1,6} \S/mu, /^\s*[-*+] \S/mu, /^\s*\d+[.)] \S/mu, /^```/mu, /^> /mu, /^\|.*\|\s*$/mu, /\[[^\]]+\]\([^)]+\)/u, /\*\*[^*\s][^*]*\*\*/u, /^\{% /mu, /^\$\$/mu];

/** Whether a text has marks of Markdown: two kinds of them, or one that no plain text has. */
export function looksLikeMarkdown(text: string): boolean {
  const signs = SIGNS.filter((sign) => sign.test(text)).length;
  return signs >= 2 || /^#{1,6} \S[^\n]*\n/mu.test(text) || /^```[\s\S]*^```/mu.test(text) || /^\|.*\|\s*\n\|[\s:|-]+\|/mu.test(text) ||
    (text.match(/^\s*[-*+] \S/gmu)?.length ?? 0) >= 2;
}

const inCode = (view: EditorView): boolean => view.state.selection.$from.parent.type.spec.code === true;

export const pastePlugin = ({ files, markdown }: PasteDoors): Plugin => {
  let isPlain = false;
  return new Plugin({
    props: {
      transformPastedHTML: cleaned,
      handleKeyDown(_, event) {
        isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
        return false;
      },
      handlePaste(view, event) {
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
        if (wasPlain || data.types.includes('text/html') || inCode(view) || !looksLikeMarkdown(text)) return false;
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

