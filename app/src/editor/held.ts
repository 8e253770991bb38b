/**
 * Whose a draft is: each page that is edited keeps what is typed under a name of its own, and holds a lock of that name as long as
 * it is open. What nobody holds was left by a tab that was closed, or by a browser that has ended.
 */

export interface Held {
  readonly name: string;
  readonly release: () => void;
}

/** So long what was left waits for somebody to come back to it. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** Those of this page: browsers give locks to secure origins alone. */
const here = new Set<string>();
const locks = (): LockManager | undefined => globalThis.navigator?.locks as LockManager | undefined;

export function hold(page: string): Held {
  const name = `${page} tab ${crypto.getRandomValues(new Uint32Array(3)).join('-')}`;
  let resolve = (): void => undefined;
  const promise = new Promise<void>((end) => {
    resolve = end;
  });
  here.add(name);
  // A browser may refuse at once, or by and by.
  void Promise.resolve().then(() => locks()?.request(name, () => promise)).catch(() => undefined);
  return {
    name,
    release: () => {
      here.delete(name);
      resolve();
    },
  };
}

/** The names that are held in this browser. */
export async function heldNames(): Promise<ReadonlySet<string>> {
  const state = await Promise.resolve().then(() => locks()?.query()).catch(() => undefined);
  return new Set([...here, ...[...(state?.held ?? []), ...(state?.pending ?? [])].flatMap(({ name }) => name ?? [])]);
}

/** Two tabs that are opened at once take no draft twice; where the browser has no locks or refuses them, it is done without. */
export async function oneByOne<Value>(work: () => Promise<Value>): Promise<Value> {
  let done: Promise<Value> | null = null;
  const once = (): Promise<Value> => (done ??= work());
  try {
    // What goes wrong in the work itself is no refusal.
    await locks()?.request('docstead-drafts', () => once().then(() => undefined, () => undefined));
  } catch {
    // Refused.
  }
  return once();
}

/** Whether a key is of a page, and of no other one whose name begins alike. */
export const isOf = (page: string, key: string): boolean => key === page || key.startsWith(`${page} `);
