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
const { Saving } = await import(`${sources}/saving.ts`);
const { forgetOwn, leftOvers, remember } = await import(`${sources}/remembered.ts`);
const { schema } = await import(`${sources}/schema.ts`);

const block = (key, text) => ({ object: 'block', type: 'paragraph', isVoid: false, key, data: {}, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] });

function page(doors = {}) {
  const it = { shown: { title: 'Page', blocks: [block('a', 'one')] }, states: [], writes: [], kept: 0 };
  it.saving = new Saving({ revision: 'r1', title: 'Page', blocks: [block('a', 'one')] }, {
    now: () => it.shown,
    apply: (blocks, title) => (it.shown = { title, blocks }),
    write: async (edits) => (it.writes.push(edits), { value: `r${it.writes.length + 1}` }),
    read: async () => ({ trouble: 'offline', message: '' }),
    isSame: async () => ({ value: true }),
    tell: (state) => it.states.push(state.is),
    remember: () => (it.kept += 1),
    forget: () => undefined,
    later: () => () => undefined,
    ...doors,
  }, () => 0);
  return it;
}
const type = (it, text) => (it.shown = { ...it.shown, blocks: [block('a', text)] });

// What was typed by one person is not written by another one who has signed in meanwhile.
let person = 'other';
const two = page({ isSame: async () => (person === 'me' ? { value: true } : { trouble: 'signedOut', message: '' }) });
two.saving.doubt();
type(two, 'mine');
await two.saving.save();
assert.deepEqual([two.writes.length, two.states.at(-1), two.kept], [0, 'failed', 1]);
person = 'me';
await two.saving.save();
assert.deepEqual([two.writes.length, two.states.at(-1)], [1, 'saved']);

// Markdown that was written is not put in once more where it cannot be read at once.
const pasted = page();
assert.equal(await pasted.saving.insert('# Twice', 'a'), true);
assert.equal(pasted.writes.length, 1);

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

// What one session left stays when a later one leaves something too, and a full store loses neither.
const key = 'docstead-edit me space - page';
assert.ok(remember(key, [block('a', 'one')], [block('a', 'first')], null));
assert.equal(leftOvers(key).length, 1);
await new Promise((done) => setTimeout(done, 2));
assert.ok(remember(key, [block('a', 'one')], [block('a', 'second')], null));
const texts = leftOvers(key).map(({ kept }) => kept.mine[0].nodes[0].leaves[0].text);
assert.deepEqual(texts, ['second', 'first']);
isFull = true;
assert.equal(remember(key, [block('a', 'one')], [block('a', 'third')], null), false);
isFull = false;

// What another tab keeps of this page is not taken away by saving in this one.
assert.ok(remember(key, [block('a', 'one')], [block('a', 'here')], null));
stored.set(key, JSON.stringify({ at: 1, title: null, base: [], mine: [] }));
forgetOwn(key);
assert.ok(stored.has(key));
assert.ok(remember(key, [block('a', 'one')], [block('a', 'here')], null));
forgetOwn(key);
assert.ok(!stored.has(key));

// A browser whose store may not be used at all writes all the same.
const usable = globalThis.localStorage;
globalThis.localStorage = new Proxy({}, { get: () => { throw new Error('denied'); }, ownKeys: () => { throw new Error('denied'); } });
assert.deepEqual(leftOvers(key), []);
assert.equal(remember(key, [], [block('a', 'one')], null), false);
forgetOwn(key);
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
