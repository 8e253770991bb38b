/**
 * HTML of web pages and of Word as HTML that has only what documents have. Whoever made it may mean harm: whatever it is, twice as
 * much of it is twice the work.
 */

/** The policy of the page reports each `style` and each handler in HTML that is parsed, though none runs: they are data here. */
export function withoutStyles(html: string): string {
  const [begin, end] = [/<style\b/giu, /<\/style\s*>/giu];
  let [text, from] = ['', 0];
  for (let open = begin.exec(html); open !== null; open = begin.exec(html)) {
    end.lastIndex = begin.lastIndex;
    // Without an end there is none for those behind it either: the browser says what it is.
    const close = end.exec(html);
    if (close === null) break;
    text += html.slice(from, open.index);
    from = begin.lastIndex = end.lastIndex;
  }
  return text + html.slice(from);
}

/** A tag without an end is none, nor are those behind it: it is looked for once. */
export function quietTags(html: string): string {
  const begin = /<[a-z]/giu;
  let [text, from] = ['', 0];
  for (let open = begin.exec(html); open !== null; open = begin.exec(html)) {
    const end = html.indexOf('>', open.index);
    if (end < 0) break;
    text += html.slice(from, open.index) + quiet(html.slice(open.index, end));
    from = begin.lastIndex = end;
  }
  return text + html.slice(from);
}

const quiet = (tag: string): string =>
  tag.replace(/([\s"'/])style\s*=/giu, '$1 data-css=').replace(/([\s"'/])on[a-z]+\s*=/giu, '$1 data-handler=');
const quietStyles = (html: string): string => quietTags(withoutStyles(html));

const DROPPED = 'script, style, meta, link, title, iframe, object, svg, template, noscript, button, select, textarea';
export const css = (element: Element): string => element.getAttribute('data-css') ?? '';
/** What its style says of a property, or of those whose names begin with it. */
const styled = (element: Element, name: string): string =>
  css(element).split(';').filter((declaration) => declaration.trimStart().toLowerCase().startsWith(name)).map((declaration) => declaration.slice(declaration.indexOf(':') + 1).trim()).join(' ');
/** What stands in an element, in another one, however much it is. */
function moveInto(target: globalThis.Node, from: globalThis.Node): void {
  while (from.firstChild) target.appendChild(from.firstChild);
}
function unwrap(element: Element): void {
  while (element.firstChild) element.before(element.firstChild);
  element.remove();
}

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
    if (element.localName.includes(':')) unwrap(element);
    else if (/^(?:b|strong)$/u.test(element.localName) && /^(?:normal|400)/iu.test(styled(element, 'font-weight'))) unwrap(element);
    else if (element.localName === 'span') markOfSpan(element);
  }
  for (const item of body.querySelectorAll('li')) taskOf(item);
  for (const box of body.querySelectorAll('aside, .markdown-alert')) hintOf(box);
  for (const details of body.querySelectorAll('details')) expandableOf(details);
  // A line that breaks between blocks is none, nor is the last one of code.
  const around = new Map<Element, boolean>();
  const hasBlocks = (parent: Element | null): boolean => {
    if (parent === null) return false;
    if (!around.has(parent)) around.set(parent, parent.querySelector(BLOCKS) !== null);
    return around.get(parent) === true;
  };
  for (const line of body.querySelectorAll('br')) if (!isWords(line.previousSibling) && !isWords(line.nextSibling) && hasBlocks(line.parentElement)) line.remove();
  for (const code of body.querySelectorAll('pre')) endOfCode(code);
  for (const image of body.querySelectorAll('img')) image.replaceWith(imageOf(image));
}

function markOfSpan(span: Element): void {
  const wrap = (name: string): void => {
    const mark = span.ownerDocument.createElement(name);
    moveInto(mark, span);
    span.append(mark);
  };
  if (/^(?:bold|[6-9]00)/iu.test(styled(span, 'font-weight'))) wrap('strong');
  if (/^italic/iu.test(styled(span, 'font-style'))) wrap('em');
  if (/line-through/iu.test(styled(span, 'text-decoration'))) wrap('s');
}

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, ul, ol, pre, table, blockquote, hr, [data-block]';
const isWords = (node: globalThis.Node | null): boolean =>
  node !== null && node.nodeName !== 'BR' && node.textContent?.trim() !== '' && !(node.nodeType === 1 && ((node as Element).matches(BLOCKS) || (node as Element).querySelector(BLOCKS) !== null));

function block(type: string, data: object | null, from: globalThis.Node): Element {
  const element = document.createElement('div');
  element.setAttribute('data-block', type);
  if (data) element.setAttribute('data-attributes', JSON.stringify({ data }));
  moveInto(element, from);
  return element;
}

const STYLES: Readonly<Record<string, string>> = { tip: 'success', warning: 'warning', caution: 'danger' };

/** Boxes of GitHub, which say their kind in words, and of Notion. */
function hintOf(box: Element): void {
  box.querySelector('.markdown-alert-title')?.remove();
  const kind = /markdown-alert-(\w+)/u.exec(box.className)?.[1] ?? '';
  box.replaceWith(block('hint', { style: STYLES[kind] ?? 'info' }, box));
}

function expandableOf(details: Element): void {
  const summary = details.querySelector(':scope > summary');
  summary?.remove();
  const title = document.createElement('p');
  if (summary) moveInto(title, summary);
  const parts = document.createDocumentFragment();
  const head = document.createDocumentFragment();
  head.append(title);
  parts.append(block('expandable_title', null, head), block('expandable_body', null, details));
  details.replaceWith(block('expandable', null, parts));
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
    const level = Number(/level(\d)/iu.exec(styled(paragraph, 'mso-list'))?.[1] ?? 0);
    if (level === 0) {
      open = [];
      continue;
    }
    const marker = [...paragraph.querySelectorAll('span')].find((element) => /^ignore/iu.test(styled(element, 'mso-list')));
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
    moveInto(item, paragraph);
    open.at(-1)?.list.append(item);
    paragraph.remove();
  }
}
