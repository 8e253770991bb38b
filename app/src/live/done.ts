/** What was written is said to who hears the view: one place for all writes that show nothing but their result. */

import { useEffect, useState } from 'react';
import { refreshVisible } from '../graph/visible.ts';

const LASTS_MS = 4_000;
const listeners = new Set<() => void>();

/** Say that something is done. */
export function sayDone(): void {
  for (const listener of listeners) listener();
}

/** Something was written: it is said, and what is shown is asked for anew. */
export function written(): void {
  sayDone();
  refreshVisible();
}

/** How many writes were done, while the last of them is news; null otherwise. */
export function useDone(): number | null {
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    let count = 0;
    let timer: number | undefined;
    const listener = (): void => {
      setAt(++count);
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setAt(null), LASTS_MS);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      window.clearTimeout(timer);
    };
  }, []);
  return at;
}
