/** The queries of what is on the screen, to be asked again when something has changed. */

import { type Exchange, type Operation, makeOperation } from 'urql';
import { pipe, tap } from 'wonka';

const shown = new Map<number, Operation>();
/** For what never changes, such as a stored document: it is read once. */
export const UNCHANGING = { requestPolicy: 'cache-first', unchanging: true } as const;

let again: ((operation: Operation) => void) | null = null;

export const rememberVisible: Exchange = ({ client, forward }) => {
  again = (operation) => client.reexecuteOperation(operation);
  return (operations) =>
    forward(
      pipe(
        operations,
        tap((operation) => {
          if (operation.kind === 'query' && !operation.context['unchanging']) shown.set(operation.key, operation);
          if (operation.kind === 'teardown') shown.delete(operation.key);
        }),
      ),
    );
};

/** Ask anew for all that is shown; what has not changed is not drawn again. */
export function refreshVisible(): void {
  for (const operation of [...shown.values()]) {
    again?.(
      makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }),
    );
  }
}
