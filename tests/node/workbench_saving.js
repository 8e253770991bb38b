// Saving of the Workbench without a browser and without a server: what is sent, kept and taken back.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; these stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const stored = new Map();
let isFull = false;
globalThis.localStorage = new Proxy({
  getItem: (key) => stored.get(key) ?? null,
  setItem(key, text) {
    if (isFull) throw new Error('full');
    stored.set(key, text);
  },
  removeItem: (key) => void stored.delete(key),
}, {
  ownKeys: () => [...stored.keys()],
  getOwnPropertyDescriptor: (_, key) => ({ value: stored.get(key), enumerable: true, configurable: true, writable: true }),
});

const sources = '../../app/src/editor';
const { hasArrived, Saving } = await import(`${sources}/saving.ts`);
const { filled, forget, leftOvers, recall, remember } = await import(`${sources}/remembered.ts`);
const { schema } = await import(`${sources}/schema.ts`);

const block = (key, text) => ({ object: 'block', type: 'paragraph', isVoid: false, key, data: {}, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] });

let keys = 0;
function page(doors = {}, blocks = [block('a', 'one')]) {
  const it = { shown: { title: 'Page', blocks }, states: [], writes: [], kept: 0 };
  it.saving = new Saving({ revision: 'r1', title: 'Page', blocks }, {
    now: () => it.shown,
    apply: (blocks, { mine }) => (it.shown = { title: mine, blocks }),
    write: async ({ edits }) => (it.writes.push(edits), { value: `r${it.writes.length + 1}` }),
    read: async () => ({ trouble: 'offline', message: '' }),
    isComposing: () => false,
    isComing: () => false,
    soon: () => it.shown,
    newKey: () => `key ${(keys += 1)}`,
    tell: (state) => it.states.push(state.is),
    remember: () => (it.kept += 1),
    forget: () => undefined,
    later: () => () => undefined,
    ...doors,
  }, () => 0);
  return it;
}
// While a long paste is coming, what is typed is kept without waiting for it, and what comes by itself is not kept each time.
{
  const [turns, kept] = [[], []];
  let isComing = true;
  const whole = () => assert.fail('nothing asks for the rest of the paste');
  const it = page({
    isComing: () => isComing, now: () => (isComing ? whole() : it.shown), soon: () => it.shown,
    remember: (_, blocks) => kept.push(blocks.map((one) => one.nodes[0].leaves[0].text)),
    later: (work, milliseconds) => (turns.push([work, milliseconds]), () => (turns.splice(turns.findIndex(([other]) => other === work), 1))),
  });
  // The timer of what is kept; the other one, which is set behind it, saves.
  const turn = () => turns.sort(([, a], [, b]) => a - b).shift()[0]();
  it.shown = { ...it.shown, blocks: [block('a', 'one'), block('b', 'pasted')] };
  it.saving.changed(false);
  turn();
  assert.deepEqual(kept, []);
  it.shown = { ...it.shown, blocks: [...it.shown.blocks, block('c', 'typed')] };
  it.saving.changed();
  turn();
  assert.deepEqual(kept, [['one', 'pasted', 'typed']]);
  it.shown = { ...it.shown, blocks: [block('a', 'one'), block('b', 'pasted'), block('b2', 'more'), block('c', 'typed')] };
  it.saving.changed(false);
  turn();
  assert.equal(kept.length, 1);
  isComing = false;
  it.saving.keep();
  assert.deepEqual(kept.at(-1), ['one', 'pasted', 'more', 'typed']);
}

const type = (it, text) => (it.shown = { ...it.shown, blocks: [block('a', text)] });
const said = (it) => it.shown.blocks.map((one) => one.nodes.flatMap((inner) => inner.leaves).map((leaf) => leaf.text).join('')).join('|');

// Another person has signed in meanwhile: the server refuses, and the text is kept for whoever wrote it.
let person = 'other';
const two = page({ write: async () => (person === 'me' ? { value: 'r2' } : { trouble: 'another', message: '' }) });
type(two, 'mine');
await two.saving.save();
// Before it is sent, and when it was refused.
assert.deepEqual([two.states.at(-1), two.kept], ['failed', 2]);
person = 'me';
await two.saving.save();
assert.equal(two.states.at(-1), 'saved');

// A write whose answer was lost is sent again as it was, with its key, before what was typed since; so it is there once.
function server(first) {
  const it = { revision: 1, title: 'Page', blocks: [block('a', 'one')], answers: new Map(), lost: first, writes: 0 };
  it.write = async ({ edits, title, revision, key }) => {
    if (!it.answers.has(key)) {
      if (revision !== `r${it.revision}`) return { conflict: true };
      it.writes += 1;
      it.revision += 1;
      it.title = title ?? it.title;
      for (const edit of edits) {
        const at = edit.insert ? it.blocks.findIndex((one) => one.key === edit.insert.place.after) + 1 : it.blocks.findIndex((one) => one.key === edit.replace?.key);
        if (edit.insert) it.blocks = it.blocks.toSpliced(at, 0, ...edit.insert.content.blocks);
        else if (edit.replace) it.blocks = it.blocks.toSpliced(at, 1, ...(edit.replace.content.blocks ?? [block('x', 'read'), block('y', 'too')]));
        else it.blocks = it.blocks.filter((one) => !edit.delete.keys.includes(one.key));
      }
      it.answers.set(key, { value: `r${it.revision}` });
    }
    return it.lost-- > 0 ? { trouble: 'offline', message: '' } : it.answers.get(key);
  };
  it.read = async () => ({ value: { revision: `r${it.revision}`, title: it.title, blocks: it.blocks } });
  return it;
}
const flaky = server(2);
const lost = page({ write: flaky.write, read: flaky.read });
lost.shown = { title: 'Page', blocks: [block('a', 'one'), block('n', 'new')] };
await lost.saving.save();
assert.equal(lost.states.at(-1), 'failed');
// What others write is not taken in before it is known what became of it.
lost.saving.incoming({ revision: 'r2', title: 'Page', blocks: flaky.blocks });
lost.shown = { title: 'Page', blocks: [block('a', 'one'), block('n', 'new words')] };
await lost.saving.save();
await lost.saving.save();
assert.deepEqual([lost.states.at(-1), said(lost), flaky.writes], ['saved', 'one|new words', 2]);
assert.deepEqual(flaky.blocks.map((one) => one.key), ['a', 'n']);

// Where the key says nothing any more, what was sent is known by what the page has: no word comes twice.
const forgetful = server(1);
const twice = page({ write: async (sent) => forgetful.write({ ...sent, key: `${sent.key} ${Math.random()}` }), read: forgetful.read });
type(twice, 'one and');
await twice.saving.save();
type(twice, 'one and more');
await twice.saving.save();
assert.deepEqual([said(twice), twice.states.at(-1)], ['one and more', 'saved']);

// What is taken away or moved here stays so when somebody else was faster with other words.
for (const [now, text] of [[(blocks) => [blocks[0], blocks[2]], 'one of theirs|three'], [(blocks) => [blocks[2], blocks[0], blocks[1]], 'three|one of theirs|two']]) {
  const three = [block('a', 'one'), block('b', 'two'), block('c', 'three')];
  const revisions = [];
  const faster = page({
    write: async ({ revision }) => (revisions.push(revision), revision === 'r1' ? { conflict: true } : { value: 'r3' }),
    read: async () => ({ value: { revision: 'r2', title: 'Page', blocks: [block('a', 'one of theirs'), three[1], three[2]] } }),
  }, three);
  faster.shown = { title: 'Page', blocks: now(three) };
  await faster.saving.save();
  assert.deepEqual([said(faster), revisions, faster.states.at(-1)], [text, ['r1', 'r2'], 'saved']);
}

// A write that the server fails at each time does not keep back what is typed instead of it.
let fails = true;
const bad = page({ write: async () => (fails ? { trouble: 'server', message: '' } : { value: 'r2' }), read: async () => ({ value: { revision: 'r1', title: 'Page', blocks: [block('a', 'one')] } }) });
type(bad, 'poison');
await bad.saving.save();
type(bad, 'remedy');
fails = false;
let sentText = '';
bad.saving.doors.write = async ({ edits }) => ((sentText = JSON.stringify(edits)), { value: 'r2' });
await bad.saving.save();
assert.ok(sentText.includes('remedy') && !sentText.includes('poison'));

// Markdown that is pasted is text of the page first; what the server reads in it comes in its place, once: whatever answers are lost
// between, and also when somebody goes on typing in it or somebody else writes meanwhile.
{
  const { PastedMarkdown } = await import(`${sources}/pasted-markdown.ts`);
  const turns = async (count) => { for (let turn = 0; turn < count; turn += 1) await null; };
  for (const [losses, unread, typed, faster] of [[0, 0, 0, 0], [1, 0, 0, 0], [3, 0, 1, 0], [0, 2, 0, 0], [0, 2, 1, 0], [0, 0, 1, 1], [2, 2, 2, 2]]) {
    const there = server(losses);
    const it = page({ write: there.write, read: there.read, tell: (state) => state.is === 'saved' && void pasted.turn() });
    const textOf = (key) => it.shown.blocks.find((one) => one.key === key)?.nodes[0].leaves[0].text ?? null;
    const timers = [];
    let [lost, more, others, reads] = [unread, typed, faster, 0];
    const pasted = new PastedMarkdown({
      stored: () => it.saving.stored(),
      read: async ({ key, markdown, revision }) => {
        await null;
        if (revision !== `r${there.revision}`) return { conflict: true };
        if (lost-- > 0) return { trouble: 'offline', message: '' };
        const words = markdown.slice(2).split(' ');
        const blocks = there.blocks.flatMap((one) => (one.key === key ? words.map((word, index) => block(`read ${reads} ${index}`, word)) : [one]));
        reads += 1;
        // What somebody does before the answer has come.
        if (more-- > 0) {
          it.shown = { ...it.shown, blocks: it.shown.blocks.map((one) => (one.key === 'k' ? block('k', `${textOf('k')} typed${more}`) : one)) };
          it.saving.changed();
        }
        if (others-- > 0) await there.write({ edits: [{ insert: { place: {}, content: { blocks: [block(`o${others}`, `other${others}`)] } } }], title: null, revision: `r${there.revision}`, key: `other ${others}` });
        return { value: blocks };
      },
      textOf,
      put: (key, blocks) => {
        it.shown = { ...it.shown, blocks: it.shown.blocks.flatMap((one) => (one.key === key ? blocks : [one])) };
        it.saving.changed();
        void it.saving.save();
      },
      catchUp: () => it.saving.catchUp(),
      isComposing: () => false,
      later: (work) => timers.push(work),
    });
    it.shown = { title: 'Page', blocks: [block('a', 'one'), block('k', '# Pasted words')] };
    it.saving.changed();
    pasted.add('k');
    for (let round = 0; round < 20; round += 1) {
      await it.saving.save();
      timers.splice(0).forEach((work) => work());
      await turns(60);
    }
    const saidThere = there.blocks.map((one) => one.nodes[0].leaves[0].text);
    const expected = ['one', 'Pasted', 'words', ...Array.from({ length: typed }, (_, index) => `typed${typed - 1 - index}`), ...Array.from({ length: faster }, (_, index) => `other${index}`)];
    assert.deepEqual([saidThere.toSorted(), said(it), timers], [expected.toSorted(), saidThere.join('|'), []], `${losses} ${unread} ${typed} ${faster}`);
  }
}

// Both have changed the title: that of the page stays until one of them is chosen; the text is saved meanwhile.
for (const takesTheirs of [true, false]) {
  const titled = server(0);
  const it = page({ write: titled.write, read: titled.read, apply: (blocks, titles) => { it.shown = { title: titles.mine, blocks }; it.other = titles.theirs; } });
  it.shown = { title: 'Mine', blocks: [block('a', 'one and mine')] };
  await titled.write({ edits: [], title: 'Theirs', revision: 'r1', key: 'theirs' });
  await it.saving.save();
  assert.deepEqual([it.shown.title, it.other, titled.title, it.states.at(-1)], ['Mine', 'Theirs', 'Theirs', 'typed']);
  assert.equal(titled.blocks[0].nodes[0].leaves[0].text, 'one and mine');
  it.saving.chooseTitle(takesTheirs);
  await it.saving.save();
  assert.deepEqual([it.shown.title, titled.title, it.other, it.states.at(-1)], takesTheirs ? ['Theirs', 'Theirs', null, 'saved'] : ['Mine', 'Mine', null, 'saved']);
}

// What is pasted and still coming is saved when it is there, however long it takes.
let coming = true;
const timers = [];
const pasted = page({ isComing: () => coming, later: (work) => timers.push(work) && (() => undefined) });
const due = () => timers.splice(0).forEach((work) => work());
type(pasted, 'one two');
pasted.saving.changed();
for (let turn = 0; turn < 20; turn += 1) due();
assert.deepEqual(pasted.states, ['typed']);
coming = false;
due();
await pasted.saving.save();
assert.equal(pasted.states.at(-1), 'saved');

// Where the browser has no locks, or refuses them in whatever way, drafts are taken without; what fails by itself is told, and done once.
const drafts = await import(`${sources}/held.ts`);
const managers = {
  none: undefined,
  refuses: { request: async () => { throw new DOMException('no', 'SecurityError'); }, query: async () => { throw new DOMException('no', 'SecurityError'); } },
  throws: { request: () => { throw new DOMException('no', 'SecurityError'); }, query: () => { throw new DOMException('no', 'SecurityError'); } },
  gives: { request: async (_, work) => work(), query: async () => ({ held: [{ name: 'other' }], pending: [] }) },
};
const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
for (const [name, locks] of Object.entries(managers)) {
  Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  let times = 0;
  assert.equal(await drafts.oneByOne(async () => (times += 1)), 1, name);
  assert.equal(times, 1, name);
  await assert.rejects(drafts.oneByOne(async () => { times += 1; throw new Error('of its own'); }), /of its own/u, name);
  assert.equal(times, 2, name);
  const own = drafts.hold('page');
  const names = await drafts.heldNames();
  assert.ok(names.has(own.name) && names.has('other') === (name === 'gives'), name);
  own.release();
}
if (before) Object.defineProperty(globalThis, 'navigator', before);

// While letters are composed nothing changes around them; it comes in when they are there.
let composing = true;
const composed = page({ isComposing: () => composing, read: async () => ({ value: { revision: 'r2', title: 'Page', blocks: [block('a', 'theirs one')] } }), write: async ({ revision }) => (revision === 'r1' ? { conflict: true } : { value: 'r3' }) });
type(composed, 'one ni');
composed.saving.incoming({ revision: 'r2', title: 'Page', blocks: [block('a', 'theirs one')] });
assert.equal(said(composed), 'one ni');
await composed.saving.save();
assert.deepEqual([said(composed), composed.states.at(-1)], ['one ni', 'typed']);
composing = false;
type(composed, 'one 日');
composed.saving.calm();
assert.equal(said(composed), 'theirs one 日');
await composed.saving.save();
assert.equal(composed.states.at(-1), 'saved');

// A fault while something is taken in leaves no page that is being saved for ever.
const broken = page({
  write: async () => ({ conflict: true }),
  read: async () => ({ value: { revision: 'r2', title: 'Page', blocks: [block('a', 'theirs')] } }),
  apply: () => {
    throw new RangeError('does not fit');
  },
});
type(broken, 'mine');
await assert.rejects(broken.saving.save(), RangeError);
assert.equal(broken.states.at(-1), 'failed');

// What tabs keep of one page is each one's own; what a closed one has left is there for the next, however full the store is.
const key = 'docstead-edit me space - page';
const wordsOf = (held) => leftOvers(key, new Set(held)).map(({ kept }) => kept.mine[0].nodes[0].leaves[0].text);
assert.ok(remember(`${key} tab 1`, [block('a', 'one')], [block('a', 'first')], null));
await new Promise((done) => setTimeout(done, 2));
assert.ok(remember(`${key} tab 2`, [block('a', 'one')], [block('a', 'second')], null));
assert.ok(remember(`${key}s tab 3`, [block('a', 'one')], [block('a', 'of another page')], null));
assert.deepEqual(wordsOf([]), ['second', 'first']);
assert.deepEqual(wordsOf([`${key} tab 2`]), ['first']);
isFull = true;
assert.equal(remember(`${key} tab 4`, [block('a', 'one')], [block('a', 'third')], null), false);
isFull = false;
// What versions before this one have kept is found, too.
assert.ok(remember(key, [block('a', 'one')], [block('a', 'old')], null));
assert.deepEqual(new Set(wordsOf([`${key} tab 2`])), new Set(['old', 'first']));
forget(`${key} tab 2`);
assert.deepEqual(new Set(wordsOf([])), new Set(['old', 'first']));
// Nobody has come back to it for a month: it is not offered, and goes when something is kept.
const month = 31 * 24 * 3_600_000;
stored.set(`${key} tab 1`, JSON.stringify({ ...recall(`${key} tab 1`), at: Date.now() - month }));
assert.deepEqual(wordsOf([]), ['old']);
assert.ok(remember(`${key} tab 5`, [block('a', 'one')], [block('a', 'new')], null));
assert.ok(!stored.has(`${key} tab 1`));

// Markdown that was typed: each tab has its own, and one that is opened goes on with what a closed one has left, each once.
const { adopt, keepMarkdown, keptMarkdown, keyOfMarkdown } = await import(`${sources}/markdown-kept.ts`);
const { heldNames, hold } = await import(`${sources}/held.ts`);
const [ours, others] = [hold(key), hold(key)];
assert.deepEqual([...(await heldNames())].filter((name) => name.startsWith(key)).sort(), [ours.name, others.name].sort());
assert.notEqual(ours.name, others.name);
const own = keyOfMarkdown(ours.name);
for (const [name, text] of [[ours.name, 'ours'], [others.name, 'others'], [`${key} tab gone`, 'gone'], [key, 'old'], [`${key}s tab 1`, 'another page']]) {
  assert.ok(keepMarkdown(keyOfMarkdown(name), { revision: 'r1', text }));
  await new Promise((done) => setTimeout(done, 2));
}
const next = hold(key);
const taken = [];
for (let round = 0; round < 4; round += 1) await adopt(key, keyOfMarkdown(next.name), (draft) => (taken.push(draft?.text ?? null), draft !== null));
assert.deepEqual(taken, ['old', 'gone', null, null]);
assert.equal(keptMarkdown(keyOfMarkdown(next.name)).text, 'gone');
assert.equal(keptMarkdown(own).text, 'ours');
// Whoever has typed meanwhile takes nothing, and nothing goes.
others.release();
await adopt(key, own, () => false);
assert.equal(keptMarkdown(keyOfMarkdown(others.name)).text, 'others');
await adopt(key, own, (draft) => draft?.text === 'others');
assert.ok(keptMarkdown(keyOfMarkdown(others.name)) === null && keptMarkdown(own).text === 'others');
for (const one of [ours, next]) one.release();

// A tab that ends while a write has no answer: what was typed is offered, and stands there once, whether it was stored or not,
// whether its key says so, and whatever others have written in the same block since.
for (const isStored of [true, false]) for (const knowsKey of [true, false]) for (const meddled of ['', 'of theirs ']) for (const isNew of [true, false]) {
  const title = (name) => (isNew ? 'Page' : name);
  const there = server(0);
  const store = `docstead-edit me space - ${isStored} ${knowsKey} ${meddled} ${isNew}`;
  const tab = page({
    write: async (sent) => (isStored && (await there.write(sent)), new Promise(() => undefined)),
    remember: (base, blocks, titles, sent) => remember(store, base, blocks, titles, sent),
  });
  const typed = (value) => ({ title: title('Typed'), blocks: isNew ? [block('a', 'one'), block('n', value)] : [block('a', `one ${value}`)] });
  tab.shown = typed('and');
  void tab.saving.save();
  await new Promise((done) => setTimeout(done));
  tab.shown = typed('and more');
  tab.saving.keep();
  if (meddled) {
    const key = isNew && isStored ? 'n' : 'a';
    const before = there.blocks.find((one) => one.key === key).nodes[0].leaves[0].text;
    await there.write({ edits: [{ replace: { key, content: { blocks: [block(key, `${meddled}${before}`)] } } }], title: null, revision: `r${there.revision}`, key: 'theirs' });
  }
  if (!knowsKey) there.answers.clear();
  const { value } = await there.read();
  const kept = recall(store);
  const again = page({ write: there.write, read: there.read }, value.blocks);
  again.saving = new Saving(value, again.saving.doors, () => 0);
  again.shown = { title: value.title, blocks: value.blocks };
  const isKnown = await again.saving.repeat(kept.sent);
  assert.ok(isKnown || !isStored || !knowsKey);
  const { base, mine, titles } = filled(kept, again.shown.blocks, again.shown.title, isKnown);
  again.saving.restore(base, mine, titles);
  await again.saving.save();
  const expected = isNew ? (isStored ? `one|${meddled}and more` : `${meddled}one|and more`) : `${meddled}one and more`;
  assert.deepEqual([said(again), again.shown.title, again.states.at(-1)], [expected, title('Typed'), 'saved'], store);
  assert.deepEqual(there.blocks.map((one) => one.nodes[0].leaves[0].text).join('|'), expected);
}

// Somebody else has mended the same word: what else was sent with it has not arrived, and is not taken for deleted.
const sentThen = [block('a', 'one tides'), block('b', 'two and a long thought')];
assert.ok(!hasArrived([block('a', 'one tide'), block('b', 'two')], sentThen, [block('a', 'one tides'), block('b', 'two')]));
assert.ok(hasArrived([block('a', 'one tide'), block('b', 'two')], sentThen, [block('a', 'one high tides'), block('b', 'two and a long second thought')]));
// Both have lifted the same paragraph out of a list: that tells nothing of what was sent with it.
{
  const list = (...blocks) => ({ object: 'block', type: 'list-unordered', key: 'l', nodes: [{ object: 'block', type: 'list-item', key: 'i', nodes: blocks }] });
  const before = [block('a', 'one'), list(block('p', 'item'), block('q', 'rest'))];
  const lifted = (text) => [block('a', text), block('p', 'item'), list(block('q', 'rest'))];
  assert.ok(!hasArrived(before, lifted('one and words'), lifted('one')));
  assert.ok(hasArrived(before, lifted('one and words'), lifted('one and words')));
}
{
  const there = [block('a', 'one tides'), block('b', 'two')];
  const kept = { at: 1, title: null, base: [block('a', 'one tide'), block('b', 'two')], mine: sentThen, sent: { edits: [], title: null, revision: 'r1', key: 'k', blocks: sentThen } };
  const it = page({}, there);
  it.saving.restore(...Object.values(filled(kept, there, 'Page')));
  assert.equal(said(it), 'one tides|two and a long thought');
}

// No answer again to what was sent before a crash: it is not known whether it is there, and nothing is taken in yet.
for (const isStored of [true, false]) {
  const there = server(1);
  const sent = { edits: [{ replace: { key: 'a', content: { blocks: [block('a', 'one and')] } } }], title: null, revision: 'r1', key: 'before' };
  const start = await there.read();
  const it = page({ write: async (one) => (isStored ? there.write(one) : { trouble: 'offline', message: '' }), read: there.read });
  assert.equal(await it.saving.repeat(sent), null);
  assert.deepEqual([it.states.at(-1), said(it)], ['failed', 'one'], start);
  if (isStored) assert.deepEqual([await it.saving.repeat(sent), said(it)], [true, 'one and']);
}

// Somebody who types without a pause is kept in the browser meanwhile, long before it is saved.
{
  let now = 0;
  let timers = [];
  const it = page({ later: (work, milliseconds) => {
    const timer = { at: now + milliseconds, work };
    timers.push(timer);
    return () => (timers = timers.filter((one) => one !== timer));
  } });
  it.saving = new Saving({ revision: 'r1', title: 'Page', blocks: it.shown.blocks }, it.saving.doors, () => now);
  for (; now < 3_000; now += 100) {
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers = timers.filter((one) => one !== timer);
      timer.work();
    }
    type(it, `one ${now}`);
    it.saving.changed();
  }
  assert.ok(it.kept >= 1 && it.kept <= 3 && it.writes.length === 0, `${it.kept}`);
}

// A browser whose store may not be used at all writes all the same.
const usable = globalThis.localStorage;
globalThis.localStorage = new Proxy({}, { get: () => { throw new Error('denied'); }, ownKeys: () => { throw new Error('denied'); } });
assert.deepEqual(leftOvers(key, new Set()), []);
assert.equal(remember(key, [], [block('a', 'one')], null), false);
forget(key);
globalThis.localStorage = usable;

// HTML of others may have attributes of the same names: they are no marks of documents, and lead nowhere unsafe.
const attributes = (json) => ({ getAttribute: () => (json === null ? null : JSON.stringify({ json })) });
const link = (url) => ({ object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url } } });
for (const rule of [schema.marks.annotation.spec.parseDOM[0], schema.marks.link.spec.parseDOM[0], schema.nodes.inline_atom.spec.parseDOM[0]]) {
  for (const json of [null, 5, 'text', {}, link('javascript:alert(1)'), link(' java\nscript:alert(1)'), link('data:text/html,x')]) {
    assert.equal(rule.getAttrs(attributes(json)), false, JSON.stringify(json));
  }
  for (const url of ['https://example.org/', 'mailto:a@example.org', '/here', '#there', 'page?at=1:2']) {
    assert.deepEqual(rule.getAttrs(attributes(link(url))), { json: link(url) });
  }
}

console.log(JSON.stringify('done'));
