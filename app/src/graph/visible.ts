/** The queries of what is on the screen, to be asked again when something has changed; of each the newest answer stays. */

import { type Client, type Exchange, type Operation, makeOperation } from 'urql';
import { filter, map, pipe, tap } from 'wonka';

/** Queries as they were asked for. */
const alive = new Map<number, Operation>();
/** Queries that an answer is on its way to, and what wants one behind it: nobody, the view, or somebody who waits for that. */
const waiting = new Map<number, 'nobody' | 'view' | 'somebody'>();
/** For what never changes, such as a stored document: it is read once. */
export const UNCHANGING = { requestPolicy: 'cache-first', unchanging: true } as const;

let current: Client | null = null;

export const rememberVisible: Exchange = ({ client, forward }) => {
  current = client;
  return (operations) =>
    forward(
      pipe(
        operations,
        tap((operation) => {
          if (operation.kind === 'query') alive.set(operation.key, operation);
          if (operation.kind === 'teardown') alive.delete(operation.key);
        }),
      ),
    );
};

const askAgain = (client: Client, operation: Operation): void =>
  client.reexecuteOperation(makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }));

/**
 * One answer of a query at a time: of two the older one could come last, and stay. The client lets go what it is asked for while it
 * waits; here it is asked behind the answer, which may be older than what was written meanwhile.
 */
export const inOrder: Exchange = ({ client, forward }) => (operations) =>
  pipe(
    operations,
    filter(({ kind, key, context }) => {
      if (kind === 'teardown') waiting.delete(key);
      if (kind !== 'query') return true;
      const isFirst = !waiting.has(key);
      if (isFirst) waiting.set(key, 'nobody');
      else if (context.requestPolicy === 'network-only') waiting.set(key, 'somebody');
      return isFirst;
    }),
    forward,
    map((result) => {
      const { operation: { kind, key }, hasNext } = result;
      if (kind !== 'query' || hasNext) return result;
      const behind = waiting.get(key);
      waiting.delete(key);
      const operation = alive.get(key);
      if (behind === undefined || behind === 'nobody' || operation === undefined) return result;
      askAgain(client, operation);
      return behind === 'somebody' ? { ...result, stale: true } : result;
    }),
  );

/** Ask anew for all that is shown; what has not changed is not drawn again. */
export function refreshVisible(): void {
  for (const operation of [...alive.values()]) {
    if (current === null || operation.context['unchanging']) continue;
    const behind = waiting.get(operation.key);
    if (behind === undefined) askAgain(current, operation);
    else if (behind === 'nobody') waiting.set(operation.key, 'view');
  }
}
