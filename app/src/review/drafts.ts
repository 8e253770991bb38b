/** Texts that somebody is writing: kept in this browser until they are sent. */

import { useCallback, useState } from 'react';

const PREFIX = 'docstead-draft ';

export function useDraft(name: string): readonly [string, (text: string) => void, () => void] {
  const key = PREFIX + name;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const change = useCallback((next: string) => {
    setText(next);
    if (next) sessionStorage.setItem(key, next);
    else sessionStorage.removeItem(key);
  }, [key]);
  const forget = useCallback(() => change(''), [change]);
  return [text, change, forget];
}
