/** Reading the graph for a view: what is there, what is on its way, and what went wrong. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, type OperationContext, useQuery } from 'urql';
import { type FailureKind, FailureNotice, FailureView, kindOf } from '../ui/failure.tsx';
import { Notice, ui } from '../ui/ui.tsx';
import { keep, type Kept, keyOfVariables } from './kept.ts';
import { useStaying } from './staying.ts';
import { useTexts } from '../texts/texts.tsx';
import { refreshVisible } from './visible.ts';

/** Failures that pass: what was there stays on the screen, and is asked for again. */
const PASSING = new Set<FailureKind>(['offline', 'late', 'busy', 'server']);
const AGAIN_MS = 8_000;

const isPassing = (error: CombinedError | undefined): boolean => error !== undefined && PASSING.has(kindOf(error));

/** What has failed and may pass is asked for again by itself. */
export function useAgain(error: CombinedError | undefined, again: () => void): void {
  useEffect(() => {
    if (!isPassing(error)) return;
    const timer = window.setTimeout(again, AGAIN_MS * (1 + Math.random()));
    return () => window.clearTimeout(timer);
  }, [error, again]);
}

/** In a view that has more: that this part of it could not be read, until it is. What may not be read there, the view itself says. */
export function Unread({ data, error, again }: { data?: unknown; error?: CombinedError | undefined; again: () => void }) {
  return data == null && isPassing(error) ? <FailureNotice error={error} again={again} /> : null;
}

export function useRead<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pause = false,
  context?: Partial<OperationContext>,
) {
  const [result, execute] = useQuery<Data, Variables>({ query, variables, pause, ...(context ? { context } : {}) } as never);
  const before = useRef<Kept<Data> | null>(null);
  const failed = isPassing(result.error);
  const of = keyOfVariables(variables);
  const { kept: answer, shown } = keep(before.current, of, result.data, failed);
  before.current = answer;
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useAgain(pause ? undefined : result.error, again);
  return { ...result, data: shown as Data | undefined, again, of };
}

/** What somebody does is seen to be answered within 100 ms. */
const PATIENCE_MS = 80;

/** Grey lines, after a moment: what answers at once does not flicker. */
export function Waiting() {
  const t = useTexts();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), PATIENCE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className={ui.skeleton} role="status" aria-label={t.loading}>
      <span /><span /><span />
    </div>
  );
}

/** Whether what stands around says already that it is gone. */
const IsSaid = createContext(false);
/** Failures that end when somebody has signed in. */
const SIGNED_OUT = new Set<FailureKind>(['signedOut', 'another']);

/** Above what is gone, and stays for the words that were typed in it. */
export function Gone({ error }: { error?: Parameters<typeof FailureView>[0]['error'] }) {
  const t = useTexts();
  const again = error && SIGNED_OUT.has(kindOf(error)) ? refreshVisible : undefined;
  return (
    <div className={ui.gone}>
      {error ? <FailureNotice error={error} again={again} /> : <FailureNotice kind="missing" />}
      <Notice tone="warn">{t.typedStays}</Notice>
    </div>
  );
}

interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
}
/** Whether it is known what stands there, or that it could not be read: what comes below it stays where it is from then on. */
export const isAnswered = ({ data, error }: Answered): boolean => data != null || error !== undefined;

/** Not shown before what stands between is there as well. */
export const awaiting = <Result extends { readonly fetching: boolean }>(result: Result) => ({ ...result, data: undefined, error: undefined, fetching: true });

/** The content of a view once its data is there; `pick` says what has to be there. Where it is gone, it stays while words that were typed stand there. */
export function Reading<Data, Part>({ result, pick, children }: {
  result: { data?: Data; error?: Parameters<typeof FailureView>[0]['error']; fetching: boolean; of?: string };
  pick: (data: Data) => Part | null | undefined;
  children: (part: Part) => ReactNode;
}) {
  const now = result.data === undefined || result.data === null ? undefined : pick(result.data);
  const isGone = now == null && (result.error !== undefined || (!result.fetching && result.data !== undefined));
  const part = useStaying(result.of, now, isGone);
  const isSaid = useContext(IsSaid);
  if (part != null) {
    return (
      <IsSaid value={isSaid || isGone}>
        {isGone && !isSaid ? <Gone error={result.error} /> : null}
        {children(part)}
      </IsSaid>
    );
  }
  if (result.error !== undefined) return <FailureView error={result.error} />;
  if (result.fetching || result.data === undefined) return <Waiting />;
  return <FailureView kind="missing" />;
}
