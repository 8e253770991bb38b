// Differences of words: both texts can be read in them, changes are runs that can be read, and four times the words are four times the work.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; this one stands beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'diff' ? { ...context, parentURL: beside } : context),
});
const { atMostCommon, compared, cut, wordsBetween } = await import('../../app/src/review/words-between.ts');

const side = (words, without) => words.filter((word) => word.kind !== without).map((word) => word.text).join('');
const marked = (before, after) => wordsBetween(before, after).map(({ text, kind }) => (kind === 'same' ? text : `${kind === 'added' ? '+' : '-'}[${text}]`)).join('');
const isLight = (text) => /^[\s\p{P}]*$/u.test(text);

function checked(before, after) {
  const words = wordsBetween(before, after);
  assert.equal(side(words, 'added'), before);
  assert.equal(side(words, 'removed'), after);
  assert.ok(words.every((word) => word.text !== ''));
  words.forEach((word, index) => {
    // Nothing is cut inside of a sign.
    assert.ok(!/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/u.test(word.text) || !`${before}${after}`.isWellFormed(), JSON.stringify(word));
    if (index > 0) assert.notEqual(word.kind, words[index - 1].kind);
    if (word.kind === 'added' && index > 0 && words[index - 1].kind === 'removed') assert.ok(words[index + 1] === undefined || words[index + 1].kind === 'same');
    // Between what went and what came there is a word that both have.
    if (word.kind !== 'same' || !isLight(word.text) || index === 0 || index === words.length - 1) return;
    const near = new Set([words[index - 1].kind, words[index - 2]?.kind === 'same' ? undefined : words[index - 2]?.kind, words[index + 1].kind, words[index + 2]?.kind === 'same' ? undefined : words[index + 2]?.kind]);
    assert.ok(!(near.has('added') && near.has('removed')), JSON.stringify(words));
  });
  const { share } = compared(cut(before), cut(after));
  assert.ok(share <= atMostCommon(cut(before), cut(after)) + 1e-9);
  return words;
}

// One after the other, whatever stands between them.
assert.equal(marked('Wait for the tide', 'Let tengo for the tide'), '-[Wait]+[Let tengo] for the tide');
assert.equal(marked('Wait here, please. Go on', 'Let tengo, gracias! Go on'), '-[Wait here, please.]+[Let tengo, gracias!] Go on');
assert.equal(marked('one two three four', 'one five six four'), 'one -[two three]+[five six] four');
assert.equal(marked('הגאות עולה בבוקר כאן', 'הגאות יורדת בערב כאן'), 'הגאות -[עולה בבוקר]+[יורדת בערב] כאן');
assert.equal(marked('يرتفع المد صباحا، هنا', 'ينخفض الماء مساء، هنا'), '-[يرتفع المد صباحا]+[ينخفض الماء مساء]، هنا');
assert.equal(marked('请先安装软件', '请先删除软件'), '请先-[安装]+[删除]软件');
assert.equal(marked('👩‍🚀 flies', '👩‍🔬 flies'), '-[👩‍🚀]+[👩‍🔬] flies');
// A word that both have stays, unless hardly anything else does.
assert.equal(marked('Remove the package today', 'Install the program today'), '-[Remove]+[Install] the -[package]+[program] today');
assert.equal(marked('Nobody has ever written of a harbour before', 'Three fishermen counted a lighthouse twice'), '-[Nobody has ever written of a harbour before]+[Three fishermen counted a lighthouse twice]');
// What was only added stays apart, and so do blanks.
assert.equal(marked('(x)', '(y, x; z)'), '(+[y, ]x+[; z])');
assert.equal(marked('a  b', 'a b'), 'a -[ ]b');
assert.equal(marked('', ''), '');
assert.equal(marked('', 'new'), '+[new]');

// A small generator with a seed, so that a failure can be repeated.
let seed = 11;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
const PIECES = ['tide', 'gauge', 'the', 'a', 'öl', ' ', ' ', ' ', '  ', '\n', ', ', '. ', '(', ')', '日本', '请先安装软件', 'עולה', 'المد', 'น้ำขึ้น', 'e\u0301', '👩‍🚀', '🏳️‍🌈', '12.5', '\u00a0', '\u200f', '…', '=', '€', '\ud800', 'don’t'];
const text = (most) => Array.from({ length: random(most) }, () => PIECES[random(PIECES.length)]).join('');
const changedOf = (value) => {
  const pieces = value.split(/(?<=\s)/u);
  return pieces.flatMap((piece) => (random(4) ? [piece] : random(2) ? [text(4)] : [piece, text(4)])).join('');
};
for (let round = 0; round < 4_000; round += 1) {
  const before = text(30);
  checked(before, random(5) ? changedOf(before) : text(30));
}
// Parts that differ in more words than are compared are cut at words that are there once.
for (let round = 0; round < 12; round += 1) {
  const before = text(3_000);
  checked(before, round % 3 ? changedOf(before) : text(3_000));
}
checked('👩‍🚀'.repeat(3_000), `x${'👩‍🚀'.repeat(3_000)}`);

const used = (work) => {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user - user + after.system - system) / 1000;
};
const least = (work) => Math.min(...Array.from({ length: 3 }, () => used(work)));
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(' ');
const CASES = {
  'nothing in common': (count) => [many(count, (index) => `a${index}`), many(count, (index) => `b${index}`)],
  'each third word is another one': (count) => [many(count, (index) => `a${index % 900}`), many(count, (index) => (index % 3 ? `a${index % 900}` : `b${index}`))],
  'the same words in another order': (count) => [many(count, (index) => `a${index}`), many(count, (index) => `a${(index * 7_919) % count}`)],
  'few words, again and again': (count) => [many(count, (index) => 'abcdefg'[(index * index) % 7]), many(count, (index) => 'gfedcba'[(index * 3) % 7])],
  'without blanks': (count) => ['安装软件'.repeat(count / 2), '删除软件包'.repeat(count / 2)],
};
const shown = {};
for (const [what, make] of Object.entries(CASES)) {
  const cost = (count) => {
    const [before, after] = make(count);
    return least(() => wordsBetween(before, after));
  };
  const [once, fourfold] = [cost(2_500), cost(10_000)];
  shown[what] = [Math.round(once), Math.round(fourfold)];
  // Were each word compared with each, it would be sixteen times as much.
  assert.ok(fourfold <= 9 * Math.max(once, 5), `${what}: ${once} and ${fourfold} ms`);
}
// A chapter of 10,000 words of which some are others is read word by word; a book is not.
const page = many(10_000, (index) => `word${index % 1_500}`);
assert.equal(marked(page, page.replace('word7 ', 'other ')).match(/[+-]\[/gu).length, 2);
assert.deepEqual(wordsBetween('a '.repeat(120_000), 'b '.repeat(120_000)).map((word) => word.kind), ['removed', 'added', 'same']);
process.stdout.write(JSON.stringify(shown));
