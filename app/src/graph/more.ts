import { useState } from 'react';

const PORTION = 50;
/** What the graph gives of one list at once. */
const MOST = 1_000;

/** How many rows of a list are shown, and a function that shows more. */
export function useMore(portion = PORTION): readonly [number, () => void] {
  const [count, setCount] = useState(portion);
  return [count, () => setCount((before) => Math.min(before + portion, MOST))];
}
