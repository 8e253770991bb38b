// Two people who write, split, join, delete and move in the same few short paragraphs of the Workbench: the page is the same
// whoever of both saves second, no word stands there twice, none is gone or comes apart - or both are asked, whoever saves second.
// `node workbench_orders.js [rounds] [first round]`: each round begins by its own number, so it can be looked at alone.

import assert from 'node:assert/strict';
import { beginAt, blocksIn, pick, random, stateOf, textblocks, TextSelection } from './workbench_people.js';

const { merge } = await import('../../app/src/editor/merging/tree.ts');
const { joinBackward, splitBlock } = await import('prosemirror-commands');

// Names of new blocks are the same in each run.
crypto.getRandomValues = (bytes) => bytes.map(() => random(256));

const [rounds = 2_000, first = 0] = process.argv.slice(2).map(Number);
const p = (key, text) => ({ object: 'block', type: 'paragraph', isVoid: false, key, data: {}, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] });
const PAGE = [p('a', 'alpha bravo charlie delta'), p('b', 'echo foxtrot golf hotel india'), p('c', 'juliet kilo')];
const saidBy = (node) => (node.leaves ? node.leaves.map((one) => one.text).join('') : (node.nodes ?? []).map(saidBy).join(''));
const textOf = (blocks) => blocks.map(saidBy).join('¶');
const wordsOf = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const times = (text, word) => text.split(word).length - 1;

/** A block to the place of the one above or below it, as the keys do it. */
const moveBlock = (by) => (state, dispatch) => {
  const index = state.selection.$from.index(0);
  const [block, other] = [state.doc.child(index), state.doc.maybeChild(index + by)];
  if (!other) return;
  const start = state.selection.$from.before(1);
  dispatch(state.tr.delete(start, start + block.nodeSize).insert(by > 0 ? start + other.nodeSize : start - other.nodeSize, block));
};

/** What one of both makes of the page, and the words that they have typed; of letters that stand in the page as well where `isAlike`: then only one of them types. */
function edited(base, who, isAlike) {
  let state = stateOf(base);
  const typed = [];
  const run = (command, at) => {
    const there = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
    command(there, (tr) => (state = there.apply(tr)));
  };
  const newWord = () => {
    typed.push(`${who}${typed.length}${isAlike ? pick([...'aeloh']) : 'z'}`);
    return typed.at(-1);
  };
  for (let edits = 1 + random(4); edits > 0; edits -= 1) {
    const { node, position } = pick(textblocks(state.doc));
    const start = position + 1;
    const at = start + random(node.content.size + 1);
    const kind = isAlike && who === 'ao' ? 3 + random(4) : random(9);
    if (kind < 3) {
      const word = newWord();
      state = state.apply(state.tr.insertText(kind < 2 ? ` ${word} ` : word, at));
    } else if (kind < 5) run(splitBlock, at);
    else if (kind === 5) run(joinBackward, start);
    else if (kind === 6) run(moveBlock(pick([-1, 1])), at);
    else if (kind === 7) {
      // In the place of a whole word.
      const words = [...node.textContent.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => !typed.some((one) => word.includes(one)));
      const { 0: word, index } = pick(words) ?? [''];
      if (word) state = state.apply(state.tr.insertText(newWord(), start + index, start + index + word.length));
    }
    else {
      const end = Math.min(start + node.content.size, at + random(10));
      // Not what this person has just typed.
      if (!typed.some((word) => state.doc.textBetween(at, end).includes(word.slice(0, 2)))) state = state.apply(state.tr.delete(at, end));
    }
  }
  return { typed, blocks: blocksIn(state) };
}

const counts = { rounds: 0, asked: 0, oneIsAsked: 0, otherwise: 0, twice: 0, gone: 0 };
const faults = [];
for (let round = first; round < first + rounds; round += 1) {
  beginAt(round * 7_919);
  const base = PAGE.slice(0, 1 + random(PAGE.length));
  const isAlike = round % 2 === 1;
  const [theirs, mine] = (isAlike ? ['eh', 'ao'] : ['qq', 'ww']).map((who) => edited(base, who, isAlike));
  const [one, other] = [merge(base, theirs.blocks, mine.blocks), merge(base, mine.blocks, theirs.blocks)];
  const [was, left, right, text, back] = [base, theirs.blocks, mine.blocks, one.blocks, other.blocks].map(textOf);
  const fault = (what, word = '') => {
    counts[what] += 1;
    faults.push(`${what} ${word} in round ${round}\n  base   ${was}\n  theirs ${left}\n  mine   ${right}\n  merged ${text}\n  other  ${back}`);
  };
  counts.rounds += 1;
  assert.equal(new Set(one.blocks.map(({ key }) => key)).size, one.blocks.length, text);
  const isAsked = one.clashes.length > 0;
  if (isAsked !== other.clashes.length > 0) fault('oneIsAsked');
  if (isAsked) {
    counts.asked += 1;
    continue;
  }
  if (text !== back) fault('otherwise');
  for (const word of [...theirs.typed, ...mine.typed, ...wordsOf(was)]) {
    const [before, their, my, now] = [was, left, right, text].map((said) => times(said, word));
    if (now > Math.max(before, their, my, 1)) fault('twice', word);
    // What is typed is there where it was not split again by who typed it; what stood there where both have left it. Of letters
    // that stand in the page: a word of its own; within another one nobody knows which of the letters was typed.
    const whole = [left, right].map((said) => wordsOf(said).includes(word));
    if (now === 0 && (before > 0 ? whole.every(Boolean) : isAlike ? whole.some(Boolean) : their + my > 0)) fault('gone', word);
  }
}
assert.deepEqual(faults, [], `${faults.slice(0, 5).join('\n')}\n${JSON.stringify(counts)}`);
console.log(JSON.stringify(counts));
