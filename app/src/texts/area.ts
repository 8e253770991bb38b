/** Texts of an area, which come with its views; the English ones say what other languages have to have. */

import { use } from 'react';
import { preferred, useLanguage } from './texts.tsx';

export function catalogue<Area>(en: Area, de: () => Promise<Area>): () => Area {
  let coming: Promise<Area> | null = null;
  const bring = (): Promise<Area> => {
    if (coming !== null) return coming;
    // Without the file of a language there is still English.
    const promise: Promise<Area> = de().catch(() => en).then((area) => {
      // As React notes it: who asks from now on has it at once.
      Object.assign(promise, { status: 'fulfilled', value: area });
      return area;
    });
    coming = promise;
    return promise;
  };
  // With its views, also where they are loaded before somebody opens them.
  if (preferred() === 'de') void bring();
  return function useArea() {
    const { code } = useLanguage();
    // Also when it is there: React draws a component that has waited once more, and fails at its next hook where this one is left out.
    return code === 'de' ? use(bring()) : en;
  };
}
