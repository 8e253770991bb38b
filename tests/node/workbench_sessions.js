// Several people in one page at once, each with a session as the editor has it: they write, save, hear of each other, lose answers,
// end and begin again with what was kept, and bring Markdown in that was made of an older page. What somebody typed and nobody took away is in the page, or is asked about.

import assert from 'node:assert/strict';
import { beginAt, beginWords, blocksIn, pick, random, several, stateOf, textIn } from './workbench_people.js';

// What browsers keep when a window has ended.
const kept = new Map();
globalThis.localStorage = new Proxy({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text), removeItem: (key) => void kept.delete(key) }, {
  ownKeys: () => [...kept.keys()],
  getOwnPropertyDescriptor: (_, key) => ({ value: kept.get(key), enumerable: true, configurable: true, writable: true }),
});

const sources = '../../app/src/editor';
const { applied } = await import(`${sources}/applying.ts`);
const { namedAsIn } = await import(`${sources}/markdown-keys.ts`);
const { editsBetween } = await import(`${sources}/changes.ts`);
const { merge } = await import(`${sources}/merging/tree.ts`);
const { filled, forget, recall, remember } = await import(`${sources}/remembered.ts`);
const { Saving } = await import(`${sources}/saving.ts`);
const { newKey } = await import(`${sources}/keys.ts`);
const { meaningOf } = await import(`${sources}/../document/json.ts`);

const leaf = (text) => ({ object: 'leaf', text, marks: [] });
const text = (value) => ({ object: 'text', leaves: [leaf(value)] });
const block = (type, key, nodes, data = {}) => ({ object: 'block', type, isVoid: false, key, data, nodes });
const paragraph = (key, value) => block('paragraph', key, [text(value)]);
const PAGE = [
  paragraph('p', 'The tide is high in the morning, and low at noon.'),
  block('list-unordered', 'l', [block('list-item', 'i', [paragraph('ip', 'one thing')]), block('list-item', 'j', [paragraph('jp', 'another thing')])]),
  block('hint', 'h', [paragraph('hp', 'Careful at the quay')], { style: 'info' }),
  block('heading-1', 'z', [text('Below it all')]),
  block('blockquote', 'q', [paragraph('qp', 'said of old')]),
  {
    object: 'block', type: 'table', isVoid: true, key: 't',
    data: {
      view: { type: 'grid', columns: ['ca', 'cb'] },
      definition: { ca: { id: 'ca', title: 'Name', type: 'text' }, cb: { id: 'cb', title: 'Height', type: 'text' } },
      records: { r1: { orderIndex: 'a', values: { ca: 'f1', cb: 'f2' } }, r2: { orderIndex: 'b', values: { ca: 'f3', cb: 'f4' } } },
    },
    fragments: ['mast', 'twelve', 'keel', 'three'].map((word, index) => ({ object: 'fragment', type: 'table-cell', fragment: `f${index + 1}`, nodes: [paragraph(`c${index + 1}`, word)] })),
  },
];
const wordsIn = (value, all) => all.filter((word) => textIn(value).includes(word));

const lettersIn = (node) => (Array.isArray(node) ? node.map(lettersIn).join('') : node.leaves ? node.leaves.map((one) => one.text).join('') : lettersIn([...(node.nodes ?? []), ...(node.fragments ?? [])]));

function server() {
  const it = { revision: 1, blocks: PAGE, answers: new Map() };
  it.reading = () => ({ revision: `r${String(it.revision).padStart(6, '0')}`, title: 'Page', blocks: it.blocks });
  it.write = ({ revision, blocks, key }) => {
    if (it.answers.has(key)) return it.answers.get(key);
    if (revision !== it.reading().revision) return { conflict: true };
    it.revision += 1;
    it.blocks = JSON.parse(JSON.stringify(blocks));
    const answer = { value: it.reading().revision };
    it.answers.set(key, answer);
    return answer;
  };
  return it;
}

let windows = 0;
const whole = new Map();

function person(who, there, clashes) {
  const it = { who, state: stateOf(there.blocks), isLost: false, isMet: false, markdown: null, name: `${who} ${(windows += 1)}`, left: [] };
  it.saving = new Saving(there.reading(), {
    now: () => ({ title: 'Page', blocks: blocksIn(it.state) }),
    apply: (blocks, _, met, renaming) => {
      clashes.push(...met);
      const tr = applied(it.state, blocks, renaming);
      if (tr.docChanged) it.state = it.state.apply(tr);
    },
    write: async (write) => {
      await null;
      // What is sent once more has its edits alone; the page by it is that of the first time.
      const sent = { ...write, blocks: write.blocks ?? whole.get(write.key) };
      whole.set(sent.key, sent.blocks);
      const answer = it.isLost && random(2) ? null : there.write(sent);
      if (it.isLost) return { trouble: 'offline', message: '' };
      return answer;
    },
    read: async () => (it.isLost ? { trouble: 'offline', message: '' } : { value: there.reading() }),
    isComposing: () => false,
    isComing: () => false,
    newKey,
    tell: () => undefined,
    remember: (base, blocks, titles, sent) => remember(it.name, base, blocks, titles, sent),
    forget: () => forget(it.name),
    later: () => () => undefined,
  }, () => 0);
  return it;
}

/** Somebody's window ends, and another one begins with the page as it is: what was kept is offered there, unless it is in the page. */
function crashed(it, there, clashes) {
  it.saving.keep();
  const next = Object.assign(person(it.who, there, clashes), { isLost: it.isLost, left: it.left });
  const draft = recall(it.name);
  if (draft === null) return next;
  const { base, mine } = filled(draft, there.blocks, 'Page');
  if (editsBetween(there.blocks, merge(base, there.blocks, mine).blocks).length > 0) next.left = [...it.left, it.name];
  else forget(it.name);
  return next;
}

/** What was left is taken in, as the session does it. */
async function takesIn(it) {
  const [name] = it.left;
  const draft = recall(name);
  const isStored = draft.sent ? await it.saving.repeat(draft.sent) : false;
  if (isStored === null) return;
  const { base, mine, titles } = filled(draft, blocksIn(it.state), 'Page', isStored);
  it.saving.restore(base, mine, titles);
  it.saving.keep();
  it.left = it.left.slice(1);
  forget(name);
}

/** The page as Markdown is edited: blocks at the top, all of which are read anew, most by the name that they had. */
function retold(base, who, typed) {
  const fresh = (node) => ({ ...node, ...(node.key ? { key: newKey() } : {}), ...(node.nodes ? { nodes: node.nodes.map(fresh) } : {}) });
  const mine = base.flatMap((one) => {
    const word = `${who}m${random(1_000_000)}x`;
    switch (random(7)) {
      case 0: return [];
      case 1:
        typed.push(word);
        return [one, paragraph(newKey(), `new ${word}`)];
      case 2:
        if (one.nodes?.length !== 1 || one.nodes[0].leaves?.length !== 1) return [one];
        typed.push(word);
        return [{ ...one, nodes: [text(`${one.nodes[0].leaves[0].text} ${word}`)] }];
      default: return [one];
    }
  });
  // Names that the server gives: those of blocks that are alike, of the page as it is when it reads them.
  return (newest) => {
    const left = [...newest];
    return mine.map((one) => {
      const at = left.findIndex((other) => meaningOf(other) === meaningOf(one));
      const like = at >= 0 ? at : left.findIndex((other) => other.type === one.type && other.key === one.key && random(4) > 0);
      if (like < 0) return fresh(one);
      const [other] = left.splice(like, 1);
      return at >= 0 ? other : { ...fresh(one), key: other.key };
    });
  };
}

const counts = { rounds: 0, words: 0, clashes: 0, retold: 0, crashes: 0, left: 0 };

async function round(seed) {
  beginAt(seed);
  beginWords();
  const there = server();
  const clashes = [];
  const people = ['ann', 'bob', ...(seed % 3 ? [] : ['cai'])].map((who) => person(who, there, clashes));
  const all = [];
  const taken = new Set();
  const log = [];
  for (let step = 0; step < 30; step += 1) {
    const it = pick(people);
    switch (random(10)) {
      case 8: {
        if (it.markdown !== null) break;
        people[people.indexOf(it)] = crashed(it, there, clashes);
        counts.crashes += 1;
        log.push(`${it.who} begins again`);
        break;
      }
      case 9:
        if (it.left.length === 0) break;
        await takesIn(it);
        counts.left += 1;
        log.push(`${it.who} takes in what was left`);
        break;
      case 0: case 1: case 2: {
        const before = wordsIn(blocksIn(it.state), all);
        const { state, typed } = several(it.state, it.who, 1 + random(4));
        it.state = state;
        all.push(...typed);
        // What is not in the page of whoever has edited it any more was taken away by them.
        const after = new Set(wordsIn(blocksIn(state), all));
        for (const word of before) if (!after.has(word)) taken.add(word);
        it.saving.changed();
        log.push(`${it.who} edits`);
        break;
      }
      case 3: case 4:
        await it.saving.save();
        log.push(`${it.who} saves${it.isLost ? ' without a connection' : ''}`);
        break;
      case 5:
        if (!it.isLost) it.saving.incoming(there.reading());
        log.push(`${it.who} hears`);
        break;
      case 6:
        it.isLost = !it.isLost && random(3) === 0;
        log.push(`${it.who} ${it.isLost ? 'loses' : 'has'} the connection`);
        break;
      default:
        if (it.isLost) break;
        if (it.markdown === null) {
          await it.saving.save();
          const base = there.reading();
          const typed = [];
          it.markdown = { base, read: retold(base.blocks, it.who, typed), typed };
          log.push(`${it.who} opens the Markdown`);
          break;
        }
        {
          const { base, read, typed } = it.markdown;
          it.markdown = null;
          await it.saving.save();
          const newest = there.reading();
          const parsed = read(newest.blocks);
          const blocks = newest.revision === base.revision ? parsed : namedAsIn(base.blocks, parsed);
          const had = wordsIn(base.blocks, all);
          const has = new Set(wordsIn(blocks, all));
          for (const word of had) if (!has.has(word)) taken.add(word);
          all.push(...typed);
          it.saving.restore(base.blocks, blocks, null);
          counts.retold += 1;
          log.push(`${it.who} applies the Markdown`);
        }
    }
    it.state.doc.check();
  }
  for (const it of people) it.isLost = false;
  for (let turn = 0; turn < 4; turn += 1) {
    for (const it of people) {
      while (it.left.length > 0) await takesIn(it);
      await it.saving.save();
      it.saving.incoming(there.reading());
    }
  }
  assert.deepEqual([...kept.keys()], [], `${seed}: something is kept`);
  const asked = textIn(clashes);
  const page = textIn(there.blocks);
  const letters = lettersIn(there.blocks);
  for (const word of all) {
    if (taken.has(word) || page.includes(word)) continue;
    // Where one splits the words that the other one writes in the place of, a word may be on both sides of that.
    assert.ok(asked.includes(word) || letters.includes(word), `${seed}: ${word} is lost\n${log.join('\n')}\n${page}`);
  }
  // All have the same page in the end, and each name once.
  for (const it of people) assert.deepEqual(blocksIn(it.state).map(meaningOf), there.blocks.map(meaningOf), `${seed}: ${it.who} has another page\n${log.join('\n')}`);
  counts.rounds += 1;
  counts.words += all.length;
  counts.clashes += clashes.length;
}

const [first, rounds] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 1_000)];
for (let seed = first; seed < first + rounds; seed += 1) await round(seed);
console.log(JSON.stringify(counts));
