// The reference clients of both protocols: what they receive is printed as JSON.
// Arguments: address of the server, token of a reader, token of a writer, id of a space.
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';

const [base, token, writer, space] = process.argv.slice(2);
const query = 'subscription ($id: ID!, $after: ID) { space(id: $id, after: $after) { id changed } }';

async function rename(title) {
  const response = await fetch(`${base}/v1/spaces/${space}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  if (!response.ok) throw new Error(await response.text());
}

// Nothing says that a subscription has begun: something is done until its first result is there.
async function until(next, work) {
  let there = false;
  next.finally(() => { there = true; }).catch(() => {});
  while (!there) {
    await work();
    await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 1000))]);
  }
}

let turn = 0;

// The first results of a subscription, each asked for before it happens.
async function first(client, label) {
  const results = [];
  const stream = client.iterate({ query, variables: { id: space } });
  for (let number = 0; number < 3; number += 1) {
    const next = stream.next();
    const change = () => rename(`${label} ${turn += 1}`);
    await (number === 0 ? until(next, change) : change());
    results.push((await next).value.data.space);
  }
  // It goes on after the first one that is known.
  const again = client.iterate({ query, variables: { id: space, after: results[0].id } });
  const later = [(await again.next()).value.data.space, (await again.next()).value.data.space];
  await stream.return();
  await again.return();
  return { results, later };
}

async function one(client, text) {
  try {
    const results = [];
    for await (const result of client.iterate({ query: text })) results.push(result);
    return results.map(({ data, errors }) => ({ data, errors: errors?.map((e) => e.message) }));
  } catch (error) {
    return { code: error.code, status: error.response?.status, errors: Array.isArray(error) };
  }
}

const socket = (params, options) =>
  createSocketClient({
    url: `${base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: params,
    retryAttempts: 0,
    keepAlive: 200,
    ...options,
  });
const sse = (text, single) =>
  createSseClient({
    url: `${base}/graphql`,
    headers: { authorization: `Bearer ${text}` },
    singleConnection: single,
    retryAttempts: 0,
  });
const viewer = '{ viewer { displayName } }';
const notices = `subscription ($after: ID) { notifications(after: $after) {
  id type notification { kind count space { id } } } }`;
const level = `mutation ($id: ID!) { setSpaceNotificationLevel(spaceId: $id, input: { level: ALL }) {
  id } }`;

async function send(token_, text, variables) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token_}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

// What somebody who follows the space is notified of: a comment, and another one.
async function notified(client, label) {
  const comment = `mutation ($id: ID!, $text: String!) {
    postComment(spaceId: $id, input: { body: { markdown: $text } }) { id } }`;
  const stream = client.iterate({ query: notices });
  const results = [];
  for (let number = 0; number < 2; number += 1) {
    const next = stream.next();
    const change = () => send(writer, comment, { id: space, text: `${label} ${turn += 1}` });
    await (number === 0 ? until(next, change) : change());
    results.push((await next).value.data.notifications);
  }
  const again = client.iterate({ query: notices, variables: { after: results[0].id } });
  const later = [(await again.next()).value.data.notifications];
  await stream.return();
  await again.return();
  return { results, later };
}

await send(token, level, { id: space });
const good = socket({ Authorization: `Bearer ${token}` });
const events = sse(token, false);
const answers = {
  socket: await first(good, 'S'),
  socketQuery: await one(good, viewer),
  socketInvalid: await one(good, '{ nothing }'),
  socketForbidden: await one(socket({ Authorization: 'Bearer wrong' }), viewer),
  sse: await first(events, 'E'),
  sseQuery: await one(events, viewer),
  sseInvalid: await one(events, '{ nothing }'),
  sseForbidden: await one(sse('wrong', false), viewer),
  socketNotified: await notified(good, 'S'),
  sseNotified: await notified(events, 'E'),
};
await good.dispose();
console.log(JSON.stringify(answers));
