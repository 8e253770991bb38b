/** Parts of the application that are loaded when they are needed, or a little before, also over a bad connection. */

import { type ComponentType, createElement, type ReactNode, use, useEffect } from 'react';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Load until it is there, also when the browser comes online again; what waits for it says so meanwhile. */
async function untilThere<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await load();
    } catch (fault) {
      // Online, the file is gone: another version has been installed, and a reload brings it.
      if (navigator.onLine && pause >= LONGEST_PAUSE_MS) throw fault;
      await waited(pause);
    }
  }
}

const waited = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      done();
    };
    const timer = window.setTimeout(end, milliseconds);
    window.addEventListener('online', end);
  });

export interface Later {
  /** Load it, once. */
  readonly bring: () => Promise<void>;
}

export type Part<Props> = ((props: Props) => ReactNode) & Later;

/** What is there is drawn at once: `lazy` of React would wait with it even then. */
export function part<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): Part<Props> {
  let there: ComponentType<Props> | null = null;
  let coming: Promise<void> | null = null;
  let isOpened = false;
  const bring = (): Promise<void> => (coming ??= untilThere(load).then(({ default: component }) => void (there = component), (fault) => {
    // What failed ahead, as while a server was installed, is tried anew when somebody opens it.
    if (!isOpened) coming = null;
    throw fault;
  }));
  const Shown = (props: Props): ReactNode => {
    isOpened = true;
    if (there === null) use(bring());
    return there === null ? null : createElement(there, props);
  };
  return Object.assign(Shown, { bring });
}

/** Whoever pays for each byte, or has few of them in a second, has what they open and nothing else. */
function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string } };
  return connection?.saveData === true || /2g/u.test(connection?.effectiveType ?? '') || window.matchMedia('(prefers-reduced-data: reduce)').matches;
}

const idle = (): Promise<void> =>
  new Promise((done) => {
    // Safari says nothing of it.
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => done());
    else setTimeout(done, 300);
  });

const wholePage = (): Promise<void> =>
  new Promise((done) => {
    if (document.readyState === 'complete') done();
    else window.addEventListener('load', () => done(), { once: true });
  });

const line = new Set<Later>();
let isBringing = false;

async function bringAll(): Promise<void> {
  isBringing = true;
  await wholePage();
  for (const next of line) {
    await idle();
    // Whoever opens it has it tried once more, and hears of it.
    await next.bring().catch(() => undefined);
    line.delete(next);
  }
  isBringing = false;
}

/** What can be opened from here is loaded when the browser has nothing else to do, one part after the other. */
export function useSoon(...parts: readonly Later[]): void {
  useEffect(() => {
    if (savesData()) return;
    for (const part of parts) line.add(part);
    if (!isBringing) void bringAll();
  }, [parts.length]);
}
