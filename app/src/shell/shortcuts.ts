/** Keys that work everywhere; single letters do nothing while somebody types. */

import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { toMine } from '../place.ts';
import type { Area } from './areas.ts';

/** Rows of the list of keys: the name of its text, and the keys. */
export const KEYS = [
  ['search', ['Ctrl K', '/']],
  ['keys', ['?']],
  ['home', ['g h']],
  ['notifications', ['g n']],
  ['administration', ['g a']],
  ['sites', ['g s']],
  ['pages', ['g p']],
  ['changes', ['g c']],
  ['history', ['g r']],
  ['links', ['g l']],
  ['tree', ['↑ ↓ ← →']],
  ['treeMove', ['Alt ↑ ↓ ← →']],
  ['treeRename', ['F2']],
  ['treeRemove', ['Del']],
  ['close', ['Esc']],
] as const;
export type KeyName = (typeof KEYS)[number][0];

const SPACE = /^\/s\/[^/]+/u;
const AFTER_G_MS = 1_200;
const IN_SPACE: Record<string, string> = { p: '', c: '/~/changes', r: '/~/revisions', l: '/~/links' };

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName));
}

export function useShortcuts(actions: { search: () => void; keys: () => void; administration: (area: Area | null) => void }): void {
  const [location, navigate] = useLocation();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);
  // With what is seen, not after it: a key pressed at the first sight of a view counts.
  useLayoutEffect(() => {
    const space = SPACE.exec(location)?.[0];
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        // In a text it makes a link.
        if (event.target instanceof HTMLElement && event.target.isContentEditable) return;
        event.preventDefault();
        return actions.search();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (event.timeStamp - pressedG.current < AFTER_G_MS) {
        pressedG.current = Number.NEGATIVE_INFINITY;
        const part = IN_SPACE[event.key];
        if (event.key === 'h') navigate('/');
        else if (event.key === 'n') navigate(toMine('notifications'));
        else if (event.key === 'a') actions.administration(null);
        else if (event.key === 's') actions.administration('sites');
        else if (part !== undefined && space !== undefined) navigate(space + part);
        else return;
        event.preventDefault();
        return;
      }
      if (event.key === 'g') pressedG.current = event.timeStamp;
      else if (event.key === '?') actions.keys();
      else if (event.key === '/') {
        event.preventDefault();
        actions.search();
      }
    };
    // Before trees and lists look for what begins with the letter.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  });
}
