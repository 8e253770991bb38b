/** The model of the editor, made of the table of kinds. */

import { type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { FRAGMENTS, KINDS, type Kind, nameOf } from './kinds.ts';

const CONTENT: Partial<Record<Kind['holds'], string>> = { text: 'inline*', blocks: 'block+', lines: '(text | inline_atom)*' };
const HEADING = /^heading-([123])$/u;
const TAGS: Readonly<Record<string, string>> = {
  paragraph: 'p', 'heading-1': 'h2', 'heading-2': 'h3', 'heading-3': 'h4', 'list-unordered': 'ul', 'list-ordered': 'ol',
  'list-tasks': 'ul', 'list-item': 'li', blockquote: 'blockquote', divider: 'hr',
};
/** What HTML of others is read as; attributes of the document stand beside it in what was copied here. */
const READ: Readonly<Record<string, readonly string[]>> = {
  paragraph: ['p'], 'heading-1': ['h1', 'h2'], 'heading-2': ['h3'], 'heading-3': ['h4', 'h5', 'h6'],
  'list-unordered': ['ul'], 'list-ordered': ['ol'], 'list-item': ['li'], blockquote: ['blockquote'], divider: ['hr'],
};

/** `data` and `form` (key, style, and whatever else a node has beside them) are those of the document. */
const ATTRIBUTES = { data: { default: null }, form: { default: null } };

const SAFE = /^(?:https?|mailto|tel):/iu;
const SCHEME = /^[a-z][a-z\d+.-]*:/iu;

const stored = (names: readonly string[]) => (element: HTMLElement) => {
  try {
    const read = JSON.parse(element.getAttribute('data-attributes') ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(names.filter((name) => name in read).map((name) => [name, read[name]]));
  } catch {
    return false;
  }
};

/** The node or mark that an element was copied of; HTML of others may have an attribute of the same name. */
const storedJson = (element: HTMLElement) => {
  const read = stored(['json'])(element);
  const json = read && (read['json'] as { type?: unknown; data?: { ref?: { url?: unknown } } } | null | undefined);
  if (!json || typeof json !== 'object' || typeof json.type !== 'string') return false;
  const url = json.data?.ref?.url;
  // Browsers leave out white space and control characters of a scheme.
  return typeof url === 'string' && SCHEME.test(url.replace(/[\s\p{Cc}]/gu, '')) && !SAFE.test(url) ? false : { json };
};

/** What a copy needs: without keys, for each block has its own. */
const copied = (node: Node): string => {
  const { form: _, keys: __, ...rest } = node.attrs;
  return JSON.stringify(rest);
};

function nodeSpec(type: string, kind: Kind): NodeSpec {
  const name = nameOf(type);
  const content = kind.content ?? CONTENT[kind.holds];
  const attrs = {
    ...ATTRIBUTES,
    ...(kind.holds === 'text' ? { keys: { default: null } } : {}),
    ...(kind.holds === 'lines' ? { lines: { default: null } } : {}),
  };
  const names = Object.keys(attrs);
  const tag = TAGS[type] ?? 'div';
  return {
    ...(content ? { content } : {}),
    group: kind.isPart ? 'part' : 'block',
    attrs,
    defining: kind.holds === 'text' ? HEADING.test(type) : true,
    isolating: kind.isPart === true && type !== 'list-item',
    ...(kind.holds === 'lines' ? { code: true, marks: '' } : {}),
    parseDOM: [
      { tag: `[data-block="${type}"]`, getAttrs: stored(names), priority: 70, ...(kind.holds === 'lines' ? { preserveWhitespace: 'full' as const } : {}) },
      ...(READ[type] ?? []).map((tag) => ({ tag })),
      ...(type === 'list-tasks' ? [{ tag: 'ul[data-tasks]', priority: 65 }] : []),
      ...(type === 'list-item' ? [{ tag: 'li[data-checked]', priority: 65, getAttrs: (element: HTMLElement) => ({ data: { checked: element.dataset['checked'] === 'true' } }) }] : []),
      ...(type === 'code' ? [{ tag: 'pre', preserveWhitespace: 'full' as const, getAttrs: syntaxOf }] : []),
    ],
    toDOM: (node): DOMOutputSpec => [
      kind.holds === 'lines' ? 'pre' : tag,
      { 'data-block': type, 'data-attributes': copied(node), ...(kind.holds === 'text' ? { dir: 'auto' } : {}), ...startOf(node) },
      ...(content ? [0 as const] : []),
    ] as unknown as DOMOutputSpec,
    kind: name,
  };
}

/** The number of its first item, of a list that has one. */
function startOf(node: Node): { start?: string } {
  const start: unknown = node.attrs['data']?.start;
  return typeof start === 'number' ? { start: String(start) } : {};
}

function syntaxOf(element: HTMLElement) {
  const names = `${element.className} ${element.querySelector('code')?.className ?? ''}`;
  const syntax = /(?:lang|language|highlight-source)-([\w+#-]+)/u.exec(names)?.[1];
  return syntax ? { data: { syntax } } : null;
}

const fragmentSpec = (type: string, content: string): NodeSpec => ({
  content,
  attrs: { form: { default: null } },
  isolating: true,
  defining: true,
  parseDOM: [{ tag: `[data-block="${type}"]`, priority: 70 }],
  toDOM: () => ['div', { 'data-block': type }, 0],
});

const spans = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } };
const spansOf = (element: HTMLElement) => ({
  colspan: Number(element.getAttribute('colspan')) || 1, rowspan: Number(element.getAttribute('rowspan')) || 1,
});

const TABLE: Record<string, NodeSpec> = {
  table_row: {
    content: '(table_cell | table_header | table_value)*',
    attrs: { row: { default: null } },
    tableRole: 'row',
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  table_header: {
    content: 'text*',
    marks: '',
    attrs: { ...spans, column: { default: null } },
    tableRole: 'header_cell',
    isolating: true,
    parseDOM: [{ tag: 'th', getAttrs: spansOf }],
    toDOM: () => ['th', { scope: 'col' }, 0],
  },
  // A value of a column that is not text.
  table_value: {
    attrs: { ...spans, value: { default: null } },
    tableRole: 'cell',
    isolating: true,
    parseDOM: [{ tag: 'td[data-value]', priority: 60, getAttrs: (element) => stored(['value'])(element) }],
    toDOM: (node) => ['td', { 'data-value': '', 'data-attributes': JSON.stringify({ value: node.attrs['value'] }) }, shownValue(node.attrs['value'])],
  },
  table_cell: {
    content: 'block+',
    attrs: { ...spans, form: { default: null }, value: { default: null } },
    tableRole: 'cell',
    isolating: true,
    parseDOM: [{ tag: 'td', getAttrs: spansOf }],
    toDOM: () => ['td', 0],
  },
};

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '☑' : '☐';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (Array.isArray(value)) return value.map(shownValue).join(', ');
  const { url, page, file, user, ref, kind } = value as Record<string, unknown>;
  return ref ? shownValue(ref) : String(url ?? page ?? file ?? user ?? kind ?? '…');
}

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+', attrs: { json: { default: null } } },
  ...Object.fromEntries(
    Object.entries(KINDS)
      .filter(([type, kind]) => kind.holds !== 'nothing' || type === 'divider')
      .map(([type, kind]) => [nameOf(type), type === 'table' ? tableSpec() : nodeSpec(type, kind)]),
  ),
  ...Object.fromEntries(Object.entries(FRAGMENTS).map(([type, content]) => [nameOf(type), fragmentSpec(type, content)])),
  ...TABLE,
  block_atom: atomSpec('div', 'block'),
  text: { group: 'inline' },
  hard_break: { group: 'inline', inline: true, selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'], leafText: () => '\n' },
  inline_atom: { ...atomSpec('span', 'inline'), inline: true },
};

function tableSpec(): NodeSpec {
  return {
    content: 'table_row+',
    group: 'block',
    attrs: { ...ATTRIBUTES, extra: { default: null } },
    tableRole: 'table',
    isolating: true,
    parseDOM: [{ tag: 'table', getAttrs: stored(['data']) }],
    toDOM: (node) => ['table', { 'data-attributes': JSON.stringify({ data: node.attrs['data'] }) }, ['tbody', 0]],
  };
}

function atomSpec(tag: string, group: string): NodeSpec {
  return {
    group,
    atom: true,
    draggable: true,
    attrs: { json: {} },
    parseDOM: [{ tag: `[data-atom="${group}"]`, priority: 75, getAttrs: storedJson }],
    toDOM: (node) => [tag, { 'data-atom': group, 'data-attributes': JSON.stringify({ json: node.attrs['json'] }) }],
  };
}

/** `at`: its place among the marks of a leaf, where that is not the usual one. */
const mark = (parseDOM: MarkSpec['parseDOM'], tag: string): MarkSpec => ({
  attrs: { data: { default: null }, at: { default: null } },
  ...(parseDOM ? { parseDOM } : {}),
  toDOM: () => [tag, 0],
});

const marks: Record<string, MarkSpec> = {
  annotation: {
    attrs: { json: {}, turn: { default: 0 } },
    inclusive: false,
    parseDOM: [{ tag: '[data-note]', getAttrs: storedJson }],
    toDOM: (mark) => ['span', { 'data-note': '', 'data-attributes': JSON.stringify({ json: mark.attrs['json'] }) }, 0],
  },
  link: {
    attrs: { json: {}, turn: { default: 0 } },
    inclusive: false,
    parseDOM: [
      { tag: 'a[data-attributes]', priority: 70, getAttrs: storedJson },
      { tag: 'a[href]', getAttrs: (element) => {
        const url = element.getAttribute('href') ?? '';
        return SAFE.test(url) ? { json: newLink({ kind: 'url', url }) } : false;
      } },
    ],
    // Not followed where it is written, so it needs no address.
    toDOM: (mark) => ['a', { 'data-attributes': JSON.stringify({ json: mark.attrs['json'] }), ...hrefOf(mark.attrs['json']) }, 0],
  },
  bold: mark([{ tag: 'strong' }, { tag: 'b', getAttrs: (element) => !/normal/u.test((element as HTMLElement).style.fontWeight) && null }], 'strong'),
  italic: mark([{ tag: 'em' }, { tag: 'i' }], 'em'),
  strikethrough: mark([{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], 's'),
  keyboard: mark([{ tag: 'kbd' }], 'kbd'),
  superscript: mark([{ tag: 'sup' }], 'sup'),
  subscript: mark([{ tag: 'sub' }], 'sub'),
  color: {
    ...mark(undefined, 'span'),
    parseDOM: [{ tag: 'span[data-color]', getAttrs: (element) => stored(['data'])(element) }],
    toDOM: (mark) => ['span', { 'data-color': String(mark.attrs['data']?.text), 'data-background': String(mark.attrs['data']?.background), 'data-attributes': JSON.stringify({ data: mark.attrs['data'] }) }, 0],
  },
  code: mark([{ tag: 'code' }, { tag: 'tt' }], 'code'),
};

export const newLink = (ref: unknown) => ({ object: 'inline', type: 'link', isVoid: false, data: { ref } });

function hrefOf(json: { data?: { ref?: { url?: unknown } } } | null): { href?: string } {
  const url = json?.data?.ref?.url;
  return typeof url === 'string' && SAFE.test(url) ? { href: url } : {};
}

export const schema = new Schema({ nodes, marks });

/** A node of the model by the type that it has in documents. */
export function nodeType(type: string) {
  const spec = schema.nodes[nameOf(type)];
  if (spec === undefined) throw new Error(`no node for ${type}`);
  return spec;
}
