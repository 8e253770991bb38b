// Apollo Client's and urql's links for persisted queries against a server, as they are published.
// Arguments: the endpoint and a token. Prints what each operation got, twice, and what went over the
// wire: the method, the text of the document where it was sent, the status.
import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

const [endpoint, token] = process.argv.slice(2);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const headers = { authorization: `Bearer ${token}` };
let wire = [];

async function recordingFetch(url, options) {
  const response = await fetch(url, options);
  const sent =
    options.method === 'GET' ? Object.fromEntries(new URL(url).searchParams) : JSON.parse(options.body);
  wire.push({ method: options.method, query: sent.query ?? null, status: response.status });
  return response;
}

function apollo(useGETForHashedQueries) {
  return new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([
      new PersistedQueryLink({ sha256, useGETForHashedQueries }),
      new HttpLink({ uri: endpoint, headers, fetch: recordingFetch }),
    ]),
  });
}

function urql(preferGetForPersistedQueries) {
  return new Client({
    url: endpoint,
    fetch: recordingFetch,
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [
      persistedExchange({
        preferGetForPersistedQueries,
        enforcePersistedQueries: false,
        enableForMutation: true,
        generateHash: async (text) => sha256(text),
      }),
      fetchExchange,
    ],
  });
}

const read = async (client, text) => {
  const result =
    client instanceof ApolloClient
      ? await client.query({ query: gql(text), fetchPolicy: 'network-only', errorPolicy: 'all' })
      : await client.query(text, {}, { requestPolicy: 'network-only' }).toPromise();
  return { data: result.data ?? null, error: result.error ? String(result.error.message) : null };
};

const results = {};
for (const [name, client, text] of [
  ['apolloPost', apollo(false), 'query ApolloPost { viewer { id email } }'],
  ['apolloGet', apollo(true), 'query ApolloGet { viewer { id email } }'],
  ['urqlPost', urql(false), 'query UrqlPost { viewer { id email } }'],
  ['urqlGet', urql('force'), 'query UrqlGet { viewer { id email } }'],
]) {
  const answers = [];
  for (let turn = 0; turn < 2; turn += 1) {
    wire = [];
    const answer = await read(client, text);
    answers.push({ ...answer, wire });
  }
  results[name] = answers;
}
console.log(JSON.stringify(results));
