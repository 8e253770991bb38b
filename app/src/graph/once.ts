/** Writes are carried out once, also when the answer is lost on the way and they are sent again. */

import { type Exchange, makeOperation, type Operation } from 'urql';
import { filter, makeSubject, map, merge, pipe } from 'wonka';

const HEADER = 'Idempotency-Key';
/** Whom this window is of: another one, who has signed in in another window of the browser, is refused. */
const FOR = 'Docstead-User';
let person: string | null = null;
export const writeAs = (id: string): void => void (person = id);
const PAUSES_MS = [700, 2_500];

/** As random as a UUID, which browsers give to secure origins alone. */
export function newWriteKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function withKey(operation: Operation): Operation {
  if (operation.kind !== 'mutation' || operation.context['sent'] !== undefined) return operation;
  const options = operation.context.fetchOptions;
  const { headers, ...rest } = (typeof options === 'function' ? options() : options) ?? {};
  const key = (operation.context['writeKey'] as string | undefined) ?? newWriteKey();
  const fetchOptions = { ...rest, headers: { ...(headers as Record<string, string>), [HEADER]: key, ...(person ? { [FOR]: person } : {}) } };
  return makeOperation('mutation', operation, { ...operation.context, fetchOptions, sent: 0 });
}

/** Each mutation has a key of its own; one that got no answer is sent again with the same one. */
export const onceEach: Exchange = ({ forward }) => (operations) => {
  const { source: again, next: repeat } = makeSubject<Operation>();
  return pipe(
    forward(merge([pipe(operations, map(withKey)), again])),
    filter(({ operation, error }) => {
      const sent = operation.context['sent'] as number | undefined;
      const pause = sent === undefined ? undefined : PAUSES_MS[sent];
      const isLost = error?.networkError && !(error.response as Response | undefined)?.status;
      if (!isLost || pause === undefined || !navigator.onLine) return true;
      const next = makeOperation('mutation', operation, { ...operation.context, sent: (sent ?? 0) + 1 });
      window.setTimeout(() => repeat(next), pause);
      return false;
    }),
  );
};
