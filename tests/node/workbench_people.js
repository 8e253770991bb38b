// People who edit a page of the Workbench, without a browser: single edits as the editor makes them, by chance.

import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; these stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src/editor';
const { blocksOf, documentToEditor, unique } = await import(`${sources}/convert.ts`);
const { inserted, INSERTIONS, madeOf } = await import(`${sources}/insertions.ts`);
const { keysOfBlocks } = await import(`${sources}/keys.ts`);
export const { schema } = await import(`${sources}/schema.ts`);
export const { EditorState, TextSelection } = await import('prosemirror-state');
const tables = await import('prosemirror-tables');
const { sinkListItem, liftListItem, splitListItem, wrapInList } = await import('prosemirror-schema-list');
const { joinBackward, splitBlock, wrapIn } = await import('prosemirror-commands');

let seed = 5;
/** Begin again: what comes next by chance is the same again. */
export const beginAt = (number) => void (seed = number);
export const random = (below) => {
  seed = (seed + 0x6D2B79F5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
};
export const pick = (list) => list[random(list.length)];

export const stateOf = (blocks) => EditorState.create({ doc: documentToEditor({ object: 'document', data: { schemaVersion: 1 }, nodes: blocks }), plugins: [keysOfBlocks] });
export const blocksIn = (state) => unique(blocksOf(state.doc));

/** All that a value says, in whatever member. */
export const textIn = (value) => JSON.stringify(value);

let words = 0;
export const beginWords = () => void (words = 0);
const newWord = (who) => `${who}${(words += 1)}x`;

export function textblocks(doc) {
  const all = [];
  doc.descendants((node, position) => {
    if (node.isTextblock) all.push({ node, position });
  });
  return all;
}

/** One edit of somebody, as the editor makes them; typed words are noted. */
function edited(state, who, typed) {
  const { node, position } = pick(textblocks(state.doc)) ?? {};
  if (node === undefined) return state;
  const start = position + 1;
  const at = start + random(node.content.size + 1);
  const apply = (tr) => state.apply(tr);
  const select = (from, to = from) => state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
  const run = (command, from = at) => {
    let next = state;
    command(select(from), (tr) => (next = select(from).apply(tr)));
    return next;
  };
  const word = () => {
    const one = newWord(who);
    typed.push(one);
    return one;
  };
  const isText = 'keys' in node.type.spec.attrs;
  switch (random(18)) {
    case 0: case 1: case 2: return apply(state.tr.insertText(` ${word()} `, at));
    case 3: {
      // In the place of some words.
      const end = Math.min(start + node.content.size, at + random(14));
      return apply(state.tr.insertText(` ${word()} `, at, end));
    }
    case 4: {
      const end = Math.min(start + node.content.size, at + random(14));
      // Not what this person has just typed.
      return typed.some((one) => state.doc.textBetween(at, end).includes(one.slice(0, 2))) ? state : apply(state.tr.delete(at, end));
    }
    case 5: return node.type.spec.code || node.type.name === 'table_header' ? state : run(splitListItem(schema.nodes.list_item, { form: null, data: null }));
    case 6: return run(sinkListItem(schema.nodes.list_item));
    case 7: return run(liftListItem(schema.nodes.list_item));
    // Nothing comes above the titles of a table.
    case 8: return run(pick([tables.addRowAfter, tables.addColumnAfter, ...(node.type.name === 'table_header' ? [] : [tables.addRowBefore])]));
    case 9: {
      // A row or a column in which this person has written is not theirs to take away again.
      const next = run(pick([tables.deleteRow, tables.deleteColumn]));
      return typed.every((one) => textIn(blocksIn(next)).includes(one)) ? next : state;
    }
    case 10: return node.type.name === 'table_header' ? state : run(wrapIn(schema.nodes.blockquote));
    case 11: return isText ? run(splitBlock) : state;
    case 12: return isText ? run(joinBackward, start) : state;
    case 13: {
      const type = pick(['paragraph', 'heading_1', 'heading_2']);
      const $at = state.doc.resolve(at);
      const isFree = isText && $at.node(-1).canReplaceWith($at.index(-1), $at.index(-1) + 1, schema.nodes[type]);
      return isFree ? apply(state.tr.setNodeMarkup(position, schema.nodes[type], { ...node.attrs, data: null })) : state;
    }
    case 14: return isText ? run(wrapInList(pick([schema.nodes.list_unordered, schema.nodes.list_ordered]))) : state;
    case 15: {
      const made = madeOf(pick(INSERTIONS));
      const next = made ? apply(inserted(select(at), made)) : state;
      return typed.every((one) => textIn(blocksIn(next)).includes(one)) ? next : state;
    }
    case 16: {
      // A block at the top to another place.
      const index = random(state.doc.childCount);
      const block = state.doc.child(index);
      let from = 0;
      for (let before = 0; before < index; before += 1) from += state.doc.child(before).nodeSize;
      const without = state.tr.delete(from, from + block.nodeSize);
      if (without.doc.childCount !== state.doc.childCount - 1) return state;
      let to = 0;
      for (let before = random(without.doc.childCount + 1); before > 0; before -= 1) to += without.doc.child(before - 1).nodeSize;
      return apply(without.insert(to, block));
    }
    default: {
      const $at = state.doc.resolve(at);
      const depth = 1;
      if (state.doc.childCount < 2 || $at.depth < 1 || typed.some((one) => $at.node(depth).textContent.includes(one))) return state;
      return apply(state.tr.delete($at.before(depth), $at.after(depth)));
    }
  }
}

export function several(state, who, edits = 1 + random(5)) {
  const typed = [];
  let next = state;
  for (let count = edits; count > 0; count -= 1) next = edited(next, who, typed);
  const said = textIn(blocksIn(next));
  // What they typed and took away again themselves is no loss.
  return { state: next, typed: typed.filter((one) => said.includes(one)) };
}


const saidBy = (node) => (node.leaves ? node.leaves.map((one) => one.text).join('') : [...(node.nodes ?? []), ...(node.fragments ?? [])].map(saidBy).join('\n'));
const wordsBy = (blocks) => blocks.map(saidBy).join('\n').match(/[\p{L}\p{N}]+/gu) ?? [];
/** Words that stood once in a page, that both have left there, and that are nowhere now. */
export const goneOfBoth = (base, theirs, mine, { blocks, clashes }) => {
  const [words, their, my] = [wordsBy(base), new Set(wordsBy(theirs)), new Set(wordsBy(mine))];
  const now = [...blocks, ...clashes.flatMap((one) => [one.mine, one.theirs])].map((one) => (one ? saidBy(one) : '')).join('\n');
  return words.filter((word) => their.has(word) && my.has(word) && words.indexOf(word) === words.lastIndexOf(word) && !now.includes(word));
};
