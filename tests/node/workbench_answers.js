// Answers that come slowly and answers that do not come, from a server on this machine: which requests end, and how.

import { createServer } from 'node:http';
import { inTime } from '../../app/src/graph/in-time.ts';

const [PARTS, EACH_MS, LONGEST_MS] = [12, 200, 1_000];
const server = createServer((request, response) => {
  if (request.url === '/never') return;
  response.write('begun ');
  if (request.url === '/silent') return;
  let sent = 0;
  const timer = setInterval(() => {
    response.write('part ');
    if (++sent < PARTS) return;
    clearInterval(timer);
    response.end();
  }, EACH_MS);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const outcome = async (path, options) => {
  try {
    const answer = await inTime(LONGEST_MS, 'late')(`http://127.0.0.1:${server.address().port}${path}`, options);
    return (await answer.text()).split(' ').length - 1;
  } catch (fault) {
    return [fault.name, fault.is ?? null];
  }
};

const left = new AbortController();
setTimeout(() => left.abort(), EACH_MS);
const [slow, silent, never, abandoned] = await Promise.all([
  outcome('/slow'), outcome('/silent'), outcome('/never'), outcome('/never', { signal: left.signal }),
]);
console.log(JSON.stringify({ slow, silent, never, abandoned }));
server.closeAllConnections();
server.close();
