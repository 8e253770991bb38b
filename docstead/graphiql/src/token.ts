import { useSyncExternalStore } from 'react';

/**
 * What is known about the token: `absent`, `unchecked` until the first answer, then what the
 * server said.
 */
export type TokenStatus = 'absent' | 'unchecked' | 'accepted' | 'refused';

export interface TokenState {
  readonly token: string;
  readonly status: TokenStatus;
  /** Who is signed in with this browser: its session counts where there is no token. */
  readonly person: string | null;
}

// Session storage belongs to one browser tab and is emptied when the tab closes.
const STORAGE_KEY = 'docstead:token';
const listeners = new Set<() => void>();
let state: TokenState = initialState(sessionStorage.getItem(STORAGE_KEY) ?? '', null);

function initialState(token: string, person: string | null): TokenState {
  return { token, status: token === '' ? 'absent' : 'unchecked', person };
}

function publish(next: TokenState): void {
  state = next;
  for (const listener of listeners) {
    listener();
  }
}

/** The token as it is now; an empty string when there is none. */
export function currentToken(): string {
  return state.token;
}

/** Remembers the token for this tab; an empty string forgets it. */
export function setToken(text: string): void {
  // A pasted token often brings a line end, or the word Bearer from a header.
  const token = text.trim().replace(/^bearer\s+/i, '');
  if (token === state.token) {
    return;
  }
  if (token === '') {
    sessionStorage.removeItem(STORAGE_KEY);
  } else {
    sessionStorage.setItem(STORAGE_KEY, token);
  }
  publish(initialState(token, state.person));
}

/** Notes what the server answered to a request that carried `token`. */
export function noteAnswer(token: string, httpStatus: number): void {
  if (token !== state.token || token === '') {
    return;
  }
  const status = httpStatus === 401 ? 'refused' : httpStatus < 500 ? 'accepted' : state.status;
  if (status !== state.status) {
    publish({ ...state, status });
  }
}

/** Notes who is signed in with this browser; null for nobody. */
export function notePerson(person: string | null): void {
  if (person !== state.person) {
    publish({ ...state, person });
  }
}

/** What requests are sent with, which changes when it does; empty when there is nothing. */
export function credentialOf({ token, person }: TokenState): string {
  return token === '' && person !== null ? 'session' : token;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToken(): TokenState {
  return useSyncExternalStore(subscribe, () => state);
}
