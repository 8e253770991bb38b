/** The one client of the graph: the public endpoint, with the session of this browser. */

import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { outside } from '../place.ts';
import { answered } from './answered.ts';
import { inTime, READ_MS } from './in-time.ts';
import { onceEach } from './once.ts';
import { inOrder, rememberVisible } from './visible.ts';

/**
 * A session counts with this header and from this origin only: no form and no link of another page
 * can send it, so nobody is made to change anything unawares.
 */
export const SCRIPT_HEADER = { 'X-Requested-With': 'Docstead-Workbench' };

/** Ids are unique over all types, and content has one of its own in each version: they are the keys. */
export const client = new Client({
  url: outside('/graphql'),
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
  fetch: inTime(READ_MS, 'late'),
  exchanges: [rememberVisible, cacheExchange({}), inOrder, onceEach, answered, fetchExchange],
  fetchOptions: {
    credentials: 'same-origin',
    headers: { ...SCRIPT_HEADER, Accept: 'application/graphql-response+json' },
  },
});
