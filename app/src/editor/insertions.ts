/** What can be inserted with `/` and with the button: new blocks, or a question about one. */

import type { Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { nodeType, schema } from './schema.ts';

export type InsertionId = keyof typeof MADE | keyof typeof ASKED;

const paragraph = (): Node => schema.node('paragraph');
const box = (type: string, ...children: Node[]): Node => nodeType(type).create(null, children.length > 0 ? children : [paragraph()]);
const titled = (type: string, title: string): Node => nodeType(type).create({ data: { title } }, [paragraph()]);

const list = (type: string) => (): Node => nodeType(type).create(null, [box('list-item')]);
const text = (type: string) => (): Node => nodeType(type).create();

/** An entry of today; its heading is its title, also in feeds. */
export const update = (): Node => nodeType('update').create({ data: { date: today() } }, [nodeType('heading-1').create(), paragraph()]);
const today = (): string => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

const CELLS = 3;
const row = (type: 'table_header' | 'table_cell'): Node =>
  schema.node('table_row', null, Array.from({ length: CELLS }, () =>
    type === 'table_cell' ? schema.node(type, null, [paragraph()]) : schema.node(type)));

const MADE = {
  paragraph: text('paragraph'),
  heading1: text('heading-1'),
  heading2: text('heading-2'),
  heading3: text('heading-3'),
  bullets: list('list-unordered'),
  numbers: list('list-ordered'),
  tasks: list('list-tasks'),
  quote: () => box('blockquote'),
  hint: () => box('hint'),
  code: text('code'),
  table: () => schema.node('table', null, [row('table_header'), row('table_cell'), row('table_cell')]),
  divider: () => schema.node('divider'),
  expandable: () => schema.node('expandable', null, [
    schema.node('expandable_title', null, [paragraph()]), schema.node('expandable_body', null, [paragraph()]),
  ]),
  tabs: () => box('tabs', titled('tabs-item', '1'), titled('tabs-item', '2')),
  stepper: () => box('stepper', box('stepper-step'), box('stepper-step')),
  columns: () => box('columns', box('column'), box('column')),
  updates: () => box('updates', update()),
  prompt: () => box('prompt'),
} as const;

/** Blocks that something has to be asked for first. */
export const ASKED = {
  image: 'images', file: 'file', drawing: 'drawing', math: 'math', embed: 'embed', condition: 'if', pageLink: 'content-ref', reusable: 'reusable-content',
  apiOperation: 'openapi-operation', apiWebhook: 'openapi-webhook', apiSchemas: 'openapi-schemas',
} as const;

export const INSERTIONS: readonly InsertionId[] = [
  'paragraph', 'heading1', 'heading2', 'heading3', 'bullets', 'numbers', 'tasks', 'quote', 'hint', 'code', 'table',
  'image', 'drawing', 'file', 'divider', 'expandable', 'tabs', 'stepper', 'columns', 'updates', 'prompt', 'condition', 'math', 'embed', 'pageLink',
  'reusable', 'apiOperation', 'apiWebhook', 'apiSchemas',
];

/** The new block; null where something has to be asked first. */
export const madeOf = (id: InsertionId): Node | null => (id in MADE ? MADE[id as keyof typeof MADE]() : null);

export const atomOf = (type: string, data: Record<string, unknown>, key?: string): Node =>
  schema.node('block_atom', { json: { object: 'block', type, isVoid: true, data, ...(key ? { key } : {}) } });

/** A figure of these data, with room for a caption. */
export const figure = (type: string, data: Record<string, unknown>, key?: string): Node =>
  nodeType(type).create({ data, ...(key ? { form: { key } } : {}) }, [schema.node('caption', { form: { filler: true } }, [schema.node('paragraph', { form: { filler: true } })])]);

/** Blocks that are shown where an expression holds. */
export const conditionOf = (data: Record<string, unknown>): Node => nodeType('if').create({ data }, [paragraph()]);

export const imageOf = (ref: unknown, alt: string): Node => nodeType('images').create(null, [figure('image', { ref, ...(alt ? { alt } : {}) })]);

/**
 * Put a block where the selection is: in the place of an empty paragraph, else behind the block that stands in the same
 * container. Two of text turn the block into theirs.
 */
export function inserted(state: EditorState, node: Node): Transaction {
  const { $from } = state.selection;
  const tr = state.tr;
  const depth = depthOfBlock(state);
  const isEmpty = $from.parent.isTextblock && $from.parent.content.size === 0 && $from.depth === depth;
  const start = depth === 0 ? $from.pos : $from.before(depth);
  const end = depth === 0 ? state.selection.to : $from.after(depth);
  const container = depth === 0 ? state.doc : $from.node(depth - 1);
  const index = depth === 0 ? 0 : $from.index(depth - 1);
  let position: number;
  if (isEmpty && container.canReplaceWith(index, index + 1, node.type)) {
    tr.replaceWith(start, end, keyedAs($from.parent, node));
    position = start;
  } else {
    tr.insert(end, node);
    position = end;
  }
  // Behind the last block somebody has to be able to go on.
  const after = position + node.nodeSize;
  if ((!node.isTextblock || node.type.spec.code) && after >= tr.doc.content.size) tr.insert(tr.doc.content.size, schema.node('paragraph'));
  return select(tr, position, node).scrollIntoView();
}

/** A text in the place of an empty one is the same block. */
const keyedAs = (before: Node, node: Node): Node =>
  node.isTextblock && before.type !== node.type && node.attrs['form'] === null && before.attrs['form']?.key
    ? node.type.create({ ...node.attrs, form: { key: before.attrs['form'].key } }, node.content)
    : node;

function select(tr: Transaction, position: number, node: Node): Transaction {
  const inside = node.isLeaf ? null : Selection.findFrom(tr.doc.resolve(position + 1), 1, true);
  if (inside && inside.from < position + node.nodeSize) return tr.setSelection(inside);
  if (node.isAtom && NodeSelection.isSelectable(node)) return tr.setSelection(NodeSelection.create(tr.doc, position));
  return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(position + node.nodeSize, tr.doc.content.size))));
}

/** Depth of the innermost node that stands among blocks. */
function depthOfBlock(state: EditorState): number {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if (/\bblock\b/u.test($from.node(depth).type.spec.group ?? '') && !/^(?:caption|expandable_title)$/u.test($from.node(depth - 1).type.name)) return depth;
  }
  return 0;
}

/** Text blocks of the selection as another kind; they stay the same blocks. */
export function turnedInto(state: EditorState, type: string): Transaction | null {
  const to = nodeType(type);
  const tr = state.tr;
  state.doc.nodesBetween(state.selection.from, state.selection.to, (node, position) => {
    if (!node.isTextblock || node.type === to || node.type.spec.code || !('keys' in node.attrs)) return;
    const $place = tr.doc.resolve(tr.mapping.map(position));
    if (!$place.parent.canReplaceWith($place.index(), $place.index() + 1, to)) return;
    tr.setNodeMarkup($place.pos, to, { ...node.attrs, data: null });
  });
  return tr.docChanged ? tr.scrollIntoView() : null;
}

/** A paragraph behind everything, for the keyboard. */
export function atEnd(state: EditorState): Transaction {
  const tr = state.tr.insert(state.doc.content.size, schema.node('paragraph'));
  return tr.setSelection(TextSelection.atEnd(tr.doc)).scrollIntoView();
}
