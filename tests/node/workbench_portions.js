// A paste of many blocks comes in portions: whoever writes meanwhile loses nothing, and all of it comes.

import assert from 'node:assert/strict';
import { beginAt, blocksIn, EditorState, random, schema, TextSelection } from './workbench_people.js';

const { Portions } = await import('../../app/src/editor/portions.ts');
const { sourceOfText } = await import('../../app/src/editor/paste-source.ts');
const { keysOfBlocks } = await import('../../app/src/editor/keys.ts');
const { Fragment, Slice } = await import('prosemirror-model');
const { joinBackward } = await import('prosemirror-commands');
const { tableEditing } = await import('prosemirror-tables');

const paragraph = (text) => schema.node('paragraph', null, text ? [schema.text(text)] : []);

function editor(...texts) {
  const it = { work: [], state: EditorState.create({ doc: schema.node('doc', null, texts.map(paragraph)), plugins: [tableEditing(), keysOfBlocks] }), sizes: [] };
  let now = 0;
  it.portions = new Portions({ state: () => it.state, dispatch: (tr) => it.dispatch(tr), later: (work) => it.work.push(work), clock: () => (now += 5), isComposing: () => it.isComposing === true });
  it.dispatch = (tr) => {
    const before = it.state.doc.childCount;
    const { state, transactions } = it.state.applyTransaction(tr);
    it.portions.moved(transactions);
    it.state = state;
    it.sizes.push(state.doc.childCount - before);
  };
  it.turn = () => {
    const next = it.work.shift();
    next?.();
    return next !== undefined;
  };
  it.texts = () => Array.from({ length: it.state.doc.childCount }, (_, index) => it.state.doc.child(index).textContent);
  it.caret = (block, end = true) => {
    let at = 0;
    it.state.doc.forEach((node, position, index) => {
      if (index === block) at = position + (end ? node.nodeSize - 1 : 1);
    });
    it.dispatch(it.state.tr.setSelection(TextSelection.create(it.state.doc, at)));
  };
  it.type = (text) => it.dispatch(it.state.tr.insertText(text));
  return it;
}
const many = (count, name = 'p') => Array.from({ length: count }, (_, index) => `${name}${index}`);
const sliceOf = (texts, open = 1) => new Slice(Fragment.from(texts.map(paragraph)), open, open);
const names = (it) => {
  const keys = blocksIn(it.state).map((block) => block.key);
  assert.ok(keys.every(Boolean) && new Set(keys).size === keys.length);
};

// Few come at once.
const few = editor('here');
few.caret(0);
assert.equal(few.portions.paste(sliceOf(many(600))), false);

for (const open of [0, 1]) {
  const it = editor('before ', 'behind');
  it.caret(0);
  assert.ok(it.portions.paste(sliceOf(many(2_000), open)));
  assert.ok(it.sizes.at(-1) <= 82);
  // The caret is behind all of it, and what is typed stays there.
  it.type('!');
  let turns = 0;
  while (it.turn()) {
    it.type('+');
    turns += 1;
    assert.ok(turns < 400);
  }
  assert.ok(turns > 5 && it.sizes.every((size) => size < 400), `${turns}`);
  const all = it.texts();
  // Whatever came when, it is one text: as if it had come at once.
  const once = editor('before ', 'behind');
  once.caret(0);
  once.dispatch(once.state.tr.replaceSelection(sliceOf(many(2_000), open)));
  once.type(`!${'+'.repeat(turns)}`);
  assert.deepEqual(all, once.texts());
  names(it);
}

// Whoever writes anywhere meanwhile, in front of it, in it, behind it, pastes again, or asks for the whole page: nothing is lost.
for (let round = 0; round < 200; round += 1) {
  beginAt(round);
  const it = editor(...many(1 + random(5), 'old'));
  it.caret(random(it.state.doc.childCount));
  const typed = [];
  const pasted = [];
  let pastes = 0;
  for (let step = 0; step < 12; step += 1) {
    const choice = random(10);
    if (choice === 0 || pasted.length === 0) {
      const texts = many(601 + random(300), `x${(pastes += 1)}y`);
      if (it.portions.paste(sliceOf(texts, random(2)))) pasted.push(...texts);
    } else if (choice < 4) it.turn();
    else if (choice === 4) it.portions.all();
    else if (choice < 7) it.caret(random(it.state.doc.childCount), random(2) === 0);
    else {
      const word = `<${round}.${step}>`;
      it.type(word);
      typed.push(word);
    }
  }
  while (it.turn());
  const whole = it.texts().join(' ');
  for (const word of typed) assert.ok(whole.includes(word), `${round} ${word}`);
  // Each comes once, in its order, also where somebody has written in it.
  const rest = typed.reduce((text, word) => text.replace(word, ''), whole);
  const came = new Map();
  for (const [text] of rest.matchAll(/x\d+y\d+/gu)) came.set(text, (came.get(text) ?? 0) + 1);
  for (const text of pasted) assert.equal(came.get(text), 1, `${round} ${text}`);
  names(it);
}

// Whoever joins the blocks between which the rest is to come loses none of it.
for (const count of [601, 1_300]) {
  const it = editor('before');
  it.caret(0);
  assert.ok(it.portions.paste(sliceOf(many(count), 0)));
  const behind = it.texts().indexOf('p39') + 1;
  it.caret(behind, false);
  joinBackward(it.state, (tr) => it.dispatch(tr));
  while (it.turn());
  assert.deepEqual(it.texts().filter((text) => /^p/u.test(text)), many(count));
  names(it);
}

// What cannot be read is given up, and nothing waits for it: what is typed is saved.
for (const [name, isLate] of [['prepare', false], ['take', false], ['take', true]]) {
  const it = editor('before');
  it.caret(0);
  const source = sourceOfText(many(600).join('\n'), it.state.selection.$from);
  let calls = 0;
  it.portions.read({ ...source, [name]: () => {
    if ((calls += 1) > (isLate ? 2 : 0)) throw new Error('not readable');
    return source[name]();
  } });
  assert.throws(() => it.portions.all(), /not readable/u);
  assert.equal(it.portions.isComing, false);
  it.type('typed');
  it.portions.all();
  assert.ok(it.texts().join(' ').includes('typed'));
}

// The editor mends a table whose rows are of different lengths: what comes behind it stays whole, wherever in the paste it is.
for (const place of [5, 59, 60, 100, 250, 699]) {
  const cell = (text) => schema.node('table_cell', null, [paragraph(text)]);
  const ragged = schema.node('table', null, [['a', 'b', 'c'], ['d']].map((row) => schema.node('table_row', null, row.map(cell))));
  const blocks = many(700).map((text, index) => (index === place ? ragged : paragraph(text)));
  const it = editor('');
  it.caret(0);
  assert.ok(it.portions.paste(new Slice(Fragment.from(blocks), 0, 0)));
  while (it.turn());
  assert.deepEqual(it.texts(), blocks.map((block) => block.textContent), `${place}`);
  names(it);
}

// Whether a text is Markdown is known soon, whatever it has much of.
const { looksLikeMarkdown } = await import('../../app/src/editor/paste.ts');
for (const part of ['\n', ' \n', '\r\n', '[', '[a](', '|', '**a ', '`', '- ', ' ']) {
  const begun = performance.now();
  assert.equal(looksLikeMarkdown(part.repeat(100_000)), false, JSON.stringify(part));
  assert.ok(performance.now() - begun < 3_000, JSON.stringify(part));
}
for (const text of ['# a\nb', '- a\n\n  - b', '\n\n* a\n* b', '| a |\n| - |', '```\nx\n```', '[![a](b)](c) **d**', '1. a\n\n> b']) assert.equal(looksLikeMarkdown(text), true, text);
for (const text of ['a - b', 'one\ntwo', '[a](b)', '1. a', '\n\n- a']) assert.equal(looksLikeMarkdown(text), false, text);

// What is read while it comes: it stands where the selection was, in front of what is typed meanwhile.
for (let round = 0; round < 120; round += 1) {
  beginAt(round);
  const it = editor('before', 'behind');
  it.caret(random(2));
  const begun = it.texts();
  const at = it.state.selection.$from.index(0);
  const lines = many(1 + random(900), 'line');
  let reads = random(6);
  const source = sourceOfText(lines.join('\n'), it.state.selection.$from);
  it.portions.read({ ...source, prepare: () => (reads -= 1) > 0 });
  let typed = '';
  while (it.portions.isComing) {
    const choice = random(8);
    if (choice === 0) {
      it.type('+');
      typed += '+';
    } else if (choice === 1) {
      // Letters that are being composed: nothing comes.
      it.isComposing = true;
      const before = it.state.doc;
      it.turn();
      assert.equal(it.state.doc, before);
      it.isComposing = false;
    } else if (choice === 2 && random(40) === 0) it.portions.all();
    else it.turn();
  }
  const whole = [...begun.slice(0, at), ...lines, ...begun.slice(at + 1)];
  whole[at] = begun[at] + whole[at];
  whole[at + lines.length - 1] += typed;
  assert.deepEqual(it.texts(), whole, `${round}`);
  names(it);
}

// Much that others have written comes in the same way.
for (const count of [100, 161, 2_000]) {
  const it = editor('before', 'behind');
  const [first, last] = blocksIn(it.state);
  const fresh = many(count).map((text) => ({ ...first, key: text, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] }));
  const apart = it.portions.apart([first, ...fresh, last], (block) => block !== first && block !== last);
  assert.equal(apart === null, count <= 160);
  if (apart === null) continue;
  assert.equal(apart.now.length + apart.later.length, count + 2);
  const index = apart.now.findIndex((block) => block.key === apart.before);
  assert.deepEqual([...apart.now.slice(0, index), ...apart.later, ...apart.now.slice(index)], [first, ...fresh, last]);
}

process.stdout.write(JSON.stringify('done'));
