/** Writing: what is shown is asked for anew when something was written, and when it was refused for being old. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback } from 'react';
import { type AnyVariables, type CombinedError, useMutation } from 'urql';
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

export function useWrite<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
): Write<Data, Variables> {
  const [{ fetching, error }, execute] = useMutation<Data, Variables>(mutation);
  const write = useCallback(async (variables: Variables): Promise<Data | null> => {
    const result = await execute(variables);
    if (result.error !== undefined) {
      readAgainAfter(result.error);
      return null;
    }
    refreshVisible();
    return result.data ?? null;
  }, [execute]);
  return { write, busy: fetching, error };
}
