// What the Workbench works out by itself, in Node without a browser: the difference between two
// documents, addresses below a space, and outlines. TypeScript is read as it is.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; this one stands beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'diff' ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src';
const { blocksBetween, meaningOf, wordsBetween } = await import(`${sources}/review/block-diff.ts`);
const { checkOf, mayBypass } = await import(`${sources}/review/checks.ts`);
const { routeOf } = await import(`${sources}/space/route.ts`);
const { outlineOf, textOf } = await import(`${sources}/document/text.ts`);

const text = (value) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type, value, key) => ({ object: 'block', type, key, data: {}, nodes: [text(value)] });
const paragraph = (value, key) => block('paragraph', value, key);

// A small generator with a seed, so that a failure can be repeated.
let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
const WORDS = ['tide', 'gauge', 'mast', 'level', 'read', 'the', 'battery', 'öl', '日本', 'x'];
const sentence = () => Array.from({ length: 1 + random(8) }, () => WORDS[random(WORDS.length)]).join(' ');

function replay(changes) {
  const before = [];
  const after = [];
  for (const change of changes) {
    if (change.kind === 'same') {
      before.push(...change.blocks);
      after.push(...change.blocks);
    } else if (change.kind === 'added') after.push(change.block);
    else if (change.kind === 'removed') before.push(change.block);
    else {
      before.push(change.before);
      after.push(change.after);
      const side = (without) => change.words.filter((word) => word.kind !== without).map((word) => word.text).join('');
      assert.equal(side('added'), textOf(change.before));
      assert.equal(side('removed'), textOf(change.after));
    }
  }
  return { before: before.map(meaningOf), after: after.map(meaningOf) };
}

// Whatever changes, both documents can be made of the difference again, with nothing lost or twice.
for (let round = 0; round < 150; round += 1) {
  const before = Array.from({ length: random(9) }, (_, index) => block(random(3) ? 'paragraph' : 'heading-1', sentence(), `k${index}`));
  const after = before.flatMap((one) => {
    const choice = random(6);
    if (choice === 0) return [];
    if (choice === 1) return [paragraph(sentence()), one];
    return choice === 2 ? [paragraph(sentence(), one.key)] : [one];
  });
  const again = replay(blocksBetween(before, after));
  assert.deepEqual(again, { before: before.map(meaningOf), after: after.map(meaningOf) });
}

// One word of a paragraph is one edited block with one word; what is not alike is not paired.
const edited = blocksBetween([paragraph('Hold the key down', 'a')], [paragraph('Hold the key up', 'a')]);
assert.deepEqual(edited.map((change) => change.kind), ['edited']);
assert.deepEqual(edited[0].words.filter((word) => word.kind !== 'same').map((word) => word.text), ['down', 'up']);
const other = blocksBetween([paragraph('Tides', 'a')], [block('heading-1', 'Batteries', 'b')]);
assert.deepEqual(other.map((change) => change.kind), ['removed', 'added']);
// Keys, styles and the order of members mean nothing.
assert.equal(meaningOf({ type: 'p', key: 'a', style: { words: 1 } }), meaningOf({ key: 'b', type: 'p' }));
assert.equal(blocksBetween([paragraph('Same', 'a')], [paragraph('Same', 'b')])[0].kind, 'same');
// Very long texts are not compared word by word.
assert.equal(wordsBetween('a '.repeat(12_000), 'b '.repeat(12_000)).length, 2);

assert.deepEqual(routeOf(''), { view: 'page', path: '' });
assert.deepEqual(routeOf('/guide/in%20stall'), { view: 'page', path: 'guide/in stall' });
assert.deepEqual(routeOf('/~/changes'), { view: 'changes' });
assert.deepEqual(routeOf('/~/changes/7'), { view: 'change', number: '7' });
assert.deepEqual(routeOf('/~/changes/7/guide/a'), { view: 'change-page', number: '7', path: 'guide/a' });
assert.deepEqual(routeOf('/~/revisions'), { view: 'history' });
assert.deepEqual(routeOf('/~/revisions/r/guide'), { view: 'revision-page', id: 'r', path: 'guide' });
assert.deepEqual(routeOf('/~/links'), { view: 'links' });
for (const nowhere of ['/~', '/~/links/x', '/~/anything']) assert.deepEqual(routeOf(nowhere), { view: 'missing' });
assert.deepEqual(routeOf('/%zz'), { view: 'page', path: '%zz' });

const heading = (level, id) => ({ ...block(`heading-${level}`, id), meta: { id } });
const nested = { nodes: [paragraph('x'), { object: 'block', type: 'hint', data: {}, nodes: [heading(2, 'a')] }, heading(3, 'b')] };
assert.deepEqual(outlineOf(nested).map(({ id, level }) => [id, level]), [['a', 1], ['b', 2]]);
assert.deepEqual(outlineOf({ nodes: [] }), []);

const review = (id, status, outdated = false) => ({ status, outdated, reviewer: { id } });
const facts = { outdated: false, subject: ' ', hasDescription: false, waiting: 0, viewer: 'me', reviews: [review('ada', 'APPROVED'), review('bo', 'APPROVED', true)] };
const rule = (name, userIds = []) => ({ rule: name, userIds, expression: null });
const state = (name, users) => checkOf(rule(name, users), facts);
assert.equal(state('require_at_least_one_review'), 'met');
assert.equal(state('require_specific_reviewers', ['ada', 'bo']), 'unmet');
assert.equal(state('require_one_of_specific_reviewers', ['ada', 'bo']), 'met');
assert.equal(state('require_change_request_subject'), 'unmet');
assert.equal(state('require_up_to_date_change_request'), 'met');
assert.equal(checkOf(rule('require_all_reviews_approved'), { ...facts, waiting: 1 }), 'unmet');
assert.equal(state('custom'), 'unknown');
assert.equal(mayBypass([rule('allow_bypass', ['me'])], 'me'), true);
assert.equal(mayBypass([rule('allow_bypass', ['ada'])], 'me'), false);
process.stdout.write('fine');
