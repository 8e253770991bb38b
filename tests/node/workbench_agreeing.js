// Two people who do the same in one page of the Workbench, or what touches the same: it is done once, and both see one page.
// Documents come as lines of JSON.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beginAt, beginWords, blocksIn, goneOfBoth, random, several, stateOf, textblocks, textIn } from './workbench_people.js';

const sources = '../../app/src/editor';
const { applied } = await import(`${sources}/applying.ts`);
const { editsBetween, meaning } = await import(`${sources}/changes.ts`);
const { documentToEditor } = await import(`${sources}/convert.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);

const shown = (blocks) => blocks.map((one) => [one.key, meaning(one)]);
const said = (node) => (node.leaves ? node.leaves.map((one) => one.text).join('') : [...(node.nodes ?? []), ...(node.fragments ?? [])].map(said).join('\n'));
const wordsOf = (blocks) => {
  const counts = new Map();
  for (const word of blocks.map(said).join('\n').match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};
const counts = { rounds: 0, once: 0, twice: 0, otherwise: 0, clashes: 0 };
const shownTo = (...sides) => sides.map(([name, blocks]) => `\n${name} ${textIn(blocks)}`).join('');

/** What comes of it is a document, in both editors, with small steps, and stays as it is when it comes back. */
function settles(state, other, blocks, renaming) {
  const after = state.apply(applied(state, blocks, renaming));
  after.doc.check();
  if (blocks.length > 0) assert.deepEqual(shown(blocksIn(after)), shown(blocks));
  const theirs = blocksIn(other);
  const back = merge(theirs, blocks, theirs);
  assert.deepEqual(shown(back.blocks), shown(blocks));
  const there = other.apply(applied(other, back.blocks, back.renaming));
  there.doc.check();
  if (blocks.length > 0) assert.deepEqual(shown(blocksIn(there)), shown(blocks));
}

function round(base, turn) {
  const from = 1 + random(2 ** 30);
  const twice = [0, 1].map(() => {
    beginAt(from);
    beginWords();
    return several(stateOf(base), 'both', 1 + (turn % 3)).state;
  });
  const [theirs, mine] = twice.map(blocksIn);
  assert.deepEqual(theirs.map(said), mine.map(said));
  
  const { blocks, clashes, renaming } = merge(base, theirs, mine);
  const sides = shownTo(['base', base], ['theirs', theirs], ['mine', mine], ['merged', blocks]);
  // The same of both is theirs, with its names: there is nothing to save, and nothing to ask.
  assert.deepEqual([shown(blocks), clashes.length], [shown(theirs), 0], sides);
  assert.deepEqual(editsBetween(theirs, blocks), [], sides);
  settles(twice[1], twice[0], blocks, renaming);
  counts.once += 1;

  // And then each goes on alone: nothing of either is lost, and nothing stands there twice.
  const [other, me] = twice.map((state, index) => several(state, ['other', 'me'][index], 1 + random(3)));
  const [there, here] = [other, me].map(({ state }) => blocksIn(state));
  const further = shownTo(['base', base], ['theirs', there], ['mine', here]);
  const merged = merge(base, there, here);
  const all = textIn([merged.blocks, merged.clashes]);
  for (const word of [...other.typed, ...me.typed]) assert.ok(all.includes(word), `${word} is lost${further}${shownTo(['merged', merged.blocks])}`);
  assert.deepEqual(goneOfBoth(base, there, here, merged), [], further);
  settles(me.state, other.state, merged.blocks, merged.renaming);
  counts.clashes += merged.clashes.length;
  counts.rounds += 1;
  // Whoever of both saves second, the same words stand there; where both have moved one block it stands as one of them has it.
  const otherwise = merge(base, here, there);
  if (merged.clashes.length > 0 || otherwise.clashes.length > 0) return;
  if (textIn([...wordsOf(merged.blocks)].sort()) !== textIn([...wordsOf(otherwise.blocks)].sort())) counts.otherwise += 1;
  const [before, their, my, now] = [base, there, here, merged.blocks].map(wordsOf);
  const isTwice = [...now].some(([word, count]) => {
    const [was, left, right] = [before, their, my].map((words) => words.get(word) ?? 0);
    // Pieces of words that nobody has are no words that stand there twice.
    return was + left + right > 0 && count > Math.max(left, right, left + right - was);
  });
  if (isTwice) counts.twice += 1;
}

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { nodes } = JSON.parse(line);
  if (nodes.length === 0 || textblocks(documentToEditor({ nodes })).length === 0) continue;
  for (let turn = 0; turn < 6; turn += 1) round(nodes, turn);
}
const text = (value) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type, key, ...nodes) => ({ object: 'block', type, isVoid: false, key, data: {}, nodes });
const small = [
  block('paragraph', 'p', text('The tide is high in the morning and low at noon')),
  block('paragraph', 'o', text('Boats leave with the ebb')),
  block('list-unordered', 'l', block('list-item', 'i', block('paragraph', 'ip', text('one thing here'))), block('list-item', 'j', block('paragraph', 'jp', text('another thing there')))),
];
for (let turn = 0; turn < 400; turn += 1) round(small, turn);
// Where one takes away the beginning of a text that the other splits, its words may stand there twice, and are never gone.
for (const few of [counts.twice, counts.otherwise]) assert.ok(few * 100 <= counts.rounds, textIn(counts));

// Each single change of both is done once, with nothing to ask; beside it, what one has written in it meanwhile.
const p = (key, value) => block('paragraph', key, text(value));
const of = (blocks) => blocks.map((one) => [one.type, said(one)]);
const [high, low] = [p('p', 'The tide is high'), p('q', 'and low at noon')];
for (const [what, base, theirs, mine, expected] of [
  ['split', [high], [p('p', 'The tide '), p('n', 'is high')], [p('p', 'The tide '), p('m', 'is high')], ['The tide ', 'is high']],
  ['split, and written in', [high], [p('p', 'The tide now '), p('n', 'is high')], [p('p', 'The tide '), p('m', 'is very high')], ['The tide now ', 'is very high']],
  ['split here and written in there', [high], [p('p', 'The tide is very high')], [p('p', 'The tide '), p('m', 'is high')], ['The tide ', 'is very high']],
  ['written in here and split there', [high], [p('p', 'The tide '), p('m', 'is high')], [p('p', 'The tide is high today')], ['The tide ', 'is high today']],
  ['split here and put above there', [high], [block('blockquote', 'b', p('p', 'The tide ')), p('n', 'is high')], [p('m', 'is high'), p('p', 'The tide ')], ['is high', 'The tide ', '']],
  ['split in two places', [high], [p('p', 'The '), p('n', 'tide is high')], [p('p', 'The tide is '), p('m', 'high')], ['The ', 'tide is ', 'high']],
  ['split in a word', [high], [p('p', 'The ti'), p('n', 'de is high')], [p('p', 'The ti'), p('m', 'de is high')], ['The ti', 'de is high']],
  ['split in two places of one word', [high], [p('p', 'The ti'), p('n', 'de is high')], [p('p', 'The t'), p('m', 'ide is high')], ['The t', 'i', 'de is high']],
  ['split in a word that the other writes in', [high], [p('p', 'The tid'), p('n', 'e is high')], [p('p', 'The t new ide is high')], ['The t new id', 'e is high']],
  ['split in a word, and written in before and behind', [high], [p('p', 'The t'), p('n', 'ide now is high')], [p('p', 'The ti is'), p('m', 'de is high')], ['The t', 'i is', 'de now is high']],
  ['split in a word that is gone', [high], [p('p', 'The ti'), p('n', 'de is high')], [p('p', 'The  is high')], ['The ', ' is high']],
  ['split in a word twice, and once', [high], [p('p', 'The t'), p('n', 'id'), p('k', 'e is high')], [p('p', 'The tide'), p('m', ' is high')], ['The t', 'id', 'e', ' is high']],
  ['joined there and deleted here', [high, low], [p('p', 'The tide is highand low at noon')], [p('q', 'and low at noon')], ['and low at noon']],
  ['joined', [high, low], [p('p', 'The tide is high and low at noon')], [p('p', 'The tide is high and low at noon')], ['The tide is high and low at noon']],
  ['joined here and written in there', [high, low], [high, p('q', 'and very low at noon')], [p('p', 'The tide is highand low at noon')], ['The tide is highand very low at noon']],
  ['joined, and more with it', [high, low, p('r', 'today')], [high, p('q', 'and low at noontoday')], [p('p', 'The tide is highand low at noon'), p('r', 'today')], ['The tide is highand low at noontoday']],
  ['deleted', [high, low], [low], [low], ['and low at noon']],
  ['inserted', [high], [high, p('n', 'new')], [high, p('m', 'new')], ['The tide is high', 'new']],
  ['inserted among others', [high], [high, p('n', 'new'), p('o', 'theirs')], [high, p('k', 'mine'), p('m', 'new')], ['The tide is high', 'mine', 'new', 'theirs']],
  ['heading', [high], [{ ...high, type: 'heading-1' }], [{ ...high, type: 'heading-1' }], ['The tide is high']],
  ['list', [high], [block('list-unordered', 'a', block('list-item', 'b', high))], [block('list-unordered', 'c', block('list-item', 'd', p('p', 'The tide is very high')))], ['The tide is very high']],
  ['quote around more', [high, low], [block('blockquote', 'a', high), low], [block('blockquote', 'b', high, low)], ['The tide is high\nand low at noon']],
  ['item', [block('list-unordered', 'l', block('list-item', 'i', high))],
    [block('list-unordered', 'l', block('list-item', 'i', p('p', 'The tide ')), block('list-item', 'j', p('n', 'is high')))],
    [block('list-unordered', 'l', block('list-item', 'i', p('p', 'The tide ')), block('list-item', 'k', p('m', 'is high today')))], ['The tide \nis high today']],
  ['moved', [high, low, p('r', 'x'), p('s', 'y')], [low, high, p('r', 'x'), p('s', 'y')], [high, low, p('s', 'y'), p('r', 'x')], ['and low at noon', 'The tide is high', 'y', 'x']],
]) {
  const merged = merge(base, theirs, mine);
  assert.deepEqual([of(merged.blocks).map(([, words]) => words), merged.clashes.length], [expected, 0], what);
  const [was, there, here] = [base, theirs, mine].map((blocks) => stateOf(blocks));
  settles(here, there, merged.blocks, merged.renaming);
  was.doc.check();
}

console.log(JSON.stringify(counts));
