/** Texts that somebody is writing: kept in this tab until they are sent, for the person who wrote them. */

import { useCallback, useRef, useState } from 'react';
import { useViewer } from '../shell/viewer.tsx';
import { forgetPeople } from './mentions.ts';
import { behind } from './sent.ts';

const PREFIX = 'docstead-draft ';

/** The text, what changes it, what takes away of it the part that was sent, and its key: whom it mentions is known by that. */
export function useDraft(name: string): readonly [string, (text: string) => void, (sent: string) => void, string] {
  const viewer = useViewer();
  const key = `${PREFIX}${viewer.id} ${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const newest = useRef(text);
  const change = useCallback((next: string) => {
    newest.current = next;
    setText(next);
    try {
      if (next) sessionStorage.setItem(key, next);
      else sessionStorage.removeItem(key);
    } catch {
      // The browser keeps no more: the text is still there, but not after a reload.
    }
  }, [key]);
  const forget = useCallback((sent: string) => {
    change(behind(newest.current, sent));
    if (newest.current === '') forgetPeople(key);
  }, [change, key]);
  return [text, change, forget, key];
}
