// What bringing together and putting in costs: ten times the blocks, at most twenty times the work of the processor.

import assert from 'node:assert/strict';
import { stateOf, TextSelection } from './workbench_people.js';

const sources = '../../app/src/editor';
const { applied } = await import(`${sources}/applying.ts`);
const { editsBetween } = await import(`${sources}/changes.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);

const text = (value) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type, key, ...nodes) => ({ object: 'block', type, isVoid: false, key, data: {}, nodes });
const p = (key, value) => block('paragraph', key, text(value));
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const words = 'Boats leave with the ebb and come back with the flood of';
const page = (count, more = '', name = 'p') => many(count, (index) => p(`${name}${index}`, `${words} ${index}${more}`));
const inList = (blocks) => [block('list-unordered', 'l', ...blocks.map((one) => block('list-item', `i${one.key}`, one)))];

const [FEW, TIMES, MOST] = [200, 10, 20];

// Each makes what is measured of a count: base, theirs, mine.
const CASES = {
  'all blocks have more words': (count) => [page(count), page(count, ' theirs'), page(count)],
  'each second one has more words of each': (count) => [page(count), page(count).map((one, index) => (index % 2 ? p(one.key, `theirs ${words}`) : one)), page(count).map((one, index) => (index % 2 ? one : p(one.key, `mine ${words}`)))],
  'all were moved': (count) => [page(count), page(count).reverse(), page(count)],
  'others came for half of them': (count) => [page(count), [...page(count / 2), ...page(count / 2, '', 'n')], page(count)],
  'items of one list': (count) => [page(count), page(count, ' theirs'), page(count, ' mine')].map(inList),
  'both have put in the same': (count) => [[p('a', 'begin')], [p('a', 'begin'), ...page(count, '', 't')], [p('a', 'begin'), ...page(count, '', 'm')]],
  'both have split all': (count) => [page(count), ...['t', 'm'].map((who) => page(count).flatMap((one, index) => [p(one.key, 'Boats leave with the ebb '), p(`${who}${index}`, `and come back with the flood of ${index}`)]))],
  'one text, of which both have split each line elsewhere and one has written in each': (count) => {
    const line = (who, before, behind) => many(count, (index) => (index ? p(`${who}${index}`, `${behind} ${index - 1} of ${before}`) : p('a', before)));
    return [[p('a', many(count, (index) => (index ? `back again ${index - 1} of boats leave` : 'boats leave')).join(' '))], line('t', 'boats leave ', 'back again'), line('m', 'boats leave with them ', 'back again')];
  },
  'all were joined, and written in': (count) => [page(count), [p('p0', page(count).map((one) => one.nodes[0].leaves[0].text).join(' '))], page(count).map((one, index) => (index % 9 ? one : p(one.key, `mine ${words} ${index}`)))],
};

const used = (work) => {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user - user + after.system - system) / 1000;
};
const shown = {};
const fresh = (blocks) => JSON.parse(JSON.stringify(blocks));

for (const [what, make] of Object.entries(CASES)) {
  const cost = (count) => {
    const [base, theirs, mine] = make(count).map(fresh);
    const made = stateOf(mine);
    const state = made.apply(made.tr.setSelection(TextSelection.create(made.doc, 4)));
    return used(() => {
      const { blocks, renaming } = merge(base, theirs, mine);
      const tr = applied(state, blocks, renaming);
      assert.equal(tr.steps.length, 1);
      assert.ok(tr.selection instanceof TextSelection);
      editsBetween(theirs, blocks);
      const after = state.apply(tr);
      assert.equal(tr.mapping.map(state.doc.content.size), after.doc.content.size);
    });
  };
  // What is compiled while it runs takes its time first.
  for (let round = 0; round < 3; round += 1) cost(FEW);
  const once = Math.min(...many(3, () => cost(FEW)));
  // The least of three, of which the first that is small enough says so.
  let often = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && often > MOST * once; round += 1) often = Math.min(often, cost(TIMES * FEW));
  shown[what] = [Math.round(once), Math.round(often), Math.round((100 * often) / once) / 100];
}
for (const [what, [, , ratio]] of Object.entries(shown)) assert.ok(ratio <= MOST, `${what}: ${ratio} times the work for ${TIMES} times the blocks`);
console.log(JSON.stringify(shown));
