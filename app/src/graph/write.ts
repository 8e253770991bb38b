/** Writing: what is shown is asked for anew when something was written, and when it was refused for being old. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, useClient } from 'urql';
import { written } from '../live/done.ts';
import { codeOf } from '../ui/failure.tsx';
import { refreshVisible } from './visible.ts';

/** Codes that say: somebody else was first. */
const OLD = new Set(['CONFLICT', 'NOT_FOUND', 'PRECONDITION_FAILED']);

/** After a refusal that comes of an old view, the view is read again. */
export function readAgainAfter(error: CombinedError): void {
  const code = codeOf(error);
  if (code !== null && OLD.has(code)) refreshVisible();
}

export interface Write<Data, Variables> {
  /** The answer, or null when it was refused; `error` says why. */
  readonly write: (variables: Variables) => Promise<Data | null>;
  readonly busy: boolean;
  readonly error: CombinedError | undefined;
}

/** `isSaid`: that it is done; not of what is only a beginning, or where the view says what was done.
 *
 * What was answered goes to whoever has written, and is not kept here: it may be a secret that is shown once.
 */
export function useWrite<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  isSaid = true,
): Write<Data, Variables> {
  const client = useClient();
  const [{ busy, error }, setState] = useState<{ busy: boolean; error: CombinedError | undefined }>({ busy: false, error: undefined });
  const newest = useRef(0);
  const write = useCallback(async (variables: Variables): Promise<Data | null> => {
    const own = ++newest.current;
    setState({ busy: true, error: undefined });
    const result = await client.mutation(mutation, variables).toPromise();
    if (own === newest.current) setState({ busy: false, error: result.error });
    if (result.error !== undefined) {
      readAgainAfter(result.error);
      return null;
    }
    if (isSaid) written();
    else refreshVisible();
    return result.data ?? null;
  }, [client, mutation, isSaid]);
  return { write, busy, error };
}
