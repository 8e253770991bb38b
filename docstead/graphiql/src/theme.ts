/** Light or dark; null follows the system. */
export type Theme = 'light' | 'dark' | null;

// GraphiQL's own key, so that both pages and its settings dialog share one choice.
const STORAGE_KEY = 'graphiql:theme';

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : null;
}

/** Stores the choice and marks the body with the classes that GraphiQL uses too. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme ?? '');
  document.body.classList.remove('graphiql-light', 'graphiql-dark');
  if (theme !== null) {
    document.body.classList.add(`graphiql-${theme}`);
  }
}

/** The order in which the theme button goes round. */
export function nextTheme(theme: Theme): Theme {
  return theme === null ? 'light' : theme === 'light' ? 'dark' : null;
}
