/** The one socket for subscriptions, and how it is. */

import { createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';
import { outside } from '../place.ts';

/** `idle`: nothing is followed; `lost`: the socket broke, and another one is tried. */
export type Connection = 'idle' | 'connecting' | 'live' | 'lost';

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
  on: {
    connecting: () => become(state === 'lost' ? 'lost' : 'connecting'),
    connected: () => become('live'),
    closed: (event) => become((event as CloseEvent).code === 1000 ? 'idle' : 'lost'),
    error: () => become('lost'),
  },
});

// A browser that is offline notices before the socket does.
window.addEventListener('offline', () => {
  socket.terminate();
  become('lost');
});
