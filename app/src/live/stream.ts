/** A subscription that goes on: behind what came last when it ends, and as soon as the browser is online again. */

import { refreshVisible } from '../graph/visible.ts';
import { socket } from './connection.ts';
import { gatherer } from './gather.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Codes after which the same subscription cannot succeed. */
const FINAL = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']);

const { soon, seen } = gatherer(refreshVisible, {
  now: () => performance.now(),
  later: (work, milliseconds) => void window.setTimeout(work, milliseconds),
  random: Math.random,
  isHidden: () => document.visibilityState === 'hidden',
});
document.addEventListener('visibilitychange', seen);

/** Ask anew for what is shown, gathered with what else asks for it. */
export const refreshSoon = soon;

interface Failure {
  readonly extensions?: { readonly code?: unknown };
}

function codeOf(problem: unknown): string | null {
  const [first] = Array.isArray(problem) ? (problem as Failure[]) : [];
  const code = first?.extensions?.code;
  return typeof code === 'string' ? code : null;
}

export interface Streamed<Data> {
  readonly query: string;
  readonly variables: (after: string | null) => Record<string, unknown>;
  /** Where it begins; null: now. */
  readonly after: string | null;
  /** Takes what came; its answer is where to go on, null where a stream has no such place. */
  readonly take: (data: Data) => string | null;
}

/**
 * Follow until the returned function is called. A stream that ends goes on behind its last
 * event; where the server has forgotten that one, or has none, all that is shown is read anew.
 */
export function stream<Data>({ query, variables, after, take }: Streamed<Data>): () => void {
  let cursor = after;
  let ended = false;
  let pause = FIRST_PAUSE_MS;
  let timer: number | undefined;
  let leave = (): void => undefined;

  const begin = (): void => {
    timer = undefined;
    leave = socket.subscribe<Data>(
      { query, variables: variables(cursor) },
      {
        next: ({ data, errors }) => {
          if (errors !== undefined) return again(codeOf(errors));
          if (data == null) return;
          cursor = take(data) ?? cursor;
          pause = FIRST_PAUSE_MS;
        },
        error: (problem) => again(codeOf(problem)),
        complete: () => again(null),
      },
    );
  };

  const again = (code: string | null): void => {
    if (ended || timer !== undefined) return;
    if (code !== null && code !== 'SLOW_CONSUMER') {
      // What is shown says by itself why it cannot be followed any more.
      refreshSoon();
      if (FINAL.has(code)) return;
      if (code !== 'ACCESS_CHANGED') cursor = null;
    }
    timer = window.setTimeout(() => {
      // Without a cursor nobody brings what has happened meanwhile.
      if (cursor === null) refreshSoon();
      begin();
    }, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  const hurry = (): void => {
    // What failed meanwhile is asked for again.
    refreshSoon();
    if (timer === undefined) return;
    window.clearTimeout(timer);
    pause = FIRST_PAUSE_MS;
    begin();
  };
  window.addEventListener('online', hurry);
  begin();
  return () => {
    ended = true;
    window.clearTimeout(timer);
    window.removeEventListener('online', hurry);
    leave();
  };
}
