/**
 * Said politely to who hears the view, in a part of the page that is there before: programs that read the screen pass over one that
 * comes with its words, and one that goes with its view. What comes within a moment is said together.
 */

import { useSyncExternalStore } from 'react';

const TOGETHER_MS = 100;
const LASTS_MS = 6_000;

export interface Spoken {
  /** Another one each time, for the same words are news again. */
  readonly count: number;
  readonly text: string;
}

let waiting: readonly string[] = [];
let spoken: Spoken = { count: 0, text: '' };
let timer = 0;
const listeners = new Set<() => void>();

function show(text: string): void {
  spoken = { count: spoken.count + 1, text };
  for (const listener of listeners) listener();
}

/** Nothing that was said before counts any more. */
export function hush(): void {
  window.clearTimeout(timer);
  waiting = [];
  if (spoken.text) show('');
}

export function speak(text: string): void {
  waiting = [...waiting, text];
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    show(waiting.join(' '));
    waiting = [];
    timer = window.setTimeout(() => show(''), LASTS_MS);
  }, TOGETHER_MS);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSpoken = (): Spoken => useSyncExternalStore(listen, () => spoken);
