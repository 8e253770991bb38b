/** The queries of what is on the screen, to be asked again when something has changed; of each the newest answer stays. */

import { type Client, type Exchange, makeOperation, type Operation, type OperationResult } from 'urql';
import { filter, map, merge, pipe, share, tap } from 'wonka';

/** Queries as they were asked for. */
const alive = new Map<number, Operation>();
/** Queries that an answer is on its way to, and what wants one behind it: nobody, the view, or somebody who waits for that. */
const waiting = new Map<number, 'nobody' | 'view' | 'somebody'>();
/** For what never changes, such as a stored document: it is read once. */
export const UNCHANGING = { requestPolicy: 'cache-first', unchanging: true } as const;

let current: Client | null = null;

/** The last answer of each query, and which of them were answered since they were asked last. */
const answers = new Map<number, OperationResult>();
const answered = new Set<number>();

/**
 * The cache lets go what it looks for again, because something else has changed, and misses a second time, as what has failed. The
 * client would wait for that answer, and ask no more: it gets the one that there is.
 */
const isLetGo = ({ kind, key }: Operation): boolean => kind === 'query' && answers.has(key) && !answered.has(key) && !waiting.has(key);

export const rememberVisible: Exchange = ({ client, forward }) => {
  current = client;
  return (all) => {
    const operations = pipe(
      all,
      tap((operation) => {
        const { kind, key } = operation;
        answered.delete(key);
        if (kind === 'query') alive.set(key, operation);
        if (kind !== 'teardown') return;
        alive.delete(key);
        answers.delete(key);
      }),
      share,
    );
    const results = pipe(
      forward(operations),
      tap((result) => {
        const { kind, key } = result.operation;
        if (kind !== 'query') return;
        answered.add(key);
        answers.set(key, result);
      }),
    );
    // Behind what the cache does with them.
    const again = pipe(operations, filter(isLetGo), map((operation) => ({ ...answers.get(operation.key)!, operation, stale: false })));
    return merge([results, again]);
  };
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
