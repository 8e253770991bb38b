/** Texts of the interface in the language of whoever looks at it. */

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { en, type Texts } from './en.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
/** Languages that are written from right to left; what somebody has written has its own direction. */
const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'ur', 'yi']);
export type LanguageCode = keyof typeof LANGUAGES;

const KEY = 'docstead-language';
const isLanguage = (code: string | null | undefined): code is LanguageCode =>
  code != null && Object.hasOwn(LANGUAGES, code);

/** What was chosen in this browser, else the first of the browser's languages that there is. */
export function preferred(): LanguageCode {
  const chosen = localStorage.getItem(KEY);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((language) => language.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** With the region that the browser says, for numbers and dates. */
const localeOf = (code: LanguageCode): string => navigator.languages.find((language) => language.slice(0, 2) === code) ?? code;

async function load(code: LanguageCode): Promise<Texts> {
  return code === 'de' ? (await import('./de.ts')).de : en;
}

interface Language {
  readonly code: LanguageCode;
  readonly texts: Texts;
  readonly choose: (code: LanguageCode) => void;
}

const Chosen = createContext<Language>({ code: 'en', texts: en, choose: () => undefined });

export function TextsProvider({ children }: { children: ReactNode }) {
  const [code, setCode] = useState(preferred);
  const [loaded, setLoaded] = useState<{ code: LanguageCode; texts: Texts } | null>(
    code === 'en' ? { code, texts: en } : null,
  );
  useEffect(() => {
    let isCurrent = true;
    load(code).then(
      (texts) => isCurrent && setLoaded({ code, texts }),
      // Without the file of a language there is still English.
      () => isCurrent && setLoaded({ code: 'en', texts: en }),
    );
    return () => {
      isCurrent = false;
    };
  }, [code]);
  useEffect(() => {
    if (loaded === null) return;
    document.documentElement.lang = loaded.code;
    document.documentElement.dir = RIGHT_TO_LEFT.has(loaded.code) ? 'rtl' : 'ltr';
  }, [loaded]);
  if (loaded === null) return null;
  const choose = (next: LanguageCode): void => {
    localStorage.setItem(KEY, next);
    setCode(next);
  };
  // What the library says by itself, to screen readers mostly, is in the same language.
  return (
    <I18nProvider locale={localeOf(loaded.code)}>
      <Chosen.Provider value={{ ...loaded, choose }}>{children}</Chosen.Provider>
    </I18nProvider>
  );
}

export const useLanguage = (): Language => useContext(Chosen);
export const useTexts = (): Texts => useContext(Chosen).texts;
