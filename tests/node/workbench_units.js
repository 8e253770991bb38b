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
const { behind } = await import(`${sources}/review/sent.ts`);
const { keep, keyOfVariables } = await import(`${sources}/graph/kept.ts`);
const { gatherer } = await import(`${sources}/live/gather.ts`);
const { decoded, routeOf } = await import(`${sources}/space/route.ts`);
const { destinationOf, hereOf, isWithin, mayStandBelow, moveTo, placeOf, ROOT } = await import(`${sources}/space/tree-moves.ts`);
const { asInput } = await import(`${sources}/admin/sites/look-input.ts`);
const { mayStandIn, outlineOf, starsOf, textOf } = await import(`${sources}/document/text.ts`);

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

// The style of a hint is what it is, and that of a block how it is written.
const hint = (style, own) => ({ object: 'block', type: 'hint', style: own, data: { style }, nodes: [paragraph('x')] });
assert.notEqual(meaningOf(hint('info')), meaningOf(hint('danger')));
assert.equal(meaningOf(hint('info', { gap: 2 })), meaningOf(hint('info')));

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

// A chapter that is written anew, such as a translation: twice the blocks are twice the work.
function readsFor(size) {
  let reads = 0;
  const counted = (value) => {
    const leaf = text(value);
    return { object: 'block', type: 'paragraph', data: {}, get nodes() { reads += 1; return [leaf]; } };
  };
  const side = (letter) => Array.from({ length: size }, (_, index) => counted(`${letter}${index} ${letter}${index + 1}`));
  blocksBetween(side('a'), side('b'));
  return reads;
}
assert.ok(readsFor(160) <= 2.3 * readsFor(80));
// The block with the same key is the one that was edited, however many stand before it.
const keyed = blocksBetween([paragraph('One two three', 'k')], [paragraph('One two four', 'x'), paragraph('Five six', 'k')]);
assert.deepEqual(keyed.map((change) => [change.kind, (change.after ?? change.block).key]), [['added', 'x'], ['edited', 'k']]);
// Texts with more than enough different words are shown as a whole.
const many = (letter) => Array.from({ length: 1_900 }, (_, index) => letter + index).join(' ');
assert.deepEqual(wordsBetween(many('a'), many('b')).map((word) => word.kind), ['removed', 'added']);

// Fragments of addresses may be no encoding of anything.
assert.equal(decoded('100%'), '100%');
assert.equal(decoded('%C3%B6l'), 'öl');

// Documents may hold any number as a rating.
const stars = (value, max) => Object.values(starsOf(value, max));
assert.deepEqual([stars(-1, 5), stars(2.6, 5), stars(1e300, 3), stars('x', undefined), stars(4, 1e9), stars(null, -2)],
  [[0, 5], [3, 5], [3, 3], [0, 5], [4, 5], [0, 5]]);

// Reusable contents that hold each other end.
assert.equal(mayStandIn('s a', []), true);
assert.equal(mayStandIn('s a', ['s b', 's a']), false);
assert.equal(mayStandIn('s f', ['s a', 's b', 's c', 's d', 's e']), false);

// What is typed while a comment is on its way stays.
assert.deepEqual([behind('sent', 'sent'), behind('sent and more', 'sent'), behind('other', 'sent')], ['', 'and more', 'other']);

// A view shows data of its own variables alone, and keeps it while it cannot be read anew.
const [old, fresh] = [{ page: 'old' }, { page: 'new' }];
const first = keep(null, 'a', old, false).kept;
assert.equal(keep(first, 'a', undefined, true).shown, old);
assert.equal(keep(first, 'a', undefined, false).shown, undefined);
assert.equal(keep(first, 'a', null, false).shown, null);
const moved = keep(first, 'b', old, false);
assert.equal(moved.shown, undefined);
assert.equal(keep(moved.kept, 'b', undefined, true).shown, undefined);
assert.equal(keep(moved.kept, 'b', fresh, false).shown, fresh);
assert.equal(keyOfVariables({ id: 'a', first: 50 }), keyOfVariables({ id: 'a', first: 100 }));
assert.notEqual(keyOfVariables({ id: 'a' }), keyOfVariables({ id: 'b' }));

// Events: several are one refresh, many in a row are few, and none while nobody looks.
let [now, hidden, refreshes] = [0, false, 0];
const tasks = [];
const gather = gatherer(() => { refreshes += 1; }, {
  now: () => now,
  later: (work, milliseconds) => tasks.push({ at: now + milliseconds, work }),
  random: () => 0.5,
  isHidden: () => hidden,
});
const pass = (milliseconds) => {
  for (const end = now + milliseconds; now < end;) {
    now += 10;
    for (const task of tasks.splice(0)) task.at <= now ? task.work() : tasks.push(task);
  }
};
gather.soon();
gather.soon();
pass(400);
assert.equal(refreshes, 1);
for (let event = 0; event < 300; event += 1) {
  gather.soon();
  pass(50);
}
assert.ok(refreshes >= 8 && refreshes <= 12, String(refreshes));
pass(5_000);
[hidden, refreshes] = [true, 0];
gather.soon();
pass(5_000);
assert.equal(refreshes, 0);
hidden = false;
gather.seen();
pass(5_000);
assert.equal(refreshes, 1);
gather.seen();
pass(5_000);
assert.equal(refreshes, 1);

// A move in the tree, and the way back: the same levels again; nothing is lost, twice, or below itself.
for (let round = 0; round < 300; round += 1) {
  const levels = new Map([[ROOT, []]]);
  for (let index = 0; index < 2 + random(8); index += 1) {
    const parents = [...levels.keys()];
    const parent = parents[random(parents.length)];
    const page = { pageId: `p${index}`, title: sentence(), __typename: random(5) ? 'DocumentPage' : 'LinkPage' };
    levels.set(parent, [...levels.get(parent), page]);
    if (page.__typename === 'DocumentPage') levels.set(page.pageId, []);
  }
  const shape = () => JSON.stringify([...levels].map(([parent, pages]) => [parent, pages.map((one) => one.pageId)]));
  const all = () => [...levels.values()].flat().map((one) => one.pageId).sort();
  const before = shape();
  const ids = all();
  const id = ids[random(ids.length)];
  const step = ['up', 'down', 'in', 'out'][random(4)];
  const to = destinationOf(levels, id, step);
  if (to === null) continue;
  const back = hereOf(levels, id);
  const above = to.parent === ROOT ? null : placeOf(levels, to.parent).page;
  assert.ok(mayStandBelow(placeOf(levels, id).page, above));
  assert.ok(!isWithin(levels, to.parent, id));
  moveTo(levels, id, to);
  assert.deepEqual(all(), ids);
  assert.notEqual(shape(), before);
  assert.equal(placeOf(levels, id).parent, to.parent);
  moveTo(levels, id, back);
  assert.equal(shape(), before);
}

// What a read of a site's look gave is sent back without types and empty fields, in whatever depth.
assert.deepEqual(
  asInput({ __typename: 'A', title: null, font: { __typename: 'F', fontId: '1', faces: [{ __typename: 'W', weight: 4 }] }, on: false }),
  { font: { id: '1', faces: [{ weight: 4 }] }, on: false },
);

process.stdout.write('fine');
