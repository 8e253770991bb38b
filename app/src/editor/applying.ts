/** Putting blocks that others have written into an editor, without moving what somebody is typing. */

import { Fragment, type Node, Slice } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { Plugin, Selection, TextSelection } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import type { Blocks } from './changes.ts';
import { meaning } from './changes.ts';
import { blockOf, blockToEditor, keyOfBlock, withKey } from './convert.ts';
import { differingPart } from './differing.ts';
import { schema } from './schema.ts';

/** The transaction that makes these blocks of what stands there; only what differs is replaced. */
export function applied(state: EditorState, blocks: Blocks): Transaction {
  const tr = state.tr;
  const there = new Map<string, Node>();
  state.doc.forEach((node) => {
    const key = keyOfBlock(node);
    if (key !== null) there.set(key, node);
  });
  const target = blocks.map((block) => {
    const old = there.get(block.key ?? '');
    return old && meaning(blockOf(old)) === meaning(block) ? old : blockToEditor(block);
  });
  if (target.length === 0) target.push(schema.node('paragraph'));
  const wanted = target.map(keyOfBlock);
  // Blocks that are gone, from the end, so that positions stay.
  const staying = new Set(wanted);
  const places: { node: Node; position: number }[] = [];
  state.doc.forEach((node, position) => places.push({ node, position }));
  const order = places.map(({ node }) => keyOfBlock(node)).filter((key) => staying.has(key));
  const isInOrder = order.join() === wanted.filter((key) => key !== null && there.has(key)).join();
  if (!isInOrder || order.length === 0) {
    tr.replaceWith(0, state.doc.content.size, target);
    return quiet(keepCaret(state, tr));
  }
  let next = target.length - 1;
  for (const { node, position } of places.reverse()) {
    const key = keyOfBlock(node);
    const end = position + node.nodeSize;
    if (key === null || !staying.has(key)) {
      tr.delete(position, end);
      continue;
    }
    const fresh: Node[] = [];
    for (; next >= 0 && wanted[next] !== key; next -= 1) fresh.unshift(target[next] as Node);
    if (fresh.length > 0) tr.insert(end, fresh);
    const replacement = target[next];
    next -= 1;
    if (replacement !== undefined && replacement !== node) replaceWithin(tr, position, node, replacement);
  }
  if (next >= 0) tr.insert(0, target.slice(0, next + 1));
  return quiet(tr);
}

/** Where blocks were moved the caret goes with its own: what is typed next stands where it was meant to. */
function keepCaret(state: EditorState, tr: Transaction): Transaction {
  const starts = new Map<string | null, number>();
  tr.doc.forEach((node, position) => starts.set(keyOfBlock(node), position));
  const moved = (position: number): number | null => {
    const $place = state.doc.resolve(position);
    const node = state.doc.maybeChild($place.index(0));
    const start = node && starts.get(keyOfBlock(node));
    return start == null ? null : Math.min(start + position - $place.posAtIndex($place.index(0), 0), tr.doc.content.size);
  };
  const [anchor, head] = [moved(state.selection.anchor), moved(state.selection.head)];
  if (anchor === null || head === null) return tr;
  return tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)));
}

/** Not to be taken back by whoever types here. */
const quiet = (tr: Transaction): Transaction => tr.setMeta('addToHistory', false).setMeta('fromOthers', true);

/** Replace as little as differs, so that a selection in the rest stays where it is. */
function replaceWithin(tr: Transaction, position: number, before: Node, after: Node): void {
  const part = differingPart(before, after);
  if (part === null) tr.replaceWith(position, position + before.nodeSize, after);
  else tr.step(new ReplaceStep(position + 1 + part.from, position + 1 + part.to, part.slice));
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

const FEW = 24;

/** Every block at the top has a key of its own, also what was just typed, split or pasted. */
export const keysOfBlocks = new Plugin({
  appendTransaction(transactions, _, state) {
    if (!transactions.some((one) => one.docChanged)) return null;
    const seen = new Set<string>();
    const tr = state.tr;
    const keyless: { position: number; keyed: Node }[] = [];
    const all: Node[] = [];
    state.doc.forEach((node, position) => {
      const key = keyOfBlock(node);
      if (key !== null && !seen.has(key)) {
        seen.add(key);
        all.push(node);
        return;
      }
      const fresh = newKey();
      seen.add(fresh);
      const keyed = withKey(node, fresh, key !== null);
      keyless.push({ position, keyed });
      all.push(keyed);
    });
    if (keyless.length > FEW) {
      // Each step costs what the whole page is long, so many blocks are one, and no more than they: undoing it takes
      // back nothing beside them. No place changes: the selection stays.
      const [first, last] = [keyless[0]?.position ?? 0, keyless.at(-1)];
      const end = last ? last.position + last.keyed.nodeSize : first;
      const part = Fragment.from(all).cut(first, end);
      tr.step(new ReplaceStep(first, end, new Slice(part, 0, 0)));
      tr.setSelection(Selection.fromJSON(tr.doc, state.selection.toJSON()));
    } else for (const { position, keyed } of keyless) tr.setNodeMarkup(position, undefined, keyed.attrs, keyed.marks);
    return tr.docChanged ? tr : null;
  },
});
