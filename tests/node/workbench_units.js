// What the Workbench works out by itself, in Node without a browser: the difference between two
// documents, addresses below a space, and outlines. TypeScript is read as it is.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; this one stands beside this script.
const beside = import.meta.url;
// What is drawn is not looked at here: of its library what waits is enough.
const react = 'data:text/javascript,export const use = (promise) => { throw promise; }, createElement = (part) => part, useEffect = () => undefined;';
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'react' ? { url: react, shortCircuit: true } : next(specifier, specifier === 'diff' ? { ...context, parentURL: beside } : context)),
});

const sources = '../../app/src';
const { blocksBetween, meaningOf } = await import(`${sources}/review/block-diff.ts`);
const { rowsBetween } = await import(`${sources}/review/rows.ts`);
const { Gathered } = await import(`${sources}/space/gathered.ts`);
const { checkOf, mayBypass } = await import(`${sources}/review/checks.ts`);
const { behind } = await import(`${sources}/review/sent.ts`);
const { keep, keyOfVariables } = await import(`${sources}/graph/kept.ts`);
const { gatherer } = await import(`${sources}/live/gather.ts`);
const { decoded, routeOf } = await import(`${sources}/space/route.ts`);
const { destinationOf, hereOf, isWithin, mayStandBelow, moveTo, placeOf, ROOT } = await import(`${sources}/space/tree-moves.ts`);
const { Turns } = await import(`${sources}/space/turns.ts`);
const { aside, forgetPeople, linked, matching, peopleOf, pieces, remember, unlinked } = await import(`${sources}/review/mentions.ts`);
const { asInput, behindLook, changed } = await import(`${sources}/admin/sites/look-input.ts`);
const { GROUPS, noteUse, offered, recentOf, sectionsOf } = await import(`${sources}/editor/insert-search.ts`);
const catalogues = { en: (await import(`${sources}/texts/en.ts`)).en, de: (await import(`${sources}/texts/de.ts`)).de };
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

// Of lists and tables both sides can be read from what has changed, item by item and cell by cell.
const item = (value, ...inner) => ({ object: 'block', type: 'list-item', data: {}, nodes: [paragraph(value), ...inner] });
const list = (items, type = 'list-ordered') => ({ object: 'block', type, data: {}, nodes: items });
const table = (rows, titles = ['a', 'b']) => ({
  object: 'block', type: 'table',
  data: {
    view: { type: 'grid', columns: ['a', 'b'] },
    definition: { a: { id: 'a', title: titles[0], type: 'text' }, b: { id: 'b', title: titles[1], type: 'number' } },
    records: Object.fromEntries(rows.map(([name, number], index) => [`r${index}`, { orderIndex: String(index).padStart(3, '0'), values: { a: `f${index}`, b: number } }])),
  },
  fragments: rows.map(([name], index) => ({ object: 'fragment', type: 'table-cell', fragment: `f${index}`, nodes: [paragraph(name)] })),
});
const sideOf = ({ changes }, without) => changes.flatMap((change) => {
  if (change.kind === without) return [];
  const rows = change.kind === 'same' ? change.rows : [change.row];
  return rows.map(({ cells }) => cells.map((words) => words.filter((word) => word.kind !== without).map((word) => word.text).join('')));
});
for (let round = 0; round < 150; round += 1) {
  const rows = Array.from({ length: 1 + random(6) }, () => [sentence(), random(9)]);
  const others = rows.flatMap((row) => [[row], [], [[`${row[0]} ${sentence()}`, row[1]]], [row, [sentence(), random(9)]]][random(4)]);
  const tables = rowsBetween(table(rows), table(others));
  assert.deepEqual([sideOf(tables, 'added'), sideOf(tables, 'removed')], [rows, others].map((all) => all.map(([name, number]) => [name, String(number)])));
  const lists = rowsBetween(list(rows.map(([name]) => item(name))), list(others.map(([name]) => item(name))));
  assert.deepEqual([sideOf(lists, 'added'), sideOf(lists, 'removed')], [rows, others].map((all) => all.map(([name]) => [name])));
}
// What was put before others has not changed them, though they have other numbers; lists in lists stand behind their item.
const longer = rowsBetween(list([item('Mast'), item('Cable', list([item('Long')], 'list-tasks'))]), list([item('Bolt'), item('Mast'), item('Cable', list([item('Long')], 'list-tasks'))]));
assert.deepEqual(longer.changes.map((change) => change.kind), ['added', 'same']);
assert.deepEqual(longer.changes[1].rows.map(({ sign, depth }) => [sign, depth]), [['2.', 0], ['3.', 0], ['☐', 1]]);
assert.deepEqual(rowsBetween(table([]), table([], ['a', 'c'])).head[1].map((word) => [word.kind, word.text]), [['removed', 'b'], ['added', 'c']]);
assert.equal(rowsBetween(paragraph('a'), paragraph('b')), null);
// Items and cells whose marks or links alone are others have changed; which of them is said.
const written = (text, marks = [], url = null) => {
  const leaf = { object: 'text', leaves: [{ object: 'leaf', text, marks: marks.map((type) => ({ object: 'mark', type })) }] };
  const nodes = url === null ? [leaf] : [{ object: 'inline', type: 'link', data: { ref: { kind: 'url', url } }, nodes: [leaf] }];
  return { object: 'block', type: 'paragraph', data: {}, nodes };
};
const shownOf = (before, after) => rowsBetween(before, after).changes.flatMap((change) =>
  change.kind === 'same' ? change.rows.map(() => 'same') : [[change.kind, [...change.row.onlyForm]]]);
for (const [was, is] of [[written('Mast'), written('Mast', ['bold'])], [written('Mast', [], 'https://a.example'), written('Mast', [], 'https://b.example')]]) {
  for (const isNamed of [false, true]) {
    const of = (node, key, ...inner) => ({ ...item(''), nodes: [node, ...inner], ...(isNamed ? { key } : {}) });
    const other = of(written('Cable'), 'c');
    assert.deepEqual(shownOf(list([of(was, 'm'), other]), list([of(is, 'm'), other])), [['edited', [0]], 'same']);
    // That of an inner list is that of its item, not of the one around it.
    assert.deepEqual(shownOf(list([of(written('Around'), 'a', list([of(was, 'm')]))]), list([of(written('Around'), 'a', list([of(is, 'm')]))])), ['same', ['edited', [0]]]);
  }
  const cells = (node) => {
    const one = table([['', 1], ['Rope', 2]]);
    return { ...one, fragments: [{ ...one.fragments[0], nodes: [node] }, one.fragments[1]] };
  };
  assert.deepEqual(shownOf(cells(was), cells(is)), [['edited', [0]], 'same']);
  assert.deepEqual(shownOf(cells(was), cells(structuredClone(was))), ['same', 'same']);
}

// Changes right behind each other are said once each, and undone from the last.
const gathered = new Gathered();
for (const [about, said] of [['a', 'a to 2'], ['b', 'b to 1'], ['a', 'a to 3']]) gathered.add('move', about, said, [said]);
assert.deepEqual(gathered.take(), { said: ['b to 1', 'a to 3'], back: ['a to 3', 'b to 1', 'a to 2'] });
gathered.add('move', 'a', 'a', ['a']);
gathered.add('move', 'b', 'b', null);
assert.deepEqual(gathered.take(), { said: ['a', 'b'], back: null });
assert.deepEqual(gathered.take(), { said: [], back: [] });
// What is of another kind is undone by itself.
gathered.add('rename', 'a', 'renamed', ['its name']);
gathered.add('remove', 'a', 'removed', ['the page']);
assert.deepEqual(gathered.take(), { said: ['renamed', 'removed'], back: ['the page'] });

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
// What was changed in the form while the rest was saved stays to be saved.
assert.equal(behindLook('', { title: 'A' }), '');
assert.equal(behindLook('{"title":"A","styling":{"theme":"BOLD"}}', { title: 'A', styling: { theme: 'BOLD' } }), '');
assert.equal(behindLook('{"title":"AB","styling":{"theme":"BOLD"}}', { title: 'A', styling: { theme: 'BOLD' } }), '{"title":"AB"}');

// What others have saved meanwhile stays, also in a group of settings of which one was changed here.
assert.deepEqual(
  changed({ title: 'A', styling: { theme: 'CLEAN', corners: 'STRAIGHT' }, links: [1] }, { styling: { theme: 'BOLD' }, links: [2], footer: { copyright: null } }),
  { title: 'A', styling: { theme: 'BOLD', corners: 'STRAIGHT' }, links: [2], footer: { copyright: null } },
);

// One after the other; what waits behind a refusal or a fault is given up, and what comes later begins anew.
for (const bad of [async () => false, async () => { throw new Error('fault'); }]) {
  const turns = new Turns();
  const done = [];
  const write = (name) => async () => (await null, done.push(name), true);
  const all = [
    turns.take(write('one'), () => done.push('no one')), turns.take(bad, () => done.push('no two')),
    turns.take(write('three'), () => done.push('no three')), turns.take(write('four'), () => done.push('no four')),
  ];
  const results = (await Promise.allSettled(all)).map((one) => one.value ?? one.reason.message);
  assert.deepEqual(results.map((one) => (one === 'fault' ? false : one)), [true, false, false, false]);
  assert.deepEqual(done.filter((one) => one !== 'no two'), ['one', 'no three', 'no four']);
  // What was shown at once of a write that has a fault is taken back.
  assert.equal(done.includes('no two'), results[1] === 'fault');
  assert.ok(turns.isLast);
  assert.equal(await turns.take(write('five'), () => done.push('no five')), true);
}

// People who were chosen are links, whatever their names have; code is what it is.
const named = (entries) => Object.fromEntries(Object.entries(entries).map(([name, url]) => [name, { id: url.slice(-1), name, url }]));
const people = named({ Ada: '/u/1', 'Ada B': '/u/2', 'x](javascript:alert(1))': '/u/3', 'A &lt; *B*': '/u/4' });
assert.equal(linked('@Ada and @Ada B, not me@Ada or @Adam', people), '[@Ada](/u/1) and [@Ada B](/u/2), not me@Ada or @Adam');
assert.equal(linked('`@Ada` ``a`@Ada`` ```\n@Ada\n``` @Ada`', people), '`@Ada` ``a`@Ada`` ```\n@Ada\n``` [@Ada](/u/1)`');
assert.equal(linked('@x](javascript:alert(1)) @A &lt; *B*!', people), '[@x\\](javascript:alert(1))](/u/3) [@A \\&lt; \\*B\\*](/u/4)!');
// Single ticks of two paragraphs are no code, nor are those that stand for themselves; lines of code are, whatever they stand in.
for (const sent of [
  'It`s late.\n\n[@Ada](/u/1) look\n\nIt`s done', '\\`[@Ada](/u/1)\\`', '`It\n@Ada`', '```\n\n@Ada\n\n```\n[@Ada](/u/1)', '~~~\n@Ada\n~~~\n[@Ada](/u/1)',
  '- ```\n  @Ada\n  ```\n- [@Ada](/u/1)', '```js\n@Ada', '\\@Ada', '[see @Ada](/there) [@Ada](/u/1)', 'https://a.test/@Ada',
]) assert.equal(linked(sent.replaceAll('[@Ada](/u/1)', '@Ada'), people), sent);
// A description is no Markdown.
assert.equal(pieces('`@Ada`', people, false).length, 3);

// Two people of one name are two in the list, in the text and in what is sent; and each is who they were when it is written on.
const store = new Map();
globalThis.location = { origin: 'https://docs.test' };
globalThis.sessionStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value), removeItem: (key) => store.delete(key) };
const person = (id, displayName, email) => ({ id, displayName, email, urls: { location: `https://docs.test/v1/users/${id}` } });
const all = [person('u1', 'Sam Lee', 'sam@a.test'), person('u2', 'sam lee', 'lee@b.test'), person('u3', 'Sam Lee', null), person('u4', 'Samira', 'sa@a.test')];
assert.deepEqual(all.map((one) => aside(one, all)), ['sam@a.test', 'lee@b.test', 'u3', null]);
assert.deepEqual(matching(all, 'sam').map((one) => one.id), ['u1', 'u2', 'u3', 'u4']);
assert.deepEqual(matching(all, 'lee@b').map((one) => one.id), ['u2']);
const chosen = all.map((one) => `@${remember({ id: one.id, name: one.displayName, url: one.urls.location }, aside(one, all), 'a draft')}`);
assert.deepEqual(chosen, ['@Sam Lee (sam@a.test)', '@sam lee (lee@b.test)', '@Sam Lee (u3)', '@Samira']);
const meant = `${chosen.join(', ')}: \`${chosen[0]}\` and Sam Lee`;
assert.deepEqual(pieces(meant, peopleOf('a draft'), true).filter((one) => one.id).map((one) => one.id), ['u1', 'u2', 'u3', 'u4']);
const sentNames = linked(meant, peopleOf('a draft'));
assert.equal(sentNames, `${all.map((one) => `[@${one.displayName}](${one.urls.location})`).join(', ')}: \`@Sam Lee (sam@a.test)\` and Sam Lee`);
// The same words in another text are words.
assert.equal(linked(meant, peopleOf('another')), meant);
forgetPeople('a draft');
assert.equal(store.size, 0);
const again = unlinked(sentNames, 'a draft');
assert.equal(again.split(':')[0], '@Sam Lee, @sam lee, @Sam Lee (u3), @Samira');
assert.equal(linked(again, peopleOf('a draft')), sentNames);
for (const one of ['[@Sam](https://elsewhere.test/sam)', '[Sam](/v1/users/u1)', '[@sam](https://elsewhere.test/v1/users/u1)', '[@sam](//elsewhere.test/v1/users/u1)', '\\[@Sam](/v1/users/u1)', '`[@Sam](/v1/users/u1)`']) {
  assert.equal(unlinked(one, 'a draft'), one);
}

// What is inserted is found by its name and by other words for it, in either language.
const kept = new Map();
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }, configurable: true });
for (const { editor: { insertions } } of Object.values(catalogues)) {
  const every = Object.keys(insertions);
  assert.deepEqual(Object.values(GROUPS).flat().sort(), [...every].sort());
  for (const [id, label] of Object.entries(insertions)) {
    for (const words of [label, label.toUpperCase(), ` ${label} `]) assert.equal(offered(words, insertions, [])[0], id, words);
    // The first letters do, and what comes first with them.
    assert.ok(offered(label.slice(0, 3), insertions, []).includes(id), label);
  }
  const first = {
    callout: 'hint', admonition: 'hint', hint: 'hint', Hinweis: 'hint', note: 'hint', WARNUNG: 'hint', todo: 'tasks', 'to-do': 'tasks', Checkliste: 'tasks', 'bullet list': 'bullets',
    aufzahlung: 'bullets', Aufzählung: 'bullets', h2: 'heading2', überschrift: 'heading1', accordion: 'expandable', toggle: 'expandable', latex: 'math', Formel: 'math',
    video: 'embed', screenshot: 'image', Bild: 'image', changelog: 'updates', if: 'condition', swagger: 'apiOperation', 'code block': 'code', snippet: 'code', anhang: 'file',
    'horizontal rule': 'divider', seite: 'pageLink', 'synced block': 'reusable',
  };
  for (const [words, id] of Object.entries(first)) assert.equal(offered(words, insertions, [])[0], id, words);
  assert.deepEqual(offered('there is none', insertions, []), []);
  for (const words of ['', ' ', 'e', 'api', 'ta', 'list']) {
    for (const recent of [[], ['table', 'hint']]) {
      const ids = offered(words, insertions, recent);
      assert.equal(new Set(ids).size, ids.length);
      // What is drawn has the order in which the arrows go.
      assert.deepEqual(sectionsOf(ids, words, recent).flatMap((section) => section.ids), ids);
      if (words.trim() === '') assert.deepEqual([ids.slice(0, recent.length), ids.length], [recent, every.length]);
    }
  }
}
for (const id of ['hint', 'table', 'code', 'hint', 'image', 'tabs']) noteUse('ada', id);
assert.deepEqual(recentOf('ada'), ['tabs', 'image', 'hint', 'code']);
assert.deepEqual(recentOf('chidi'), []);
for (const bad of ['{', '7', 'null', '["gone", 5, "hint"]']) {
  kept.set('docstead-inserted bad', bad);
  assert.deepEqual(recentOf('bad'), bad.includes('hint') ? ['hint'] : []);
}

// A part that could not be loaded ahead is loaded when somebody opens it; there they hear of it, once.
globalThis.window = { setTimeout: (work) => setTimeout(work), clearTimeout, addEventListener: () => undefined, removeEventListener: () => undefined };
Object.defineProperty(navigator, 'onLine', { value: true });
{
  const { part } = await import(`${sources}/ui/part.ts`);
  let isGone = true;
  const View = () => 'there';
  const load = async () => {
    if (isGone) throw new Error('gone');
    return { default: View };
  };
  const thrownBy = (shown) => {
    try {
      shown({});
    } catch (promise) {
      return promise;
    }
    return null;
  };
  const later = part(load);
  await assert.rejects(later.bring(), /gone/u);
  isGone = false;
  await thrownBy(later);
  assert.equal(later({}), View);
  isGone = true;
  const never = part(load);
  const waits = thrownBy(never);
  await assert.rejects(waits, /gone/u);
  assert.equal(thrownBy(never), waits);
}

process.stdout.write('fine');
