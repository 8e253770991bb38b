// Names of blocks: each has one, none stands twice, whatever is done; and who types costs what their block is long, not what the page is.

import assert from 'node:assert/strict';
import { beginAt, blocksIn, EditorState, random, schema, several, stateOf, TextSelection } from './workbench_people.js';

const { keysOfBlocks } = await import('../../app/src/editor/keys.ts');
const { Fragment, Node, Slice } = await import('prosemirror-model');

const paragraph = (key, text) => ({ object: 'block', type: 'paragraph', isVoid: false, key, data: {}, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] });
const page = (count) => Array.from({ length: count }, (_, index) => paragraph(`k${index}`, `Boats leave with the ebb, ${index}`));

/** All names of a page, by where they stand. */
function namesIn(doc) {
  const names = [];
  doc.descendants((node) => {
    if (/^(?:block|part)$/u.test(node.type.spec.group ?? '')) names.push(node.attrs.form?.key ?? node.attrs.json?.key ?? null);
  });
  return names;
}

// What is looked at is right: as if all of the page had been, as it is of a page that nothing is known of.
let [rounds, copies] = [0, 0];
for (let round = 0; round < 400; round += 1) {
  beginAt(round);
  let state = stateOf(page(1 + random(8)));
  state = state.apply(state.tr.insertText('!', 1));
  for (let step = 0; step < 6; step += 1) {
    const before = state;
    if (random(3) === 0) {
      // A copy of some blocks that are there, or of those that were just cut.
      const from = random(state.doc.childCount);
      const to = Math.min(state.doc.childCount, from + 1 + random(3));
      const blocks = Array.from({ length: to - from }, (_, index) => state.doc.child(from + index));
      let at = 0;
      for (let index = random(state.doc.childCount + 1); index > 0; index -= 1) at += state.doc.child(index - 1).nodeSize;
      const tr = state.tr.replace(at, at, new Slice(Fragment.from(blocks), 0, 0));
      state = state.apply(tr);
      const unknown = EditorState.create({ doc: Node.fromJSON(schema, before.doc.toJSON()), plugins: [keysOfBlocks] });
      const whole = unknown.apply(unknown.tr.replace(at, at, Slice.fromJSON(schema, new Slice(Fragment.from(blocks), 0, 0).toJSON())));
      const known = new Set(namesIn(before.doc));
      const kept = (names) => names.map((name) => (known.has(name) ? name : 'new'));
      assert.deepEqual(kept(namesIn(state.doc)), kept(namesIn(whole.doc)), `${round}.${step}`);
      copies += 1;
    } else ({ state } = several(state, 'a', 1));
    const names = blocksIn(state).map((block) => block.key);
    assert.ok(names.every(Boolean) && new Set(names).size === names.length, `${round}.${step}`);
    rounds += 1;
  }
}

// How many blocks are looked at: each is once for its cached names.
function looks(work) {
  const { get } = WeakMap.prototype;
  let count = 0;
  WeakMap.prototype.get = function (key) {
    if (key instanceof Node) count += 1;
    return get.call(this, key);
  };
  try {
    work();
  } finally {
    WeakMap.prototype.get = get;
  }
  return count;
}
const acts = {
  letter: (state) => state.tr.insertText('x', 3),
  split: (state) => state.tr.split(3),
  join: (state) => state.tr.join(state.doc.child(0).nodeSize),
  paste: (state) => state.tr.insert(0, Array.from({ length: 50 }, (_, index) => schema.node('paragraph', null, [schema.text(`pasted ${index}`)]))),
};
const looked = {};
for (const [name, act] of Object.entries(acts)) {
  looked[name] = [100, 2_000].map((count) => {
    let state = stateOf(page(count));
    state = state.apply(state.tr.insertText('!', 1));
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 3)));
    return looks(() => void (state = state.apply(act(state))));
  });
  const [few, many] = looked[name];
  assert.ok(few > 0 && few === many, `${name}: ${few}, ${many}`);
}

process.stdout.write(JSON.stringify({ rounds, copies, looked }));
