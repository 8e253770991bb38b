/**
 * Markdown that was typed and is not in the page yet: kept in this browser, by person and page and for each tab, with the revision
 * that it was made of. What a tab has left that is closed goes on in the next one that edits the page.
 */

import { heldNames, isOf, KEPT_MS, oneByOne } from './held.ts';

const PREFIX = 'docstead-markdown ';
const LARGEST = 1_000_000;
const MOST = 20;

export interface KeptMarkdown {
  readonly at: number;
  readonly revision: string;
  readonly text: string;
}

/** `page`: the name that what is typed in the text of the page is kept by. */
export const keyOfMarkdown = (page: string): string => `${PREFIX}${page}`;

export function keptMarkdown(key: string): KeptMarkdown | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as KeptMarkdown | null;
    return draft && typeof draft.text === 'string' && typeof draft.revision === 'string' ? draft : null;
  } catch {
    return null;
  }
}

function put(key: string, draft: KeptMarkdown): boolean {
  if (draft.text.length > LARGEST) return false;
  try {
    const isNew = localStorage.getItem(key) === null;
    localStorage.setItem(key, JSON.stringify(draft));
    if (!isNew) return true;
    const others = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX) && name !== key).map((name) => ({ name, at: keptMarkdown(name)?.at ?? 0 }));
    others.sort((a, b) => b.at - a.at);
    for (const [index, { name, at }] of others.entries()) if (index >= MOST - 1 || at < Date.now() - KEPT_MS) localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/** False where the browser keeps no more. */
export const keepMarkdown = (key: string, draft: Omit<KeptMarkdown, 'at'>): boolean => put(key, { at: Date.now(), ...draft });

/** A browser that keeps nothing has nothing to forget. */
export function forgetMarkdown(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is denied.
  }
}

/** What a tab has left that is closed, the newest first: where it is taken, it is this one's from then on, whose key is `own`. */
export const adopt = (page: string, own: string, take: (draft: KeptMarkdown | null) => boolean): Promise<void> =>
  oneByOne(async () => {
    const held = await heldNames();
    try {
      const left = Object.keys(localStorage)
        .filter((key) => key !== own && isOf(keyOfMarkdown(page), key) && !held.has(key.slice(PREFIX.length)))
        .flatMap((key) => {
          const draft = keptMarkdown(key);
          return draft === null || draft.at < Date.now() - KEPT_MS ? [] : [{ key, draft }];
        });
      const [newest] = left.sort((a, b) => b.draft.at - a.draft.at);
      if (!take(newest?.draft ?? null) || newest === undefined) return;
      // It gives way first: a browser that is full has room for it once.
      localStorage.removeItem(newest.key);
      if (!put(own, newest.draft)) localStorage.setItem(newest.key, JSON.stringify(newest.draft));
    } catch {
      // A browser that keeps nothing has left nothing.
      take(null);
    }
  });
