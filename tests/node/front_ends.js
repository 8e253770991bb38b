// The programs of docs/front-ends.md, on primary content and on a draft of one page.
// Arguments: the folder with the programs, the endpoint, a token, and ids of a space, a page and a
// change request that edits it. Prints what each client shows, and every warning.
import relay from 'relay-runtime';
import { gql } from '@apollo/client';

const [folder, url, token, space, page, request] = process.argv.slice(2);
const warnings = [];
for (const level of ['warn', 'error']) {
  console[level] = (...parts) => warnings.push(parts.map(String).join(' '));
}
const program = (name) => import(`${folder}/${name}.js`);
const { possibleTypes } = await program('possible-types');
const { apollo } = await program('apollo');
const { urql } = await program('urql');
const { environment } = await program('relay');
const { write } = await program('write');
const { upload } = await program('upload');

const PAGE = `query Page($space: ID!, $page: ID!, $request: ID) {
  page(spaceId: $space, id: $page, changeRequestId: $request) { __typename id pageId title } }`;
const LIST = `query List($space: ID!, $after: String) { space(id: $space) { __typename id
  revision { __typename id allPages(first: 2, after: $after) { __typename
    edges { __typename cursor node { __typename id title } }
    pageInfo { __typename hasNextPage endCursor } } } } }`;
const MERGE = `mutation Merge($space: ID!, $request: ID!) {
  mergeChangeRequest(spaceId: $space, id: $request) { __typename revision { __typename id
    pages(first: 50) { __typename nodes { __typename id title } } } } }`;
const places = { primary: { space, page, request: null }, draft: { space, page, request } };
const shown = { apollo: {}, urql: {}, relay: {} };
const types = await possibleTypes(url, token);

const client = apollo(url, token, types);
const graphcache = urql(url, token);
const store = environment(url, token);

const variable = (name) => ({ kind: 'Variable', name, variableName: name });
const argument = (name, variableName) => ({ ...variable(name), variableName });
const scalar = (name) => ({ kind: 'ScalarField', name, alias: null, args: null, storageKey: null });
const linked = (name, args, selections, plural = false) => ({
  kind: 'LinkedField', name, alias: null, args, concreteType: null, plural, selections,
  storageKey: null,
});
const compiled = (name, operationKind, text, names, selections) => ({
  kind: 'Request',
  fragment: {
    kind: 'Fragment', name, type: operationKind === 'query' ? 'Query' : 'Mutation', metadata: null,
    argumentDefinitions: names.map((one) => ({ kind: 'LocalArgument', name: one, defaultValue: null })),
    selections, abstractKey: null,
  },
  operation: {
    kind: 'Operation', name, selections,
    argumentDefinitions: names.map((one) => ({ kind: 'LocalArgument', name: one, defaultValue: null })),
  },
  params: { name, operationKind, text, id: null, cacheID: name, metadata: {} },
});
const fields = ['__typename', 'id', 'pageId', 'title'].map(scalar);
const pageQuery = compiled('Page', 'query', PAGE, ['space', 'page', 'request'], [
  linked('page', [
    argument('changeRequestId', 'request'), argument('id', 'page'), argument('spaceId', 'space'),
  ], fields),
]);
const relayOperation = (variables) =>
  relay.createOperationDescriptor(pageQuery, variables);

for (const [place, variables] of Object.entries(places)) {
  const found = await client.query({ query: gql(PAGE), variables });
  shown.apollo[place] = found.data.page;
  const cached = await graphcache.query(PAGE, variables).toPromise();
  shown.urql[place] = cached.data.page;
  const operation = relayOperation(variables);
  await relay.fetchQuery(store, pageQuery, variables).toPromise();
  store.retain(operation);
  shown.relay[place] = store.lookup(operation.fragment).data.page;
}

// What the caches show, once both places have been read.
const state = async () => {
  const found = { apollo: {}, urql: {}, relay: {} };
  for (const [place, variables] of Object.entries(places)) {
    found.apollo[place] = client.readQuery({ query: gql(PAGE), variables })?.page.title;
    const cached = await graphcache
      .query(PAGE, variables, { requestPolicy: 'cache-only' })
      .toPromise();
    found.urql[place] = cached.data?.page.title;
    found.relay[place] = store.lookup(relayOperation(variables).fragment).data.page?.title;
  }
  return found;
};
const before = await state();

// A list in two steps.
const first = await client.query({ query: gql(LIST), variables: { space } });
const { endCursor: after } = first.data.space.revision.allPages.pageInfo;
const listed = client.watchQuery({ query: gql(LIST), variables: { space } });
await listed.fetchMore({ variables: { space, after } });
const pages = client.readQuery({ query: gql(LIST), variables: { space } });

// The merge, through each client's cache: the first one merges, the others read its answer again.
const merged = await client.mutate({ mutation: gql(MERGE), variables: { space, request } });
const { title } = merged.data.mergeChangeRequest.revision.pages.nodes.find((one) => one.id === page);
await graphcache
  .query(PAGE, places.primary, { requestPolicy: 'network-only' })
  .toPromise();
await relay.fetchQuery(store, pageQuery, places.primary).toPromise();
const afterwards = await state();

const file = await upload(url, token, space, 'note.txt', new TextEncoder().encode('Hello'));
let code = null;
await write(url, token, 'mutation { deleteSpace(id: "nothing") { deletedId } }', {}).catch((error) => {
  code = error.code;
});

// A connection that breaks behind a write: the second attempt gets the answer of the first.
const MAKE = `mutation ($space: ID!) {
  createPage(spaceId: $space, input: { type: DOCUMENT, title: "Once" }) { pages { pageId } } }`;
const answers = [];
const plain = globalThis.fetch;
globalThis.fetch = async (...sent) => {
  const response = await plain(...sent);
  answers.push(await response.clone().json());
  if (answers.length === 1) throw new TypeError('the connection broke');
  return response;
};
const made = await write(url, token, MAKE, { space });
globalThis.fetch = plain;
const titles = await write(
  url, token,
  'query ($space: ID!) { space(id: $space) { revision { allPages { nodes { title } } } } }', { space },
);
const once = {
  attempts: answers.length,
  same: JSON.stringify(answers[0].data) === JSON.stringify(made),
  pages: titles.space.revision.allPages.nodes.filter((one) => one.title === 'Once').length,
};
process.stdout.write(JSON.stringify({
  once, types: types.Page, shown, before, afterwards, title, file, code, warnings,
  edges: pages.space.revision.allPages.edges.length,
}));
process.exit(0);
