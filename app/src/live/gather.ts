/** When events lead to a refresh: several are one, many are spread out, and a hidden tab waits. */

/** Several events of one write are one refresh. */
const GATHERED_MS = 120;
/** A busy space asks its viewers' browsers for no more than this. */
const BETWEEN_MS = 1_500;
/** Not all viewers of an event ask at the same moment. */
const SPREAD_MS = 200;

export interface Surroundings {
  readonly now: () => number;
  readonly later: (work: () => void, milliseconds: number) => void;
  readonly random: () => number;
  readonly isHidden: () => boolean;
}

/** `soon` asks for a refresh; `seen` is called when the tab can be seen again. */
export function gatherer(refresh: () => void, { now, later, random, isHidden }: Surroundings) {
  let isWaiting = false;
  let isStale = false;
  let last = Number.NEGATIVE_INFINITY;

  const run = (): void => {
    isWaiting = false;
    if (isHidden()) {
      isStale = true;
      return;
    }
    isStale = false;
    last = now();
    refresh();
  };
  const soon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    later(run, Math.max(GATHERED_MS, last + BETWEEN_MS - now()) + random() * SPREAD_MS);
  };
  const seen = (): void => {
    if (isStale && !isHidden()) soon();
  };
  return { soon, seen };
}
