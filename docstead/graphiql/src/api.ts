import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';
import { currentToken, noteAnswer, notePerson } from './token';

function errorResponse(message: string, status: number): Response {
  const body = JSON.stringify({ errors: [{ message }] });
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

/**
 * `fetch` that adds the tab's token, or else the session of the browser, and turns answers that are
 * not JSON into GraphQL errors.
 */
async function authorizedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const token = currentToken();
  // A header written by hand in the headers editor wins over the token field.
  const tokenIsUsed = token !== '' && !headers.has('authorization');
  if (tokenIsUsed) {
    headers.set('authorization', `Bearer ${token}`);
  }
  const sessionIsUsed = !headers.has('authorization');
  if (sessionIsUsed) {
    // The server takes the cookie with this header only, which no form and no link can send.
    headers.set('x-requested-with', 'GraphiQL');
  }
  let response: Response;
  try {
    const credentials = sessionIsUsed ? 'same-origin' : 'omit';
    response = await fetch(input, { ...init, headers, credentials, redirect: 'error' });
  } catch {
    return errorResponse('The server could not be reached. Is it running?', 503);
  }
  if (tokenIsUsed) {
    noteAnswer(token, response.status);
  } else if (sessionIsUsed && response.status === 401) {
    notePerson(null);
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!/^application\/([\w.-]+\+)?json\b/.test(type)) {
    const message = `The server answered ${response.status} with ${type} instead of JSON.`;
    return errorResponse(message, response.status < 400 ? 502 : response.status);
  }
  return response;
}

/** Sends operations to the endpoint: POST for queries and mutations, a socket for subscriptions. */
export function createFetcher(endpoint: URL): Fetcher {
  const socket = new URL(endpoint);
  socket.protocol = endpoint.protocol === 'https:' ? 'wss:' : 'ws:';
  const wsClient = createClient({
    url: socket.href,
    // Opened by the first subscription and closed after the last, so it never holds an old token.
    lazy: true,
    retryAttempts: 0,
    connectionParams: (): Record<string, unknown> => {
      const token = currentToken();
      return token === '' ? {} : { Authorization: `Bearer ${token}` };
    },
  });
  return createGraphiQLFetcher({
    url: endpoint.href,
    fetch: authorizedFetch as typeof fetch,
    wsClient,
    enableIncrementalDelivery: false,
  });
}

/** One query, answered as `{data, errors}`. */
export async function execute(
  endpoint: URL,
  query: string,
): Promise<{ data?: unknown; errors?: { message: string }[] }> {
  const response = await authorizedFetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
    },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Finds out who is signed in with this browser; `address` answers it. */
export async function findPerson(address: string): Promise<void> {
  const response = await fetch(address, { credentials: 'same-origin', redirect: 'error' });
  const { displayName } = (await response.json()) as { displayName: string | null };
  notePerson(displayName);
}
