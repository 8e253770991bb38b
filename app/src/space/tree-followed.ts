/** Pages that have gone to another place of a tree: the way to them is opened, it is said, and the focus goes along. */

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import type { RowFocus } from './row-focus.ts';
import { above, isOpenTo, placeOf, ROOT } from './tree-moves.ts';
import type { Snapshot, TreeStore } from './tree-store.ts';

/** Pages that others have moved at once and that are looked for; of more only those that somebody looks at. */
const MOST_SOUGHT = 5;

/** What has the focus so soon behind a key was given it by that. */
const BY_HAND_MS = 500;
/** So long a page is followed that has gone elsewhere: it is written, and then read anew. */
const FOLLOWED_MS = 8_000;

interface Moved {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly until: number;
}

export function useFollowed({ store, levels, expanded, open, focus, shown, row }: {
  store: TreeStore; levels: Snapshot['levels']; expanded: ReadonlySet<string>; open: (ids: readonly string[]) => void;
  focus: RowFocus;
  /** The page that is read beside the tree. */
  shown: string | null;
  /** How high a row is. */
  row: number;
}) {
  const t = useTexts();
  const [said, setSaid] = useState('');
  const [moved, setMoved] = useState<readonly Moved[]>([]);
  /** The row that has the focus, or had it when it was taken away. */
  const at = useRef<string | null>(null);
  const following = useRef<{ key: string; until: number } | null>(null);
  /** When somebody has done something last, and which row had the focus that another one has now without that: theirs was taken away. */
  const byHand = useRef(0);
  const lost = useRef<string | null>(null);
  // Whoever does something meanwhile has gone on.
  useEffect(() => {
    const end = (event?: Event): void => {
      if (event instanceof KeyboardEvent && focus.keep(event)) return;
      byHand.current = performance.now();
      following.current = null;
      if (event instanceof PointerEvent && !focus.isInside(event.target)) at.current = null;
      // What is dispatched here was pressed before.
      if (event?.isTrusted !== false) focus.stop();
    };
    const onUp = (event: KeyboardEvent): void => void focus.keep(event);
    document.addEventListener('keydown', end, true);
    document.addEventListener('keyup', onUp, true);
    document.addEventListener('pointerdown', end, true);
    return () => {
      end();
      document.removeEventListener('keydown', end, true);
      document.removeEventListener('keyup', onUp, true);
      document.removeEventListener('pointerdown', end, true);
    };
  }, [focus]);
  const before = useRef<{ store: TreeStore; parents: ReadonlyMap<string, string> } | null>(null);

  // What others have moved out of a level that is open.
  useEffect(() => {
    // What is shown before it is written is of oneself.
    if (store.isPretending) return;
    const parents = new Map([...levels].flatMap(([parent, pages]) => pages.map((page) => [page.pageId, parent] as const)));
    const old = before.current;
    before.current = { store, parents };
    if (old?.store !== store) {
      setMoved([]);
      following.current = null;
      return;
    }
    const gone = [...old.parents].filter(([id, parent]) => !parents.has(id) && (parent === ROOT || expanded.has(parent))).map(([id]) => id);
    const sought = gone.length > MOST_SOUGHT ? gone.filter((id) => id === at.current || id === shown) : gone;
    for (const id of sought) {
      void store.whereIs(id).then((page) => {
        if (page !== null && before.current?.store === store) setMoved((all) => [...all.filter((other) => other.id !== id), { ...page, until: performance.now() + FOLLOWED_MS }]);
      });
    }
  }, [store, levels]);

  // The way to them is read level by level.
  useEffect(() => {
    if (moved.length === 0) return;
    // One that is not there when all of it is read has gone on: nothing stays open for it.
    const sought = moved.filter(({ until }) => performance.now() < until);
    if (sought.length < moved.length) return setMoved(sought);
    open(moved.flatMap(({ path }) => above(levels, path)).filter((id) => !expanded.has(id)));
    const there = moved.filter(({ id }) => isOpenTo(levels, expanded, id));
    const [first] = there;
    if (first === undefined) return;
    for (const { id } of there) if (id === at.current || id === lost.current) following.current = { key: id, until: performance.now() + FOLLOWED_MS };
    setSaid(there.map(({ id, title }) => t.nowBelow(title, placeOf(levels, placeOf(levels, id)?.parent ?? ROOT)?.page.title ?? null)).join(' '));
    setMoved(moved.filter((page) => !there.includes(page)));
  }, [moved, levels, expanded]);

  useLayoutEffect(() => {
    const { key, until } = following.current ?? { key: '', until: 0 };
    if (performance.now() > until || !isOpenTo(levels, expanded, key)) return;
    const top = Math.max(0, indexOf(levels, expanded, key) - 2) * row;
    focus.hold({ key, top }, () => void (following.current = null));
  }, [levels, expanded, moved]);

  /** One's own move: its new place is opened, and the focus goes along. */
  const follow = useCallback((id: string, parent: string): void => {
    following.current = { key: id, until: performance.now() + FOLLOWED_MS };
    if (parent !== ROOT) open([parent]);
  }, [open]);

  /** A row has the focus; `from` had it until now and is still drawn. */
  const onFocus = useCallback((key: string | null, from: string | null = null): void => {
    // Somebody has gone to another row without a key, as programs that read the screen do.
    if (from !== null && from !== key && from === following.current?.key && focus.leave()) following.current = null;
    if (key !== at.current) lost.current = performance.now() - byHand.current < BY_HAND_MS ? null : at.current;
    at.current = key;
  }, [focus]);
  return { follow, onFocus, said, last: at };
}

/** How many rows stand above one. */
function indexOf(levels: Snapshot['levels'], expanded: ReadonlySet<string>, id: string): number {
  let count = 0;
  const within = (parent: string): boolean => (levels.get(parent) ?? []).some((page) => {
    if (page.pageId === id) return true;
    count += 1;
    return expanded.has(page.pageId) && within(page.pageId);
  });
  within(ROOT);
  return count;
}
