/**
 * Kinds of blocks: what each holds in a document, and so in the editor. A type that is not here is shown as
 * it is and stays untouched.
 */

import type { Data } from '../document/json.ts';

/**
 * `text`: inlines. `blocks`: any blocks. `parts`: blocks of one type that stand nowhere else. `lines`: code.
 * `fragments`: parts that a void block has beside its data. `cells`: a table. `nothing`: data alone.
 */
type Holds = 'text' | 'blocks' | 'parts' | 'lines' | 'fragments' | 'cells' | 'nothing';

export interface Kind {
  readonly holds: Holds;
  /** The content of its node in the editor, where it is not that of all that hold the same. */
  readonly content?: string;
  /** Whether it stands where any block may stand. */
  readonly isPart?: true;
  /** Data of a new one. */
  readonly data?: Data;
  /** Texts in its data that are edited in a line above it (`title`) or in its form. */
  readonly fields?: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** `words`: texts with commas between them. */
  readonly as: 'line' | 'text' | 'flag' | 'number' | 'date' | 'words' | { readonly of: readonly string[] };
  /** It is written in the block itself, and not in its form. */
  readonly inPlace?: true;
  /** It may not be empty. */
  readonly isNeeded?: true;
  /** The server says whether it is an expression. */
  readonly isExpression?: true;
}

const line = (name: string, more: Partial<Field> = {}): Field => ({ name, as: 'line', ...more });
const flag = (name: string): Field => ({ name, as: 'flag' });
const title = line('title', { inPlace: true });
const ALIGN: Field = { name: 'align', as: { of: ['', 'start', 'center', 'end'] } };
const METHOD: Field = { name: 'method', as: { of: ['', 'get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] } };
const picture: Kind = {
  holds: 'fragments', content: 'caption', fields: [line('alt'), { name: 'width', as: 'number' }, { name: 'height', as: 'number' }],
};
const heading: Kind = { holds: 'text', fields: [line('id'), ALIGN] };

export const KINDS: Readonly<Record<string, Kind>> = {
  paragraph: { holds: 'text', fields: [ALIGN] },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-unordered': { holds: 'parts', content: 'list_item+' },
  'list-ordered': { holds: 'parts', content: 'list_item+', fields: [{ name: 'start', as: 'number' }] },
  'list-tasks': { holds: 'parts', content: 'list_item+' },
  'list-item': { holds: 'blocks', isPart: true },
  blockquote: { holds: 'blocks' },
  hint: {
    holds: 'blocks', data: { style: 'info' },
    fields: [{ name: 'style', as: { of: ['info', 'warning', 'danger', 'success'] }, isNeeded: true }, line('icon')],
  },
  code: {
    holds: 'lines',
    fields: [line('syntax', { inPlace: true }), line('title'), flag('lineNumbers'), { name: 'overflow', as: { of: ['', 'scroll', 'wrap'] } }, flag('expandable'), flag('fullWidth')],
  },
  divider: { holds: 'nothing' },
  images: {
    holds: 'parts', content: 'image+',
    fields: [{ name: 'align', as: { of: ['', 'left', 'center', 'right'] } }, flag('withFrame'), flag('fullWidth')],
  },
  image: { ...picture, isPart: true },
  drawing: picture,
  file: { holds: 'fragments', content: 'caption' },
  embed: { holds: 'fragments', content: 'caption', fields: [line('url', { isNeeded: true }), flag('fullWidth')] },
  expandable: { holds: 'fragments', content: 'expandable_title expandable_body', fields: [flag('open')] },
  tabs: { holds: 'parts', content: 'tabs_item+', fields: [flag('fullWidth')] },
  'tabs-item': { holds: 'blocks', isPart: true, fields: [title, line('icon')] },
  stepper: { holds: 'parts', content: 'stepper_step+' },
  'stepper-step': { holds: 'blocks', isPart: true, fields: [title, line('icon')] },
  columns: { holds: 'parts', content: 'column+', fields: [flag('fullWidth')] },
  column: {
    holds: 'blocks', isPart: true,
    fields: [{ name: 'width', as: 'number' }, { name: 'verticalAlignment', as: { of: ['', 'top', 'middle', 'bottom'] } }],
  },
  updates: { holds: 'parts', content: 'update+' },
  update: { holds: 'blocks', isPart: true, fields: [{ name: 'date', as: 'date', inPlace: true }, { name: 'tags', as: 'words' }] },
  prompt: { holds: 'blocks', fields: [line('description', { inPlace: true }), line('icon'), flag('openInAIProviders')] },
  if: { holds: 'blocks', data: { expression: '' }, fields: [line('expression', { inPlace: true, isNeeded: true, isExpression: true })] },
  table: { holds: 'cells', content: 'table_row+', fields: [flag('fullWidth')] },
  math: { holds: 'nothing', data: { formula: '' }, fields: [{ name: 'formula', as: 'text' }] },
  'openapi-operation': { holds: 'nothing', fields: [line('path'), METHOD] },
  'openapi-webhook': { holds: 'nothing', fields: [line('name'), METHOD] },
  'openapi-schemas': { holds: 'nothing', fields: [{ name: 'schemas', as: 'words' }, flag('grouped')] },
  swagger: { holds: 'nothing', fields: [line('path'), METHOD, flag('expanded'), flag('fullWidth')] },
  'content-ref': { holds: 'nothing' },
  'reusable-content': { holds: 'nothing' },
  markdown: { holds: 'nothing', fields: [{ name: 'source', as: 'text', isNeeded: true }] },
};

/** Fragments by the type that they have in a document: what they hold in the editor. */
export const FRAGMENTS: Readonly<Record<string, string>> = {
  caption: 'block+',
  'expandable-title': 'paragraph',
  'expandable-body': 'block+',
};

/** Void kinds that are one node of the editor, with all of their JSON; also those that are not known. */
export const isAtom = (type: string | undefined): boolean => {
  const kind = type === undefined ? undefined : KINDS[type];
  return kind === undefined || (kind.holds === 'nothing' && type !== 'divider');
};

/** Names in the editor's model, where `code` is a mark. */
export const nameOf = (type: string): string => (type === 'code' ? 'code_block' : type.replaceAll('-', '_'));
export const typeOf = (name: string): string => (name === 'code_block' ? 'code' : name.replaceAll('_', '-'));
