/** The one socket for subscriptions, and how it is. */

import { createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';
import { outside } from '../place.ts';

/** `idle`: nothing is followed; `lost`: the socket broke, and another one is tried. */
export type Connection = 'idle' | 'connecting' | 'live' | 'lost';

/** Until a socket is open, and from a ping to whatever comes behind it. */
const OPENING_MS = 15_000;
const SILENT_MS = 8_000;

let state: Connection = 'idle';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnection = (): Connection => useSyncExternalStore(listen, () => state);

const address = new URL(outside('/graphql'), window.location.href);
address.protocol = address.protocol.replace('http', 'ws');

let silence: number | undefined;
const heard = (): void => window.clearTimeout(silence);
function endAfter(milliseconds: number): void {
  heard();
  silence = window.setTimeout(() => socket.terminate(), milliseconds);
}

/**
 * It is opened by the first subscription. It is not opened again by itself: whoever follows
 * something subscribes anew behind the last event, so that none is missed.
 */
export const socket = createClient({
  url: address.href,
  lazy: true,
  retryAttempts: 0,
  // From one view to the next it stays open.
  lazyCloseTimeout: 3_000,
  keepAlive: 12_000,
  connectionAckWaitTimeout: SILENT_MS,
  on: {
    connecting: () => {
      become(state === 'lost' ? 'lost' : 'connecting');
      endAfter(OPENING_MS);
    },
    opened: () => heard(),
    connected: () => become('live'),
    message: () => heard(),
    // A connection that is gone may not say so: then nothing answers.
    ping: (isReceived) => void (!isReceived && endAfter(SILENT_MS)),
    closed: (event) => {
      heard();
      become((event as CloseEvent).code === 1000 ? 'idle' : 'lost');
    },
    error: () => {
      heard();
      become('lost');
    },
  },
});

// A browser that is offline notices before the socket does.
window.addEventListener('offline', () => {
  socket.terminate();
  become('lost');
});
