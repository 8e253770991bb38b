// What the Workbench reads of the graph is the newest: answers that come late, and views that are
// asked for anew while an answer is on its way.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

// The application's packages are not installed for tests; those that it has of the client stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    (/^(?:urql|wonka|@urql\/.*)$/u.test(specifier) ? next(specifier === 'urql' ? '@urql/core' : specifier, { ...context, parentURL: beside }) : next(specifier, context)),
});
globalThis.document = { querySelector: () => null };

/** The server: what is written there, and answers that leave it when they are let go. */
let title = 'Bravo';
const requests = [];
globalThis.fetch = (_, { signal }) => {
  const body = JSON.stringify({ data: { page: { __typename: 'Page', id: '1', title } } });
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('given up')));
    requests.push(() => resolve(new Response(body, { headers: { 'Content-Type': 'application/json' } })));
  });
};
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Let go the answers of those that wait, from the last or from the first. */
async function answer(isLastFirst = false) {
  const some = requests.splice(0);
  for (const send of isLastFirst ? some.reverse() : some) {
    send();
    await soon();
  }
  return some.length;
}
async function answerAll(isLastFirst) {
  let count = 0;
  for (let more = await answer(isLastFirst); more > 0; more = await answer(isLastFirst)) count += more;
  return count;
}

const { gql } = await import('@urql/core');
const { pipe, subscribe } = await import('wonka');
const { client } = await import('../../app/src/graph/client.ts');
const { refreshVisible } = await import('../../app/src/graph/visible.ts');

const QUERY = gql`query Title { page { __typename id title } }`;
function view(query = QUERY) {
  const titles = [];
  const { unsubscribe } = pipe(client.query(query, {}), subscribe(({ data }) => titles.push(data?.page.title)));
  return { titles, leave: unsubscribe };
}
async function write(value) {
  title = value;
  refreshVisible();
  await soon();
}

// Two refreshes, of which the older one is answered last.
const first = view();
await soon();
await answerAll();
await write('Bravissimo');
await write('Bravo bravissimo');
await answerAll(true);
assert.equal(first.titles.at(-1), 'Bravo bravissimo');

// Written while the answer of the first request is on its way, or those of several.
for (const count of [1, 2, 3, 7]) {
  const other = view(gql(`query Title${count} { page { __typename id title } }`));
  await soon();
  for (let time = 0; time < count; time += 1) await write(`${count} ${time}`);
  const sent = await answerAll(true);
  assert.equal(other.titles.at(-1), `${count} ${count - 1}`);
  // However often it is asked meanwhile: each of the two views has one answer, and one behind it.
  assert.ok(sent <= 4, `${sent} requests`);
  other.leave();
}

// Whoever asks the server itself has what was written before, also when the view is just being read anew.
refreshVisible();
await soon();
title = 'Newest';
const newest = client.query(QUERY, {}, { requestPolicy: 'network-only' }).toPromise();
await soon();
await answerAll();
assert.equal((await newest).data.page.title, 'Newest');
assert.equal(first.titles.at(-1), 'Newest');

// A view that was left and comes again waits for no answer that nobody lets go.
refreshVisible();
await soon();
first.leave();
await soon();
title = 'Again';
const again = view();
await soon();
await answerAll();
assert.equal(again.titles.at(-1), 'Again');
again.leave();
assert.equal(requests.length, 0);
console.log(JSON.stringify('done'));
