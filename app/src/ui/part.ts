/** Parts of the application that are loaded when they are needed, also over a bad connection. */

import { type ComponentType, lazy } from 'react';

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

export const part = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => untilThere(load));
