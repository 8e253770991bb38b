/**
 * What is pasted and is much: it is read in parts of a few milliseconds each, so that nobody who types waits for it. The browser
 * reads HTML as it does what comes over a slow line; blocks are made of what it has read when they are put in.
 */

import { DOMParser as Reader, type Mark, type Node, type ResolvedPos } from 'prosemirror-model';
import { clean, css, quietTags, withoutStyles } from './paste-clean.ts';
import { schema } from './schema.ts';

/** Characters of HTML that are read in one go, and elements or lines that blocks are made of in one go. */
const [STRETCH, ELEMENTS, LINES] = [24_000, 100, 20];

export interface Source {
  /** Read on; false when all of it is read. */
  readonly prepare: () => boolean;
  /** The next blocks; null behind the last ones. */
  readonly take: () => readonly Node[] | null;
  /** The last blocks, of those that were not taken yet. */
  readonly takeLast: () => readonly Node[];
  /** What was read and not taken yet, or at least its words: nothing is taken by it. */
  readonly rest: () => readonly Node[];
}

const paragraph = (words: string, marks: readonly Mark[] = []): Node => schema.node('paragraph', null, words ? [schema.text(words, marks)] : []);

export function sourceOfText(text: string, $place: ResolvedPos): Source {
  const lines = text.split(/(?:\r\n?|\n)+/u);
  const marks = $place.marks();
  const blocks = (all: readonly string[]): Node[] => all.map((line) => paragraph(line, marks));
  return {
    prepare: () => false,
    take: () => (lines.length > 0 ? blocks(lines.splice(0, LINES)) : null),
    takeLast: () => blocks(lines.splice(-LINES)),
    rest: () => blocks(lines),
  };
}

/** An element without a box of its own, around which no block ends. */
const INLINE = /^(?:a|abbr|b|bdi|bdo|br|cite|code|del|em|font|i|img|input|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|u|var|wbr|o:p)$/u;
const AROUND = /^(?:div|main|article|section|b|span|font|center)$/u;
const isInline = (node: globalThis.Node | undefined): boolean => node !== undefined && (node.nodeType !== 1 || INLINE.test((node as Element).localName));
const isOfWord = (node: globalThis.Node | undefined): boolean => node?.nodeType === 1 && /mso-list:/iu.test(css(node as Element));

/** What stands beside each other in the innermost element that has all of it. */
function besideEachOther(body: Element): globalThis.Node[] {
  for (let place = body; ;) {
    const inner = [...place.childNodes].filter((node) => (node.nodeType === 1 ? !/^(?:meta|link|style|title)$/u.test((node as Element).localName) : node.nodeType === 3 && node.textContent?.trim()));
    const [only] = inner;
    if (inner.length !== 1 || !(only && only.nodeType === 1 && AROUND.test((only as Element).localName))) return [...place.childNodes];
    place = only as Element;
  }
}

export function sourceOfHtml(html: string, $place: ResolvedPos): Source {
  // What the editor has copied itself keeps its blanks.
  const isOwn = html.includes('data-pm-slice');
  let rest = withoutStyles(html);
  let inert: Document | null = document.implementation.createHTMLDocument('');
  let nodes: globalThis.Node[] | null = null;
  let [from, to] = [0, 0];
  inert.open();
  const read = (): void => {
    if (inert === null) return;
    inert.close();
    nodes = besideEachOther(inert.body);
    [from, to] = [0, nodes.length];
    inert = null;
  };
  /** Whether blocks of what stands before and behind are apart. */
  const isApart = (at: number): boolean => !(isInline(nodes?.[at - 1]) && isInline(nodes?.[at])) && !(isOfWord(nodes?.[at - 1]) && isOfWord(nodes?.[at]));
  const size = (node: globalThis.Node | undefined): number => (node?.nodeType === 1 ? 1 + (node as Element).getElementsByTagName('*').length : 1);
  const blocks = (part: readonly globalThis.Node[]): Node[] => {
    const place = document.implementation.createHTMLDocument('').body;
    for (const node of part) place.append(node);
    if (!isOwn) clean(place);
    const { content } = Reader.fromSchema(schema).parseSlice(place, { preserveWhitespace: isOwn, context: $place });
    // Text between blocks is a block as well.
    const together: Node[] = [];
    let loose: Node[] = [];
    const close = (): void => {
      if (loose.length > 0) together.push(schema.node('paragraph', null, loose));
      loose = [];
    };
    content.forEach((node) => {
      if (node.isInline) loose.push(node);
      else {
        close();
        together.push(node);
      }
    });
    close();
    return together;
  };
  return {
    prepare: () => {
      if (inert === null) return false;
      const cut = rest.length > STRETCH ? rest.lastIndexOf('>', STRETCH) + 1 || STRETCH : rest.length;
      inert.write(quietTags(rest.slice(0, cut)));
      rest = rest.slice(cut);
      if (rest === '') read();
      return inert !== null;
    },
    take: () => {
      if (nodes === null || from >= to) return null;
      const begin = from;
      let count = 0;
      do count += size(nodes[from++]);
      while (from < to && (count < ELEMENTS || !isApart(from)));
      return blocks(nodes.slice(begin, from));
    },
    takeLast: () => {
      if (nodes === null || from >= to) return [];
      const end = to;
      let count = 0;
      do count += size(nodes[--to]);
      while (to > from && (count < ELEMENTS || !isApart(to)));
      return blocks(nodes.slice(to, end));
    },
    rest: () => (nodes?.slice(from, to) ?? []).map((node) => (node.textContent ?? '').replace(/\s+/gu, ' ').trim()).filter(Boolean).map((words) => paragraph(words)),
  };
}
