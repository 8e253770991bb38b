// Markdown that was edited while others wrote: the server names what it reads in it after blocks of the newest page, which
// may be the wrong ones. Nothing that either wrote is lost, and what they took away does not come back.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src/editor';
const { namedAsIn } = await import(`${sources}/markdown-keys.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);
const { meaningOf } = await import(`${sources}/../document/json.ts`);

let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
let number = 0;
const text = (value) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }], key: `t${++number}` });
const block = (type, ...nodes) => ({ object: 'block', type, isVoid: false, key: `k${++number}`, data: {}, nodes });
const paragraph = (value) => block('paragraph', text(value));
const list = (...items) => block('list-unordered', ...items.map((one) => block('list-item', paragraph(one))));
const said = (node) => (node.leaves ? node.leaves.map((leaf) => leaf.text).join('') : (node.nodes ?? []).map(said).join(' '));
const wordsOf = (blocks) => blocks.map(said).join(' ').split(/\s+/u);

const base = () => Array.from({ length: 1 + random(6) }, (_, index) =>
  random(4) === 0 ? list(`point${index}`, `detail${index}`) : paragraph(`first${index} second${index} third${index}`));
/** A version by somebody; `gone` are words that they took away. */
function edited(blocks, who) {
  const gone = [];
  const next = blocks.flatMap((one) => {
    switch (random(6)) {
      case 0:
        gone.push(...wordsOf([one]));
        return [];
      case 1:
        return [one, paragraph(`${who}${++number}`)];
      case 2:
        return one.type === 'paragraph' ? [{ ...one, nodes: [text(`${said(one)} ${who}${++number}`)] }] : [one];
      default:
        return [one];
    }
  });
  return { blocks: next, gone };
}
const isLike = (one, other) => {
  const [words, others] = [wordsOf([one]), new Set(wordsOf([other]))];
  return one.type === other.type && words.filter((word) => others.has(word)).length * 2 >= words.length;
};
/** As the server reads it: alike blocks have the names of the newest page; others of any that is left there, the wrong ones, too. */
function read(mine, newest) {
  const left = [...newest];
  const take = (fits) => {
    const at = left.findIndex(fits);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const named = new Map(mine.map((one) => [one, take((other) => meaningOf(other) === meaningOf(one))]));
  for (const one of mine) if (named.get(one) === null) named.set(one, take((other) => isLike(one, other)));
  const fresh = (node) => ({ ...node, key: `p${++number}`, ...(node.nodes ? { nodes: node.nodes.map(fresh) } : {}) });
  return mine.map((one) => {
    const other = named.get(one) ?? (random(2) === 0 ? take((each) => each.type === one.type) : null);
    const parsed = fresh(one);
    return other === null ? parsed : meaningOf(other) === meaningOf(one) ? other : { ...parsed, key: other.key };
  });
}

let rounds = 0;
for (let round = 0; round < 1_500; round += 1) {
  const old = base();
  const theirs = edited(old, 'theirs');
  const mine = edited(old, 'mine');
  const parsed = namedAsIn(old, read(mine.blocks, theirs.blocks));
  assert.deepEqual(parsed.map(meaningOf), mine.blocks.map(meaningOf));
  const keys = parsed.map((one) => one.key);
  assert.equal(new Set(keys).size, keys.length);
  const ofBase = new Set(old.map((one) => one.key));
  const added = new Set(theirs.blocks.map((one) => one.key).filter((key) => !ofBase.has(key)));
  assert.ok(keys.every((key) => !added.has(key)), 'what they put in is none of this text');
  const merged = merge(old, theirs.blocks, parsed).blocks;
  const words = new Set(wordsOf(merged));
  const all = merged.map(said).join(' ');
  for (const word of [...wordsOf(theirs.blocks), ...wordsOf(mine.blocks)]) {
    if (/^(?:theirs|mine)\d/u.test(word)) assert.ok(all.includes(word), `${word} is lost`);
  }
  // What one of them took away, and nobody else has changed, stays away.
  const untouched = (blocks, word) => blocks.some((one) => wordsOf([one]).includes(word) && !/(?:theirs|mine)\d/u.test(said(one)));
  for (const word of theirs.gone) if (untouched(mine.blocks, word)) assert.ok(!words.has(word), `${word} came back`);
  rounds += 1;
}
console.log(JSON.stringify({ rounds }));
