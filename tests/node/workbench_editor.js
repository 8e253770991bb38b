// The editor of the Workbench without a browser: documents to its model and back, edits of blocks, and
// bringing together what two people wrote. Documents come as lines of JSON.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';

// The application's packages are not installed for tests; these stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src/editor';
const { documentToEditor, documentOf, unique } = await import(`${sources}/convert.ts`);
const { editsBetween } = await import(`${sources}/changes.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);
const { applied: putIn } = await import(`${sources}/applying.ts`);
const { KINDS } = await import(`${sources}/kinds.ts`);
const { meaningOf } = await import(`${sources}/../document/json.ts`);
const { schema } = await import(`${sources}/schema.ts`);
const { Fragment, Slice } = await import('prosemirror-model');
const { EditorState } = await import('prosemirror-state');

let seed = 11;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};

/** What a server makes of edits, on blocks at the top of a page. */
function applied(base, edits) {
  const blocks = [...base];
  const indexOf = (key) => {
    const index = blocks.findIndex((block) => block.key === key);
    assert.notEqual(index, -1, `no block ${key}`);
    return index;
  };
  const at = ({ after, index }) => (after === undefined ? index : indexOf(after) + 1);
  for (const edit of edits) {
    if (edit.insert) blocks.splice(at(edit.insert.place), 0, ...edit.insert.content.blocks);
    else if (edit.replace) blocks.splice(indexOf(edit.replace.key), 1, ...edit.replace.content.blocks);
    else if (edit.move) {
      const moved = edit.move.keys.map((key) => blocks.splice(indexOf(key), 1)[0]);
      blocks.splice(at(edit.move.place), 0, ...moved);
    } else for (const key of edit.delete.keys) blocks.splice(indexOf(key), 1);
  }
  return blocks;
}

/** Types of blocks that the editor has nodes for, and holds as atoms all the same. */
function unfit(node) {
  const found = [];
  node.descendants((child) => {
    if (child.type.name !== 'block_atom') return;
    const { type } = child.attrs.json;
    if (KINDS[type] && (KINDS[type].holds !== 'nothing')) found.push(type);
  });
  return found;
}

/** A document with one inner node less, twice, or elsewhere. */
function varied(document) {
  const next = structuredClone(document);
  const holders = [];
  const visit = (node) => {
    if (node.nodes?.length > 1) holders.push(node.nodes);
    for (const inner of [...(node.nodes ?? []), ...(node.fragments ?? [])]) visit(inner);
  };
  visit(next);
  if (holders.length === 0) return next;
  const nodes = holders[random(holders.length)];
  const [one] = nodes.splice(random(nodes.length), 1);
  const choice = random(3);
  if (choice > 0) nodes.splice(random(nodes.length + 1), 0, one);
  if (choice > 1) nodes.splice(random(nodes.length + 1), 0, structuredClone(one));
  return next;
}

const counts = { documents: 0, blocks: 0, edited: 0, unfit: [] };
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const document = JSON.parse(line);
  const doc = documentToEditor(document);
  doc.check();
  // Opening and saving changes nothing: not in the JSON, and not on the server.
  assert.deepEqual(documentOf(doc), document);
  assert.deepEqual(editsBetween(document.nodes, documentOf(doc).nodes), []);
  counts.documents += 1;
  counts.blocks += document.nodes.length;
  counts.unfit.push(...unfit(doc));

  // What others have made of it comes in as they have it, also where columns, steps or cells went.
  for (let round = 0; round < 12; round += 1) {
    const theirs = unique(varied(document).nodes);
    if (new Set(theirs.map((one) => one.key)).size < theirs.length) continue;
    const state = EditorState.create({ doc });
    const after = state.apply(putIn(state, theirs)).doc;
    after.check();
    if (theirs.length > 0) assert.deepEqual(documentOf(after).nodes.map(meaningOf), theirs.map(meaningOf));
  }

  // A word more in one text is an edit of the block that it stands in, and of nothing else.
  const texts = [];
  doc.descendants((child, position) => {
    if (child.isTextblock && !child.type.spec.code) texts.push(position + 1);
  });
  // A document without blocks has a paragraph to write in, which is none of its own.
  if (texts.length === 0 || document.nodes.length === 0) continue;
  const place = texts[random(texts.length)];
  const top = doc.resolve(place).index(0);
  const typed = doc.replace(place, place, new Slice(Fragment.from(schema.text('typed ')), 0, 0));
  const now = unique(documentOf(typed).nodes);
  const edits = editsBetween(document.nodes, now);
  assert.equal(edits.length, 1, JSON.stringify(edits).slice(0, 500));
  const key = document.nodes[top].key;
  assert.equal(edits[0].replace?.key, key);
  assert.ok(JSON.stringify(edits[0].replace.content.blocks).includes('typed '));
  counts.edited += 1;
}

// Edits make of any blocks any others; and two people lose nothing that one of them wrote alone.
const block = (key, text) => ({
  object: 'block', type: 'paragraph', isVoid: false, key, data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});
const said = (one) => one.nodes[0].leaves[0].text;
const shown = (blocks) => blocks.map((one) => [one.key, meaningOf(one)]);
let number = 0;
const changed = (blocks, who) => {
  let next = blocks.flatMap((one) => {
    const choice = random(9);
    number += 1;
    if (choice === 0) return [];
    if (choice === 1) return [block(one.key, `${who}${number}`)];
    if (choice === 2) return [one, block(`n${number}`, `${who}${number}`)];
    return [one];
  });
  if (random(3) === 0 && next.length > 1) {
    const [moved] = next.splice(random(next.length), 1);
    next.splice(random(next.length + 1), 0, moved);
  }
  return next;
};
// The server takes lists of 1,000: more blocks come and go in several edits.
const many = Array.from({ length: 2_500 }, (_, index) => block(`many${index}`, `${index}`));
for (const [before, after, sizes] of [[[], many, [1_000, 1_000, 500]], [[block('k', 'old'), ...many], [block('k', 'old')], [1_000, 1_000, 500]]]) {
  const edits = editsBetween(before, after);
  assert.deepEqual(edits.map((edit) => (edit.insert?.content.blocks ?? edit.delete.keys).length), sizes);
  assert.deepEqual(shown(applied(before, edits)), shown(after));
}
for (let round = 0; round < 600; round += 1) {
  const base = Array.from({ length: random(8) }, (_, index) => block(`k${index}`, `old${index}`));
  const mine = changed(base, 'mine');
  const theirs = changed(base, 'theirs');
  assert.deepEqual(shown(applied(base, editsBetween(base, mine))), shown(mine));
  const { blocks, clashes } = merge(base, theirs, mine);
  assert.deepEqual(shown(merge(base, base, mine).blocks), shown(mine));
  assert.deepEqual(shown(merge(base, theirs, base).blocks), shown(theirs));
  assert.equal(new Set(blocks.map((one) => one.key)).size, blocks.length);
  const texts = new Set(blocks.map(said));
  // All that either typed is there; where both have changed one block, it has both and says so.
  const all = [...texts].join(' ');
  for (const one of [...mine, ...theirs].filter((each) => !said(each).startsWith('old'))) assert.ok(all.includes(said(one)));
  const twice = mine.filter((one) => said(one).startsWith('mine') && theirs.some((other) => other.key === one.key && said(other).startsWith('theirs')));
  assert.ok(twice.every((one) => clashes.some((clash) => clash.key === one.key)));
  // It can be written on top of what the others have made.
  assert.deepEqual(shown(applied(theirs, editsBetween(theirs, blocks))), shown(blocks));
}

console.log(JSON.stringify(counts));
