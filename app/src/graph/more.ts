import { useState } from 'react';

const PORTION = 50;
/** What the graph gives of one list at once. */
const MOST = 1_000;

/** How many rows of a list are shown, and what shows more of them; null where there are as many as can be. */
export function useMore(portion = PORTION, most = MOST): readonly [number, (() => void) | null] {
  const [count, setCount] = useState(portion);
  const more = (): void => setCount((before) => Math.min(before + portion, most));
  return [count, count < most ? more : null];
}
