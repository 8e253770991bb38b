/** Documents ⇄ the model of the editor. What the editor has no node for is an atom with its whole JSON. */

import type { Node } from 'prosemirror-model';
import { cached, keysIn } from './changes.ts';
import { linesOf, linesToEditor } from './code.ts';
import { type InlineKeys, inlinesOf, inlinesToEditor, Unfit } from './inline.ts';
import { type Data, type Json, same, without } from '../document/json.ts';
import { FRAGMENTS, isAtom, KINDS, typeOf } from './kinds.ts';
import { nodeType, schema } from './schema.ts';
import { tableOf, tableToEditor } from './table.ts';

/** Stands where the editor needs a paragraph and the document has none; it goes unless it is written in. */
const FILLER = { filler: true };
const filler = (): Node => schema.node('paragraph', { form: FILLER });

export function documentToEditor(document: Json): Node {
  const blocks = blocksToEditor(document.nodes ?? []);
  return schema.node('doc', { json: without(document, 'nodes') }, blocks);
}

export function documentOf(doc: Node): Json {
  return { ...((doc.attrs['json'] as Json | null) ?? { object: 'document', data: { schemaVersion: 1 } }), nodes: unique(blocksOf(doc)) };
}

export function blocksToEditor(blocks: readonly Json[]): Node[] {
  return blocks.length > 0 ? blocks.map(blockToEditor) : [filler()];
}

/** A block of a document; one that would not come back the same is an atom, or holds atoms. */
export function blockToEditor(block: Json): Node {
  return fitting(block, blockToEditorAsIs) ?? fitting(block, (inner) => nodeToEditor(inner, blocksToEditor)) ?? atom(block);
}

const atom = (json: Json): Node => schema.node('block_atom', { json });

const blockToEditorAsIs = (block: Json): Node => nodeToEditor(block, (blocks) => (blocks.length > 0 ? blocks.map(blockToEditorAsIs) : [filler()]));

function fitting(block: Json, convert: (block: Json) => Node): Node | null {
  try {
    const node = convert(block);
    if (!same(blockOf(node), block)) return null;
    // What is not touched is the same object, which nobody has to compare.
    ofNode.set(node, block);
    return node;
  } catch (fault) {
    // A `RangeError` is the schema's: children that a node of this type does not hold.
    if (fault instanceof Unfit || fault instanceof RangeError) return null;
    throw fault;
  }
}

type ToEditor = (blocks: readonly Json[]) => Node[];

function nodeToEditor(block: Json, inner: ToEditor): Node {
  const type = block.type ?? '';
  const kind = KINDS[type];
  if (block.object !== 'block' || kind === undefined || isAtom(type)) return atom(block);
  const form = formOf(block);
  const attrs = { data: block.data ?? null, form };
  switch (kind.holds) {
    case 'text': {
      const { content, keys } = inlinesToEditor(block.nodes ?? []);
      return nodeType(type).createChecked({ ...attrs, keys }, content);
    }
    case 'lines':
      return nodeType(type).createChecked({ ...attrs, lines: block.nodes ?? [] }, linesToEditor(block.nodes ?? []));
    case 'blocks':
      return nodeType(type).createChecked(attrs, inner(block.nodes ?? []));
    case 'parts':
      return nodeType(type).createChecked(attrs, (block.nodes ?? []).map((part) => nodeToEditor(part, inner)));
    case 'fragments': {
      const fragments = (block.fragments ?? []).map((fragment) => fragmentToEditor(fragment, inner));
      const own = { ...attrs, form: 'fragments' in block && fragments.length === 0 ? { ...form, fragments: [] } : form };
      if (kind.content !== 'caption') return nodeType(type).createChecked(own, fragments);
      const caption = fragments.length > 0 ? fragments : [schema.node('caption', { form: FILLER }, [filler()])];
      return nodeType(type).createChecked(own, caption);
    }
    case 'cells':
      return tableToEditor(block, form ?? {}, inner);
    default:
      return nodeType(type).createChecked(attrs);
  }
}

/** What a node has beside its type, data and content. */
function formOf(block: Json): Data | null {
  const form = without(block, 'object', 'type', 'isVoid', 'data', 'nodes', 'fragments');
  return Object.keys(form).length > 0 ? form : null;
}

function fragmentToEditor(fragment: Json, inner: ToEditor): Node {
  const type = fragment.type ?? '';
  if (fragment.object !== 'fragment' || !(type in FRAGMENTS)) throw new Unfit(type);
  const form = without(fragment, 'object', 'type', 'nodes');
  return nodeType(type).createChecked({ form }, inner(fragment.nodes ?? []));
}

const isFiller = (node: Node): boolean =>
  node.type.name === 'paragraph' && node.content.size === 0 && (node.attrs['form'] as Data | null)?.['filler'] === true;

export function blocksOf(parent: Node): Json[] {
  return parent.content.content.filter((child) => !isFiller(child)).map(blockOf);
}

const ofNode = new WeakMap<Node, Json>();

/** The JSON of a block; the nodes of the editor never change, so each is written once. */
export function blockOf(node: Node): Json {
  const before = ofNode.get(node);
  if (before !== undefined) return before;
  const json = write(node);
  ofNode.set(node, json);
  return json;
}

function write(node: Node): Json {
  if (node.type.name === 'block_atom') return node.attrs['json'] as Json;
  const type = typeOf(node.type.name);
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`${type} is no block`);
  const { filler: _, fragments: none, ...form } = (node.attrs['form'] as Record<string, unknown> | null) ?? {};
  const isVoid = kind.holds === 'nothing' || kind.holds === 'fragments' || kind.holds === 'cells';
  const data = (node.attrs['data'] as Data | null) ?? kind.data ?? {};
  const base: Json = { object: 'block', type, isVoid, ...form, data };
  switch (kind.holds) {
    case 'text':
      return { ...base, nodes: inlinesOf(node.content, node.attrs['keys'] as InlineKeys | null) };
    case 'lines':
      return { ...base, nodes: linesOf(node.content, node.attrs['lines'] as Json[] | null) };
    case 'blocks':
    case 'parts':
      return { ...base, nodes: blocksOf(node) };
    case 'fragments': {
      const fragments = node.content.content.flatMap((node) => writeFragment(node));
      // An image has a list of captions, also of none.
      return { ...base, ...(fragments.length > 0 || none !== undefined || (type === 'image' && node.attrs['form'] === null) ? { fragments } : {}) };
    }
    case 'cells':
      return { ...base, ...tableOf(node, blocksOf) };
    default:
      return base;
  }
}

function writeFragment(node: Node): Json[] {
  const type = typeOf(node.type.name);
  const { filler: isFilled, ...form } = (node.attrs['form'] as Record<string, unknown> | null) ?? {};
  const nodes = blocksOf(node);
  if (isFilled === true && nodes.length === 0) return [];
  return [{ object: 'fragment', type, fragment: type, ...form, nodes }];
}

/** Blocks of which none has the key of another one: what was split or pasted is new. */
export function unique(blocks: readonly Json[]): Json[] {
  const seen = new Set<string>();
  const visit = (node: Json): Json => {
    const isSeen = node.key !== undefined && seen.has(node.key);
    if (node.key !== undefined) seen.add(node.key);
    const nodes = visitAll(node.nodes);
    const fragments = visitAll(node.fragments);
    if (!isSeen && nodes === node.nodes && fragments === node.fragments) return node;
    const rest = isSeen ? withoutForm(node) : node;
    return { ...rest, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) };
  };
  const visitAll = (nodes: readonly Json[] | undefined): readonly Json[] | undefined => {
    if (nodes === undefined) return undefined;
    const visited = nodes.map(visit);
    return visited.some((child, index) => child !== nodes[index]) ? visited : nodes;
  };
  return blocks.map((block) => {
    const keys = keysIn(block);
    if (!areDistinct(block, keys) || keys.some((key) => seen.has(key))) return visit(block);
    for (const key of keys) seen.add(key);
    return block;
  });
}

const distinct = new WeakMap<Json, boolean>();

const areDistinct = (block: Json, keys: readonly string[]): boolean => cached(distinct, block, () => new Set(keys).size === keys.length);

function withoutForm(node: Json): Json {
  const rest = without(node, 'key', 'meta', 'style', 'aliases');
  return node.data?.['id'] === undefined || !node.type?.startsWith('heading') ? rest : { ...rest, data: without(node.data as Json, 'id') as Data };
}

/** The name of a block of the editor, and its key. */
export const keyOfBlock = (node: Node): string | null => {
  const form = node.type.name === 'block_atom' ? (node.attrs['json'] as Json) : (node.attrs['form'] as Json | null);
  return typeof form?.key === 'string' ? form.key : null;
};

/** The node with another key; of a copy, what belongs to the first one alone goes. */
export function withKey(node: Node, key: string, isCopy: boolean): Node {
  const isAtomic = node.type.name === 'block_atom';
  const { meta: _, aliases: __, style, ...form } = ((isAtomic ? node.attrs['json'] : node.attrs['form']) ?? {}) as Record<string, unknown>;
  const keyed = { ...form, ...(isCopy || style === undefined ? {} : { style }), key };
  if (isAtomic) return node.type.create({ json: keyed });
  const { id, ...data } = (node.attrs['data'] as Record<string, unknown> | null) ?? {};
  const attrs = isCopy && id !== undefined ? { ...node.attrs, data } : node.attrs;
  return node.type.create({ ...attrs, form: keyed }, node.content, node.marks);
}
