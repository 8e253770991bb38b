/** Writes are carried out once, also when the answer is lost on the way and they are sent again. */

import { CombinedError, type Exchange, makeOperation, type Operation, type OperationResult } from 'urql';
import { filter, makeSubject, map, merge, pipe, tap } from 'wonka';
import { inTime, Unanswered, WRITE_MS } from './in-time.ts';

const HEADER = 'Idempotency-Key';
/** Whom this window is of: another one, who has signed in in another window of the browser, is refused. */
const FOR = 'Docstead-User';
let person: string | null = null;
export const writeAs = (id: string): void => void (person = id);
const PAUSES_MS = [700, 2_500];
const patient = inTime(WRITE_MS, 'unsure');

/** What a write may say of itself in the context of its operation. */
export interface WriteContext {
  /** Its key, where whoever writes sends it again by themselves. */
  readonly writeKey?: string;
  /** There was no answer in time, and it is sent again. */
  readonly onResent?: (error: CombinedError) => void;
}

/** As random as a UUID, which browsers give to secure origins alone. */
export function newWriteKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Writes of which nobody knows what became of them, by what they are, with their keys. Somebody who sends the same once more means
 * the same write, until another one was answered.
 */
const unsure = new Map<number, string>();

function withKey(operation: Operation): Operation {
  if (operation.kind !== 'mutation' || operation.context['sent'] !== undefined) return operation;
  const options = operation.context.fetchOptions;
  const { headers, ...rest } = (typeof options === 'function' ? options() : options) ?? {};
  const key = (operation.context as WriteContext).writeKey ?? unsure.get(operation.key) ?? newWriteKey();
  const fetchOptions = { ...rest, headers: { ...(headers as Record<string, string>), [HEADER]: key, ...(person ? { [FOR]: person } : {}) } };
  return makeOperation('mutation', operation, { ...operation.context, fetchOptions, fetch: patient, sent: 0, key });
}

const isLost = ({ error }: OperationResult): boolean => error?.networkError !== undefined && !(error.response as Response | undefined)?.status;
/** Also where something between has failed, or the server does not know it itself. */
const isUnsure = (result: OperationResult): boolean => result.error?.networkError !== undefined || result.error?.graphQLErrors[0]?.extensions['code'] === 'OUTCOME_UNKNOWN';

function noted(result: OperationResult): void {
  const { kind, key, context } = result.operation;
  if (kind !== 'mutation') return;
  if (!isUnsure(result)) unsure.clear();
  else if ((context as WriteContext).writeKey === undefined) unsure.set(key, context['key'] as string);
}

/** Each mutation has a key of its own; one that got no answer is sent again with the same one. */
export const onceEach: Exchange = ({ forward }) => (operations) => {
  const { source: again, next: repeat } = makeSubject<Operation>();
  return pipe(
    forward(merge([pipe(operations, map(withKey)), again])),
    filter((result) => {
      const { operation, error } = result;
      const sent = operation.context['sent'] as number | undefined;
      const pause = sent === undefined ? undefined : PAUSES_MS[sent];
      if (!isLost(result) || pause === undefined || !navigator.onLine) return true;
      if (error?.networkError instanceof Unanswered) {
        const { writeKey, onResent } = operation.context as WriteContext;
        // Whoever sends it again by themselves says so at once.
        if (writeKey !== undefined) return true;
        onResent?.(new CombinedError({ networkError: new Unanswered('resent') }));
      }
      const next = makeOperation('mutation', operation, { ...operation.context, sent: (sent ?? 0) + 1 });
      window.setTimeout(() => repeat(next), pause);
      return false;
    }),
    tap(noted),
  );
};
