/** Texts of an area, which come with its views; the English ones say what other languages have to have. */

import { use } from 'react';
import { useLanguage } from './texts.tsx';

export function catalogue<Area>(en: Area, de: () => Promise<Area>): () => Area {
  let german: Promise<Area> | undefined;
  return function useArea() {
    const { code } = useLanguage();
    // Without the file of a language there is still English.
    return code === 'de' ? use((german ??= de().catch(() => en))) : en;
  };
}
