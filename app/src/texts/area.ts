/** Texts of an area, which come with its views; the English ones say what other languages have to have. */

import { use } from 'react';
import { preferred, useLanguage } from './texts.tsx';

export function catalogue<Area>(en: Area, de: () => Promise<Area>): () => Area {
  let german: Area | null = null;
  let coming: Promise<void> | null = null;
  // Without the file of a language there is still English.
  const bring = (): Promise<void> => (coming ??= de().catch(() => en).then((area) => void (german = area)));
  // With its views, also where they are loaded before somebody opens them.
  if (preferred() === 'de') void bring();
  return function useArea() {
    const { code } = useLanguage();
    if (code !== 'de') return en;
    if (german === null) use(bring());
    return german ?? en;
  };
}
