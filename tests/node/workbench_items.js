// Lists in lists: their items are edited and kept by themselves, and the whole where that is not safe.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; these stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const stored = new Map();
globalThis.localStorage = new Proxy({
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => void stored.set(key, text),
  removeItem: (key) => void stored.delete(key),
}, {
  ownKeys: () => [...stored.keys()],
  getOwnPropertyDescriptor: (_, key) => ({ value: stored.get(key), enumerable: true, configurable: true, writable: true }),
});

const sources = '../../app/src/editor';
const { areSame, editsBetween, keysIn } = await import(`${sources}/changes.ts`);
const { Saving } = await import(`${sources}/saving.ts`);
const { filled, recall, remember } = await import(`${sources}/remembered.ts`);
const { meaningOf } = await import(`${sources}/../document/json.ts`);

let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
let number = 0;
const holds = (type, key, nodes, data = {}) => ({ object: 'block', type, isVoid: false, key, data, nodes });
const paragraph = (key, text) => holds('paragraph', key, [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }]);
const itemOf = (name, depth) => holds('list-item', name, [paragraph(`${name}t`, `old ${name}`), ...(depth > 0 && random(3) === 0 ? [listOf(`${name}l`, depth - 1)] : [])]);
const listOf = (name, depth) => holds('list-unordered', name, Array.from({ length: 1 + random(5) }, (_, index) => itemOf(`${name}.${index}`, depth)));
const shown = (blocks) => blocks.map((one) => [one.key, meaningOf(one)]);

/** What the server makes of edits; it takes a list away with its last item, and gives another key to what has one of the page. */
function after(blocks, edits) {
  const all = structuredClone(blocks);
  const find = (nodes, key) => {
    for (const [index, one] of nodes.entries()) {
      const there = one.key === key ? { nodes, index } : find(one.nodes ?? [], key);
      if (there) return there;
    }
    return null;
  };
  const take = (key) => {
    const { nodes, index } = find(all, key);
    const [taken] = nodes.splice(index, 1);
    assert.ok(nodes === all || nodes.length > 0, 'a list went with its last item');
    return taken;
  };
  const put = (fresh, { after: before, inside, index }) => {
    if (before !== undefined) {
      const place = find(all, before);
      place.nodes.splice(place.index + 1, 0, ...fresh);
    } else if (inside === undefined) all.splice(index, 0, ...fresh);
    else {
      const parent = find(all, inside);
      parent.nodes[parent.index].nodes.splice(index, 0, ...fresh);
    }
  };
  for (const edit of edits) {
    if (edit.insert) {
      for (const key of edit.insert.content.blocks.flatMap(keysIn)) assert.equal(find(all, key), null, 'the page has that key');
      put(edit.insert.content.blocks, edit.insert.place);
    } else if (edit.replace) {
      const { nodes, index } = find(all, edit.replace.key);
      nodes.splice(index, 1, ...edit.replace.content.blocks);
    } else if (edit.move) put(edit.move.keys.map(take), edit.move.place);
    else edit.delete.keys.forEach(take);
  }
  return all;
}

/** The same object where nothing is changed, as in the editor. */
function varied(one) {
  if (one.type === 'paragraph') return random(8) === 0 ? paragraph(one.key, `mine ${(number += 1)}`) : one;
  const isList = one.type === 'list-unordered';
  let nodes = one.nodes.flatMap((inner) => {
    const choice = isList ? random(12) : 2;
    return choice === 0 ? [] : [varied(inner), ...(choice === 1 ? [itemOf(`n${(number += 1)}`, 1)] : [])];
  });
  if (nodes.length === 0) nodes = [itemOf(`m${(number += 1)}`, 0)];
  if (isList && random(4) === 0) nodes.splice(random(nodes.length), 0, ...nodes.splice(random(nodes.length), 1));
  const data = !isList && random(15) === 0 ? { checked: true } : one.data;
  return nodes.length === one.nodes.length && data === one.data && nodes.every((inner, index) => inner === one.nodes[index]) ? one : { ...one, data, nodes };
}

const counted = { inside: 0, whole: 0 };
for (let round = 0; round < 1_500; round += 1) {
  const base = [paragraph('first', 'old'), listOf('a', 2), listOf('b', 1)];
  const mine = base.map(varied);
  // An item that has gone to another list.
  if (random(8) === 0 && mine[1].nodes.length > 1) {
    const [gone, ...rest] = mine[1].nodes;
    mine.splice(1, 2, { ...mine[1], nodes: rest }, { ...mine[2], nodes: [...mine[2].nodes, gone] });
  }
  const edits = editsBetween(base, mine, () => true);
  assert.deepEqual(shown(after(base, edits)), shown(mine));
  const isSame = editsBetween(base, mine).length === 0;
  assert.equal(areSame(base, mine), isSame);
  assert.equal(edits.length === 0, isSame);
  if (!isSame) counted[edits.some((edit) => ['a', 'b'].includes(edit.replace?.key)) ? 'whole' : 'inside'] += 1;
  assert.ok(remember('a page', base, mine, null, { edits, title: null, revision: 'r', key: 'k', blocks: mine }));
  const kept = recall('a page');
  const back = filled(kept, base, null);
  assert.deepEqual([back.base, back.mine].map(shown), [base, mine].map(shown));
  // What others have done in the list since is theirs: what is only named is as they have it.
  const theirs = base.map((one) => (one.key === 'a' ? { ...one, nodes: [...one.nodes, itemOf('theirs', 0)] } : one));
  assert.deepEqual(filled(kept, theirs, null).mine.flatMap(keysIn).filter((key) => !mine.flatMap(keysIn).includes(key)).filter((key) => !key.startsWith('theirs')), []);
}
assert.ok(counted.inside > 300 && counted.whole > 50, JSON.stringify(counted));

// Of a long list one item is kept and sent; of a hundred of its items the whole.
const long = holds('list-unordered', 'long', Array.from({ length: 6_000 }, (_, index) => itemOf(`i${index}`, 0)));
const typed = (count) => [{ ...long, nodes: long.nodes.map((item, index) => (index < count ? { ...item, nodes: [paragraph(item.nodes[0].key, `typed ${index}`)] } : item)) }];
assert.equal(editsBetween([long], typed(1), () => true)[0].replace.key, 'i0t');
assert.ok(remember('long', [long], typed(1), null));
assert.ok(stored.get('long').length < 2 * 15 * 6_000);
assert.equal(editsBetween([long], typed(100), () => true)[0].replace.key, 'long');

// A refused edit inside of a block is sent once more as the whole of it; a block that was sent as a whole is edited as one until it is read again.
const writes = [];
const list = holds('list-unordered', 'l', [itemOf('x', 0), itemOf('y', 0)]);
const text = (item, words) => ({ ...item, nodes: [paragraph(item.nodes[0].key, words)] });
let [blocks, revision] = [[list], 1];
let timers = [];
let reads = 0;
const saving = new Saving({ revision: 'r1', title: 'Page', blocks }, {
  now: () => ({ title: 'Page', blocks }),
  here: () => ({ title: 'Page', blocks }),
  apply: (merged) => (blocks = merged),
  write: async ({ edits }) => {
    writes.push(edits);
    return writes.length === 2 ? { trouble: 'refused', message: 'no block has that key' } : { value: `r${(revision += 1)}` };
  },
  read: async () => {
    reads += 1;
    return { value: { revision: `r${(revision += 1)}`, title: 'Page', blocks } };
  },
  isComposing: () => false, isComing: () => false, newKey: () => 'k', tell: () => undefined, remember: () => undefined, forget: () => undefined,
  later: (work) => {
    timers.push(work);
    return () => (timers = timers.filter((one) => one !== work));
  },
});
const write = async (first, second) => {
  blocks = [{ ...list, nodes: [text(list.nodes[0], first), text(list.nodes[1], second)] }];
  saving.changed();
  await saving.save();
};
await write('one', 'old y');
assert.deepEqual(writes.map(([edit]) => edit.replace.key), ['xt']);
await write('two', 'old y');
assert.deepEqual(writes.slice(1).map(([edit]) => edit.replace.key), ['xt', 'l']);
await write('two', 'three');
assert.equal(writes.at(-1)[0].replace.key, 'l');
// One's own revision is not read; a newer one is, and then the keys are those of the server.
saving.newer(`r${revision}`);
await Promise.resolve();
assert.equal(reads, 0);
saving.newer(`r${revision + 1}`);
await new Promise((resolve) => setTimeout(resolve));
assert.equal(reads, 1);
await write('two', 'four');
assert.equal(writes.at(-1)[0].replace.key, 'yt');

console.log(JSON.stringify(counted));
