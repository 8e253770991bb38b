/** Writing: what is shown is asked for anew when something was written, and when it was refused for being old. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, type OperationContext, type OperationResult, useClient } from 'urql';
import { written } from '../live/done.ts';
import { codeOf } from '../ui/failure.tsx';
import type { WriteContext } from './once.ts';
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
  const [{ fetching: busy, error }, send] = useMutation(mutation);
  const write = useCallback(async (variables: Variables): Promise<Data | null> => {
    const result = await send(variables);
    if (result.error !== undefined) {
      readAgainAfter(result.error);
      return null;
    }
    if (isSaid) written();
    else refreshVisible();
    return result.data ?? null;
  }, [send, isSaid]);
  return { write, busy, error };
}

/** A write whose view says by itself what was done: how it goes, and what sends it. */
export function useMutation<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
): readonly [{ readonly fetching: boolean; readonly error: CombinedError | undefined }, (variables: Variables) => Promise<OperationResult<Data, Variables>>] {
  const client = useClient();
  const [state, setState] = useState<{ fetching: boolean; error: CombinedError | undefined }>({ fetching: false, error: undefined });
  const newest = useRef(0);
  const send = useCallback(async (variables: Variables) => {
    const own = ++newest.current;
    const show = (fetching: boolean, error: CombinedError | undefined): void => void (own === newest.current && setState({ fetching, error }));
    show(true, undefined);
    const context: WriteContext = { onResent: (error) => show(true, error) };
    const result = await client.mutation(mutation, variables, context as Partial<OperationContext>).toPromise();
    show(false, result.error);
    return result;
  }, [client, mutation]);
  return [state, send];
}
