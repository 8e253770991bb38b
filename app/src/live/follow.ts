/** Views follow what happens: each event of what is shown asks for it anew. */

import { useEffect } from 'react';
import { refreshVisible } from '../graph/visible.ts';
import { socket } from './connection.ts';
import { gatherer } from './gather.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Codes after which the same subscription cannot succeed. */
const FINAL = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']);

const EVENTS = `subscription WorkbenchEvents($organization: ID!, $space: ID, $after: ID) {
  events(organizationId: $organization, space: $space, after: $after) { id }
}`;

export interface Followed {
  readonly organization: string;
  readonly space: string | null;
  /** The newest event when what is shown was asked for; null where there was none. */
  readonly after: string | null;
}

const { soon: refreshSoon, seen } = gatherer(refreshVisible, {
  now: () => performance.now(),
  later: (work, milliseconds) => void window.setTimeout(work, milliseconds),
  random: Math.random,
  isHidden: () => document.visibilityState === 'hidden',
});
document.addEventListener('visibilitychange', seen);

interface Failure {
  readonly extensions?: { readonly code?: unknown };
}

function codeOf(problem: unknown): string | null {
  const [first] = Array.isArray(problem) ? (problem as Failure[]) : [];
  const code = first?.extensions?.code;
  return typeof code === 'string' ? code : null;
}

/**
 * Follow events until the returned function is called. A stream that ends goes on behind its last
 * event; where the server has forgotten that one, all that is shown is read anew.
 */
export function follow({ organization, space, after }: Followed): () => void {
  let cursor = after;
  let ended = false;
  let pause = FIRST_PAUSE_MS;
  let timer: number | undefined;
  let leave = (): void => undefined;

  const begin = (): void => {
    timer = undefined;
    leave = socket.subscribe<{ events: { id: string } | null }>(
      { query: EVENTS, variables: { organization, space, after: cursor } },
      {
        next: ({ data, errors }) => {
          if (errors !== undefined) return again(codeOf(errors));
          if (data?.events == null) return;
          cursor = data.events.id;
          pause = FIRST_PAUSE_MS;
          refreshSoon();
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

/** Follow what a view shows while it is shown. */
export function useFollowing(organization: string | null, space: string | null, after: string | null): void {
  useEffect(() => {
    if (organization === null) return;
    return follow({ organization, space, after });
    // A later `after` is where the stream already is.
  }, [organization, space]);
}
