// Two people in one page of the Workbench, without a browser: whatever both do, no word that one of them typed goes.
// Documents come as lines of JSON.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beginAt, beginWords, blocksIn, EditorState, goneOfBoth, pick, random, schema, several, stateOf, textblocks, TextSelection, textIn } from './workbench_people.js';

const sources = '../../app/src/editor';
const { applied, exchanged } = await import(`${sources}/applying.ts`);
const { editsBetween, meaning } = await import(`${sources}/changes.ts`);
const { blockToEditor, documentToEditor, unique } = await import(`${sources}/convert.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);
const { Place } = await import(`${sources}/places.ts`);
const { mergedText, mergedValue } = await import(`${sources}/merging/text.ts`);
const { Fragment } = await import('prosemirror-model');

const shown = (blocks) => blocks.map((one) => [one.key, meaning(one)]);
const counts = { rounds: 0, clashes: 0 };

function round(base) {
  const begun = stateOf(base);
  const [me, other] = [several(begun, 'me'), several(begun, 'other')];
  const [mine, theirs] = [blocksIn(me.state), blocksIn(other.state)];
  const { blocks, clashes } = merge(base, theirs, mine);
  const all = textIn([blocks, clashes]);
  for (const word of [...me.typed, ...other.typed]) {
    assert.ok(all.includes(word), `${word} is lost\nbase ${textIn(base)}\nmine ${textIn(mine)}\ntheirs ${textIn(theirs)}\nmerged ${textIn(blocks)}`);
  }
  assert.deepEqual(goneOfBoth(base, theirs, mine, { blocks, clashes }), [], `base ${textIn(base)}\nmine ${textIn(mine)}\ntheirs ${textIn(theirs)}\nmerged ${textIn(blocks)}`);
  // Words that both have changed stand in the page, and not only beside it, unless a whole block cannot hold both.
  assert.equal(new Set(blocks.map((one) => one.key)).size, blocks.length);
  // One side alone is what it is.
  assert.deepEqual(shown(merge(base, base, mine).blocks), shown(mine));
  assert.deepEqual(shown(merge(base, theirs, base).blocks), shown(theirs));
  // It comes into the editor as it is, with small steps, and the caret stays in its word.
  const caret = textblocks(me.state.doc).filter(({ node }) => node.content.size > 0);
  let from = me.state;
  if (caret.length > 0) {
    const { node, position } = pick(caret);
    from = from.apply(from.tr.setSelection(TextSelection.create(from.doc, position + 1 + random(node.content.size))));
  }
  const after = from.apply(applied(from, blocks));
  after.doc.check();
  // A page without blocks has a paragraph to write in.
  if (blocks.length > 0) assert.deepEqual(shown(blocksIn(after)), shown(unique(blocks)));
  // It is written on top of what the others have made.
  assert.ok(Array.isArray(editsBetween(theirs, blocks)));
  // Whichever side is chosen later, what was typed in the meantime stays.
  for (const clash of clashes) {
    if (clash.theirs === null) continue;
    const named = (one) => ({ ...one, key: clash.key });
    const now = named(clash.both);
    const [chosen] = merge([now], [named(clash.theirs)], [now]).blocks;
    assert.equal(meaning(chosen), meaning(named(clash.theirs)));
    assert.equal(meaning(merge([now], [named(clash.mine)], [now]).blocks[0]), meaning(named(clash.mine)));
  }
  counts.rounds += 1;
  counts.clashes += clashes.length;
}

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { nodes } = JSON.parse(line);
  // Where there is nothing to type in, two people have nothing to bring together.
  if (nodes.length === 0 || textblocks(documentToEditor({ nodes })).length === 0) continue;
  for (let turn = 0; turn < 6; turn += 1) round(nodes);
}

const leaf = (text) => ({ object: 'leaf', text, marks: [] });
const text = (value) => ({ object: 'text', leaves: [leaf(value)] });
const paragraph = (key, value) => ({ object: 'block', type: 'paragraph', isVoid: false, key, data: {}, nodes: [text(value)] });
const list = (key, ...items) => ({ object: 'block', type: 'list-unordered', isVoid: false, key, data: {}, nodes: items });
const item = (key, ...nodes) => ({ object: 'block', type: 'list-item', isVoid: false, key, data: {}, nodes });
const said = (node) => (node.leaves ? node.leaves.map((one) => one.text).join('') : [...(node.nodes ?? []), ...(node.fragments ?? [])].map(said).join('|'));

for (let turn = 0; turn < 60; turn += 1) {
  round([paragraph('p', 'The tide is high in the morning, and low at noon.'), list('l', item('i', paragraph('ip', 'one thing')), item('j', paragraph('jp', 'another thing')))]);
}

// Words in different places of one paragraph: both stand there, and nobody is asked.
const both = (old, theirs, mine) => merge([paragraph('p', old)], [paragraph('p', theirs)], [paragraph('p', mine)]);
let merged = both('The tide is high', 'The spring tide is high', 'The tide is very high');
assert.deepEqual([merged.blocks.map(said), merged.clashes.length], [['The spring tide is very high'], 0]);
// Both at the end: one behind the other.
merged = both('First', 'First of Ada', 'First of Chidi');
assert.deepEqual([merged.blocks.map(said), merged.clashes.length], [['First of Ada of Chidi'], 0]);
// What one has is the beginning of what the other has in the same place, as where an answer was lost: it is there once.
for (const [theirs, mine] of [['First of', 'First of Ada'], ['First of Ada', 'First of']]) {
  assert.deepEqual([both('First', theirs, mine).blocks.map(said), both('First', theirs, mine).clashes.length], [['First of Ada'], 0]);
}
// The same word: both stand there, and it is said.
merged = both('a red car', 'a blue car', 'a green car');
assert.deepEqual([merged.blocks.map(said), merged.clashes.map((one) => [said(one.mine), said(one.theirs)])], [['a blue green car'], [['a green car', 'a blue car']]]);
// Two versions beside each other are two, also where no word ends.
merged = both('It is (high).', 'It is (low)!', 'It is (even)?');
assert.equal(said(merged.blocks[0]), 'It is (low even)! ?');
// What was changed is no jumble of both.
merged = both('the quick fox', 'a slow dog', 'some lazy cat');
assert.equal(said(merged.blocks[0]), 'a slow dog some lazy cat');
// Without spaces between words.
merged = both('潮位は高い。', '潮位は低い。', '今の潮位は高い。');
assert.deepEqual([said(merged.blocks[0]), merged.clashes.length], ['今の潮位は低い。', 0]);
// A long text that both have written anew is not compared word by word; both versions stand there.
const many = (word) => Array.from({ length: 3_000 }, (_, index) => `${word}${index}`).join(' ');
merged = both(many('old'), many('their'), many('my'));
assert.deepEqual([said(merged.blocks[0]), merged.clashes.length], [`${many('their')} ${many('my')}`, 1]);
// The same change of both is one.
merged = both('a red car', 'a blue car', 'a blue car');
assert.deepEqual([said(merged.blocks[0]), merged.clashes.length], ['a blue car', 0]);

// Items of one list: one is written in, another is new, a third is gone.
const things = list('l', item('a', paragraph('ap', 'one')), item('b', paragraph('bp', 'two')), item('c', paragraph('cp', 'three')));
merged = merge([things],
  [list('l', item('a', paragraph('ap', 'one of theirs')), item('b', paragraph('bp', 'two')))],
  [list('l', item('a', paragraph('ap', 'one')), item('b', paragraph('bp', 'two of mine')), item('n', paragraph('np', 'new')), item('c', paragraph('cp', 'three')))]);
assert.deepEqual([merged.blocks.map(said), merged.clashes], [['one of theirs|two of mine|new'], []]);
// Written in there, and put into a quote here: it is one block.
const quote = (key, ...nodes) => ({ object: 'block', type: 'blockquote', isVoid: false, key, data: {}, nodes });
merged = merge([paragraph('p', 'said')], [paragraph('p', 'said again')], [quote('q', paragraph('p', 'said'))]);
assert.deepEqual([merged.blocks.map((one) => one.type), merged.blocks.map(said)], [['blockquote'], ['said again']]);
// Put into a quote by both: it is one, theirs.
merged = merge([paragraph('p', 'said')], [quote('q', paragraph('p', 'said'))], [quote('r', paragraph('p', 'said'))]);
assert.deepEqual([merged.blocks.map((one) => one.key), merged.blocks.map(said), [...merged.renaming]], [['q'], ['said'], [['r', 'q']]]);
// Put into a quote there, and taken away here: no empty quote is left.
merged = merge([paragraph('p', 'said'), paragraph('o', 'other')], [quote('q', paragraph('p', 'said')), paragraph('o', 'other')], [paragraph('o', 'other')]);
assert.deepEqual(merged.blocks.map(said), ['other']);
// Put into each other by both: nothing is lost.
merged = merge([quote('q', paragraph('a', 'A')), quote('r', paragraph('b', 'B'))],
  [quote('q', paragraph('a', 'A'), quote('r', paragraph('b', 'B')))], [quote('r', paragraph('b', 'B'), quote('q', paragraph('a', 'A')))]);
assert.ok(['A', 'B'].every((one) => textIn(merged.blocks).includes(`"${one}"`)));
// A heading of one, with words of the other.
const heading = { ...paragraph('p', 'Tides'), type: 'heading-1' };
merged = merge([paragraph('p', 'Tides')], [paragraph('p', 'Tides today')], [heading]);
assert.deepEqual([merged.blocks[0].type, said(merged.blocks[0])], ['heading-1', 'Tides today']);
// Settings: of each its own; the same one is asked about, and the own one holds meanwhile.
const hint = (data) => ({ object: 'block', type: 'hint', isVoid: false, key: 'h', data, nodes: [paragraph('p', 'x')] });
merged = merge([hint({ style: 'info' })], [hint({ style: 'danger' })], [hint({ style: 'info', icon: 'bolt' })]);
assert.deepEqual([merged.blocks[0].data, merged.clashes.length], [{ style: 'danger', icon: 'bolt' }, 0]);
merged = merge([hint({ style: 'info' })], [hint({ style: 'danger' })], [hint({ style: 'warning' })]);
assert.deepEqual([merged.blocks[0].data.style, merged.clashes.length, merged.clashes[0].theirs.data.style], ['warning', 1, 'danger']);
// Taken away there, and written in here.
merged = merge([paragraph('p', 'x'), paragraph('q', 'y')], [paragraph('q', 'y')], [paragraph('p', 'x and more'), paragraph('q', 'y')]);
assert.deepEqual([merged.blocks.map(said), merged.clashes.map((one) => one.theirs)], [['x and more', 'y'], [null]]);
// The server gave what was new here another key: it is not there twice.
merged = merge([list('l', item('new', paragraph('np', 'one')))], [list('l', item('a', paragraph('b', 'one')))], [list('l', item('new', paragraph('np', 'one more')))]);
assert.deepEqual([merged.blocks.map(said), merged.clashes], [['one more'], []]);
// The first half is gone here, and written in there.
const halves = [paragraph('o', 'above'), paragraph('h', 'Heading of it'), paragraph('z', 'below')];
merged = merge(halves, [paragraph('o', 'above'), paragraph('h', ' theirs '), paragraph('n', 'eading of it'), paragraph('z', 'below')], [paragraph('o', 'above'), paragraph('m', 'eading of it'), paragraph('z', 'below')]);
assert.ok(textIn(merged).includes('theirs') && textIn(merged.blocks).includes('eading of it'), textIn(merged));

// An item that was put elsewhere is not one that says now what it said: its words come in with it.
const sunk = [list('l', item('i', paragraph('ip', 'one'), list('m', item('j', paragraph('np', 'news')))), item('k', paragraph('jp', 'two')))];
const flat = [list('l', item('i', paragraph('ip', 'one')), item('j', paragraph('jp', 'two')))];
assert.deepEqual(shown(merge(flat, sunk, flat).blocks), shown(sunk));

// The caret stays in its word when words come in behind it; typing goes on there.
const state = EditorState.create({ doc: schema.node('doc', null, [blockToEditor(paragraph('p', 'Tid'))]) });
const held = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 4)));
const come = held.apply(applied(held, [paragraph('p', 'Tid of theirs')]));
assert.equal(come.apply(come.tr.insertText('es')).doc.textContent, 'Tides of theirs');
// Words of others before and behind it leave it where it is.
const wide = EditorState.create({ doc: schema.node('doc', null, [blockToEditor(paragraph('p', 'one two three'))]) });
const middle = wide.apply(wide.tr.setSelection(TextSelection.create(wide.doc, 8)));
const around = middle.apply(applied(middle, [paragraph('p', 'here one two three there')]));
assert.equal(around.apply(around.tr.insertText('!')).doc.textContent, 'here one two! three there');
// One side of a block that stands inside of another one.
const inner = stateOf([things]);
assert.equal(inner.apply(exchanged(inner, 'bp', blockToEditor(paragraph('bp', 'chosen')))).doc.textContent, 'onechosenthree');

// The others have taken away the only block there is: it goes as well where theirs is chosen.
const alone = stateOf([paragraph('p', 'alone')]);
assert.equal(alone.apply(exchanged(alone, 'p', null)).doc.textContent, '');
const one = stateOf([list('l', item('i', paragraph('ip', 'one')))]);
for (const name of ['l', 'i', 'ip']) assert.equal(one.apply(exchanged(one, name, null)).doc.textContent, '', name);

// Enter before a text: the text keeps its name, and what others write in it meanwhile comes to it.
const whole = stateOf([paragraph('o', 'other'), paragraph('p', 'the tide')]);
let split = whole.apply(whole.tr.split(8));
const pieces = blocksIn(split);
assert.deepEqual(pieces.map((piece) => [piece.key === 'p', said(piece)]), [[false, 'other'], [false, ''], [true, 'the tide']]);
merged = merge([paragraph('o', 'other'), paragraph('p', 'the tide')], [paragraph('o', 'other'), paragraph('p', 'the tide is high')], pieces);
assert.deepEqual([merged.blocks.map(said), merged.clashes.length], [['other', '', 'the tide is high'], 0]);
// Enter in the middle and at the end: what is behind is new.
for (const at of [10, 16]) {
  split = whole.apply(whole.tr.split(at));
  assert.equal(blocksIn(split)[1].key, 'p');
}
// Marks of one and words of the other.
const strong = (value) => schema.text(value, [schema.marks.bold.create()]);
const marked = mergedText(Fragment.from(schema.text('a red car')), Fragment.from(schema.text('a red bus')),
  Fragment.from([schema.text('a '), strong('red'), schema.text(' car')]), 'both');
assert.deepEqual(marked.content.toJSON().map((one) => [one.text, one.marks?.length ?? 0]), [['a ', 0], ['red', 1], [' bus', 0]]);
// Marks of both on the same letters: each has its own; where a link leads is asked for when both have said so.
const linkTo = (url) => schema.marks.link.create({ json: { object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url } } }, turn: 0 });
const [bold, italic] = ['bold', 'italic'].map((name) => schema.marks[name].create());
const marksOf = (before, theirs, mine, prefer = 'both') => {
  const [old, their, my] = [before, theirs, mine].map((marks) => Fragment.from(schema.text('red', marks)));
  const { content, clashes } = mergedText(old, their, my, prefer);
  return [content.firstChild.marks.map((mark) => mark.attrs.json?.data.ref.url ?? mark.type.name).sort(), clashes];
};
assert.deepEqual(marksOf([], [linkTo('/a')], [bold]), [['/a', 'bold'], false]);
assert.deepEqual(marksOf([linkTo('/a')], [linkTo('/b')], [linkTo('/a'), italic]), [['/b', 'italic'], false]);
assert.deepEqual(marksOf([bold], [italic, bold], []), [['italic'], false]);
assert.deepEqual(marksOf([bold], [], [bold, italic]), [['italic'], false]);
assert.deepEqual(marksOf([], [linkTo('/a')], [linkTo('/b')]), [['/b'], true]);
assert.deepEqual(marksOf([], [linkTo('/a')], [linkTo('/b')], 'theirs'), [['/a'], true]);
// A reference is one value: half of it would lead somewhere else.
const reference = (page, space) => ({ ref: { kind: 'page', page, space } });
assert.deepEqual(mergedValue(reference('a', 's'), reference('b', 's'), reference('a', 't'), 'both').value, reference('a', 't'));

// A file comes to where it was dropped, whatever others and its owner write above it until it is there; a second one behind it.
// Whoever writes elsewhere stays there.
let written = stateOf([paragraph('a', 'above'), paragraph('b', 'here'), paragraph('c', 'below')]);
const caretAt = (state, at) => state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
written = caretAt(written, 9);
const dropped = new Place(written);
const move = (tr) => {
  const next = written.applyTransaction(tr);
  dropped.moved(next.transactions);
  written = next.state;
};
move(applied(written, [paragraph('n', 'of others'), paragraph('a', 'above it'), paragraph('b', 'just here'), paragraph('c', 'below')]));
move(written.tr.setSelection(TextSelection.create(written.doc, 3)));
move(written.tr.insertText('me '));
for (const number of [1, 2]) dropped.put(written, schema.node('heading_1', null, [schema.text(`file ${number}`)]), move);
move(written.tr.insertText('too '));
assert.deepEqual(blocksIn(written).map(said), ['ofme too  others', 'above it', 'just here', 'file 1', 'file 2', 'below']);
// Where nobody has gone away the caret goes on behind it.
written = caretAt(stateOf([paragraph('a', 'above'), paragraph('b', 'here')]), 3);
new Place(written).put(written, schema.node('heading_1', null, [schema.text('file')]), move);
move(written.tr.insertText('my '));
assert.deepEqual(blocksIn(written).map(said), ['above', 'my file', 'here']);

console.log(JSON.stringify(counts));
