/**
 * Alerts as GitHub has them: quotes whose first line is a marker such as `[!NOTE]`. They are quotes in documents, and hints
 * where a document is shown. The rule is that of the server (`content/documents/alerts.py`); a test takes documents through both.
 */

import type { Data, Json } from './json.ts';

/** The style of the hint that an alert is shown as. */
const STYLES: Readonly<Record<string, HintStyle>> = { note: 'info', tip: 'success', important: 'warning', warning: 'warning', caution: 'danger' };
const MARKER = /^\[!(note|tip|important|warning|caution)\](?=([ \n])|$)/i;
/** Tags around Markdown, which are nothing to GitHub. In items of lists, quotes and cells there are no alerts. */
const AROUND = new Set(['hint', 'tabs', 'tabs-item', 'expandable', 'stepper', 'stepper-step', 'columns', 'column', 'updates', 'update', 'if']);

export type HintStyle = 'info' | 'success' | 'warning' | 'danger';

export interface Alert {
  readonly style: HintStyle;
  /** Letters of the marker, and of the blank or break that ends its line. */
  readonly marker: number;
  /** What ends its line: the end of its paragraph, a blank that stands for a line of Markdown, or a break. */
  readonly end: '' | ' ' | '\n';
}

export const isAround = (type: string | undefined): boolean => type !== undefined && AROUND.has(type);

const NONE: Data = {};
const objectOf = (value: unknown): Data => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : NONE);

/** How the texts of a document are written, where they do not say it themselves. */
export const styleOf = (document: Json | null | undefined): Data => objectOf(document?.data?.['style']);

/** What a quote is shown as; null for a quote that is no alert. `page`: `styleOf` its document. */
export function alertOf(quote: Json, page: Data): Alert | null {
  const [first, ...more] = quote.nodes ?? [];
  const [inline, ...inlines] = first?.nodes ?? [];
  const leaves = inline?.leaves ?? [];
  const text = leaves[0]?.text ?? '';
  const marker = MARKER.exec(text);
  if (first?.type !== 'paragraph' || marker === null || (leaves[0]?.marks ?? []).length > 0) return null;
  const own = objectOf(first['style']);
  if (String(own['escapes'] ?? page['escapes'] ?? '').includes('[')) return null;
  const style = STYLES[marker[1]?.toLowerCase() ?? ''];
  if (style === undefined) return null;
  const length = marker[0].length;
  if (marker[2] === undefined) {
    const isAlone = text.length === length && leaves.length === 1 && inlines.length === 0;
    return isAlone && more.some(showsSomething) ? { style, marker: length, end: '' } : null;
  }
  const isShown = text.length > length + 1 || leaves.slice(1).some((leaf) => leaf.text !== '') || [...inlines, ...more].some(showsSomething);
  return endsLine(marker[2], own, page) && isShown ? { style, marker: length + 1, end: marker[2] as ' ' | '\n' } : null;
}

/** Whether a blank or a break behind the first word of a paragraph ends a line. */
function endsLine(behind: string, own: Data, page: Data): boolean {
  // A backslash, the other sign of a break, would stand behind the marker.
  if (behind === '\n') return (own['break'] ?? page['break']) === '  ';
  const words = own['words'];
  return Array.isArray(words) && words.length > 1 && (words[0] === 1 || words[0] === -1);
}

const showsSomething = (node: Json): boolean =>
  node.leaves ? node.leaves.some((leaf) => leaf.text !== '') : node.isVoid === true || [...(node.nodes ?? []), ...(node.fragments ?? [])].some(showsSomething);

/** The blocks with hints for their alerts; what has none is the same object. */
export function withAlerts(blocks: readonly Json[], page: Data): readonly Json[] {
  const shown = blocks.map((block) => blockWithAlerts(block, page));
  return shown.some((block, index) => block !== blocks[index]) ? shown : blocks;
}

function blockWithAlerts(block: Json, page: Data): Json {
  if (block.type === 'blockquote') {
    const alert = alertOf(block, page);
    return alert ? { ...block, type: 'hint', data: { style: alert.style }, nodes: bodyOf(block.nodes ?? [], alert) } : block;
  }
  if (!isAround(block.type) && block.object !== 'fragment') return block;
  const nodes = block.nodes && withAlerts(block.nodes, page);
  const fragments = block.fragments && withAlerts(block.fragments, page);
  if (nodes === block.nodes && fragments === block.fragments) return block;
  return { ...block, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) };
}

/** What an alert says behind its marker. */
function bodyOf([first, ...more]: readonly Json[], { marker, end }: Alert): readonly Json[] {
  if (end === '' || first === undefined) return more;
  const [inline, ...inlines] = first.nodes ?? [];
  const [leaf, ...leaves] = inline?.leaves ?? [];
  const rest = leaf && { ...inline, leaves: [{ ...leaf, text: leaf.text.slice(marker) }, ...leaves] };
  return [{ ...first, nodes: rest ? [rest, ...inlines] : inlines }, ...more];
}
